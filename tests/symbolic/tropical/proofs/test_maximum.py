"""Derivations of A7, A8 and A9: what is concluded, and that every hypothesis is needed."""

from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from sympy import Sum

from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.setting import index, size
from headproof.symbolic.derivations.statement import Conjunction, Exists, ForAll, eq, le, lt
from headproof.symbolic.errors import DerivationFailed, InputError
from headproof.symbolic.tropical.proofs import (
    binomial,
    digits,
    label_bound,
    maximum,
    opposite_labels,
    unbiased_maximum,
)

MODULES = (digits, label_bound, maximum, opposite_labels, unbiased_maximum)
n, d, e = size("n"), size("d"), size("e")
h, k = index("h"), index("k")
C, m, p, partial = binomial.C, binomial.m, binomial.p, binomial.partial


@pytest.fixture(scope="module")
def derived() -> dict[str, Any]:
    return {module.__name__.rpartition(".")[2]: module.derivation() for module in MODULES}


def test_all_are_general_and_nothing_is_argued(derived: dict[str, Any]) -> None:
    for derivation in derived.values():
        assert derivation.general
        assert derivation.argued == 0


def test_what_is_said_of_the_formula(derived: dict[str, Any]) -> None:
    found = derived["maximum"]
    assert found.conclusion("full") == ForAll(eq(partial(h, h), p(h)), (h, 0, d + e + 1))
    assert found.conclusion("less") == lt(partial(d + e, d), p(d + e))
    rule = eq(partial(h + 1, k + 1), partial(h, k + 1) + n * partial(h, k))
    assert found.conclusion("recurrence") == ForAll(ForAll(rule, (k, 0, d + e + 1)), (h, 0, d + e))


def test_what_is_said_without_biases(derived: dict[str, Any]) -> None:
    found = derived["unbiased_maximum"]
    assert found.conclusion("boundary") == eq(partial(d + 1, d) + C(d, d), p(d + 1) - m(d + 1) + 1)
    less = found.conclusion("less").args[0]
    assert less == lt(partial(d + e + 1, d) + C(d + e, d), p(d + e + 1))
    zonotope = found.conclusion("zonotope")
    j = index("j")
    left = Sum(C(d + e + 1, j), (j, 0, k)) + C(d + e, k)
    assert zonotope == ForAll(eq(left, 2 * Sum(C(d + e, j), (j, 0, k))), (k, 0, d + e + 1))


def test_what_is_said_of_labels_and_digits(derived: dict[str, Any]) -> None:
    H = size("H")
    assert derived["label_bound"].conclusion("labels").args[0] == le(
        label_bound.c(H), label_bound.p(H)
    )
    w, lead, x = opposite_labels.w, opposite_labels.lead, opposite_labels.x
    assert derived["opposite_labels"].conclusion("opposite") == Exists(
        Conjunction(lt(0, w(h)), le(0, lead(x))), (h, 1, H)
    )
    r, digit, score = index("r"), digits.i, digits.score
    below, above = derived["digits"].conclusion("digit").args
    own = digit(r + 1)
    assert below == lt(score(own - (k + 1)), score(own))
    assert above == lt(score(own + (k + 1)), score(own))


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_no_hypothesis_can_be_replaced_by_nothing(
    module: ModuleType, derived: dict[str, Any]
) -> None:
    derivation = derived[module.__name__.rpartition(".")[2]]
    used = set()
    for name in derivation.conclusions:
        used |= {step.number for step in derivation.support(name)}
    for number in range(1, len(derivation.hypotheses) + 1):
        assert number in used
        steps = list(derivation.steps)
        steps[number - 1] = replace(steps[number - 1], conclusion=le(0, 1))
        with pytest.raises(DerivationFailed):
            replay(replace(derivation, steps=tuple(steps)))


def test_weibel_dimension_by_dimension() -> None:
    for D in (2, 3, 6):
        found = unbiased_maximum.weibel(D)
        assert found.sizes == (size("N"), size("H"))
    with pytest.raises(InputError):
        unbiased_maximum.weibel(1)


def test_binomials_as_polynomials() -> None:
    H = size("H")
    assert unbiased_maximum.chosen(H, 0) == 1
    assert [unbiased_maximum.chosen(H, 3).subs(H, v) for v in (2, 3, 5)] == [0, 1, 10]
