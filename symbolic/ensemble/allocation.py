"""Claim B7: a budget of D = H d_k coordinates allocated to heads, and what the model leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from ..display import facts, listing
from ..enclosures.ball import Enclosure, enclose
from ..errors import InputError
from ..rational import Rational
from .budget import Law

_LARGEST = 10**300
"""Errors beyond are not shown."""
_SHOWN, _FAR = 24, 4
"""Rows of the table at most, and how many times the optimum a divisor in it may be."""


@dataclass(frozen=True)
class Row:
    """One head dimension.

    Args:
        d_k: the head dimension.
        heads: H = D/d_k, an integer if d_k divides D.
        error: MSE(d_k).
    """

    d_k: int
    heads: Fraction
    error: Enclosure


@dataclass(frozen=True)
class Allocation:
    """The best head dimension of a law.

    Args:
        law: the parameters.
        d_model: the width of the model, which d_k cannot exceed; None: not said.
    """

    law: Law
    d_model: int | None = None

    def _repr_html_(self) -> str:
        """The best head dimension and its neighbours, as a notebook shows them."""
        law = self.law
        told = facts(
            "Head budget",
            [
                ("training points", law.n),
                ("budget H d_k", law.D),
                ("best d_k", self.best),
                ("best that divides the budget", self.best_divisors),
            ],
        )
        rows = ((row.d_k, row.heads, f"{float(row.error.upper):.6g}") for row in self.rows)
        table = listing(("d_k", "heads", "squared error"), rows, count=len(self.rows))
        return (
            told
            + table
            + listing(("caveat",), ([c] for c in self.caveats), count=len(self.caveats))
        )

    @cached_property
    def minimiser(self) -> Enclosure:
        """d_k*, over the real numbers."""
        return self.law.minimiser(digits=40)

    @cached_property
    def best(self) -> tuple[int, ...]:
        """The best integers of 1..min(D, d_model); two if they tie."""
        return self.law.best(most=self.d_model)

    @cached_property
    def best_divisors(self) -> tuple[int, ...]:
        """The best among those that divide D, so that H is an integer."""
        return self.law.best_divisor(most=self.d_model)

    @cached_property
    def bounds(self) -> tuple[Enclosure, Enclosure]:
        """The numbers log M/(alpha + i log C), i = 2, 1; d_k* lies between them if M >= 1."""
        law = self.law

        def value(times: int) -> Enclosure:
            return enclose(
                lambda: law.size().log() / (law.alpha.ball() + times * law.log_growth()), digits=20
            )

        return value(2), value(1)

    def row(self, d_k: int) -> Row:
        """One line of the table."""
        return Row(d_k, Fraction(self.law.D, d_k), self.law.error(d_k, digits=20))

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The optima, their neighbours, and the divisors of D around them, ascending."""
        top = self.law.D if self.d_model is None else min(self.law.D, self.d_model)
        shown = set(self.best) | set(self.best_divisors)
        shown |= {x + step for x in self.best for step in (-2, -1, 1, 2)}
        centre = self.best[0]
        divisors = [x for x in self.law.divisors if x <= _FAR * centre]
        divisors.sort(key=lambda x: (abs(x - centre), x))
        shown |= set(divisors[: _SHOWN - len(shown)])
        rows = (self.row(x) for x in sorted(shown) if 1 <= x <= top)
        return tuple(row for row in rows if row.error.lower < _LARGEST or row.d_k in self.best)

    @cached_property
    def caveats(self) -> tuple[str, ...]:
        """What the model leaves out, and where these parameters leave the model."""
        law, d_k = self.law, self.best[0]
        found = [
            "one bandwidth for every d_k: with a bandwidth optimised for each d_k the best "
            "dimension grows like sqrt(2 beta log(n H)/alpha), not like log n",
            "heads are taken as uncorrelated: on one common sample the covariance of two heads is "
            "at least sigma^2/n to leading order, which adds up to "
            f"{float(law.variance / law.n):.3g}",
        ]
        growth = 2.718281828459045 if law.C == "e" else float(law.C)
        if law.n < 20 * growth ** min(d_k, 300):
            found.append(
                "the variance is the leading order in C^d_k/n, which is not small here "
                f"(n = {law.n:,})"
            )
        if self.minimiser.upper < 1:
            found.append(
                "the real minimiser is below 1: the bias decays too slowly to pay for more"
            )
        if self.minimiser.lower > law.D:
            found.append("the real minimiser is above D: one head of all coordinates is best")
        if self.d_model is not None and self.minimiser.lower > self.d_model:
            found.append("the real minimiser is above d_model, which limits d_k")
        if self.d_model is not None and law.D > self.d_model:
            found.append("D exceeds d_model: the heads cannot all be orthogonal")
        if not set(self.best) <= set(self.best_divisors):
            found.append("the best d_k does not divide D: H = D/d_k is no integer")
        return tuple(found)


def head_budget(
    *,
    n: int,
    D: int,
    alpha: Rational | str,
    C: Rational | str,
    A: Rational | str = 1,
    variance: Rational | str = 1,
    d_model: int | None = None,
) -> Allocation:
    """Allocate a budget of coordinates to heads.

    MSE(d_k) = A exp(-alpha d_k) + sigma^2 C^d_k d_k/(n D), H d_k = D.

    Args:
        n: training points.
        D: the budget H d_k, up to 10^12.
        alpha: the rate at which the squared bias decays: a rational number, or "log p/q".
        C: the factor by which each coordinate raises the variance, above 1: a rational, or "e".
        A: the squared bias at d_k = 0.
        variance: sigma^2.
        d_model: the width of the model; d_k is at most that.

    Raises:
        InputError: a parameter out of its range; says which.

    Source: claim ``ensemble.budget``.

    Example:
        >>> found = head_budget(n=1000, D=64, alpha="1/2", C=2)
        >>> found.best, found.best_divisors
        ((7,), (8,))
    """
    if d_model is not None and (type(d_model) is not int or d_model < 1):
        raise InputError("a positive integer", repr(d_model), where="d_model")
    return Allocation(Law.of(A=A, alpha=alpha, C=C, variance=variance, n=n, D=D), d_model)
