"""What a terminal shows of the results: a line for each, and a tally at the end."""

from __future__ import annotations

from collections.abc import Sequence

from .certificate import Result


def line(result: Result) -> str:
    """One result; a file's name must not steer the terminal, so only plain characters are shown."""
    if result.valid:
        text = f"{result.path}: valid ({result.kind}, {result.claim})"
    else:
        text = f"{result.path}: {result.answer}: {result.reason}"
    return "".join(c if c.isprintable() and c.isascii() else ascii(c)[1:-1] for c in text)


def tally(results: Sequence[Result]) -> str:
    """How many there are of each answer.

    Example:
        >>> tally([])
        '0 checked: there is no certificate'
    """
    counts = [
        f"{count} {answer}"
        for answer in ("valid", "invalid", "unreadable")
        if (count := sum(result.answer == answer for result in results))
    ]
    return f"{len(results)} checked: {', '.join(counts) or 'there is no certificate'}"
