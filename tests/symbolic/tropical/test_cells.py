"""Claim tropical.cells, the exact side."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.proofs_check.checker import check_file
from headproof.symbolic.cones.hull import convex_hull
from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import Rational
from headproof.symbolic.tropical.cells import Cells, cells
from headproof.symbolic.tropical.power_diagram import scores, winners

NUMBERS = st.one_of(
    st.integers(-2, 2),
    st.builds(Fraction, st.integers(-9, 9), st.integers(1, 4)),
    st.integers(-(10**30), 10**30),
)


@st.composite
def heads(draw: st.DrawFn) -> tuple[list[list[Rational]], list[Rational]]:
    d, N = draw(st.integers(1, 3)), draw(st.integers(1, 8))
    key = st.lists(NUMBERS, min_size=d, max_size=d)
    keys = draw(st.lists(key, min_size=N, max_size=N))
    return keys, draw(st.lists(NUMBERS, min_size=N, max_size=N))


def faults(found: Cells, keys: list[list[Rational]], biases: list[Rational]) -> list[int]:
    """Keys whose reason is none."""
    wrong = []
    for j, x in found.winning.items():
        twins = {i for i, first in found.same_as.items() if first == j}
        if winners(keys, biases, x) != {j} | twins:
            wrong.append(j)
    for j, weights in found.never.items():
        point = [sum(w * keys[i][c] for i, w in weights) for c in range(len(keys[j]))]
        above = sum(w * biases[i] for i, w in weights) >= biases[j]
        if point != keys[j] or not above or sum(w for _, w in weights) != 1:
            wrong.append(j)
    return wrong


@given(heads())
@example(([[0], [0]], [1, 0]))
@example(([[0], [0]], [1, 1]))
def test_every_key_is_settled(head: tuple[list[list[Rational]], list[Rational]]) -> None:
    keys, biases = head
    found = cells(keys, biases)
    assert sorted([*found.winning, *found.never, *found.same_as]) == list(range(len(keys)))
    assert faults(found, keys, biases) == []
    assert found.count == len(found.winning)


@given(heads())
def test_without_biases_the_winners_are_the_vertices(
    head: tuple[list[list[Rational]], list[Rational]],
) -> None:
    keys, _ = head
    assert tuple(sorted(cells(keys).winning)) == convex_hull(keys).vertices


@given(heads(), st.integers(-(10**20), 10**20))
def test_what_changes_every_score_alike_changes_nothing(
    head: tuple[list[list[Rational]], list[Rational]], step: int
) -> None:
    keys, biases = head
    shifted = [[a + step for a in key] for key in keys]
    raised = [b + step for b in biases]
    assert set(cells(shifted, raised).winning) == set(cells(keys, biases).winning)


def test_the_key_in_the_middle_never_wins_alone() -> None:
    keys: list[list[Rational]] = [[-1], [0], [1]]
    found = cells(keys)
    assert set(found.winning) == {0, 2}
    assert found.never[1] == ((0, Fraction(1, 2)), (2, Fraction(1, 2)))
    assert winners(keys, None, [0]) == {0, 1, 2}
    assert set(cells(keys, [0, "1/1000000", 0]).winning) == {0, 1, 2}
    assert faults(found, keys, [0, 1, 0]) == [1]


def test_d_keys_in_general_position() -> None:
    keys = [[int(i == k) for i in range(5)] for k in range(5)] + [[0] * 5]
    found = cells(keys)
    assert found.count == 6
    for j, x in found.winning.items():
        values = scores(keys, None, x)
        assert all(values[j] > value for i, value in enumerate(values) if i != j)


def test_the_checker_accepts_the_certificate(tmp_path: Path) -> None:
    certificate = cells([[-1], [0], [1], [1]], [0, "1/3", 0, 0]).certificate()
    file = tmp_path / "cells.json"
    file.write_text(json.dumps(certificate))
    assert certificate["claim"] == "tropical.cells"
    assert check_file(file).valid
    certificate["data"]["points"][1][1] = -1
    file.write_text(json.dumps(certificate))
    assert not check_file(file).valid


@pytest.mark.parametrize(
    ("keys", "biases"), [([], None), ([[]], None), ([[0.5]], None), ([[1]], []), ([[1]], [0.0])]
)
def test_wrong_input_is_refused(keys: object, biases: object) -> None:
    with pytest.raises(InputError):
        cells(keys, biases)  # type: ignore[arg-type]
