"""Documents of planted models and of what was recovered."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.recovery.document import answer, parse, run
from headproof.oracle.recovery.simplest import simplest_within
from headproof.symbolic.errors import InputError, NotInClass

TWO: dict[str, Any] = {
    "base": 2,
    "heads": [{"W": [[1, 2], [0, -1]], "v": [3, "1/2"]}, {"W": [[0, 1], [1, 0]], "v": [1, -2]}],
}


def test_an_exact_model() -> None:
    found = answer(run(parse(TWO)))
    assert found["heads"] == [TWO["heads"][1], TWO["heads"][0]]
    assert found["queries"] == found["formula"] == 29
    assert (found["longest"], found["verified"]) == (5, True)
    assert (found["queries_all_attempts"] == 33) == (found["attempts"] == 1)
    json.dumps(found)


@pytest.mark.parametrize("bound", [None, 3])
def test_the_true_softmax(bound: int | None) -> None:
    heads = [{"W": [["1/2", 2], [0, -1]], "v": [3, "1/2"]}, {"W": [[0, 1], [1, 0]], "v": [1, -2]}]
    document = {"base": "e", "heads": heads} | ({"bound": bound} if bound else {})
    found = answer(run(parse(document)))
    assert found["heads"] == [heads[1], heads[0]]
    assert Fraction(found["width"]) < Fraction(1, 1 << 60)


def test_merged_cancelled_and_empty() -> None:
    W = [[1, 2], [0, -1]]
    document: dict[str, Any] = {
        "base": 2,
        "heads": [{"W": W, "v": [1, 1]}, {"W": W, "v": [-1, -1]}],
    }
    for more in ({}, {"bound": 2}):
        found = answer(run(parse(document | more)))
        assert (found["heads"], found["verified"]) == ([], True)
    document["heads"][1]["v"] = [0, 1]
    assert answer(run(parse(document)))["heads"] == [{"W": W, "v": [1, 2]}]


def test_a_bound_that_is_too_small() -> None:
    with pytest.raises(NotInClass):
        run(parse(TWO | {"bound": 1}))


@pytest.mark.parametrize(
    "change",
    [
        {"base": 1},
        {"base": "2"},
        {"base": True},
        {"heads": 0},
        {"heads": [{"W": [[1]], "v": [1]}, {"W": [[1, 0], [0, 1]], "v": [1, 2]}]},
        {"heads": [{"W": [[0.5]], "v": [1]}]},
        {"heads": [{"W": [["1/2"]], "v": [1]}]},
        {"heads": [{"W": [[1]]}]},
        {"heads": [{"W": [[1]], "v": [1], "b": 0}]},
        {"bound": 0},
        {"bound": 1.5},
        {"seed": "x"},
        {"extra": 1},
    ],
    ids=str,
)
def test_wrong_documents_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        parse(TWO | change)


@given(st.fractions(-9, 9, max_denominator=50), st.fractions(0, 1, max_denominator=50))
def test_the_simplest_fraction(low: Fraction, width: Fraction) -> None:
    found = simplest_within(low, low + width)
    assert low <= found <= low + width
    for q in range(1, found.denominator):
        assert (low * q).__ceil__() > (low + width) * q
