"""Kleene's three truth values: True, False, and None for undecided."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeAlias

Truth: TypeAlias = bool | None


def combine(stop: bool, truths: Iterable[Truth]) -> Truth:
    """Or (stop = True) and and (stop = False), from left to right.

    Example:
        >>> combine(True, [None, True, False]), combine(False, [True, None])
        (True, None)
    """
    result: Truth = not stop
    for truth in truths:
        if truth is stop:
            return stop
        if truth is None:
            result = None
    return result


def negate(truth: Truth) -> Truth:
    """Not."""
    return None if truth is None else not truth


def same(a: Truth, b: Truth) -> Truth:
    """If and only if."""
    return None if a is None or b is None else a == b
