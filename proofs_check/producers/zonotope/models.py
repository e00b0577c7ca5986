"""Zonotopes and heads for the searches."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from ....numeric.zonotope.high_precision import HeadNumbers
from ....symbolic.zonotope.layer import Head
from ....symbolic.zonotope.zonotope import MatrixZonotope, Zonotope

HEXAGON = Zonotope((0, 0), ((1, 0), (0, 1), (1, 1)))
"""Three generators in the plane: with signs +, +, - their sum is the centre."""

_small = st.integers(-2, 2)


@dataclass(frozen=True)
class Case:
    """Heads, tokens and an order of the tokens."""

    heads: tuple[Head, ...]
    tokens: tuple[tuple[int, ...], ...]
    order: tuple[int, ...]


@st.composite
def zonotopes(draw: st.DrawFn, *, most: int = 5) -> Zonotope:
    """Small entries, so that ties, parallel and vanishing generators are frequent."""
    d, g = draw(st.integers(1, 3)), draw(st.integers(1, most))

    def entries() -> tuple[int, ...]:
        return tuple(draw(st.lists(_small, min_size=d, max_size=d)))

    return Zonotope(entries(), tuple(entries() for _ in range(g)))


@st.composite
def cases(draw: st.DrawFn, *, heads: int = 2) -> Case:
    """Heads of any shapes, and a permutation."""
    d, p, n = draw(st.integers(1, 3)), draw(st.integers(1, 3)), draw(st.integers(1, 4))

    def table(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
        row = st.lists(_small, min_size=columns, max_size=columns)
        return tuple(tuple(draw(row)) for _ in range(rows))

    def head() -> Head:
        g = draw(st.integers(1, 3))
        values = MatrixZonotope(table(p, d), tuple(table(p, d) for _ in range(g)))
        return Head(table(d, d), values, table(g, d), tuple(draw(_small) for _ in range(g)))

    made = tuple(head() for _ in range(draw(st.integers(1, heads))))
    return Case(made, table(n, d), tuple(draw(st.permutations(range(n)))))


def numbers(head: Head) -> HeadNumbers:
    """The head for the implementation in mpmath."""
    return HeadNumbers(
        head.form, head.values.centre, head.values.generators, head.slopes, head.offsets
    )
