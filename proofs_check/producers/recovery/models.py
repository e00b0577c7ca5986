"""Models that the searches of topic recovery draw: small, exact, generic and degenerate."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from random import Random

from hypothesis import strategies as st

from ....oracle.model import Head, canonical

Model = tuple[Head, ...]


def models(max_heads: int = 4, max_dimension: int = 3) -> st.SearchStrategy[Model]:
    """Heads with small integer W and rational v.

    Equal W, opposite and zero v, equal v, W = 0 and W that differ in one entry are frequent.
    """

    @st.composite
    def model(draw: st.DrawFn) -> Model:
        d = draw(st.integers(1, max_dimension))
        entry = st.integers(-2, 2)
        row = st.tuples(*[entry] * d)
        form = st.tuples(*[row] * d)
        pool = draw(st.lists(form, min_size=1, max_size=max_heads))
        value = st.one_of(entry, st.fractions(-3, 3, max_denominator=6))
        functionals = draw(st.lists(st.tuples(*[value] * d), min_size=1, max_size=max_heads))
        signed = st.builds(
            lambda v, sign: tuple(sign * entry for entry in v),
            st.sampled_from(functionals),
            st.sampled_from((1, -1)),
        )
        head = st.builds(Head, st.sampled_from(pool), signed)
        return tuple(draw(st.lists(head, min_size=1, max_size=max_heads)))

    return model()


def visible(model: Model) -> bool:
    """Whether no two or more of the canonical v_h sum to zero.

    Heads that do are invisible together wherever their scores coincide.
    """
    functionals = [head.v for head in canonical(model)]
    return all(
        any(map(sum, zip(*chosen, strict=True)))
        for count in range(2, len(functionals) + 1)
        for chosen in combinations(functionals, count)
    )


def random_model(random: Random, dimension: int, heads: int, *, reach: int = 4) -> Model:
    """Heads with independent entries, `visible`; the first two have one v: their residues agree."""

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-reach, reach) for _ in range(dimension))

    while True:
        found: list[Head] = []
        while len(found) < heads:
            v: tuple[int | Fraction, ...] = found[0].v if len(found) == 1 else row()
            W = tuple(row() for _ in range(dimension))
            if any(v) and all(W != head.W for head in found):
                found.append(Head(W, v))
        if heads > 8 or visible(tuple(found)):  # 2^H sums; none vanishes by chance in a wide space
            return tuple(found)
