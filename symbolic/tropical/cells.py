"""Claim A5, the exact side: which keys of a head ever win alone.

The cell of key j is full-dimensional iff (kappa_j, b_j) is an upper vertex of the lifted points,
that is, not in conv(others) - R_+ e_last; without biases: iff kappa_j is a vertex of the keys'
convex hull. The upper hull (`cones.hull.upper_hull`) settles every key with its reason, in time
that allows the 32 dimensions of a real head: no facet and no cell is ever listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from ..cones.hull import Combination, Hull, upper_hull
from ..rational import Rational, Vector
from .power_diagram import Keys, read_keys


@dataclass(frozen=True)
class Cells:
    """Every key of a head, settled.

    Args:
        winning: j -> rational x at which s_j(x) > s_i(x) for every other distinct score.
        never: j -> convex combination of winning keys whose score is nowhere below s_j.
        same_as: j -> the lowest i with the same key and bias, whose cell it shares.
        hull: the upper hull of the lifted points.
    """

    winning: Mapping[int, Vector]
    never: Mapping[int, Combination]
    same_as: Mapping[int, int]
    hull: Hull

    @property
    def count(self) -> int:
        """The number of full-dimensional cells."""
        return len(self.winning)

    def certificate(self, claim: str = "tropical.cells") -> dict[str, Any]:
        """The certificate of kind ``hull`` (upper) over the lifted points."""
        return self.hull.certificate(claim)


def cells(keys: Keys, biases: Sequence[Rational | str] | None = None) -> Cells:
    """Decide for every key whether it wins alone somewhere.

    Args:
        keys: (N, d) rationals, N >= 1, d >= 1, in any position.
        biases: (N,) rationals, or None for zeros.

    Raises:
        InputError: a float, no key, or shapes that do not fit.

    Source: claim ``tropical.cells``.

    Example:
        >>> found = cells([[-1], [0], [1]])
        >>> sorted(found.winning), found.never[1]
        ([0, 2], ((0, Fraction(1, 2)), (2, Fraction(1, 2))))
        >>> sorted(cells([[-1], [0], [1]], [0, 1, 0]).winning)
        [0, 1, 2]
    """
    rows, heights = read_keys(keys, biases)
    hull = upper_hull([(*row, height) for row, height in zip(rows, heights, strict=True)])
    return Cells(
        winning=MappingProxyType({j: hull.query(j) for j in hull.vertices}),
        never=hull.combinations,
        same_as=hull.equals,
        hull=hull,
    )
