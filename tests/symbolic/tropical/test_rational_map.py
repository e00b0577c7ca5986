"""Claim A4, the exact side: laws of tropical rational functions, the error of a head."""

from fractions import Fraction
from math import exp, log
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.enclosures.ball import Enclosure
from headproof.symbolic.errors import InputError
from headproof.symbolic.tropical.dequantisation import gap_limit
from headproof.symbolic.tropical.polynomial import polynomial
from headproof.symbolic.tropical.rational_map import (
    TropicalRational,
    TropicalRationalMap,
    deviation,
    fixed_value_limit,
    head_map,
    signed_parts,
)

small = st.integers(-3, 3)


@st.composite
def polynomials(draw: Any, d: Any) -> Any:
    n = draw(st.integers(1, 3))
    exponents = draw(st.lists(st.tuples(*[small] * d), min_size=n, max_size=n))
    return polynomial(exponents, draw(st.lists(small, min_size=n, max_size=n)))


@st.composite
def cases(draw: Any) -> Any:
    d = draw(st.integers(1, 2))
    f, g = (TropicalRational(draw(polynomials(d)), draw(polynomials(d))) for _ in range(2))
    return f, g, draw(st.tuples(*[small] * d))


@given(cases())
def test_evaluation_is_a_homomorphism(case: Any) -> None:
    f, g, x = case
    assert (f + g)(x) == max(f(x), g(x))
    assert (f * g)(x) == f(x) + g(x)
    assert (f / g)(x) == f(x) - g(x)
    assert f == f
    assert (f * g) / g == f
    assert (f == g) <= (f(x) == g(x))


def test_equality_cancels() -> None:
    line, zero = polynomial([[1]]), polynomial([[0]])
    bent = polynomial([[0], [2]], [1, 0])
    assert TropicalRational(line * bent, zero * bent) == TropicalRational(line, zero)
    assert TropicalRational(line, zero) != TropicalRational(bent, zero)
    assert TropicalRational(line, zero) != TropicalRational(
        polynomial([[1, 0]]), polynomial([[0, 0]])
    )
    with pytest.raises(TypeError):
        hash(TropicalRational(line, zero))


@st.composite
def heads(draw: Any) -> Any:
    d, n, width = draw(st.integers(1, 2)), draw(st.integers(1, 4)), draw(st.integers(1, 2))
    keys = draw(st.lists(st.tuples(*[small] * d), min_size=n, max_size=n))
    biases = draw(st.lists(small, min_size=n, max_size=n))
    logs = draw(st.lists(st.tuples(*[small] * width), min_size=n, max_size=n))
    return keys, biases, logs, draw(st.tuples(*[small] * d))


@given(heads())
def test_head_map_is_its_formula(case: Any) -> None:
    keys, biases, logs, x = case
    s = [
        sum(a * c for a, c in zip(k, x, strict=True)) + b for k, b in zip(keys, biases, strict=True)
    ]
    expected = tuple(
        max(a + u[i] for a, u in zip(s, logs, strict=True)) - max(s) for i in range(len(logs[0]))
    )
    assert head_map(keys, biases, logs)(x) == expected


@given(heads(), st.sampled_from((Fraction(1, 4), Fraction(1), Fraction(5))))
def test_deviation_is_the_definition_in_floats_and_within_the_bound(case: Any, tau: Any) -> None:
    keys, biases, logs, x = case
    s = [
        sum(a * c for a, c in zip(k, x, strict=True)) + b for k, b in zip(keys, biases, strict=True)
    ]
    u = [row[0] for row in logs]
    found = deviation(s, u, tau)
    limit = gap_limit(len(s), tau)
    assert -limit.upper <= found.lower <= found.upper <= limit.upper
    total = sum(exp(a / tau) for a in s)
    out = sum(exp(a / tau) / total * exp(b / tau) for a, b in zip(s, u, strict=True))
    tropical = max(a + b for a, b in zip(s, u, strict=True)) - max(s)
    assert abs(float(tau) * log(out) - tropical - float(found.lower)) < 1e-9


def test_the_bound_is_approached_and_not_reached() -> None:
    for depth in (5, 50, 500):
        near = deviation([0, -depth, -depth], [0, depth, depth], 1, digits=400)
        limit = gap_limit(3, 1, digits=400)
        assert near.upper < limit.lower
        assert limit.upper - near.lower < Fraction(2) ** (1 - depth)
        other = deviation([0, 0, 0], [0, -depth, -depth], 1, digits=400)
        assert -limit.lower < other.lower < -limit.lower + Fraction(2) ** (1 - depth)
    assert deviation([4], [7], 1) == Enclosure(Fraction(0), Fraction(0))


def test_signed_parts_split_the_keys() -> None:
    keys, logs = [[-1], [0], [1]], [0, 2, -1]
    positive, negative = signed_parts(keys, None, logs, [1, -1, 0])
    assert positive is not None
    assert negative is not None
    for x in range(-3, 4):
        assert positive([x]) == -x - abs(x)
        assert negative([x]) == 2 - abs(x)
    assert signed_parts(keys, None, logs, [0, 0, 1])[1] is None
    with pytest.raises(InputError):
        signed_parts(keys, None, logs, [1, 2, 0])
    with pytest.raises(InputError):
        signed_parts(keys, None, logs, [1])


def test_fixed_values_jump() -> None:
    assert [fixed_value_limit([-x, x], [[-1], [1]])[0] for x in (-1, 0, 1)] == [-1, 0, 1]
    assert fixed_value_limit([2, 2, 0], [[1, 0], [2, 4], [9, 9]]) == (Fraction(3, 2), Fraction(2))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: TropicalRational(polynomial([[1]]), polynomial([[1, 1]])),
        lambda: TropicalRationalMap(()),
        lambda: head_map([[1]], None, [[0], [1]]),
        lambda: head_map([[1]], None, [[]]),
        lambda: head_map([[1]], [0.5], [[0]]),  # type: ignore[list-item]
        lambda: deviation([1, 2], [1], 1),
        lambda: deviation([1], [1], 0),
        lambda: fixed_value_limit([1, 2], [[1]]),
    ],
)
def test_wrong_input_is_refused(wrong: Any) -> None:
    with pytest.raises(InputError):
        wrong()


def test_latex() -> None:
    written = head_map([[0], [1]], None, [[0, 1], [2, 3]])._repr_latex_()
    assert written.startswith(r"$\begin{pmatrix}")
    assert written.count(r"\max") == 4
