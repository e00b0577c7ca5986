"""Outcomes: what a search, a comparison or a derivation may and may not say."""

import pytest
from hypothesis import strategies as st

from headproof.proofs_check.evidence import Finding
from headproof.proofs_check.outcomes import compared, derived, searched
from headproof.proofs_check.search import search
from headproof.symbolic.errors import HeadproofError
from headproof.symbolic.tropical.proofs import power_diagram, routing_limit


def test_a_search_that_finds_nothing_holds_and_leaves_no_certificate() -> None:
    result = search(st.integers(0, 9), lambda n: n < 10, examples=20, seed=1)
    outcome = searched(result, "digits", lambda n: {"case": {"n": n}})
    assert outcome.finding is Finding.HOLDS
    assert not outcome.certificates
    assert outcome.numbers["cases"] == result.cases > 0


def test_a_violation_is_shrunk_and_certified() -> None:
    result = search(st.integers(0, 99), lambda n: n < 7, examples=200, seed=1)
    outcome = searched(result, "numbers", lambda n: {"case": {"n": n}})
    assert outcome.finding is Finding.VIOLATED
    assert outcome.certificates == {"case": {"n": 7}}


def test_a_property_that_raises_is_no_outcome() -> None:
    result = search(st.integers(1, 9), lambda n: 1 // (n - n) == 0, examples=5, seed=1)
    with pytest.raises(HeadproofError, match="ZeroDivisionError"):
        searched(result, "numbers", lambda n: {})


@pytest.mark.parametrize(
    ("worst", "cases", "finding"),
    [(0.5, 3, Finding.HOLDS), (1.01, 3, Finding.VIOLATED), (0, 0, Finding.VIOLATED)],
)
def test_a_comparison_holds_within_its_bound_and_with_cases(
    worst: float, cases: int, finding: Finding
) -> None:
    assert compared(worst, cases, "a against b", "u").finding is finding


def test_a_derivation_is_general_if_its_sizes_stayed_symbols() -> None:
    outcome = derived(power_diagram.derivation(), "order")
    assert outcome.general
    assert outcome.argued == 0
    with pytest.raises(KeyError):
        derived(power_diagram.derivation(), "no such conclusion")


def test_a_conclusion_about_some_sizes_is_not_general_beside_one_about_all() -> None:
    derivation = routing_limit.derivation()
    assert derived(derivation, "limit", "law").general
    assert not derived(derivation, "spread").general
    assert not derived(derivation).general
