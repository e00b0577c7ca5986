"""Models that the searches of topic recovery draw: small, exact, generic and degenerate."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from ....oracle.model import Head

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


def random_model(random: Random, dimension: int, heads: int, *, reach: int = 4) -> Model:
    """Heads with independent entries; the first two have one v: their residues agree."""

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-reach, reach) for _ in range(dimension))

    found: list[Head] = []
    while len(found) < heads:
        v: tuple[int | Fraction, ...] = found[0].v if len(found) == 1 else row()
        W = tuple(row() for _ in range(dimension))
        if any(v) and all(W != head.W for head in found):
            found.append(Head(W, v))
    return tuple(found)
