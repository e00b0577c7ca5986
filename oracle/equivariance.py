"""Heads with matrix values from value queries, and the permutation that a group makes of them.

Every output coordinate is a black box of the plain kind, so its canonical heads are recovered by
`recovery.recover`, which sees answers only; heads of different coordinates with the same W are one
head with a matrix V. What comes out is the canonical form of the whole function, on which a group
acts (symbolic/equivariance/heads.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..symbolic.equivariance.heads import MatrixHead, canonical
from ..symbolic.errors import InputError
from ..symbolic.rational import Vector
from .exact import ExactOracle
from .model import Head
from .protocol import Oracle
from .recovery.recover import recover
from .recovery.recovery import Recovery


@dataclass(frozen=True)
class MatrixRecovery:
    """The heads of a function with several outputs.

    Args:
        heads: in canonical form.
        coordinates: the recovery of each output coordinate.
    """

    heads: tuple[MatrixHead, ...]
    coordinates: tuple[Recovery, ...]

    @property
    def queries(self) -> int:
        """All value queries, one coordinate after the other, fresh ones included."""
        return sum(each.queries_all_attempts for each in self.coordinates)


def coordinate_oracles(heads: Iterable[MatrixHead]) -> tuple[ExactOracle, ...]:
    """The exact black boxes of the output coordinates of a planted model, base 2.

    Args:
        heads: at least one, with integer W.

    Raises:
        InputError: no heads, or W that is no integer matrix.

    Example:
        >>> first, second = coordinate_oracles([MatrixHead(((1,),), ((3,), (5,)))])
        >>> first(((2,), (1,))), second(((0,), (1,)))  # weights 4 and 2, then 1 and 2
        (5, 10/3)
    """
    given = tuple(heads)
    if not given:
        raise InputError("at least one head", "none", where="heads")
    outputs = len(given[0].V)
    return tuple(
        ExactOracle([Head(head.W, head.V[r]) for head in given], dimension=len(given[0].W))
        for r in range(outputs)
    )


def recover_matrix_heads(oracles: Sequence[Oracle], *, bound: int, seed: int = 0) -> MatrixRecovery:
    """Recover the canonical heads of a function from value queries to its coordinates.

    Args:
        oracles: one black box for each output coordinate.
        bound: at least the number of heads of any coordinate.
        seed: of the drawings.

    Raises:
        InputError: no oracle.
        NotInClass: a coordinate is no attention of at most so many heads.
        Degenerate: every drawing was degenerate.

    Example:
        >>> planted = [MatrixHead(((1,),), ((3,), (0,))), MatrixHead(((2,),), ((1,), (1,)))]
        >>> recover_matrix_heads(coordinate_oracles(planted), bound=2).heads == tuple(planted)
        True
    """
    if not oracles:
        raise InputError("at least one output coordinate", "none", where="oracles")
    found = tuple(
        recover(oracle, bound=bound, detect=True, seed=seed + r) for r, oracle in enumerate(oracles)
    )
    heads = []
    for r, each in enumerate(found):
        for head in each.heads:
            zero: Vector = (0,) * len(head.v)
            rows = tuple(head.v if k == r else zero for k in range(len(oracles)))
            heads.append(MatrixHead(head.W, rows))
    return MatrixRecovery(canonical(heads), found)
