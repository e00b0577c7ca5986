"""What the searches on tropical attention draw from: exact rationals, with the hard cases in.

Every kind of object is drawn together with its degenerate forms, since theorems about argmax
sets fail there first: scores that tie, all scores equal, one score only, spreads that no float
holds, keys that repeat or lie on a line, one dimension.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from hypothesis import strategies as st

Scores = tuple[Fraction, ...]
Point = tuple[Fraction, ...]


@dataclass(frozen=True)
class HeadCase:
    """One head and a point: the data of claims A2 and A5.

    Args:
        keys: N points of R^d.
        biases: N numbers.
        point: a query in R^d.
    """

    keys: tuple[Point, ...]
    biases: tuple[Fraction, ...]
    point: Point


# Building a strategy costs more than drawing from it; these two are built once for each size.
@lru_cache
def rationals(size: int = 20) -> st.SearchStrategy[Fraction]:
    """Rationals p/q with |p| <= size and small q: integers half of the time."""
    return st.builds(Fraction, st.integers(-size, size), st.sampled_from((1, 1, 1, 2, 3, 7)))


@lru_cache
def points(dimension: int, size: int = 9) -> st.SearchStrategy[Point]:
    """Points of Q^d."""
    return st.tuples(*[rationals(size)] * dimension)


def scores(max_count: int = 8, spread: int = 40) -> st.SearchStrategy[Scores]:
    """Scores in Q^N, N >= 1: free, tied, all equal, of huge and of tiny spread.

    Args:
        max_count: the largest N.
        spread: the largest |s_j| of the moderate kinds; the huge kind goes to 10^6 times that,
            the tiny one varies by less than 10^-12.
    """
    moderate = rationals(spread)
    few = st.lists(moderate, min_size=1, max_size=3, unique=True)
    tied = few.flatmap(
        lambda values: st.lists(st.sampled_from(values), min_size=1, max_size=max_count)
    )
    equal = st.builds(lambda s, n: [s] * n, moderate, st.integers(1, max_count))
    free = st.lists(moderate, min_size=1, max_size=max_count)
    huge = free.map(lambda s: [10**6 * value for value in s])
    tiny = st.builds(
        lambda base, steps: [base + step * Fraction(1, 10**14) for step in steps],
        moderate,
        free,
    )
    return st.one_of(free, tied, equal, huge, tiny).map(tuple)


def temperatures() -> st.SearchStrategy[Fraction]:
    """Temperatures tau > 0, from 1/1000 to 1000, with powers of two and one."""
    return st.one_of(
        st.just(Fraction(1)),
        st.integers(-9, 9).map(lambda n: Fraction(2) ** n),
        st.fractions(Fraction(1, 1000), 1000, max_denominator=1000),
    )


def inverse_temperatures(largest: int = 12) -> st.SearchStrategy[int]:
    """Integer inverse temperatures k >= 1, for base-2 weights 2^(k s)."""
    return st.integers(1, largest)


@st.composite
def heads(
    draw: st.DrawFn,
    *,
    max_dimension: int = 3,
    max_count: int = 7,
    biased: bool = True,
) -> HeadCase:
    """A head with a point: free keys, repeated keys, keys on a line, all keys equal.

    Args:
        draw: given by Hypothesis.
        max_dimension: the largest d.
        max_count: the largest N.
        biased: whether biases are drawn; otherwise they are 0.
    """
    d = draw(st.integers(1, max_dimension))
    N = draw(st.integers(1, max_count))
    point = points(d)
    kind = draw(st.sampled_from(("free", "repeated", "line", "equal")))
    if kind == "free":
        keys = draw(st.lists(point, min_size=N, max_size=N))
    elif kind == "repeated":
        pool = draw(st.lists(point, min_size=1, max_size=3))
        keys = draw(st.lists(st.sampled_from(pool), min_size=N, max_size=N))
    elif kind == "line":
        start, direction = draw(point), draw(point)
        steps = draw(st.lists(rationals(5), min_size=N, max_size=N))
        keys = [tuple(a + t * b for a, b in zip(start, direction, strict=True)) for t in steps]
    else:
        keys = [draw(point)] * N
    biases = [Fraction(0)] * N
    if biased:
        biases = list(draw(points(N)))
        if draw(st.booleans()):
            biases = [biases[j % 2] for j in range(N)]
    return HeadCase(tuple(keys), tuple(biases), draw(point))
