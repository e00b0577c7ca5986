"""The strategies reach the degenerate forms that they promise, and stay within their bounds."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from hypothesis.strategies import SearchStrategy

from headproof.proofs_check import strategies
from headproof.proofs_check.search import search
from headproof.proofs_check.strategies import HeadCase


@cache
def cases(of: Callable[[], SearchStrategy[Any]]) -> list[Any]:
    """300 cases, drawn once."""
    drawn: list[Any] = []

    def look(case: Any) -> bool:
        drawn.append(case)
        return True

    assert search(of(), look, examples=300, seed=0).holds
    return drawn


@pytest.mark.parametrize(
    "kind",
    [
        lambda s: len(s) == 1,
        lambda s: len(s) > 2 and len(set(s)) == 1,
        lambda s: s.count(max(s)) == 2 and len(set(s)) > 1,
        lambda s: max(s) - min(s) > 10**6,
        lambda s: 0 < max(s) - min(s) < Fraction(1, 10**12),
        lambda s: any(value.denominator > 1 for value in s),
    ],
    ids=["single", "all equal", "tied maximum", "huge", "tiny", "fractions"],
)
def test_scores(kind: Callable[[Any], bool]) -> None:
    assert any(map(kind, cases(strategies.scores)))


def rank_one(case: HeadCase) -> bool:
    """Whether there are three distinct keys, all on a line."""
    keys = sorted(set(case.keys))
    if len(keys) < 3 or len(keys[0]) < 2:
        return False
    a, b = keys[0], keys[1]
    along = [q - p for p, q in zip(a, b, strict=True)]
    return all(
        (key[i] - a[i]) * along[j] == (key[j] - a[j]) * along[i]
        for key in keys
        for i in range(len(a))
        for j in range(i)
    )


@pytest.mark.parametrize(
    "kind",
    [
        lambda case: len(case.point) == 1,
        lambda case: len(case.point) == 3,
        lambda case: len(case.keys) == 1,
        lambda case: len(case.keys) > 2 and len(set(case.keys)) == 1,
        lambda case: 1 < len(set(case.keys)) < len(case.keys),
        rank_one,
        lambda case: len(set(zip(case.keys, case.biases, strict=True))) < len(case.keys),
    ],
    ids=["line", "space", "one key", "equal", "repeated", "collinear", "repeated lifted point"],
)
def test_heads(kind: Callable[[HeadCase], bool]) -> None:
    assert any(map(kind, cases(strategies.heads)))


def test_bounds() -> None:
    def within(case: HeadCase) -> bool:
        return (
            len(case.keys) == len(case.biases) <= 4
            and {len(key) for key in case.keys} == {len(case.point)}
            and len(case.point) <= 2
            and not any(case.biases)
        )

    small = strategies.heads(max_dimension=2, max_count=4, biased=False)
    assert search(small, within, examples=99, seed=0).holds
    assert search(strategies.temperatures(), lambda tau: tau > 0, examples=99, seed=0).holds
    assert search(
        strategies.inverse_temperatures(5), lambda k: 1 <= k <= 5, examples=9, seed=0
    ).holds
    assert search(strategies.scores(max_count=3), lambda s: len(s) <= 3, examples=99, seed=0).holds
    assert any(len(s) > 3 for s in cases(strategies.scores))
