from fractions import Fraction

import mpmath
import pytest
from flint import arb, ctx
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.enclosures.ball import (
    FLOOR_BITS,
    Enclosure,
    enclose,
    log_sum_exp_gap,
    precision,
    scaled_log,
    softmax,
)
from headproof.symbolic.errors import InputError, PrecisionExhausted

SCORES = st.lists(st.builds(Fraction, st.integers(-40, 40), st.integers(1, 3)), min_size=2)
TAUS = st.builds(Fraction, st.integers(1, 9), st.integers(1, 9))
FLOOR = Fraction(1, 1 << FLOOR_BITS)


def mp(value: Fraction) -> mpmath.mpf:
    return mpmath.mpf(value.numerator) / value.denominator


def near(enclosure: Enclosure, value: mpmath.mpf, digits: int) -> bool:
    """Whether a value computed elsewhere lies within 10^-digits of the enclosure, relatively."""
    slack = abs(value) * mpmath.mpf(10) ** -digits
    return bool(mp(enclosure.lower) - slack <= value <= mp(enclosure.upper) + slack)


@given(SCORES, TAUS, st.sampled_from((1, 15, 60, 120)))
def test_mpmath_agrees_and_the_width_is_kept(
    scores: list[Fraction], tau: Fraction, digits: int
) -> None:
    gap = log_sum_exp_gap(scores, tau, digits=digits)
    weights = softmax(scores, tau, digits=digits)
    with mpmath.workdps(600):
        powers = [mpmath.exp((mp(s) - mp(max(scores))) / mp(tau)) for s in scores]
        total = mpmath.fsum(powers)
        assert near(gap, mp(tau) * mpmath.log(total), 150)
        assert all(near(w, p / total, 150) for w, p in zip(weights, powers, strict=True))
    for found in (gap, *weights):
        assert found.lower > 0
        assert found.width * 10**digits <= found.upper


def test_the_comparison_can_fail() -> None:
    off = Enclosure(Fraction(1), Fraction(1) + Fraction(1, 10**30))
    with mpmath.workdps(60):
        assert near(off, mpmath.mpf(1), 40)
        assert not near(off, mpmath.mpf(1) - mpmath.mpf(10) ** -35, 40)


def test_sizes_that_overflow_floats() -> None:
    assert log_sum_exp_gap([10**30, 0], Fraction(1, 10**30)) == Enclosure(Fraction(0), FLOOR)
    hot = log_sum_exp_gap([0, -1], 10**30)
    assert scaled_log(2, 10**30).upper > hot.upper > hot.lower > 69 * 10**28
    first, second, last = softmax([10**30 + 1, 10**30, -(10**40)], 1)
    assert first.lower > Fraction(7310585, 10**7)
    assert second.upper < Fraction(2689415, 10**7)
    assert last == Enclosure(Fraction(0), FLOOR)


def test_exact_values() -> None:
    zero = Enclosure(Fraction(0), Fraction(0))
    assert log_sum_exp_gap([7], 3) == scaled_log(1, 3) == zero
    assert softmax([5], 1)[0].contains(1)
    assert scaled_log(3, 2).meets(log_sum_exp_gap([4, 4, 4], 2))


def test_precision_is_put_back() -> None:
    before = ctx.prec
    with pytest.raises(ZeroDivisionError), precision(777):
        Fraction(1, ctx.prec - 777)
    assert ctx.prec == before
    log_sum_exp_gap([0, 1], 1, digits=300)
    with pytest.raises(PrecisionExhausted):
        enclose(lambda: arb(0, 1))
    assert ctx.prec == before


def test_cancellation_raises_the_precision() -> None:
    tiny = enclose(lambda: (arb(10) ** 200 + 1).sqrt() - arb(10) ** 100, digits=30)
    with mpmath.workdps(400):
        assert near(tiny, mpmath.sqrt(mpmath.mpf(10) ** 200 + 1) - mpmath.mpf(10) ** 100, 60)
    nothing = enclose(lambda: arb(2).sqrt() ** 2 - 2)
    assert -FLOOR <= nothing.lower <= 0 <= nothing.upper <= FLOOR


@pytest.mark.parametrize(
    "value", [lambda: arb(0, 1), lambda: arb(-1).log(), lambda: arb(1) / arb(0)]
)
def test_what_no_precision_decides(value: object) -> None:
    with pytest.raises(PrecisionExhausted, match="60 digits"):
        enclose(value)  # type: ignore[arg-type]


def test_wrong_input_is_refused() -> None:
    for call in (
        lambda: log_sum_exp_gap([], 1),
        lambda: log_sum_exp_gap([0.5], 1),  # type: ignore[list-item]
        lambda: log_sum_exp_gap([1], 0),
        lambda: log_sum_exp_gap([1], 0.5),  # type: ignore[arg-type]
        lambda: softmax([1], -1),
        lambda: scaled_log(0, 1),
        lambda: scaled_log(True, 1),
        lambda: log_sum_exp_gap([1, 2], 1, digits=0),
        lambda: Enclosure(Fraction(1), Fraction(0)),
    ):
        with pytest.raises(InputError):
            call()
