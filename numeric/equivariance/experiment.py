"""The experiment ``equivariance``: which type of heads fits which witness.

Both witnesses of `fit`, a free orbit and two fixed heads under the mirror of the plane, are fitted
by their own type, by the other type of two heads, by the type of three heads that covers both and,
the free one, by many fixed heads. What is kept of each fit is the least loss over its starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from ..experiment import Experiment, Journal, Measurements, State, stream_seed
from .fit import COVERING, FIXED, FREE, Orbits, Task, fitted, task


@dataclass(frozen=True)
class EquivarianceConfig:
    """The settings.

    Args:
        pairs: of queries.
        length: tokens of a query.
        starts: random starts of each fit.
        steps: of L-BFGS from each start.
        many: fixed heads of the widest type.
    """

    pairs: int = 32
    length: int = 4
    starts: int = 6
    steps: int = 200
    many: int = 8


def run(config: EquivarianceConfig, seed: int, journal: Journal) -> Measurements:
    """Everything for one seed.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the parts that are done.

    Returns:
        What the criteria look at, as JSON.
    """
    types: dict[str, dict[str, Orbits]] = {
        "free": {
            "own": FREE,
            "other": FIXED,
            "covering": COVERING,
            "many": FIXED[:1] * config.many,
        },
        "fixed": {"own": FIXED, "other": FREE, "covering": COVERING},
    }
    found: dict[str, Measurements] = {}
    for kind, fits in types.items():
        drawn = stream_seed(seed, f"{kind}-queries")
        given = task(kind, pairs=config.pairs, length=config.length, seed=drawn)
        losses = {
            name: journal.part(f"{kind}-{name}", partial(_losses, config, given, orbits, seed))
            for name, orbits in fits.items()
        }
        found[kind] = {"floor": given.floor, "zero": given.scale, "losses": losses}
    return found


def _losses(
    config: EquivarianceConfig, given: Task, orbits: Orbits, seed: int, journal: Journal
) -> list[float]:
    """The loss after the fit from each start."""
    losses: list[float] = []
    if (state := journal.resume()) is not None:
        losses = list(state["losses"])

    def whole() -> State:
        return {"losses": losses}

    while len(losses) < config.starts:
        start = stream_seed(seed, f"start-{len(losses)}")
        losses.append(fitted(orbits, given, steps=config.steps, seed=start))
        journal.advance(len(losses), config.starts, whole)
    return losses


EXPERIMENT = Experiment(
    "equivariance",
    "Equivariant attention of every type fits witnesses of two strata (claims T1b, T1d).",
    {
        "smoke": EquivarianceConfig(pairs=4, starts=1, steps=4),
        "quick": EquivarianceConfig(pairs=16, length=3, starts=4, steps=150),
        "full": EquivarianceConfig(),
        "paper": EquivarianceConfig(pairs=256, length=8, starts=32, steps=1000),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 20},
    run,
)
