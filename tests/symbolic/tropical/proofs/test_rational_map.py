"""tropical.rational-map: what is derived, and that wrong variants are refused."""

from dataclasses import replace
from typing import Any

import pytest
from sympy import Limit, Rational, Sum, Symbol, exp, log

from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.setting import family, index, size
from headproof.symbolic.derivations.statement import (
    Conjunction,
    ForAll,
    Implication,
    eq,
    le,
    lt,
    ne,
)
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.tropical.proofs import fixed_values, nearly_attained, rational_map

N, K, M = size("N"), size("K"), size("M")
i, j, k, m = index("i"), index("j"), index("k"), index("m")
s, u = family("s"), family("u")
tau = Symbol("tau", positive=True)


@pytest.fixture(scope="module")
def derived() -> Any:
    return rational_map.derivation()


@pytest.fixture(scope="module")
def fixed() -> Any:
    return fixed_values.derivation()


@pytest.fixture(scope="module")
def family_of_heads() -> Any:
    return nearly_attained.derivation()


def error(count: Any) -> Any:
    weight = exp(s(i) / tau) / Sum(exp(s(j) / tau), (j, 1, N))
    return tau * log(Sum(weight * exp(u(i) / tau), (i, 1, count))) - (s(m) + u(m) - s(k))


def test_it_says_what_the_claim_says(derived: Any) -> None:
    e, limit = error(N), tau * log(N)
    assert derived.hypotheses == (
        ForAll(le(s(j), s(k)), (j, 1, N)),
        ForAll(le(s(i) + u(i), s(m) + u(m)), (i, 1, N)),
    )
    assert derived.conclusion("bounds") == Conjunction(le(-limit, e), le(e, limit))
    assert derived.conclusion("strict") == Conjunction(
        Implication(ne(N, 1), ne(e, limit)), Implication(ne(N, 1), ne(-e, limit))
    )
    out = e + (s(m) + u(m) - s(k))
    assert derived.conclusion("limit") == eq(Limit(out, tau, 0, "+"), s(m) + u(m) - s(k))
    assert (derived.sizes, derived.argued, derived.general) == ((N,), 0, True)


def test_a_part_of_the_keys_has_the_same_bound() -> None:
    part = rational_map.part()
    assert part.hypotheses[1].limits == (i, 1, index("M"))
    e, limit = error(index("M")), tau * log(N)
    assert part.conclusion("bounds") == Conjunction(le(-limit, e), le(e, limit))
    assert part.general


@pytest.mark.parametrize("number", [1, 2])
def test_both_maxima_are_needed(derived: Any, number: Any) -> None:
    steps = list(derived.steps)
    steps[number - 1] = replace(steps[number - 1], conclusion=le(0, 1))
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda e: le(e, tau * log(N) / 2),
        lambda e: lt(e, tau * log(N)),  # false for N = 1
    ],
    ids=["half", "strict"],
)
def test_a_wrong_bound_is_refused(derived: Any, wrong: Any) -> None:
    right = le(error(N), tau * log(N))
    steps = list(derived.steps)
    place = next(n for n, step in enumerate(steps) if step.conclusion == right)
    steps[place] = replace(steps[place], conclusion=wrong(error(N)))
    with pytest.raises(DerivationFailed):
        replay(replace(derived, steps=tuple(steps)))


def test_the_bound_is_a_supremum(family_of_heads: Any) -> None:
    q = Symbol("q", positive=True)
    shown = tau * log(K + 1) - tau * log(1 + K * exp(-1 / (q * tau)))
    assert family_of_heads.conclusion("error").rhs == shown
    limit = Limit(shown, q, 0, "+")
    assert family_of_heads.conclusion("supremum") == eq(limit, tau * log(K + 1))
    assert family_of_heads.general
    steps = list(family_of_heads.steps)
    steps[-1] = replace(steps[-1], conclusion=eq(limit, tau * log(K)))
    with pytest.raises(DerivationFailed):
        replay(replace(family_of_heads, steps=tuple(steps)))


def test_fixed_values_tend_to_the_mean_of_the_winners(fixed: Any) -> None:
    v = family("v")
    limit = fixed.conclusion("limit")
    assert limit.rhs == Sum(v(j), (j, 1, M)) / M
    assert limit.lhs.args[1] == tau
    assert (fixed.sizes, fixed.general) == ((M, K), True)
    steps = list(fixed.steps)
    assert steps[-1].conclusion == limit
    steps[-1] = replace(steps[-1], conclusion=eq(limit.lhs, v(1)))  # one winner takes all
    with pytest.raises(DerivationFailed):
        replay(replace(fixed, steps=tuple(steps)))


def test_the_rate_needs_the_factor_of_the_others(fixed: Any) -> None:
    steps = list(fixed.steps)
    place = fixed.conclusions["rate"] - 1
    low, high = steps[place].conclusion.args
    halved = le(high.lhs, Rational(1, 2) * high.rhs)
    steps[place] = replace(steps[place], conclusion=Conjunction(low, halved))
    with pytest.raises(DerivationFailed):
        replay(replace(fixed, steps=tuple(steps)))
