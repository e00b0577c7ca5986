"""Derivations of topic recovery: what is concluded, and that every hypothesis is needed."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Sum, exp

from headproof.symbolic.catalogue import derivations, render
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.rules.equality import NORMAL_FORM
from headproof.symbolic.derivations.setting import size
from headproof.symbolic.derivations.statement import (
    Conjunction,
    ForAll,
    Implication,
    eq,
    le,
    substitute,
)
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.recovery.proofs import (
    elimination,
    identity,
    odd_part,
    poles,
    schedule,
    uniqueness,
)

MAKERS = {
    "bilinear": identity.bilinear,
    "identity": identity.derivation,
    "elimination": elimination.elimination,
    "uniqueness": uniqueness.derivation,
    "schedule": schedule.derivation,
    "detected": schedule.detected,
    "odd-part": odd_part.derivation,
}


@pytest.fixture(scope="module")
def derived() -> dict[str, Any]:
    return {name: make() for name, make in MAKERS.items()}


def test_all_are_general_and_nothing_is_argued(derived: dict[str, Any]) -> None:
    for derivation in derived.values():
        assert derivation.general
        assert derivation.argued == 0


def test_what_is_said_of_copies(derived: dict[str, Any]) -> None:
    h, m, H = identity.h, identity.m, identity.H
    e, c, L = identity.e, identity.c, identity.L
    found = derived["identity"]
    total = Sum(identity.OUT, (h, 1, H))
    constant = Sum(e(h), (h, 1, H)) + Sum(c(h), (h, 1, H))
    assert found.conclusion("identity") == eq(
        total, constant - Sum(c(h) / (1 + m * exp(L(h))), (h, 1, H))
    )
    assert found.conclusion("proper") == eq(
        total - Sum(e(h), (h, 1, H)), m * Sum(c(h) / (m + exp(-L(h))), (h, 1, H))
    )


def test_what_is_said_of_uniqueness(derived: dict[str, Any]) -> None:
    M, h, k = uniqueness.M, poles.h, uniqueness.k
    a, r, t, K = uniqueness.a, poles.r, poles.t, uniqueness.K
    value = K + Sum(a(h) / (t(k) + r(h)), (h, 1, M + 1))
    assert derived["uniqueness"].conclusion("unique") == Implication(
        ForAll(eq(value, 0), (k, 1, M + 2)),
        Conjunction(eq(K, 0), ForAll(eq(a(h), 0), (h, 1, M + 1))),
    )


def test_the_induction_supposes_what_the_elimination_derives(derived: dict[str, Any]) -> None:
    lemma, M = derived["elimination"], uniqueness.M
    given = [substitute(s, {elimination.n: uniqueness.p}) for s in lemma.hypotheses]
    step = substitute(lemma.conclusion("step"), {elimination.n: uniqueness.p})
    supposed = ForAll(Implication(Conjunction(*given), step), (uniqueness.p, 1, M))
    assert supposed in derived["uniqueness"].hypotheses


def test_what_is_said_of_the_count_and_of_the_layer(derived: dict[str, Any]) -> None:
    H, d = size("H"), size("d")
    assert derived["schedule"].conclusion("count").rhs == 4 * H * d**2 - 2 * H + 1
    B = size("B")
    assert derived["detected"].conclusion("detected").rhs == 2 * B + 1 + 2 * H * (2 * d**2 - 2)
    k, a, y, N = odd_part.k, odd_part.a, odd_part.y, odd_part.N
    assert derived["odd-part"].conclusion("layer").rhs == Sum(a(k) * y(k), (k, 1, N))


@pytest.mark.parametrize("name", ["elimination", "uniqueness", "odd-part"])
def test_no_hypothesis_can_be_replaced_by_nothing(name: str, derived: dict[str, Any]) -> None:
    derivation = derived[name]
    for number in range(1, len(derivation.hypotheses) + 1):
        steps = list(derivation.steps)
        steps[number - 1] = replace(steps[number - 1], conclusion=le(0, 1))
        with pytest.raises(DerivationFailed):
            replay(replace(derivation, steps=tuple(steps)))


def test_a_false_identity_and_a_false_count_are_refused(derived: dict[str, Any]) -> None:
    derivation = derived["schedule"]
    H, d = size("H"), size("d")
    proof = Proof("recovery.algorithm", "false", derivation.setting)
    count = derivation.conclusion("count")
    with pytest.raises(DerivationFailed):
        proof.step(eq(count.lhs, 4 * H * d**2 - 2 * H), NORMAL_FORM, why="One too few.")
    h, m = identity.h, identity.m
    proof = Proof("recovery.identity", "false", derived["identity"].setting)
    gap = identity.c(h) / (1 + (m + 1) * exp(identity.L(h)))
    with pytest.raises(DerivationFailed):
        proof.step(
            eq(identity.OUT, identity.e(h) + identity.c(h) - gap),
            NORMAL_FORM,
            why="x counted among the copies.",
        )


def test_they_are_shown(derived: dict[str, Any]) -> None:
    shown = render(derivations("recovery.algorithm"))
    assert "recovery.algorithm" in shown
    for derivation in derived.values():
        assert max(map(len, render(derivation).splitlines())) <= 100
        assert "<math" in render(derivation, "html")
        assert render(derivation, "latex")
