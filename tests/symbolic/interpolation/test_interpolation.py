"""The laws of rational interpolation, over every implementation."""

import json
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.symbolic import interpolation
from headproof.symbolic.errors import InputError
from headproof.symbolic.interpolation import linear, modular, rational
from headproof.symbolic.interpolation.interpolant import Interpolant, evaluate

Interpolate = Callable[..., Interpolant]
EXACT: list[Interpolate] = [
    modular.interpolate,
    rational.interpolate,
    linear.interpolate,
    interpolation.interpolate,
]
each = pytest.mark.parametrize(
    "interpolate", EXACT, ids=["modular", "rational", "linear", "chosen"]
)

numbers = st.fractions(min_value=-50, max_value=50, max_denominator=9)
poles = st.lists(st.integers(0, 40).map(lambda n: Fraction(n, 3)), max_size=4, unique=True)


@each
@given(poles, st.data())
def test_a_sum_of_simple_poles_comes_back(
    interpolate: Interpolate, rho: list[Fraction], data: st.DataObject
) -> None:
    H0 = data.draw(st.integers(max(1, len(rho)), 6))
    c = data.draw(st.lists(numbers.filter(bool), min_size=len(rho), max_size=len(rho)))
    values = [
        sum((a / (m + r) for a, r in zip(c, rho, strict=True)), Fraction(0))
        for m in range(1, 2 * H0 + 1)
    ]
    found = interpolate(range(1, 2 * H0 + 1), values, terms=H0)
    assert found.rank == len(rho)
    assert not found.unattained
    assert all(evaluate(found.denominator, -r) == 0 for r in rho)
    assert found(99) == sum((a / (99 + r) for a, r in zip(c, rho, strict=True)), Fraction(0))


@each
@given(st.lists(numbers, min_size=1, max_size=7), st.data())
@example([Fraction(0), Fraction(0), Fraction(1)], None)
def test_whatever_the_data_the_linearised_problem_is_solved(
    interpolate: Interpolate, values: list[Fraction], data: st.DataObject | None
) -> None:
    n = len(values)
    terms = data.draw(st.integers(1, n)) if data else 2
    found = interpolate(range(n), values, terms=terms)
    for i, y in enumerate(values):
        below = evaluate(found.denominator, i)
        attained = bool(below) and evaluate(found.numerator, i) == y * below
        assert attained == (i not in found.unattained)
    assert len(found.unattained) + found.rank <= n - terms
    assert found.denominator[-1] == 1


@given(st.lists(st.tuples(numbers, numbers), min_size=1, max_size=7, unique_by=lambda p: p[0]))
def test_the_implementations_agree(points: list[tuple[Fraction, Fraction]]) -> None:
    nodes, values = zip(*points, strict=True)
    for terms in range(1, len(nodes) + 1):
        answers = [interpolate(nodes, values, terms=terms) for interpolate in EXACT]
        assert all(a == b for a, b in pairwise(answers))


@each
@given(st.permutations(range(6)))
def test_the_order_of_the_nodes_is_immaterial(interpolate: Interpolate, order: list[int]) -> None:
    values = [Fraction(3, m + 1) - Fraction(2, 5 * m + 1) for m in range(6)]
    found = interpolate(order, [values[m] for m in order], terms=3)
    assert found == interpolate(range(6), values, terms=3)


@each
def test_long_coefficients_need_many_primes(interpolate: Interpolate) -> None:
    rho, c = [Fraction(3) ** 200, Fraction(5, 7) ** 90], [Fraction(10) ** 60, Fraction(1, 3) ** 99]
    values = [
        sum((a / (m + r) for a, r in zip(c, rho, strict=True)), Fraction(0)) for m in range(4)
    ]
    found = interpolate(range(4), values, terms=2)
    assert [evaluate(found.denominator, -r) for r in rho] == [0, 0]


@each
def test_a_node_that_no_fraction_attains_is_named(interpolate: Interpolate) -> None:
    found = interpolate([1, 2, 3, 4], [0, 0, 0, 5], terms=2)
    assert found.unattained == (3,)
    assert (found.numerator, found.denominator) == ((Fraction(0),), (Fraction(1),))


@each
@pytest.mark.parametrize(
    ("nodes", "values", "terms"),
    [([1, 1], [1, 2], 1), ([1], [1, 2], 1), ([1, 2], [1, 2], 3), ([], [], 1)],
)
def test_wrong_questions_are_refused(
    interpolate: Interpolate, nodes: list[int], values: list[int], terms: int
) -> None:
    with pytest.raises(InputError):
        interpolate(nodes, values, terms=terms)


@pytest.mark.parametrize("value", [Fraction(0), Fraction(-7, 12), Fraction(10**8, 3)])
def test_reconstruction(value: Fraction) -> None:
    P = modular.FIRST_PRIME
    assert modular.reconstruct(value.numerator * pow(value.denominator, -1, P), P) == value


def test_no_small_fraction_is_no_answer() -> None:
    # Modulo 101 only numerators and denominators up to 7 count; 13/9 is out of reach as 13/9.
    assert modular.reconstruct(13 * pow(9, -1, 101), 101) != Fraction(13, 9)


CASES = Path(__file__).parents[2] / "cases" / "interpolation"


def planted(H: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...], dict[str, Any]]:
    """Numerator and denominator of a shared case, and the case itself."""
    case = json.loads((CASES / f"ratfun_H{H}.json").read_text())
    p = list(map(Fraction, map(int, case["num_cofactor"])))
    for root in ([int(part) for part in pair] for pair in case["num_roots"]):
        up, down = [Fraction(0), *p], [*p, Fraction(0)]
        p = [root[1] * a - root[0] * b for a, b in zip(up, down, strict=True)]
    return tuple(p), tuple(Fraction(int(c)) for c in case["den"]), case


@pytest.mark.parametrize("nodes", ["xA", "xB"])
@pytest.mark.parametrize("H", [4, 8, 16])
@pytest.mark.parametrize("route", [modular, linear, interpolation])
def test_the_shared_cases(route: Any, H: int, nodes: str) -> None:
    p, q, case = planted(H)
    x = [Fraction(int(a[0]), int(a[1])) if nodes == "xB" else Fraction(a) for a in case[nodes]]
    values = [evaluate(p, a) / evaluate(q, a) for a in x]
    found = route.interpolate(x, values, terms=H + 1)
    assert found.numerator == tuple(c / q[-1] for c in p)
    assert found.denominator == tuple(c / q[-1] for c in q)
    assert not found.unattained
    if H == 4:
        values[3] += 1
        assert route.interpolate(x, values, terms=H + 1).numerator != found.numerator
