"""Counting, ranks and drawing against a filter on all sequences, and bad numbers refused."""

from collections import Counter
from itertools import product
from math import comb
from random import Random

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.hierarchy.dyck import Dyck
from headproof.symbolic.hierarchy.parse import parse


def is_word(language: Dyck, word: tuple[int, ...]) -> bool:
    """By cancelling neighbours, and looking at how deep that goes; not by the parser's stack."""
    k = language.types
    height = deepest = 0
    for symbol in word:
        height += 1 if symbol < k else -1
        deepest = max(deepest, height)
    left = list(word)
    cancelled = True
    while cancelled:
        cancelled = False
        for i in range(len(left) - 1):
            if left[i] < k and left[i + 1] == left[i] + k:
                del left[i : i + 2]
                cancelled = True
                break
    return not left and deepest <= language.depth


@pytest.mark.parametrize(("k", "m", "n"), [(1, 1, 6), (1, 3, 8), (2, 2, 6), (3, 1, 4), (2, 5, 0)])
def test_words_are_those_of_a_filter(k: int, m: int, n: int) -> None:
    language = Dyck(k, m)
    expected = [word for word in product(range(2 * k), repeat=n) if is_word(language, word)]
    assert list(language.words(n)) == expected
    assert language.count(n) == len(expected)
    assert [language.word(n, i) for i in range(len(expected))] == expected
    assert [language.rank(word) for word in expected] == list(range(len(expected)))


@pytest.mark.parametrize(("k", "m", "n"), [(1, 2, 7), (2, 2, 5), (3, 3, 4)])
def test_prefixes_begin_words(k: int, m: int, n: int) -> None:
    language = Dyck(k, m)
    longer = {word[:n] for word in language.words(n + min(m, n) + (n + min(m, n)) % 2)}
    found = [word for word in language.prefixes(n) if len(word) == n]
    assert set(found) == longer
    assert len(found) == len(set(found))


def test_without_a_bound_it_is_catalan() -> None:
    for k, h in [(1, 9), (3, 6), (20, 12)]:
        assert Dyck(k, h).count(2 * h) == k**h * comb(2 * h, h) // (h + 1)
        assert Dyck(k, h - 1).count(2 * h) == (k**h) * (comb(2 * h, h) // (h + 1) - 1)


def test_draws_are_uniform() -> None:
    """4000 draws from 32 words: chi-squared with 31 degrees exceeds 75 once in 70,000 times."""
    language, random = Dyck(2, 2), Random(4)
    found = Counter(language.sample(6, random) for _ in range(4000))
    assert len(found) == 32
    assert sum((n - 125) ** 2 / 125 for n in found.values()) < 75


def test_huge_words() -> None:
    language = Dyck(20, 10)
    word = language.sample(400, Random(1))
    assert language.word(400, language.rank(word)) == word
    assert parse(language, word).balanced().depth[-1] == 0


def test_depths_out_of_reach_cost_nothing() -> None:
    deep, enough = Dyck(2, 10**12), Dyck(2, 6)
    assert deep.count(12) == enough.count(12)
    assert deep.completions(4, 10**11) == 0
    assert list(deep.prefixes(5)) == list(enough.prefixes(5))
    assert list(deep.words(6)) == list(enough.words(6))
    assert deep.rank(deep.word(12, 1000)) == 1000


def test_what_would_not_fit_into_memory_is_refused() -> None:
    for language, length in ((Dyck(20, 10), 10**6), (Dyck(1, 10**9), 10**5)):
        with pytest.raises(InputError, match="half a gibibyte"):
            language.count(length)
    with pytest.raises(InputError, match="an integer of 4000 bits"):
        Dyck(2, 2).word(4, 2**3999)


def test_bad_input_is_refused() -> None:
    language = Dyck(2, 2)
    for make in (
        lambda: Dyck(0, 2),
        lambda: Dyck(2, 0),
        lambda: Dyck(2, 1.5),  # type: ignore[arg-type]
        lambda: language.count(-1),
        lambda: language.completions(3, 3),
        lambda: language.word(4, language.count(4)),
        lambda: language.word(4, -1),
        lambda: language.word(4, True),
        lambda: language.word(4, 1.0),  # type: ignore[arg-type]
        lambda: language.completions(4, 1.0),  # type: ignore[arg-type]
        lambda: language.word(3, 0),
        lambda: language.sample(5, Random(0)),
        lambda: language.rank((0,)),
        lambda: language.rank((0, 3)),
    ):
        with pytest.raises(InputError):
            make()
