"""tropical.overlay: what is derived of faces of sums, and that wrong variants are refused."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Sum, Symbol

from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import Equivalence, Exists, ForAll, eq, le, lt
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.overlay import derivation

H, N, d = size("H"), size("N"), size("d")
h, g, j, c = index("h"), index("g"), index("j"), index("c")
kappa, b, x = family("kappa"), family("b"), family("x")
z, beta, weight = family("z"), family("beta"), family("lambda")
r = Symbol("r", real=True)


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def along(vector: Any) -> Any:
    return Sum(x(c) * vector, (c, 1, d))


def score(h: Any, j: Any) -> Any:
    return along(kappa(h, j, c)) + r * b(h, j)


def best(h: Any) -> Any:
    return along(z(h, c)) + r * beta(h)


def test_it_says_what_the_claim_says(derived: Any) -> None:
    assert set(derived.hypotheses) == {
        ForAll(ForAll(le(score(h, j), best(h)), (j, 1, N)), (h, 1, H)),
        ForAll(ForAll(le(0, weight(h, j)), (j, 1, N)), (h, 1, H)),
        ForAll(eq(Sum(weight(h, j), (j, 1, N)), 1), (h, 1, H)),
    }
    attained = derived.conclusion("faces").args[0]
    assert derived.conclusion("support") == le(attained.lhs, attained.rhs)
    assert attained.rhs == along(Sum(z(h, c), (h, 1, H))) + r * Sum(beta(h), (h, 1, H))
    no_loser = eq(weight(h, j) * (best(h) - score(h, j)), 0)
    assert derived.conclusion("winners") == Equivalence(
        attained, ForAll(ForAll(no_loser, (j, 1, N)), (h, 1, H))
    )
    assert derived.conclusion("exchange").args[1] == lt(score(g, j), best(g))
    assert (set(derived.sizes), derived.argued, derived.general) == ({H, N, d}, 0, True)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_every_hypothesis_is_needed(derived: Any, number: Any) -> None:
    steps = list(derived.steps)
    steps[number - 1] = replace(steps[number - 1], conclusion=le(0, 1))
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))


def wrong_support(conclusion: Any) -> Any:
    return lt(conclusion.lhs, conclusion.rhs)


def wrong_faces(conclusion: Any) -> Any:
    """Best in one head is not enough."""
    attained, every = conclusion.args
    return Equivalence(attained, Exists(every.body, every.limits))


def wrong_exchange(conclusion: Any) -> Any:
    changed, behind = conclusion.args
    return Equivalence(le(changed.lhs, changed.rhs), behind)


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("support", wrong_support), ("faces", wrong_faces), ("exchange", wrong_exchange)],
)
def test_a_wrong_conclusion_is_refused(derived: Any, name: Any, wrong: Any) -> None:
    steps = list(derived.steps)
    place = derived.conclusions[name] - 1
    steps[place] = replace(steps[place], conclusion=wrong(steps[place].conclusion))
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))
