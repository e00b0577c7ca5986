"""Claim E6, recovery.baselines: one head, and heads in known orthogonal subspaces."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import strategies as st

from ....oracle.exact import ExactOracle
from ....oracle.model import Head, canonical
from ....oracle.recovery.baselines import recover_orthogonal, recover_single_head
from ...certificates import counterexample
from ...certificates.formula import at, equal, exists, number, sum_over, var
from ...claim import Context, Profile
from ...claims.recovery.baselines import ID
from ...evidence import Certificate, Outcome
from ...outcomes import searched
from ...search import search

Blocks = tuple[tuple[Head, ...], tuple[int, ...]]
"""Heads, and the dimensions of their subspaces, spanned by consecutive basis vectors."""

Two = tuple[tuple[int, int], tuple[int, int]]
"""Score and residue of two heads."""

REACH = 12


def search_single_head(context: Context) -> Outcome:
    """Look for a head that is recovered wrongly or from another number of queries."""

    def holds(head: Head) -> bool:
        d = len(head.v)
        found = recover_single_head(ExactOracle([head]), seed=context.seed)
        right = found.heads == canonical([head])
        # A head that is zero needs no second query of any x.
        return right and found.queries == (d * d + d if any(head.v) else d)

    result = search(_heads(), holds, examples=_examples(context), seed=context.seed)
    return searched(result, "single heads, d <= 4", lambda _: {})


def search_orthogonal(context: Context) -> Outcome:
    """Look for heads in orthogonal blocks that are recovered wrongly."""

    def holds(case: Blocks) -> bool:
        heads, sizes = case
        d = len(heads[0].v)
        unit = [tuple(int(i == k) for k in range(d)) for i in range(d)]
        starts = [sum(sizes[:h]) for h in range(len(sizes))]
        bases = [unit[a : a + n] for a, n in zip(starts, sizes, strict=True)]
        found = recover_orthogonal(ExactOracle(heads), bases, seed=context.seed)
        seen = sum(n for n, head in zip(sizes, heads, strict=True) if any(head.v))
        return found.heads == canonical(heads) and found.queries == d + d * seen

    result = search(_blocks(), holds, examples=_examples(context), seed=context.seed)
    return searched(result, "heads in orthogonal blocks, d <= 4", lambda _: {})


def search_any_heads(context: Context) -> Outcome:
    """Refute that the answer of two heads is one that a single head could give."""
    pair = st.tuples(st.integers(-3, 3), st.integers(1, 3))

    def holds(case: Two) -> bool:
        answer = sum(c / (1 + Fraction(2) ** -score) for score, c in case)
        whole = sum(c for _, c in case)
        return any(answer == whole / (1 + Fraction(2) ** e) for e in range(-REACH, REACH + 1))

    result = search(st.tuples(pair, pair), holds, examples=100, seed=context.seed)

    def refutation(case: Two) -> dict[str, Certificate]:
        h, e = var("h"), var("e")
        answer = sum_over("h", 2, at("c", h) / (1 + number(2) ** -at("L", h)))
        single = sum_over("h", 2, at("c", h)) / (1 + number(2) ** (e - REACH))
        formula = exists("e", 2 * REACH + 1, equal(answer, single))
        instance = {"L": [a for a, _ in case], "c": [c for _, c in case]}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "two heads with scores up to 3", refutation)


def _examples(context: Context) -> int:
    return 150 if context.profile is Profile.QUICK else 2000


def _heads() -> st.SearchStrategy[Head]:
    @st.composite
    def head(draw: st.DrawFn) -> Head:
        d = draw(st.integers(1, 4))
        row = st.tuples(*[st.integers(-3, 3)] * d)
        value = st.fractions(-3, 3, max_denominator=6)
        return Head(draw(st.tuples(*[row] * d)), draw(st.one_of(row, st.tuples(*[value] * d))))

    return head()


def _blocks() -> st.SearchStrategy[Blocks]:
    @st.composite
    def blocks(draw: st.DrawFn) -> Blocks:
        sizes = tuple(draw(st.lists(st.integers(1, 2), min_size=1, max_size=2)))
        d = sum(sizes)
        heads, start = [], 0
        for size in sizes:
            inside = [start <= j < start + size for j in range(d)]

            def row(inside: list[bool] = inside) -> tuple[int, ...]:
                return tuple(draw(st.integers(-3, 3)) if here else 0 for here in inside)

            heads.append(Head(tuple(row() for _ in range(d)), row()))
            start += size
        return tuple(heads), sizes

    return blocks()
