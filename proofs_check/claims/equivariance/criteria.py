"""What the experiment on equivariance has to show, seed by seed, fixed before it is run.

The floors are inequalities between the data and every layer of a type (claim equivariance.strata,
statements floor and same-output), so a fit below one is a fault of the code. What is found out is
that the floors are far from 0 and that the right types come down to rounding.
"""

from __future__ import annotations

from collections.abc import Callable

from ...evidence import Json
from ...training.criterion import Criterion

_STRATA, _PRICE = "equivariance.strata", "equivariance.price"

MARGIN = 1e-6
"""A type fits if its least loss is below this share of the floor."""

APART = 0.01
"""The least share of the zero function's loss that the floor has to be."""


def _best(witness: str, name: str) -> Callable[[Json], float]:
    """The least loss of a type, as a multiple of the floor."""
    return lambda found: min(found[witness]["losses"][name]) / found[witness]["floor"]


def _floor(witness: str) -> Callable[[Json], float]:
    """The floor, as a share of the zero function's loss."""
    return lambda found: found[witness]["floor"] / found[witness]["zero"]


def _both(name: str) -> dict[str, Callable[[Json], float]]:
    return {
        "free orbit, least loss / floor": _best("free", name),
        "fixed heads, least loss / floor": _best("fixed", name),
    }


def _fits(name: str) -> Callable[[Json], bool]:
    return lambda found: all(_best(witness, name)(found) < MARGIN for witness in ("free", "fixed"))


OWN = Criterion(
    "own-type",
    _STRATA,
    "A free orbit of two heads and two fixed heads under diag(1, -1): the best fit of each by a "
    f"layer of its own type has a loss below {MARGIN:.0e} of the other type's floor.",
    _fits("own"),
    _both("own"),
)
OTHER = Criterion(
    "other-type",
    _STRATA,
    "Both witnesses: the floor is at least 1% of the zero function's loss, and the other type of "
    "two heads stays above it from every start, as do many fixed heads for the free orbit.",
    lambda found: (
        all(_floor(witness)(found) >= APART for witness in ("free", "fixed"))
        and all(_best(witness, "other")(found) >= 1 for witness in ("free", "fixed"))
        and _best("free", "many")(found) >= 1
    ),
    {
        "free orbit, floor / zero function": _floor("free"),
        "fixed heads, floor / zero function": _floor("fixed"),
        **_both("other"),
    },
)
MANY = Criterion(
    "many-fixed",
    _STRATA,
    "Many fixed heads fit a free orbit of two: their best fit has a loss below half of the floor.",
    lambda found: _best("free", "many")(found) < 0.5,
    {"least loss / floor": _best("free", "many")},
    control=True,
)
COVERING = Criterion(
    "covering-type",
    _PRICE,
    "Three heads, a free orbit and a fixed head, fit both witnesses: the best fit of each has a "
    f"loss below {MARGIN:.0e} of the floor of the type of two heads that does not.",
    _fits("covering"),
    _both("covering"),
)

CRITERIA = (OWN, OTHER, MANY, COVERING)
