"""The experiment ``order``: lags are learnt one by one, first by all heads, then by one each.

The flow on the population and SGD on sampled chains start from the same maps. The controls change
one thing each: the order of importance, the number of heads, the weight decay, the ratio of the
learning rates, the scale of the start, the loss. With few samples the flow runs on their moments
and is measured on the population.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..experiment import Experiment, Journal, Measurements, stream_seed
from .chain import Array, Chain, Indices, Moments, empirical_moments, least_loss, windows_of
from .cross_entropy import cross_entropy, least_cross_entropy
from .flow import FlowSettings, Trajectory, initial, integrate
from .measure import (
    competition,
    effective_rank,
    flattest,
    order_taken,
    stage_times,
    taken,
)
from .model import TrainingSettings, fit

_SHOWN = 240
"""Points of a recorded curve."""

_CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
_PERMUTED = Chain(5, (0.15, 0.55, 0.3), (1, 2, 3), (3, 1, 2))
_LONGER = Chain(7, (0.4, 0.25, 0.16, 0.11, 0.08), (1, 2, 3, 4, 5), (1, 2, 3, 4, 5))
_FLOW = FlowSettings()
_LONG_FLOW = FlowSettings(heads=6, time=20000.0, samples=1001)
_SAMPLE_FLOW = FlowSettings(time=2000.0, samples=401)
_START_FLOW = FlowSettings(time=2000.0, samples=301)
_SGD = TrainingSettings(steps=4800)
_ADAM = TrainingSettings("cross-entropy", "adam", rate=2e-3, score_rate=6e-3, decay=0.0, steps=4000)


@dataclass(frozen=True)
class OrderConfig:
    """The settings.

    Args:
        chain: with importance decreasing by lag.
        permuted: the same kernels and importances at other lags.
        longer: five lags of seven symbols.
        flow: of the main run.
        long_flow: of the chain of five lags.
        training: of SGD.
        entropy: of Adam on the cross-entropy.
        few: windows in a small sample.
        many: windows in a large one.
        draws: samples of each size.
        sample_flow: of the runs on samples.
        starts: how many more starts take the permuted lags.
        start_flow: of these runs.
    """

    chain: Chain = _CHAIN
    permuted: Chain = _PERMUTED
    longer: Chain = _LONGER
    flow: FlowSettings = _FLOW
    long_flow: FlowSettings = _LONG_FLOW
    training: TrainingSettings = _SGD
    entropy: TrainingSettings = _ADAM
    few: int = 40
    many: int = 4000
    draws: int = 8
    sample_flow: FlowSettings = _SAMPLE_FLOW
    starts: int = 20
    start_flow: FlowSettings = _START_FLOW


def run(config: OrderConfig, seed: int, journal: Journal) -> Measurements:
    """Everything for one seed.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the parts that are done.

    Returns:
        A summary of each flow and training, the orders of other starts, and the samples, as JSON.
    """
    beginning = stream_seed(seed, "start")
    moments, ranked = config.chain.moments, by_importance(config.chain)

    def flow(chain: Chain, settings: FlowSettings, part: Journal) -> Measurements:
        begun = initial(settings, chain.window, chain.symbols, beginning)
        path = integrate(chain.moments, settings, begun, part)
        return summary(path, losses_of(path, chain.moments), plateaus_of(chain), chain)

    def train(part: Journal) -> Measurements:
        begun = initial(config.flow, config.chain.window, config.chain.symbols, beginning)
        path = fit(config.chain, config.training, begun, stream_seed(seed, "chains"), part)
        losses = losses_of(path, moments)
        return summary(path, losses, plateaus_of(config.chain), config.chain)

    def entropy(part: Journal) -> Measurements:
        chain = config.chain
        begun = initial(config.flow, chain.window, chain.symbols, beginning)
        path = fit(chain, config.entropy, begun, stream_seed(seed, "entropy"), part)
        losses = np.array([cross_entropy(chain, maps) for maps in path.maps])
        levels = [least_cross_entropy(chain, ranked[:k]) for k in range(len(ranked) + 1)]
        return summary(path, losses, levels, chain)

    def samples(size: int, name: str, part: Journal) -> Measurements:
        draws = ((f"{n}", stream_seed(seed, f"{name}-{n}")) for n in range(config.draws))
        return [
            part.part(draw, partial(on_sample, config, size, drawn, beginning))
            for draw, drawn in draws
        ]

    chain, settings = config.chain, config.flow
    flows = {
        "flow": (chain, settings),
        "small-start": (chain, replace(settings, scale=settings.scale / 10)),
        "permuted": (config.permuted, settings),
        "two-heads": (chain, replace(settings, heads=len(chain.lags) - 1)),
        "six-heads": (config.longer, config.long_flow),
        "no-decay": (chain, replace(settings, decay=0.0)),
        "equal-rates": (chain, replace(settings, ratio=1.0)),
        "large-start": (chain, replace(settings, scale=0.1)),
    }
    found: dict[str, Measurements] = {}
    for name, (of, by) in flows.items():
        found[name] = journal.part(name, partial(flow, of, by))
    found["sgd"] = journal.part("sgd", train)
    found["cross-entropy"] = journal.part("cross-entropy", entropy)
    found["starts"] = journal.part("starts", partial(orders, config, seed))
    found["few-samples"] = journal.part("few-samples", partial(samples, config.few, "few"))
    found["many-samples"] = journal.part("many-samples", partial(samples, config.many, "many"))
    return found


def by_importance(chain: Chain) -> tuple[int, ...]:
    """The lags, the most important first."""
    ranked = sorted(zip(chain.importance, chain.lags, strict=True), reverse=True)
    return tuple(lag for _, lag in ranked)


def plateaus_of(chain: Chain) -> list[float]:
    """The additive losses of the 0, 1, ..., K most important lags, in floats."""
    ranked, moments = by_importance(chain), chain.moments
    return [least_loss(moments, ranked[:k]) for k in range(len(ranked) + 1)]


def losses_of(path: Trajectory, moments: Moments) -> Array:
    """The population loss along a trajectory.

    Args:
        path: n records.
        moments: of the population.

    Returns:
        ``(n,)``.
    """
    return np.array([moments.loss(maps) for maps in path.maps])


def summary(
    path: Trajectory, losses: Array, plateaus: Sequence[float], chain: Chain
) -> Measurements:
    """What the criteria look at, and a thinned curve.

    Args:
        path: n records.
        losses: ``(n,)``, at these.
        plateaus: L_0 > L_1 > ... > L_K.
        chain: whose lags are ranked.
    """
    passed = stage_times(path.times, losses, plateaus)
    second = passed[1] if len(passed) > 1 else None
    until = len(path.times) if second is None else int(np.searchsorted(path.times, second))
    ranks = [effective_rank(each) for each in path.attention]
    last = path.attention[-1]
    # Without a first stage there is no plateau: the loss where it stands says how far it is.
    flat = [
        flattest(path.times, losses, begun, ended)
        for begun, ended in zip(passed, [*passed[1:], None], strict=True)
    ]
    kept = thinned(path.times, _SHOWN)
    return {
        "plateaus": [float(level) for level in plateaus],
        "stage_times": passed,
        "flattest": [None if np.isinf(level) else level for level in flat],
        "final_loss": float(losses[-1]),
        "competition": competition(path.times, path.attention, by_importance(chain)[0], second),
        "rank_in_competition": float(min(ranks[: max(until, 1)])),
        "rank_at_the_end": ranks[-1],
        "least_largest_weight": float(last.max(axis=1).min()),
        "taken": taken(last),
        "order": order_taken(path.attention),
        "until": float(path.times[-1]),
        "curve": {
            "times": path.times[kept].tolist(),
            "losses": losses[kept].tolist(),
            "attention": path.attention[kept].round(4).tolist(),
        },
    }


def thinned(times: Array, points: int) -> Indices:
    """Indices of times that suit a logarithmic axis: at most so many, both ends included.

    Args:
        times: ``(n,)``, increasing from 0.
        points: how many at most.
    """
    wanted = times[-1] * np.linspace(0.0, 1.0, points) ** 4
    return np.unique(np.searchsorted(times, wanted).clip(max=len(times) - 1))


def orders(config: OrderConfig, seed: int, journal: Journal) -> list[list[int]]:
    """In which order other starts take the permuted lags.

    Args:
        config: the settings.
        seed: of the starts.
        journal: keeps the starts that are done.

    Returns:
        For each start what `order_taken` returns.
    """
    settings, chain = config.start_flow, config.permuted
    found = []
    for n in range(config.starts):
        begun = initial(settings, chain.window, chain.symbols, stream_seed(seed, f"start-{n}"))
        found.append(
            journal.part(
                f"{n}",
                partial(_order_from, chain, settings, begun),
            )
        )
    return found


def _order_from(
    chain: Chain, settings: FlowSettings, begun: tuple[Array, Array], journal: Journal
) -> list[int]:
    return order_taken(integrate(chain.moments, settings, begun, journal).attention)


def on_sample(
    config: OrderConfig, size: int, seed: int, beginning: int, journal: Journal
) -> Measurements:
    """The flow on the moments of a sample, measured on the population.

    Args:
        config: the settings.
        size: windows in the sample.
        seed: of the sample.
        beginning: the seed of the start.
        journal: keeps the state, so that a run that is stopped goes on.

    Returns:
        When the population loss is least, and how it and the sample's loss go, as JSON.
    """
    chain, settings = config.chain, config.sample_flow
    random = np.random.default_rng(seed)
    windows = windows_of(chain.sample(1, size, random), chain.window)
    sample = empirical_moments(windows, chain.symbols)
    begun = initial(settings, chain.window, chain.symbols, beginning)
    path = integrate(sample, settings, begun, journal)
    test, fitted = losses_of(path, chain.moments), losses_of(path, sample)
    best = int(test.argmin())
    above = path.attention[best].max(axis=0) > 0.5
    kept = thinned(path.times, _SHOWN // 2)
    return {
        "windows": size,
        "best_time": float(path.times[best]),
        "best": float(test[best]),
        "final": float(test[-1]),
        "final_over_best": float(test[-1] / test[best]),
        "lags_taken_at_best": int(above.sum()),
        "lags_taken_at_end": int((path.attention[-1].max(axis=0) > 0.5).sum()),
        "curve": {
            "times": path.times[kept].tolist(),
            "test": test[kept].tolist(),
            "sample": fitted[kept].tolist(),
        },
    }


_SHORT = FlowSettings(time=60.0, samples=61)

EXPERIMENT = Experiment(
    "order",
    "Attention on a high-order Markov chain: lags are learnt one by one (claims G3-G5).",
    {
        "smoke": OrderConfig(
            flow=_SHORT,
            long_flow=replace(_SHORT, heads=6, time=20.0),
            training=TrainingSettings(steps=40),
            entropy=replace(_ADAM, steps=40),
            draws=1,
            sample_flow=_SHORT,
            starts=1,
            start_flow=_SHORT,
        ),
        "quick": OrderConfig(
            training=TrainingSettings(steps=2400),
            entropy=replace(_ADAM, steps=2500),
            draws=4,
            starts=6,
        ),
        "full": OrderConfig(),
        "paper": OrderConfig(
            flow=FlowSettings(scale=1e-3, time=10000.0),
            training=TrainingSettings(steps=10000, chains=128, length=128),
            draws=20,
            starts=100,
        ),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 50},
    run,
)
