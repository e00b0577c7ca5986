"""Readings of what one seed of the experiment ``order`` measured.

The layout is that of `numeric.order.experiment`. A plateau that was not found counts as far from
its height, a stage that did not come as infinitely late.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from statistics import median

from ...evidence import Json


@cache
def heights() -> tuple[float, ...]:
    """The exact plateau heights L_0, ..., L_3 of the chain, and last the Bayes loss of two lags."""
    from ....symbolic.order.losses import bayes, plateaus
    from ...producers.order.chain import CHAIN

    found: tuple[Fraction, ...] = (*plateaus(CHAIN), bayes(CHAIN, (1, 2)).loss)
    return tuple(map(float, found))


def deviation(part: str, stage: int, found: Json) -> float:
    """The distance of the flattest loss after a stage from its height; 1 if there was none."""
    level = found[part]["flattest"][stage - 1]
    return 1.0 if level is None else abs(float(level) - heights()[stage])


def final(part: str, level: float, found: Json) -> float:
    """The distance of the last loss from a height."""
    return abs(float(found[part]["final_loss"]) - level)


def times(part: str, found: Json) -> list[float]:
    """When the stages came; infinity for one that did not."""
    return [float("inf") if t is None else float(t) for t in found[part]["stage_times"]]


def ratio(later: float, earlier: float) -> float:
    """The ratio of two times; 0 where one did not come."""
    return later / earlier if later < float("inf") and earlier > 0 else 0.0


def by_importance(found: Json) -> float:
    """The share of starts that take the permuted lags in order of importance."""
    orders = [found["permuted"]["order"], *found["starts"]]
    right = sum(1 for order in orders if order == [2, 3, 1])
    return right / len(orders)


def median_ratio(part: str, found: Json) -> float:
    """The median over samples of the final over the best population loss."""
    return float(median(draw["final_over_best"] for draw in found[part]))


def intermediate(found: Json) -> float:
    """The share of small samples whose best loss comes before every lag is taken."""
    draws = found["few-samples"]
    return sum(int(draw["lags_taken_at_best"]) < 3 for draw in draws) / float(len(draws))
