"""What is ruled out, and that nothing that exists is."""

from fractions import Fraction

import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.enclosures.ball import precision
from headproof.symbolic.interpolation.refutation import refuted

poles = st.lists(st.fractions(Fraction(1, 9), 9, max_denominator=9), max_size=4, unique=True)


def balls(values: list[Fraction]) -> list[arb]:
    with precision(300):
        return [arb(fmpq(a.numerator, a.denominator)) for a in values]


@given(poles, st.data())
def test_no_sum_of_poles_is_ruled_out(rho: list[Fraction], data: st.DataObject) -> None:
    H = data.draw(st.integers(len(rho), 5))
    residue = st.fractions(-5, 5, max_denominator=3)
    c = data.draw(st.lists(residue, min_size=len(rho), max_size=len(rho)))
    F = [
        m * sum((a / (m + r) for a, r in zip(c, rho, strict=True)), Fraction(1, 3))
        for m in range(1, 2 * H + 1)
    ]
    F = [f - Fraction(m, 3) + 7 for m, f in enumerate(F, 1)]
    assert not refuted(balls(F), arb(7), bits=300)
    with precision(300):
        wide = [a + arb(0, 0.1) for a in balls(F)]
    assert not refuted(wide, arb(7), bits=300)


@pytest.mark.parametrize(
    "function",
    [
        lambda m: Fraction(m, m * m + 1),  # complex poles
        lambda m: Fraction(1, 2 * m - 5) + Fraction(1, m + 1),  # a positive pole
        lambda m: Fraction(m**3 + 2, m + 5) / (m + 2),
    ],
)
def test_other_fractions_are_ruled_out(function: object) -> None:
    F = [m * function(m) for m in (1, 2, 3, 4)]  # type: ignore[operator]
    assert refuted(balls(F), arb(0), bits=300)
    with precision(300):
        wide = [a + arb(0, 1e-30) for a in balls(F)]
        blind = [a + arb(0, 100) for a in balls(F)]
    assert refuted(wide, arb(0), bits=300)
    assert not refuted(blind, arb(0), bits=300)
