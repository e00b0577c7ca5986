"""Enclosures contain the truth, as mpmath computes it with twice the digits."""

import decimal
from decimal import Decimal
from fractions import Fraction
from typing import Any

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.proofs_check.checker import Rejected, Unreadable
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.intervals import Intervals, compare

MP = mpmath.mp.clone()
MP.dps = 120

DIGITS = st.sampled_from([10, 17, 40])
RATIONALS = st.fractions(min_value=-300, max_value=300, max_denominator=10**12)


def real(value: Any) -> Any:
    return MP.mpf(value.numerator) / value.denominator


def contains(interval: Any, value: Any) -> Any:
    """Whether a 120-digit number lies inside; its own error is far below the ends' distance."""
    low, high = (Fraction(end) for end in interval)
    if isinstance(value, Fraction):
        return low <= value <= high
    slack = abs(value) * MP.mpf(10) ** -110
    return real(low) <= value + slack and value - slack <= real(high)


@given(DIGITS, RATIONALS, RATIONALS, RATIONALS, RATIONALS, st.integers(-5, 5))
@example(10, Fraction(-1), Fraction(1), Fraction(-2), Fraction(3), 2)
@example(10, Fraction(0), Fraction(0), Fraction(-2), Fraction(3), 0)
@example(10, Fraction(-3), Fraction(-2), Fraction(-2), Fraction(3), -3)
def test_operations_enclose(digits: Any, a: Any, b: Any, c: Any, d: Any, n: Any) -> None:
    arithmetic = Intervals(digits, Budget())
    (a, b), (c, d) = sorted((a, b)), sorted((c, d))
    x = arithmetic.enclose(a)[0], arithmetic.enclose(b)[1]
    y = arithmetic.enclose(c)[0], arithmetic.enclose(d)[1]
    for p in (a, b, (a + b) / 2, (2 * a + b) / 3):
        for q in (c, d, (c + d) / 2):
            assert contains(arithmetic.add(x, y), p + q)
            assert contains(arithmetic.subtract(x, y), p - q)
            assert contains(arithmetic.multiply(x, y), p * q)
            assert contains(arithmetic.largest(x, y), max(p, q))
            assert contains(arithmetic.smallest(x, y), min(p, q))
            if c > 0 or d < 0:
                assert contains(arithmetic.divide(x, y), p / q)
        assert contains(arithmetic.absolute(x), abs(p))
        if n >= 0 or a > 0 or b < 0:
            assert contains(arithmetic.power(x, n), p**n)
        assert contains(arithmetic.exp(x), MP.exp(real(p)))
        if a > 0:
            assert contains(arithmetic.log(x), MP.log(real(p)))


@given(DIGITS, RATIONALS)
def test_enclosures_are_narrow(digits: Any, a: Any) -> None:
    arithmetic = Intervals(digits, Budget())
    low, high = map(Fraction, arithmetic.exp(arithmetic.enclose(a)))
    assert high - low <= high * Fraction(abs(a) + 10) / 10 ** (digits - 2)


def test_divisor_around_zero_is_undecided() -> None:
    arithmetic = Intervals(10, Budget())
    around = (Decimal(-1), Decimal(1))
    with pytest.raises(Rejected, match="undecided at 10 digits"):
        arithmetic.divide(around, around)
    with pytest.raises(Rejected, match="undecided at 10 digits"):
        arithmetic.log(around)
    with pytest.raises(Rejected, match="division by zero"):
        arithmetic.divide(around, (Decimal(0), Decimal(0)))
    with pytest.raises(Rejected, match="not positive"):
        arithmetic.log((Decimal(-1), Decimal(0)))
    with pytest.raises(Unreadable, match="exponent"):
        arithmetic.power(around, 10**7)


def test_smallest_numbers_are_rounded_outward() -> None:
    arithmetic = Intervals(10, Budget())
    tiny = arithmetic.exp((Decimal(-(10**8)), Decimal(-(10**8))))
    assert tiny[0] == 0 < tiny[1]
    product = arithmetic.multiply(tiny, tiny)
    assert product[0] == 0 < product[1]
    negative = arithmetic.negate(product)
    assert negative[0] < 0 == negative[1]


def test_largest_numbers_overflow() -> None:
    arithmetic = Intervals(10, Budget())
    with pytest.raises(decimal.Overflow):
        arithmetic.exp((Decimal(10**6), Decimal(10**6)))


def test_the_current_context_is_neither_read_nor_changed() -> None:
    with decimal.localcontext() as context:
        context.prec = 3
        context.rounding = decimal.ROUND_UP
        before = context.copy()
        arithmetic = Intervals(30, Budget())
        x = arithmetic.enclose(Fraction(1, 3))
        assert contains(arithmetic.exp(arithmetic.power(x, -3)), MP.exp(27))
        assert Fraction(x[1]) - Fraction(x[0]) < Fraction(1, 10**29)
        assert contains(arithmetic.absolute(arithmetic.negate(x)), Fraction(1, 3))
        assert (context.prec, context.rounding) == (before.prec, before.rounding)
        assert not any(context.flags.values())


@pytest.mark.parametrize("relation", ["<=", "<", ">=", ">", "=", "!="])
def test_comparison_is_decided_only_if_all_pairs_agree(relation: Any) -> None:
    relations: dict[str, Any] = {
        "<=": lambda p, q: p <= q,
        "<": lambda p, q: p < q,
        ">=": lambda p, q: p >= q,
        ">": lambda p, q: p > q,
        "=": lambda p, q: p == q,
        "!=": lambda p, q: p != q,
    }
    python = relations[relation]
    ends = [(a, b) for a in range(4) for b in range(a, 4)]
    for a in ends:
        for b in ends:
            # Half steps stand for the points inside.
            inside = [
                {Fraction(k, 2) for k in range(2 * low, 2 * high + 1)} for low, high in (a, b)
            ]
            answers = {python(p, q) for p in inside[0] for q in inside[1]}
            expected = answers.pop() if len(answers) == 1 else None
            x, y = ((Decimal(low), Decimal(high)) for low, high in (a, b))
            assert compare(relation, x, y) is expected, (relation, a, b)
