"""Batches of Dyck words: annotations against the parser, frequencies against exact counts."""

from collections import Counter
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from headproof.numeric.hierarchy.dyck import DyckWords, annotate, opening_probabilities
from headproof.symbolic.hierarchy.dyck import Dyck
from headproof.symbolic.hierarchy.parse import parse


def test_annotations_are_those_of_the_parser() -> None:
    language = Dyck(3, 4)
    batch = DyckWords(3, 4, 20).sample(30, np.random.default_rng(0))
    for row in range(30):
        word = tuple(map(int, batch.tokens[row, 1:]))
        found = parse(language, word).balanced()
        assert batch.tokens[row, 0] == 6
        assert tuple(batch.depth[row, 1:]) == found.depth
        tops = [-1 if top is None else top + 1 for top in found.top]
        assert batch.top[row].tolist() == [-1, *tops]
        distances = [distance or 0 for distance in found.distance]
        assert batch.distance[row].tolist() == [0, *distances]
        for i, symbol in enumerate(word):
            assert batch.kind[row, i + 1] == symbol % 3
            assert batch.opens[row, i + 1] == (symbol < 3)
            assert batch.closes_next[row, i] == (symbol >= 3)
            if symbol >= 3:
                assert batch.wanted[row, i] == symbol - 3


def test_draws_are_uniform() -> None:
    """Chi-squared with 31 degrees exceeds 75 once in 70,000 times."""
    batch = DyckWords(2, 2, 6).sample(4000, np.random.default_rng(1))
    found = Counter(map(tuple, batch.tokens[:, 1:].tolist()))
    assert set(found) == set(Dyck(2, 2).words(6))
    assert sum((n - 125) ** 2 / 125 for n in found.values()) < 75


def test_probabilities_are_rounded_once() -> None:
    language, floats = Dyck(4, 3), opening_probabilities(4, 3, 30)
    for left in range(1, 31):
        for d in range(4):
            if ways := language.completions(left, d):
                opening = 4 * language.completions(left - 1, d + 1) if d < 3 else 0
                assert floats[left, d] == float(Fraction(opening, ways))


@pytest.mark.parametrize("numbers", [(0, 2, 4), (2, 0, 4), (2, 2, 5), (2, 2, 0), (2.0, 2, 4)])
def test_bad_numbers_are_refused(numbers: Any) -> None:
    with pytest.raises(ValueError, match="even length"):
        DyckWords(*numbers)


def test_depths_out_of_reach_change_nothing() -> None:
    deep, enough = (DyckWords(2, m, 8).sample(20, np.random.default_rng(3)) for m in (10**12, 4))
    assert np.array_equal(deep.tokens, enough.tokens)


@pytest.mark.parametrize("row", [[0, 0, 2], [4, -1, 1]])
def test_rows_without_a_beginning_are_refused(row: list[int]) -> None:
    with pytest.raises(ValueError, match="that begin with 4"):
        annotate(np.array([row]), 2)


@pytest.mark.parametrize("word", [[2], [0, 3], [0, 2, 2]])
def test_other_sequences_are_refused(word: list[int]) -> None:
    with pytest.raises(ValueError, match="expected beginnings of Dyck words"):
        annotate(np.array([[4, *word]]), 2)
