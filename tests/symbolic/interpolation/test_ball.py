"""Balls: the laws of interpolation, enclosure at every precision, and what is refused."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.symbolic.enclosures.ball import precision
from headproof.symbolic.errors import PrecisionExhausted
from headproof.symbolic.interpolation.ball import interpolate

BITS = 400
scores = st.lists(
    st.integers(-12, 12).map(lambda n: Fraction(n, 4)), min_size=1, max_size=5, unique=True
)
residue = st.fractions(-5, 5, max_denominator=4).filter(lambda c: abs(c) > Fraction(1, 8))


def real(value: Fraction) -> arb:
    return arb(fmpq(value.numerator, value.denominator))


def answers(L: list[Fraction], c: list[Fraction], zero: Fraction, bits: int) -> list[arb]:
    with precision(bits):
        rho = [(-real(score)).exp() for score in L]
        return [
            real(zero) + m * sum((real(a) / (r + m) for a, r in zip(c, rho, strict=True)), arb(0))
            for m in range(1, 2 * len(L) + 1)
        ]


@given(scores, residue, st.data())
@settings(max_examples=30)
def test_a_sum_of_simple_poles_is_enclosed(
    L: list[Fraction], zero: Fraction, data: st.DataObject
) -> None:
    L = sorted(L)
    c = data.draw(st.lists(residue, min_size=len(L), max_size=len(L)))
    with precision(BITS):
        wide = real(zero) + arb(0, arb(2) ** -250)
    found = interpolate(answers(L, c, zero, BITS), wide, bits=BITS)
    with precision(BITS):
        assert all(a.contains(real(b)) for a, b in zip(found.scores, L, strict=True))
        assert all(a.contains(real(b)) for a, b in zip(found.residues, c, strict=True))
        assert found.total.contains(real(sum(c, Fraction(0))))
        # The error of F(0) is not amplified by the loss of 2^-16 to 2^-20 a head, as others are.
        assert all(float(a.rad()) < 2.0**-200 for a in (*found.scores, found.total))


@given(scores, st.data())
@settings(max_examples=20)
def test_moved_data_within_the_balls_stay_enclosed(L: list[Fraction], data: st.DataObject) -> None:
    """A model that is slightly different, whose answers lie in the balls, is enclosed as well."""
    L = sorted(L)
    c = data.draw(st.lists(residue, min_size=len(L), max_size=len(L)))
    moved = [score + Fraction(data.draw(st.integers(-9, 9)), 1 << 200) for score in L]
    there = answers(moved, c, Fraction(0), BITS)
    with precision(BITS):
        both = [a.union(b) for a, b in zip(answers(L, c, Fraction(0), BITS), there, strict=True)]
    found = interpolate(both, arb(0), bits=BITS)
    with precision(BITS):
        for truth in (L, moved):
            assert all(a.contains(real(b)) for a, b in zip(found.scores, truth, strict=True))


def test_no_nodes_no_poles() -> None:
    assert interpolate([], arb(1), bits=50).scores == ()


def test_too_low_a_precision_is_refused() -> None:
    L = [Fraction(k) for k in (-2, -1, 0, 1)]
    values = answers(L, L, Fraction(0), 400)
    wide = [a + arb(0, 2.0**-30) for a in values]
    with pytest.raises(PrecisionExhausted):
        interpolate(wide, arb(0), bits=400)
    with pytest.raises(PrecisionExhausted):
        interpolate(values, arb(0, 1.0), bits=400)


@pytest.mark.parametrize(
    "values",
    [
        [1, 4, 9, 16],  # a polynomial
        [0, 0, 0, 0],
        [Fraction(m, m + 1) for m in (1, 2, 3, 4)],  # one pole, not two
        [Fraction(m, m - 7) for m in (1, 2, 3, 4)],
        [Fraction(m, m * m + 1) for m in (1, 2, 3, 4)],  # complex poles
        [Fraction(m, (m + 2) ** 2) for m in (1, 2, 3, 4)],  # a double pole
    ],
)
def test_other_functions_are_refused(values: list[Fraction]) -> None:
    with precision(200):
        balls = [real(Fraction(a)) for a in values]
    with pytest.raises(PrecisionExhausted):
        interpolate(balls, arb(0), bits=200)
