"""Tropical polynomials: evaluation is a homomorphism, equality is equality of functions."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.errors import InputError
from headproof.symbolic.tropical.diagram import PowerDiagram
from headproof.symbolic.tropical.polynomial import TropicalPolynomial, polynomial

small = st.integers(-3, 3)
rational = st.builds(Fraction, small, st.sampled_from((1, 1, 2)))


@st.composite
def polynomials(draw: st.DrawFn, d: int, most: int = 5) -> TropicalPolynomial:
    n = draw(st.integers(1, most))
    exponents = draw(st.lists(st.tuples(*[rational] * d), min_size=n, max_size=n))
    return polynomial(exponents, draw(st.lists(rational, min_size=n, max_size=n)))


@st.composite
def pairs(draw: st.DrawFn) -> tuple[TropicalPolynomial, TropicalPolynomial, tuple[Fraction, ...]]:
    d = draw(st.integers(1, 3))
    return draw(polynomials(d)), draw(polynomials(d)), draw(st.tuples(*[rational] * d))


@given(pairs())
def test_evaluation_is_a_homomorphism(case: Any) -> None:
    f, g, x = case
    assert (f + g)(x) == max(f(x), g(x))
    assert (f * g)(x) == f(x) + g(x)
    assert [(f**n)(x) for n in range(4)] == [n * f(x) for n in range(4)]
    assert f.canonical(x) == f(x)


@given(pairs())
def test_semiring_laws(case: Any) -> None:
    f, g, _ = case
    assert f + g == g + f
    assert f * g == g * f
    assert f + f == f
    assert f * (f + g) == f * f + f * g
    assert (f + g) ** 2 == f**2 + g**2 + f * g
    assert f**3 == f * f * f
    assert hash(f * g) == hash(g * f)


@given(polynomials(1), polynomials(1))
def test_equality_is_equality_of_functions(f: Any, g: Any) -> None:
    """In one variable two such functions are equal iff they are at all kinks and beyond them."""
    terms = [*f.terms, *g.terms]
    kinks = {(e - c) / Fraction(a[0] - b[0]) for a, c in terms for b, e in terms if a != b} or {0}
    points = [min(kinks) - 1, *kinks, max(kinks) + 1]
    assert (f == g) == all(f([x]) == g([x]) for x in points)


def test_a_term_that_only_ties_changes_nothing() -> None:
    f = polynomial([[-1], [0], [1]])
    assert f == polynomial([[-1], [1]])
    assert f != polynomial([[-1], [0], [1]], [0, Fraction(1, 1000), 0])
    assert f != polynomial([[-1], [2]])
    assert sorted(f.winners([0])) == [0, 1, 2]
    assert f.winning == (0, 2)


def test_repeated_exponents_keep_the_largest_coefficient() -> None:
    f = polynomial([[1, 0], [0, 0], [1, 0]], [3, 0, "7/2"])
    assert f.terms == (((0, 0), 0), ((1, 0), Fraction(7, 2)))
    assert f.lifted == ((0, 0, 0), (1, 0, Fraction(7, 2)))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: polynomial([]),
        lambda: polynomial([[]]),
        lambda: polynomial([[0.5]]),  # type: ignore[list-item]
        lambda: polynomial([[1], [1, 2]]),
        lambda: polynomial([[1], [2]], [0]),
        lambda: TropicalPolynomial((((1,), 0), ((0,), 0))),
        lambda: polynomial([[1]]) + polynomial([[1, 2]]),
        lambda: polynomial([[1]]) * polynomial([[1, 2]]),
        lambda: polynomial([[1]]) ** -1,
        lambda: polynomial([[1]])([1, 2]),
    ],
)
def test_wrong_input_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        wrong()


@given(pairs())
def test_power_diagrams_go_both_ways(case: Any) -> None:
    f, _, x = case
    diagram = PowerDiagram.of(f)
    assert diagram.polynomial().terms == f.terms
    assert diagram.nearest(x) == f.winners(x)
    square = sum(c * c for c in x)
    assert [square - 2 * value for value in f.values(x)] == list(diagram.distances(x))


def test_another_weight_is_another_polynomial() -> None:
    f = polynomial([[0], [3]], [0, 1])
    diagram = PowerDiagram.of(f)
    assert PowerDiagram(diagram.sites, (0, 12)).polynomial() != f


def test_latex() -> None:
    assert polynomial([[0, -1]], ["-2/3"])._repr_latex_() == r"$-x_{2} - \frac{2}{3}$"
    assert polynomial([[0]])._repr_latex_() == "$0$"
    assert polynomial([["1/2"], [3]])._repr_latex_() == (
        r"$\max\left(\frac{1}{2} x_{1},\ 3 x_{1}\right)$"
    )
