"""Multi-head attention as parameters: pairs (W_h, v_h), their canonical form, equality.

The function f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) v_h^T x_j sees the heads only up to
order, up to merging heads with equal W_h (their v_h add) and up to heads whose v_h is zero. The
canonical form has distinct W_h, nonzero v_h and a fixed order: two models are the same function if
and only if their canonical forms are equal (claim recovery.uniqueness).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..symbolic.errors import InputError
from ..symbolic.rational import Vector, matrix, plain, vector

Token: TypeAlias = Vector
"""A point of Q^d."""


@dataclass(frozen=True, order=True)
class Head:
    """One head.

    Args:
        W: (d, d), the bilinear form of the scores x_n^T W x_j.
        v: (d,), the linear functional of the values.

    Example:
        >>> Head(((1, 0), (0, 1)), (2, 3)).v
        (2, 3)
    """

    W: tuple[Vector, ...]
    v: Vector

    def _repr_latex_(self) -> str:
        r"""W and v, as a notebook shows them.

        Example:
            >>> from fractions import Fraction
            >>> Head(((1,),), (Fraction(1, 2),))._repr_latex_()
            '$W = \\begin{pmatrix}1\\end{pmatrix},\\quad v = \\begin{pmatrix}1/2\\end{pmatrix}$'
        """
        form = r" \\ ".join(" & ".join(map(str, row)) for row in self.W)
        functional = r" \\ ".join(map(str, self.v))
        return (
            rf"$W = \begin{{pmatrix}}{form}\end{{pmatrix}},\quad "
            rf"v = \begin{{pmatrix}}{functional}\end{{pmatrix}}$"
        )


def head(W: Sequence[Sequence[object]], v: Sequence[object], where: str = "head") -> Head:
    """Read a head and check its shape.

    Args:
        W: (d, d) rationals.
        v: (d,) rationals.
        where: the place, for the message.

    Raises:
        InputError: a number that is not exact, or shapes that do not fit.

    Example:
        >>> head([[1]], ["1/2"])
        Head(W=((1,),), v=(Fraction(1, 2),))
    """
    functional = vector(v, f"{where}.v")
    form = matrix(W, f"{where}.W", columns=len(functional))
    if not functional or len(form) != len(functional):
        raise InputError(
            f"a square matrix with {len(functional)} rows, as v has entries"
            if functional
            else "at least one row",
            f"{len(form)} rows",
            where=f"{where}.W",
        )
    return Head(form, functional)


def canonical(heads: Iterable[Head]) -> tuple[Head, ...]:
    """Merge heads with equal W, drop zero functionals, sort.

    Example:
        >>> one, two = Head(((1,),), (2,)), Head(((1,),), (-2,))
        >>> canonical([one, two, Head(((0,),), (5,))])
        (Head(W=((0,),), v=(5,)),)
    """
    merged: dict[tuple[Vector, ...], Vector] = {}
    for each in heads:
        W = tuple(tuple(plain(entry) for entry in row) for row in each.W)
        v = merged.get(W, (0,) * len(each.v))
        merged[W] = tuple(plain(a + b) for a, b in zip(v, each.v, strict=True))
    return tuple(sorted(Head(W, v) for W, v in merged.items() if any(v)))
