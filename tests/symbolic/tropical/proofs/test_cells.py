"""tropical.cells, exclusion: what is derived, and that it needs its hypotheses."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Sum

from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import Conjunction, Exists, ForAll, eq, le, lt, ne
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.cells import derivation

N, d = size("N"), size("d")
i, j, c = index("i"), index("j"), index("c")
kappa, b, x, weight = family("kappa"), family("b"), family("x"), family("lambda")


def score(j: Any) -> Any:
    return Sum(kappa(j, c) * x(c), (c, 1, d)) + b(j)


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def test_it_says_what_the_claim_says(derived: Any) -> None:
    mixed = Sum(weight(i) * kappa(i, c), (i, 1, N))
    assert set(derived.hypotheses) == {
        ForAll(le(0, weight(i)), (i, 1, N)),
        eq(Sum(weight(i), (i, 1, N)), 1),
        eq(weight(j), 0),
        ForAll(eq(mixed, kappa(j, c)), (c, 1, d)),
        le(b(j), Sum(weight(i) * b(i), (i, 1, N))),
    }
    assert derived.conclusion("exclusion") == Exists(
        Conjunction(ne(i, j), le(score(j), score(i))), (i, 1, N)
    )
    assert (derived.sizes, derived.argued, derived.general) == ((N, d), 0, True)


@pytest.mark.parametrize("number", range(1, 6))
def test_every_hypothesis_is_needed(derived: Any, number: Any) -> None:
    steps = list(derived.steps)
    steps[number - 1] = replace(steps[number - 1], conclusion=le(0, 1))
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))


def test_a_key_above_the_others_is_not_excluded(derived: Any) -> None:
    steps = list(derived.steps)
    assert steps[4].conclusion.lhs == b(j)
    turned = le(steps[4].conclusion.rhs, b(j))
    steps[4] = replace(steps[4], conclusion=turned)
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))


def test_the_rival_may_only_tie(derived: Any) -> None:
    proof = Proof("control", "false", derived.setting, choose=derived.choose)
    for hypothesis in derived.hypotheses:
        proof.suppose(hypothesis, why="As in the derivation.")
    strict = Exists(Conjunction(ne(i, j), lt(score(j), score(i))), (i, 1, N))
    with pytest.raises(DerivationFailed, match="at instances"):
        proof.argue(strict, why="False: all may tie.")
