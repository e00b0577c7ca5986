"""tropical.cells, openness: what is derived, and that it needs its hypotheses."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Sum, Symbol

from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import le, lt
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs.winning_ball import derivation

N, d = size("N"), size("d")
i, j, c = index("i"), index("j"), index("c")
kappa, b, x, h = family("kappa"), family("b"), family("x"), family("h")
mu, R = Symbol("mu", positive=True), Symbol("R", nonnegative=True)


@pytest.fixture(scope="module")
def derived() -> Any:
    return derivation()


def test_it_says_what_the_claim_says(derived: Any) -> None:
    def moved(j: Any) -> Any:
        return Sum(kappa(j, c) * (x(c) + h(c)), (c, 1, d)) + b(j)

    a = kappa(j, c) - kappa(i, c)
    inner, squared = Sum(a * h(c), (c, 1, d)), Sum(a**2, (c, 1, d))
    step = Sum(h(c) ** 2, (c, 1, d))
    assert derived.conclusion("open") == lt(moved(i), moved(j))
    assert derived.conclusion("cauchy-schwarz") == le(inner**2, squared * step)
    assert derived.steps[derived.conclusions["cauchy-schwarz"] - 1].assumptions == frozenset()
    assert le(squared, R**2) in derived.hypotheses
    assert (derived.sizes, derived.argued, derived.general) == ((N, d), 0, True)


@pytest.mark.parametrize(
    ("number", "weaker"),
    [
        (1, le(0, 1)),
        (2, le(0, 1)),
        (3, le(0, 1)),
        (3, lt(R**2 * Sum(h(c) ** 2, (c, 1, d)), 2 * mu**2)),
        (3, le(R**2 * Sum(h(c) ** 2, (c, 1, d)), mu**2)),
    ],
    ids=["no margin", "no bound", "any length", "too long", "on the boundary"],
)
def test_weaker_hypotheses_do_not_do(derived: Any, number: Any, weaker: Any) -> None:
    steps = list(derived.steps)
    steps[number - 1] = replace(steps[number - 1], conclusion=weaker)
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))
