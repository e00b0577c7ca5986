"""What the experiment on identification has to show, seed by seed, fixed before it is run.

The thresholds are those of the prototypes where there were any: a share below 1e-20 is rounding, a
share above 1e-3 is overlap.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from statistics import fmean

from ...evidence import Json
from ...training.criterion import Criterion

ROUNDING = 1e-20
"""The largest share of squared norm that counts as none."""

OVERLAP = 1e-3
"""The least share that counts as overlap."""

_GRADIENT, _REBALANCING = "identification.gradient", "identification.rebalancing"
_OVERLAPPING = ("Adam", "Adam, beta1 = 0", "AdamW", "sign descent")


def _trained(found: Json, *kinds: str) -> Iterator[Json]:
    for optimisers in found["trained"].values():
        for kind in kinds:
            yield optimisers[kind]


def _plain(found: Json) -> dict[int, Json]:
    """Heads -> the trainings of a layer without groups and rotations."""
    return {
        int(name[2:]): optimisers
        for name, optimisers in found["trained"].items()
        if "," not in name
    }


def _largest(key: str, *kinds: str) -> Callable[[Json], float]:
    return lambda found: max(max(one[key]) for one in _trained(found, *kinds))


def _least(key: str, *kinds: str) -> Callable[[Json], float]:
    return lambda found: min(min(one[key]) for one in _trained(found, *kinds))


def _mean(kind: str) -> Callable[[Json], float]:
    return lambda found: fmean(fmean(one["step"]) for one in _trained(found, kind))


def _scaled_first(found: Json) -> list[float]:
    """Adam's first share times 2H, by which the count of C1 predicts it to be about constant."""
    return [2 * h * kinds["Adam"]["step"][0] for h, kinds in _plain(found).items()]


def _looked(found: Json, *path: str) -> list[Json]:
    values = list(found["looked"].values())
    for key in path:
        values = [value[key] for value in values]
    return values


def _rotated(found: Json) -> list[Json]:
    return [look["repairs"] for name, look in found["looked"].items() if "RoPE" in name]


def _without_rotation(found: Json) -> list[Json]:
    return [look["repairs"] for name, look in found["looked"].items() if "RoPE" not in name]


def _drift_ratios(found: Json) -> list[float]:
    return [a / b for drift in _looked(found, "drift") for a, b in pairwise(drift)]


def _turned_ratios(found: Json) -> list[float]:
    return [
        a / b for shares in _looked(found, "repairs", "procrustes") for a, b in pairwise(shares)
    ]


def _flat(rows: list[list[float]]) -> list[float]:
    return [value for row in rows for value in row]


GRADIENT = Criterion(
    "gradient",
    _GRADIENT,
    f"For every layer: the gradient's share is at most {ROUNDING:.0e} at every step of every "
    f"optimiser, and so is that of every step of SGD.",
    lambda found: (
        max(max(one["gradient"]) for kinds in found["trained"].values() for one in kinds.values())
        <= ROUNDING
        and _largest("step", "SGD")(found) <= ROUNDING
    ),
    {"largest share of an SGD step": _largest("step", "SGD")},
)
OVERLAPPING = Criterion(
    "overlap",
    _GRADIENT,
    "For every layer: every step of Adam, of Adam with beta1 = 0, of AdamW and of sign descent has "
    f"a share above {OVERLAP:.0e}.",
    lambda found: _least("step", *_OVERLAPPING)(found) > OVERLAP,
    {
        "least share of Adam": _least("step", "Adam"),
        "mean share of Adam": _mean("Adam"),
        "mean share of Adam with beta1 = 0": _mean("Adam, beta1 = 0"),
        "mean share of AdamW": _mean("AdamW"),
        "mean share of sign descent": _mean("sign descent"),
        "mean share of Muon": _mean("Muon"),
    },
)
HEADS = Criterion(
    "heads",
    _GRADIENT,
    "In the layers without groups and rotations, H = 1, 2, 4, 8: 2H times the share of Adam's "
    "first step is between .3 and .55.",
    lambda found: all(0.3 <= value <= 0.55 for value in _scaled_first(found)),
    {
        "least 2H times the share": lambda found: min(_scaled_first(found)),
        "largest 2H times the share": lambda found: max(_scaled_first(found)),
    },
)
MOMENTUM = Criterion(
    "momentum",
    _GRADIENT,
    "For every layer: the steps of SGD with momentum have a largest share above 1e-12 (not zero) "
    "and a mean share below a tenth of Adam's (small).",
    lambda found: all(
        max(kinds["momentum"]["step"]) > 1e-12
        and fmean(kinds["momentum"]["step"]) < 0.1 * fmean(kinds["Adam"]["step"])
        for kinds in found["trained"].values()
    ),
    {"mean share": _mean("momentum"), "largest share": _largest("step", "momentum")},
)
DRIFT = Criterion(
    "drift",
    _GRADIENT,
    "For every layer: over a fixed time of gradient descent the conserved quantity drifts in "
    "proportion to the step size: halving it divides the drift by 1.8 to 2.2.",
    lambda found: all(1.8 <= ratio <= 2.2 for ratio in _drift_ratios(found)),
    {
        "least ratio": lambda found: min(_drift_ratios(found)),
        "largest ratio": lambda found: max(_drift_ratios(found)),
        "largest drift, relative": lambda found: max(_flat(_looked(found, "drift"))),
    },
)
MOVES = Criterion(
    "moves",
    _GRADIENT,
    "For every layer: a finite move along the fibre changes the loss by less than 1e-10, a random "
    "move of the same size by more than 1e-6.",
    lambda found: (
        max(_looked(found, "moves", "along")) < 1e-10
        and min(_looked(found, "moves", "random")) > 1e-6
    ),
    {
        "largest change along": lambda found: max(_looked(found, "moves", "along")),
        "least random change": lambda found: min(_looked(found, "moves", "random")),
        "largest random change": lambda found: max(_looked(found, "moves", "random")),
    },
)
DECAY = Criterion(
    "decay",
    _GRADIENT,
    f"For every layer: a step of weight decay has a share above {OVERLAP:.0e}, and at most "
    f"{ROUNDING:.0e} when the factors are balanced.",
    lambda found: (
        min(_looked(found, "decay", "before")) > OVERLAP
        and max(_looked(found, "decay", "balanced")) <= ROUNDING
    ),
    {
        "least share before": lambda found: min(_looked(found, "decay", "before")),
        "largest share balanced": lambda found: max(_looked(found, "decay", "balanced")),
    },
)
SAME = Criterion(
    "same",
    _REBALANCING,
    "For every layer: balancing after an Adam step changes no logit by more than 1e-12 of the "
    "largest; and in the rotated layer an SVD regardless of the rotations changes one by more than "
    "1e-3.",
    lambda found: (
        max(_flat(_looked(found, "repairs", "logits"))) <= 1e-12
        and all(min(one["blind"]) > 1e-3 for one in _rotated(found))
    ),
    {
        "largest change": lambda found: max(_flat(_looked(found, "repairs", "logits"))),
        "least change by a blind SVD": lambda found: min(
            min(one["blind"]) for one in _rotated(found)
        ),
    },
)
PLAIN_SVD = Criterion(
    "plain-svd",
    _REBALANCING,
    "In the layers without rotations: an Adam step from a balanced point followed by a plain SVD "
    "has a larger share than the raw step.",
    lambda found: all(
        after > raw
        for one in _without_rotation(found)
        for after, raw in zip(one["svd"], one["raw"], strict=True)
    ),
    {
        "largest share of the raw step": lambda found: max(
            max(one["raw"]) for one in _without_rotation(found)
        ),
        "least share after the SVD": lambda found: min(
            min(one["svd"]) for one in _without_rotation(found)
        ),
        "largest share after the SVD": lambda found: max(
            max(one["svd"]) for one in _without_rotation(found)
        ),
    },
)
TURNED = Criterion(
    "procrustes",
    _REBALANCING,
    "For every layer: rotated back to the previous factors the share is below a tenth of the raw "
    "step's, and halving the step divides it by 3.5 to 4.5; the projected step has a share of at "
    f"most {ROUNDING:.0e}.",
    lambda found: (
        all(
            after < 0.1 * raw
            for one in _looked(found, "repairs")
            for after, raw in zip(one["procrustes"], one["raw"], strict=True)
        )
        and all(3.5 <= ratio <= 4.5 for ratio in _turned_ratios(found))
        and max(_flat(_looked(found, "repairs", "projected"))) <= ROUNDING
    ),
    {
        "largest share rotated back": lambda found: max(
            _flat(_looked(found, "repairs", "procrustes"))
        ),
        "least ratio": lambda found: min(_turned_ratios(found)),
        "largest ratio": lambda found: max(_turned_ratios(found)),
        "largest share projected": lambda found: max(_flat(_looked(found, "repairs", "projected"))),
    },
)
NEXT = Criterion(
    "next",
    _REBALANCING,
    f"For every layer: Adam's step after a balancing has a share above {OVERLAP:.0e}.",
    lambda found: min(_flat(_looked(found, "repairs", "next"))) > OVERLAP,
    {"least share": lambda found: min(_flat(_looked(found, "repairs", "next")))},
)

CRITERIA = (
    GRADIENT, OVERLAPPING, HEADS, MOMENTUM, DRIFT, MOVES, DECAY, SAME, PLAIN_SVD, TURNED, NEXT
)  # fmt: skip
