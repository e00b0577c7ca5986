"""tropical.dequantisation: what is derived, and the variants that must not be."""

from typing import Any

import pytest
from sympy import Lambda, Sum, Symbol, exp, log

from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules import RULES
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import Conjunction, Equivalence, ForAll, eq, le
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.dequantisation import derivation

N, j, k, s = size("N"), index("j"), index("k"), family("s")
tau, y = Symbol("tau", positive=True), Symbol("y", positive=True)
GAP = tau * log(Sum(exp(s(j) / tau), (j, 1, N))) - s(k)
G = Sum(exp((s(j) - s(k)) / tau), (j, 1, N))


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def test_it_says_what_the_claim_says(derived: Any) -> None:
    top = tau * log(N)
    assert derived.claim == "tropical.dequantisation"
    assert derived.hypotheses == (ForAll(le(s(j), s(k)), (j, 1, N)),)
    assert derived.conclusion("bounds") == Conjunction(le(0, GAP), le(GAP, top))
    equal = ForAll(eq(s(j), s(k)), (j, 1, N))
    assert derived.conclusion("right-equality") == Equivalence(eq(GAP, top), equal)
    assert derived.conclusion("left-equality") == Equivalence(eq(GAP, 0), eq(N, 1))
    assert (derived.sizes, derived.argued, derived.general) == ((N,), 0, True)


def test_the_bounds_need_the_maximum_and_left_equality_does_not(derived: Any) -> None:
    resting = {
        n: derived.steps[derived.conclusions[n] - 1].assumptions for n in derived.conclusions
    }
    assert resting == {
        "bounds": {1},
        "right-equality": {1},
        "left-equality": frozenset(),
        "limit": {1},
    }


@pytest.mark.parametrize(
    ("conclusion", "rule", "parameters"),
    [
        (le(G, N - 1), "termwise", ()),
        (le(log(G), log(N - 1)), "monotone function", (Lambda(y, log(y)),)),
        (Equivalence(eq(GAP, 0), eq(G, 2)), "monotone function", (Lambda(y, tau * log(y)),)),
        (eq(GAP, log(G)), "normal form", ()),
    ],
    ids=["N - 1 terms", "log(N - 1)", "log 2 is not 0", "tau left out"],
)
def test_false_variants_are_refused(
    derived: Any, conclusion: Any, rule: Any, parameters: Any
) -> None:
    proof = Proof("control", "false", derived.setting, choose=derived.choose)
    top = proof.suppose(derived.hypotheses[0], why="The maximum.")
    each = proof.step(le(s(j), s(k)), RULES["instance"], top, parameters=(j,), why="At j.")
    shrink = Lambda(Symbol("x", real=True), exp((Symbol("x", real=True) - s(k)) / tau))
    small = proof.step(
        le(exp((s(j) - s(k)) / tau), 1),
        RULES["monotone function"],
        each,
        parameters=(shrink,),
        why="exp increases.",
    )
    every = proof.step(
        ForAll(le(exp((s(j) - s(k)) / tau), 1), (j, 1, N)),
        RULES["generalisation"],
        small,
        why="j was arbitrary.",
    )
    count = proof.step(le(G, N), RULES["termwise"], every, why="N terms.")
    premises = {"termwise": (every,), "monotone function": (count,), "normal form": ()}[rule]
    if isinstance(conclusion, Equivalence):
        premises = ()
    with pytest.raises(DerivationFailed) as failure:
        proof.step(conclusion, RULES[rule], *premises, parameters=parameters, why="False.")
    assert failure.value.rule == rule
    with pytest.raises(DerivationFailed, match="at instances"):
        proof.argue(conclusion, why="False at instances as well.")
