"""tropical.power-diagram: what is derived, and the variants that must not be."""

from typing import Any

import pytest
from sympy import Sum

from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules import RULES
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import Equivalence, ForAll, eq, ge, le
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.power_diagram import derivation

N, d = size("N"), size("d")
i, j, c = index("i"), index("j"), index("c")
kappa, b, x = family("kappa"), family("b"), family("x")


def total(term: Any) -> Any:
    return Sum(term, (c, 1, d))


def score(j: Any) -> Any:
    return total(kappa(j, c) * x(c)) + b(j)


def distance(j: Any) -> Any:
    return total((x(c) - kappa(j, c)) ** 2)


def power(j: Any, squares: Any = 1, biases: Any = 2) -> Any:
    return distance(j) - squares * total(kappa(j, c) ** 2) - biases * b(j)


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def test_it_says_what_the_claim_says(derived: Any) -> None:
    assert derived.hypotheses == ()
    identity = derived.conclusion("identity")
    assert identity.lhs == power(j)
    assert derived.conclusion("order") == Equivalence(
        ForAll(le(score(i), score(j)), (i, 1, N)), ForAll(ge(power(i), power(j)), (i, 1, N))
    )
    assert (derived.sizes, derived.argued, derived.general) == ((N, d), 0, True)


@pytest.mark.parametrize(("squares", "biases"), [(0, 2), (1, 1), (1, 0), (2, 2), (-1, 2)])
def test_other_weights_are_refused(derived: Any, squares: Any, biases: Any) -> None:
    proof = Proof("control", "false", derived.setting)
    wrong = power(j, squares, biases)
    with pytest.raises(DerivationFailed):
        proof.step(eq(wrong, total(x(c) ** 2) - 2 * score(j)), RULES["normal form"], why="False.")
    pair = Equivalence(
        le(score(i), score(j)), ge(power(i, squares, biases), power(j, squares, biases))
    )
    with pytest.raises(DerivationFailed):
        proof.step(pair, RULES["rescaling"], parameters=(2,), why="False.")
    with pytest.raises(DerivationFailed, match="at instances"):
        proof.argue(ForAll(pair, (i, 1, N)), why="False at instances as well.")


def test_the_order_is_reversed_and_not_kept(derived: Any) -> None:
    proof = Proof("control", "false", derived.setting)
    kept = Equivalence(le(score(i), score(j)), le(power(i), power(j)))
    with pytest.raises(DerivationFailed):
        proof.step(kept, RULES["rescaling"], parameters=(2,), why="False.")
