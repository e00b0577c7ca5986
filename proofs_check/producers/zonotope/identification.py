"""Claim T2e, zonotope.identification: what the layer cannot see of its parameters."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import strategies as st

from ....symbolic.zonotope.jacobian import Sizes, identified
from ....symbolic.zonotope.layer import Head, evaluate
from ....symbolic.zonotope.proofs import symmetries as proofs
from ....symbolic.zonotope.zonotope import MatrixZonotope
from ...certificates import counterexample
from ...certificates.formula import Expression, equal, implies, number, var
from ...certificates.rank import matrix_certificate
from ...claim import Context, Profile
from ...claims.zonotope.identification import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .models import Case, cases

SIZES = {
    "smallest": Sizes(1, 1, 1, 1, 1, 1),
    "plain": Sizes(1, 2, 1, 1, 1, 0),
    "one-head": Sizes(1, 2, 1, 1, 1, 1),
    "full-factors": Sizes(1, 2, 2, 2, 2, 1),
    "two-heads": Sizes(2, 2, 1, 1, 2, 1),
    "two-generators": Sizes(1, 2, 1, 1, 2, 2),
    "three-generators": Sizes(1, 2, 1, 1, 1, 3),
}
LARGE = {"wide": Sizes(1, 3, 2, 2, 2, 2), "two-wide-heads": Sizes(2, 3, 2, 1, 1, 1)}


def derivation(_: Context) -> Outcome:
    """Matrices between the factors, and signs."""
    one = derived(proofs.factors(), "moved", "same")
    other = derived(proofs.sign(), "same")
    return replace(
        one,
        general=one.general and other.general,
        argued=one.argued + other.argued,
        scope="every m, d, g, n",
        numbers={"derivations": 2},
        detail=f"{one.detail}\n{other.detail}",
    )


def ranks(context: Context) -> Outcome:
    """Exact Jacobians of the layer to base 2, with the symmetries as kernel."""
    sizes = SIZES if context.profile is Profile.QUICK else {**SIZES, **LARGE}
    certificates: dict[str, Certificate] = {}
    rows: dict[str, str] = {}
    for name, size in sizes.items():
        matrix, rank = identified(size, seed=context.seed % 2**32)
        kept = [matrix[i] for i in rank.lower.rows]  # the minor; the others add nothing
        certificates[name] = matrix_certificate(ID, kept, rank)
        left = size.parameters - rank.rank
        rows[name] = f"{left} of {size.parameters}"
        if left != size.unidentified:
            return Outcome(Finding.VIOLATED, scope=name, certificates=certificates, numbers=rows)
    return Outcome(Finding.HOLDS, scope=", ".join(sizes), certificates=certificates, numbers=rows)


def search_symmetries(context: Context) -> Outcome:
    """Look for a head whose generators, signed and in another order, give another function."""

    def holds(case: tuple[Case, int]) -> bool:
        layer, seed = case
        moved = tuple(_moved(head, Random(seed)) for head in layer.heads)
        return evaluate(layer.heads, layer.tokens) == evaluate(moved, layer.tokens)

    examples = 60 if context.profile is Profile.QUICK else 1000
    drawn = st.tuples(cases(), st.integers(0, 999))
    result = search(drawn, holds, examples=examples, seed=context.seed)
    return searched(result, "heads, signs and orders of generators, to base 2", lambda _: {})


def signs(_: Context) -> Outcome:
    """beta(x) g x = beta'(x) g' x at x = 1 with a' = -a, g' = -g, and g != g'."""
    x, a, g, slope, other = (var(name) for name in ("x", "a", "g", "b", "h"))

    def layer(slope: Expression, generator: Expression) -> Expression:
        power = number(4) ** (slope * x)
        return (power - 1) / (power + 1) * generator * x

    formula = implies(equal(layer(a, g), layer(slope, other)), equal(g, other))
    instance = {"x": 1, "a": 1, "g": 1, "b": -1, "h": -1}
    return Outcome(
        Finding.VIOLATED,
        scope="one head of one dimension, to base 2",
        certificates={"sign": counterexample.certificate(ID, formula, instance)},
        detail="the same holds at every x: tanh is odd",
    )


def _moved(head: Head, random: Random) -> Head:
    """Generators with other signs, in another order."""
    order = list(range(len(head.values.generators)))
    random.shuffle(order)
    flips = [random.choice((1, -1)) for _ in order]

    def turned(rows: tuple[tuple[int, ...], ...], s: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(s * entry for entry in row) for row in rows)

    generators = tuple(
        tuple(tuple(s * entry for entry in row) for row in head.values.generators[i])
        for i, s in zip(order, flips, strict=True)
    )
    slopes = turned(tuple(head.slopes[i] for i in order), 1)
    return Head(
        head.form,
        MatrixZonotope(head.values.centre, generators),
        tuple(tuple(s * a for a in row) for row, s in zip(slopes, flips, strict=True)),
        tuple(s * head.offsets[i] for i, s in zip(order, flips, strict=True)),
    )
