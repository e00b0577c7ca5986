"""tropical.routing-limit: what is derived, and the variants that must not be."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Limit, Sum, exp

from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.statement import (
    Conjunction,
    Equivalence,
    ForAll,
    Implication,
    eq,
    le,
    lt,
)
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.partition import Delta, N, chi, i, j, m, s, tau
from headproof.symbolic.tropical.proofs.routing_limit import derivation

P = exp(s(j) / tau) / Sum(exp(s(i) / tau), (i, 1, N))
Q = exp(-Delta / tau)


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def limit(value: Any) -> Any:
    return eq(Limit(P, tau, 0, "+"), value)


def test_it_says_what_the_claim_says(derived: Any) -> None:
    won, lost = eq(chi(j), 1), eq(chi(j), 0)
    assert derived.conclusion("limit") == ForAll(
        Conjunction(Implication(won, limit(1 / m)), Implication(lost, limit(0))), (j, 1, N)
    )
    assert derived.conclusion("rate") == Conjunction(
        Implication(won, Conjunction(le(0, 1 / m - P), le(1 / m - P, (N - m) * Q / m**2))),
        Implication(lost, Conjunction(lt(0, P), le(P, Q / m))),
    )
    assert derived.conclusion("law") == eq(Sum(chi(j) / m, (j, 1, N)), 1)
    assert derived.conclusion("spread") == Equivalence(lt(1, m), lt(1 / m, 1))
    assert (derived.sizes, derived.argued, derived.general) == ((N, m), 0, True)
    assert derived.fixed == ()


FALSE = [
    ForAll(Implication(eq(chi(j), 1), limit(1)), (j, 1, N)),
    ForAll(limit(1 / m), (j, 1, N)),
    Implication(eq(chi(j), 1), le(1 / m - P, (N - m) * Q / m**3)),
    Implication(eq(chi(j), 1), lt(0, 1 / m - P)),
    Implication(eq(chi(j), 0), le(P, Q / N)),
    Implication(eq(chi(j), 1), le(1 / m - P, (N - m - 1) * Q / m**2)),
]


@pytest.mark.parametrize("wrong", FALSE, ids=str)
def test_false_variants_fail_at_instances(derived: Any, wrong: Any) -> None:
    proof = Proof("control", "false", derived.setting, choose=derived.choose)
    for hypothesis in derived.hypotheses:
        proof.suppose(hypothesis, why="As in the derivation.")
    with pytest.raises(DerivationFailed, match="at instances"):
        proof.argue(wrong, why="False.")


def test_every_hypothesis_is_needed(derived: Any) -> None:
    for dropped in range(1, 5):
        steps = list(derived.steps)
        trivial = le(0, tau)
        steps[dropped - 1] = replace(steps[dropped - 1], conclusion=trivial)
        with pytest.raises(DerivationFailed):
            replay(replace(derived, steps=tuple(steps)))


def test_a_hypothesis_about_the_temperature_blocks_the_limit(derived: Any) -> None:
    steps = list(derived.steps)
    gap = steps[3].conclusion
    named = ForAll(le(0, gap.body.rhs * tau), gap.limits)
    steps[3] = replace(steps[3], conclusion=named)
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))
