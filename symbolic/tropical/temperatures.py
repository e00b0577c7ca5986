"""A12 as software: up to which temperature soft attention takes the route of its hard limit.

A bisection over `stability`. Both ends are certified by themselves, so the answer does not rest on
the route being kept at all temperatures below: it need not be. Cost: about log2(most^2/width)
decisions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..display import facts
from ..errors import InputError, LimitReached, NotInClass, PrecisionExhausted
from ..rational import Rational
from ..regions.network import Network
from .stability import Document, Stability, stability


@dataclass(frozen=True)
class Temperatures:
    """Up to which temperature the soft network takes the hard route.

    Args:
        below: it does here.
        above: here it does not, or on a domain was not shown to; None: it does at every temperature
            that was tried, up to ``below``.
    """

    below: Stability
    above: Stability | None

    def _repr_html_(self) -> str:
        """The two temperatures, as a notebook shows them."""
        above = "none was found" if self.above is None else self.above.temperature
        return facts(
            "The temperatures of the hard route",
            [("it is taken at", self.below.temperature), ("and no longer shown at", above)],
        )


def largest_temperature(
    network: Network | Document,
    *,
    at: Sequence[Rational | str] | None = None,
    width: Rational = Fraction(1, 1000),
    most: Rational = 2**20,
    limit: int = 2_000,
) -> Temperatures:
    """Bisect for a temperature up to which the soft network is shown to take the hard route.

    It need not be the only one: that the route is left at some temperature does not mean that it
    is left at all larger ones. At a point ``above`` certainly leaves the route; on a domain it
    does somewhere, or (``follows`` None) it was not shown in so many parts that it does not.

    Args:
        network: or its document.
        at: the input; without one the network's domain is looked at, as a whole.
        width: the two temperatures found differ by at most this part of the larger one.
        most: the largest temperature tried; 1/most is the least.
        limit: into how many parts the domain may be divided, at each temperature.

    Raises:
        InputError: as for `stability`, or a width that is not positive.
        NotInClass: the hard network has a tie at this point.
        LimitReached: on the domain the route is not shown at the least temperature: it crosses
            a wall between cells, or needs more parts.
        PrecisionExhausted: soft scores that seem to tie exactly.

    Example:
        >>> head = {"keys": [[-1], [1]], "values": [[-1], [1]]}
        >>> network = {"dimension": 1, "layers": [{"heads": [head]}]}
        >>> largest_temperature(network, at=[2]).above is None  # one layer: at every temperature
        True
    """
    if width <= 0:
        raise InputError("a positive number", str(width), where="width")
    if limit < 1:
        raise InputError("a positive number of parts", str(limit), where="limit")

    def tried(tau: Rational) -> Stability:
        found = stability(network, temperature=tau, at=at, limit=limit)
        if found.tie is not None:
            raise NotInClass("the hard network has a tie at this point: no unique route")
        return found

    low, high = None, None
    tau: Rational = Fraction(1)
    if at is None and not (least := tried(Fraction(1, most))).follows:
        raise LimitReached(
            f"at a temperature of 1/{most} the route is shown on {float(least.share):.1%} of the "
            f"domain in {least.parts:,} parts: choose a domain within a cell, or more parts"
        )
    while low is None or high is None:
        found = tried(tau)
        if found.follows:
            low = found
            if tau >= most:
                return Temperatures(low, None)
            tau *= 2
        else:
            high = found
            if tau < Fraction(1, most):
                raise PrecisionExhausted(f"the route is left even at a temperature of {tau}")
            tau = Fraction(tau) / 2
    while high.temperature - low.temperature > width * high.temperature:
        middle = Fraction(low.temperature + high.temperature) / 2
        found = tried(middle)
        low, high = (found, high) if found.follows else (low, found)
    return Temperatures(low, high)
