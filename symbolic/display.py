"""What an object shows of itself in a notebook: a few rows of HTML, and nothing to install.

A notebook asks an object for ``_repr_html_`` and takes a string. Long lists are cut, and the cut is
told: a sum with a million vertices must not fill the page. Everything is escaped, since names and
keys come from the user. Pictures are another matter (`headproof.plot`): they need matplotlib.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import islice

SHOWN = 12
"""Rows of a list before it is cut."""


def facts(title: str, rows: Iterable[tuple[str, object]]) -> str:
    """A table of names and values under a title.

    Args:
        title: what it is.
        rows: name and value; the value is written by str.

    Example:
        >>> print(facts("Sum", [("vertices", 3)]))
        <table><caption>Sum</caption><tr><th scope="row">vertices</th><td>3</td></tr></table>
    """
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{escape(written(value))}</td></tr>'
        for name, value in rows
    )
    return f"<table><caption>{escape(title)}</caption>{body}</table>"


def listing(
    headings: Sequence[str], rows: Iterable[Sequence[object]], *, count: int, most: int = SHOWN
) -> str:
    """A table with a row for each entry, cut after some.

    Args:
        headings: of the columns.
        rows: the entries; no more than are shown are asked for.
        count: how many there are.
        most: rows before it is cut.

    Example:
        >>> table = listing(["n"], ([n] for n in range(100)), count=100)
        >>> table.count("<tr>"), "88 more" in table
        (14, True)
    """
    head = "".join(f'<th scope="col">{escape(heading)}</th>' for heading in headings)
    body = "".join(
        "<tr>" + "".join(f"<td>{escape(written(entry))}</td>" for entry in row) + "</tr>"
        for row in islice(rows, most)
    )
    if count > most:
        body += f'<tr><td colspan="{len(headings)}">… {count - most:,} more</td></tr>'
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def preformatted(lines: Iterable[str]) -> str:
    r"""Lines in which columns stand below each other.

    Example:
        >>> preformatted(["a  b", "1  <"])
        '<pre>a  b\n1  &lt;</pre>'
    """
    return f"<pre>{escape(chr(10).join(lines))}</pre>"


def written(value: object) -> str:
    """A value for a cell: rationals as p/q, vectors in brackets, long integers in groups.

    Example:
        >>> from fractions import Fraction
        >>> written((1, Fraction(1, 2))), written(12345), written(True)
        ('(1, 1/2)', '12,345', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return (
            f"{value:,}"
            if value.bit_length() < 200
            else f"an integer of {value.bit_length():,} bits"
        )
    if isinstance(value, (tuple, list)):
        return f"({', '.join(map(written, value))})"
    return str(value)
