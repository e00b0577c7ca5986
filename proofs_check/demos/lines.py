"""Lines that several demos print: points, long sentences, and what the checker says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from textwrap import wrap

from ..checker import Rejected, check_certificate
from ..evidence import Json

WIDTH = 76
"""Columns of a folded sentence; with the indentation a line has at most 80."""


def point(coordinates: Iterable[object]) -> str:
    """A point in parentheses.

    Example:
        >>> point([1, "1/2"])
        '(1, 1/2)'
    """
    return f"({', '.join(map(str, coordinates))})"


def folded(sentence: str) -> list[str]:
    """A sentence in lines, no word divided.

    Example:
        >>> folded("one two")
        ['one two']
    """
    return wrap(sentence, WIDTH, break_long_words=False, break_on_hyphens=False)


def judgement(certificate: Mapping[str, Json]) -> str:
    """What the independent checker says: ``valid``, or why not."""
    try:
        check_certificate(certificate)
    except Rejected as error:
        return f"invalid: {error}"
    return "valid"
