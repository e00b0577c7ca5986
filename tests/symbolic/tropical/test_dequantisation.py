"""Claim tropical.dequantisation, the exact side."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.tropical.dequantisation import gap, gap_limit

NUMBERS = st.builds(Fraction, st.integers(-30, 30), st.integers(1, 4))
SCORES = st.lists(NUMBERS, min_size=1, max_size=8)
TAUS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))


@given(SCORES, TAUS)
def test_between_zero_and_tau_log_n(scores: list[Fraction], tau: Fraction) -> None:
    found, most = gap(scores, tau), gap_limit(len(scores), tau)
    assert (found.lower > 0) == (len(scores) > 1)
    if len(set(scores)) == 1:
        assert found.meets(most)
    else:
        assert found.upper < most.lower


@given(SCORES, TAUS, NUMBERS, st.integers(1, 10**30))
def test_translation_and_scale(
    scores: list[Fraction], tau: Fraction, step: Fraction, factor: int
) -> None:
    assert gap([s + step for s in scores], tau) == gap(scores, tau)
    scaled, plain = gap([s * factor for s in scores], tau * factor), gap(scores, tau)
    assert scaled.lower <= factor * plain.upper
    assert factor * plain.lower <= scaled.upper


def test_a_false_bound_would_be_seen() -> None:
    # tau log(N - 1) is no bound: two equal scores and one far behind exceed it.
    assert gap([0, 0, -5], 1).lower > gap_limit(2, 1).upper
