"""What a demo is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Write = Callable[[str], None]
"""Takes one line of text, without the line's end."""


@dataclass(frozen=True)
class Demo:
    """Something to watch.

    Args:
        name: for the command line.
        summary: one line.
        run: writes the demo line by line, at most 80 columns.
        data: the same content as a JSON document's members.
    """

    name: str
    summary: str
    run: Callable[[Write], None]
    data: Callable[[], dict[str, Any]]
