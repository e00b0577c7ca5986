"""Criteria: what a trained experiment has to show, fixed before it runs.

A criterion looks at one seed at a time. It is met when every seed meets it, or the share of seeds
that it names: a statement about a mean could be carried by one lucky seed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from ..evidence import Json
from .interval import LEVEL, binomial_interval, mean_interval

LEAST_SEEDS = 5
"""Fewer seeds settle nothing."""


@dataclass(frozen=True)
class Criterion:
    """A condition on the measurements of one seed.

    Args:
        name: short; unique within the experiment.
        claim: the id of the claim that it settles.
        text: what has to hold of a seed, with every threshold.
        met: whether it holds, given the measurements of the seed.
        values: name -> the numbers to show, of a seed.
        share: the least share of seeds that have to meet it.
        control: it is false on purpose and must not be met.
    """

    name: str
    claim: str
    text: str
    met: Callable[[Json], bool]
    values: Mapping[str, Callable[[Json], float]]
    share: float = 1.0
    control: bool = False


@dataclass(frozen=True)
class Assessment:
    """A criterion on the seeds of a run.

    Args:
        criterion: as fixed beforehand.
        met: how many seeds meet it.
        seeds: how many there are.
        failing: which do not, by their place in the run.
        numbers: for tables: means and intervals over seeds.
    """

    criterion: Criterion
    met: int
    seeds: int
    failing: tuple[int, ...]
    numbers: Mapping[str, Json]

    @property
    def holds(self) -> bool:
        """Whether enough seeds meet it."""
        return self.met >= self.criterion.share * self.seeds and self.seeds > 0

    @property
    def settles(self) -> bool:
        """Whether there are enough seeds to conclude anything."""
        return self.seeds >= LEAST_SEEDS


def assess(criterion: Criterion, measurements: Sequence[Json]) -> Assessment:
    """Hold a criterion against the measurements of each seed.

    Raises:
        ValueError: there are no measurements.
    """
    if not measurements:
        raise ValueError("expected the measurements of at least one seed")
    n = len(measurements)
    failing = tuple(i for i, found in enumerate(measurements) if not criterion.met(found))
    met = n - len(failing)
    low, high = binomial_interval(met, n)
    percent = f"{LEVEL:.0%}"
    numbers: dict[str, Json] = {
        "seeds that meet it": f"{met} of {n}",
        f"share, {percent} exact binomial": f"{low:.2f}..{high:.2f}",
    }
    for name, value in criterion.values.items():
        found = [value(each) for each in measurements]
        interval = mean_interval(found)
        if interval is None:
            numbers[name] = f"{found[0]:.5g}"
        else:
            numbers[f"{name}, mean, {percent} t"] = (
                f"{fmean(found):.5g} ({interval[0]:.5g}..{interval[1]:.5g})"
            )
    return Assessment(criterion, met, n, failing, numbers)
