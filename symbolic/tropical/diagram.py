"""Power diagrams as objects: sites with weights, from a tropical polynomial and back.

Claim A2: max_j <a_j, x> + c_j and min_j |x - a_j|^2 - w_j are attained by the same j when
w_j = |a_j|^2 + 2 c_j. The two descriptions determine each other, up to a common constant that
neither argmax nor argmin sees and that is kept here, so that the way back is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..rational import Rational, Vector, matrix, vector
from .polynomial import TropicalPolynomial, number, polynomial
from .power_diagram import nearest, power_distances, power_weights


@dataclass(frozen=True)
class PowerDiagram:
    """Sites a_j in Q^d with weights w_j; cell j is where |x - a_j|^2 - w_j is least.

    Args:
        sites: (N, d) rationals, N >= 1.
        weights: (N,) rationals, possibly negative.

    Raises:
        InputError: a float or shapes that do not fit.

    Example:
        >>> from headproof.symbolic.tropical.polynomial import polynomial
        >>> f = polynomial([[0], [3]], [0, 1])
        >>> diagram = PowerDiagram.of(f)
        >>> diagram.weights, diagram.polynomial() == f, sorted(diagram.nearest([5]))
        ((0, 11), True, [1])
    """

    sites: tuple[Vector, ...]
    weights: Vector

    def __post_init__(self) -> None:
        """Check the numbers at the border."""
        sites = matrix(self.sites, "sites", least_rows=1)
        object.__setattr__(self, "sites", sites)
        weights = vector(self.weights, "weights", dimension=len(sites))
        object.__setattr__(self, "weights", weights)

    @classmethod
    def of(cls, f: TropicalPolynomial) -> PowerDiagram:
        """The diagram of a polynomial: the sites are its exponents, in the order of its terms."""
        return cls(f.exponents, power_weights(f.exponents, f.coefficients))

    def polynomial(self) -> TropicalPolynomial:
        """The polynomial whose term wins where the site is nearest: c_j = (w_j - |a_j|^2)/2."""
        squares = [sum(x * x for x in site) for site in self.sites]
        halves = [Fraction(w - q) / 2 for w, q in zip(self.weights, squares, strict=True)]
        return polynomial(self.sites, halves)

    def distances(self, x: Sequence[Rational | str]) -> Vector:
        """|x - a_j|^2 - w_j for every site."""
        return power_distances(self.sites, self.weights, x)

    def nearest(self, x: Sequence[Rational | str]) -> frozenset[int]:
        """The sites of least power distance."""
        return nearest(self.sites, self.weights, x)

    def _repr_latex_(self) -> str:
        r"""Sites and weights, for notebooks.

        Example:
            >>> PowerDiagram(((0,), (2,)), (1, 4))._repr_latex_()
            '$\\min\\left(\\left|x-(0)\\right|^2 - 1,\\ \\left|x-(2)\\right|^2 - 4\\right)$'
        """
        terms = []
        for site, weight in zip(self.sites, self.weights, strict=True):
            place = r",\,".join(number(x) for x in site)
            shift = f"+ {number(-weight)}" if weight < 0 else f"- {number(weight)}"
            terms.append(rf"\left|x-({place})\right|^2 {shift}")
        return r"$\min\left(" + r",\ ".join(terms) + r"\right)$"
