"""Claim E2, recovery.uniqueness: 2H + 1 answers to copies determine H poles."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from flint import fmpq, fmpq_mat
from hypothesis import strategies as st

from ....symbolic.derivations.derivation import Derivation
from ....symbolic.recovery.proofs import elimination as lemma
from ....symbolic.recovery.proofs import uniqueness as proof
from ...certificates import counterexample
from ...certificates.formula import (
    Expression,
    at,
    equal,
    every,
    forall,
    implies,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.recovery.uniqueness import ID
from ...evidence import Certificate, Outcome
from ...outcomes import derived, searched
from ...search import search

Poles = tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
"""Distinct positive r_1..r_n, and distinct nodes t that are not negative."""


@dataclass(frozen=True)
class Pair:
    """Two functions K - sum_h c_h/(1 + m z_h) of one number of poles."""

    K: tuple[Fraction, Fraction]
    c: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]
    z: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]

    def difference(self, m: int) -> Fraction:
        """The first less the second at m copies."""
        first, second = (
            K - sum((c / (1 + m * z) for c, z in zip(cs, zs, strict=True)), Fraction(0))
            for K, cs, zs in zip(self.K, self.c, self.z, strict=True)
        )
        return first - second


@cache
def _proof() -> Derivation:
    """Decided once; two statements are among its conclusions."""
    return proof.derivation()


def derivation(_: Context) -> Outcome:
    """A constant and n poles at n + 1 nodes, for every n."""
    return derived(_proof(), "unique")


def elimination(_: Context) -> Outcome:
    """The step of its induction, which it supposes: from n poles to n + 1."""
    return derived(lemma.elimination(), "step")


def poles_derivation(_: Context) -> Outcome:
    """The poles alone at n nodes, for every n."""
    return derived(_proof(), "cauchy")


def search_separates(context: Context) -> Outcome:
    """Look for poles and nodes at which the matrix of the equations is singular."""
    return _search_rank(context, constant=True)


def search_poles(context: Context) -> Outcome:
    """The same without a constant."""
    return _search_rank(context, constant=False)


def _search_rank(context: Context, *, constant: bool) -> Outcome:
    def holds(case: Poles) -> bool:
        poles, nodes = case
        used = nodes if constant else nodes[:-1]
        rows = [[fmpq(1)] * constant + [_fmpq(1 / (t + r)) for r in poles] for t in used]
        return bool(fmpq_mat(rows).rank() == len(poles) + constant)

    examples = 200 if context.profile is Profile.QUICK else 2000
    result = search(_poles(), holds, examples=examples, seed=context.seed)
    return searched(result, "poles and nodes (n <= 8, near and far)", lambda _: {})


def search_fewer_nodes(context: Context) -> Outcome:
    """Refute that 2H nodes suffice: two functions through 2H common answers."""

    def holds(case: Pair) -> bool:
        H = len(case.c[0])
        same = all(case.difference(m) == 0 for m in range(2 * H))
        return not same or case.difference(2 * H) == 0

    examples = 100 if context.profile is Profile.QUICK else 1000
    result = search(_pairs(), holds, examples=examples, seed=context.seed)

    def refutation(case: Pair) -> dict[str, Certificate]:
        H, m = length("c1"), var("m")
        agree = forall("m", 2 * H, equal(_value("1", m), _value("2", m)))
        beyond = equal(_value("1", 2 * H), _value("2", 2 * H))
        shapes = every(*(equal(length(name), H) for name in ("z1", "c2", "z2")))
        positive = every(*(forall("h", H, at(z, var("h")) > 0) for z in ("z1", "z2")))
        formula = implies(every(shapes, positive, agree), beyond)
        instance: dict[str, object] = {}
        for i, name in enumerate("12"):
            instance |= {f"K{name}": case.K[i], f"c{name}": case.c[i], f"z{name}": case.z[i]}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "pairs of functions with H <= 2 poles", refutation)


def _value(name: str, m: Expression) -> Expression:
    c, z = at(f"c{name}", var("h")), at(f"z{name}", var("h"))
    return var(f"K{name}") - sum_over("h", length("c1"), c / (number(1) + m * z))


def _poles() -> st.SearchStrategy[Poles]:
    """Powers of two, as the oracle has them, fractions close together, far apart."""
    power = st.integers(-40, 40).map(lambda e: Fraction(2) ** e)
    close = st.integers(1, 10**6).map(lambda k: 1 + Fraction(k, 10**6))
    plain = st.fractions(Fraction(1, 30), 50, max_denominator=30)

    @st.composite
    def case(draw: st.DrawFn) -> Poles:
        n = draw(st.integers(1, 8))
        pole = draw(st.sampled_from([power, close, plain]))
        poles = draw(st.lists(pole, min_size=n, max_size=n, unique=True))
        node = draw(st.sampled_from([st.integers(0, 30).map(Fraction), plain]))
        nodes = draw(st.lists(node, min_size=n + 1, max_size=n + 1, unique=True))
        return tuple(poles), tuple(nodes)

    return case()


def _pairs() -> st.SearchStrategy[Pair]:
    """The second function is chosen to agree with the first at m = 0..2H - 1, where that is solved.

    H poles and a constant have H + 1 coefficients at given poles, so with H = 1 the second function
    is solved for; with more poles both are drawn, and hardly ever agree.
    """
    positive = st.integers(1, 6).map(Fraction)
    value = st.integers(-3, 3).map(Fraction)

    @st.composite
    def case(draw: st.DrawFn) -> Pair:
        if draw(st.booleans()):
            z1, z2, K, c = draw(positive), draw(positive), draw(value), draw(value)
            second = c * (1 - 1 / (1 + z1)) / (1 - 1 / (1 + z2))
            return Pair((K, K - c + second), ((c,), (second,)), ((z1,), (z2,)))
        H = draw(st.integers(1, 2))
        several, poles = st.tuples(*[value] * H), st.tuples(*[positive] * H)
        return Pair(
            draw(st.tuples(value, value)),
            (draw(several), draw(several)),
            (draw(poles), draw(poles)),
        )

    return case()


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
