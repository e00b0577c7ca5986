"""Terms: numbers and lists as Rocq reads them.

Nothing of a certificate's text reaches a Rocq file: what is written here are integers that were
parsed, and lists of what was written here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import gcd, lcm
from textwrap import fill

from ...checker.budget import Rational

WIDTH = 100
"""Columns of a line; a long number may take more."""

SHORT = 20
"""Digits: Rocq reads longer numbers several times faster in hexadecimal."""


@dataclass(frozen=True)
class Parts:
    """What a kind contributes to its file.

    Args:
        data: definitions of what the statement speaks about, in order.
        statement: the proposition, as a term.
        witness: definitions of what only the program reads.
        proof: the theorem, applied to everything but the equation that is left to compute.
        steps: elementary operations of the program, about.
        says: the statement in words, with its sizes.
    """

    data: tuple[str, ...]
    statement: str
    witness: tuple[str, ...]
    proof: str
    steps: int
    says: str


def integer(value: int) -> str:
    """An integer.

    Example:
        >>> integer(-3), integer(2**80)
        ('-3', '0x100000000000000000000')
    """
    if abs(value) < 10**SHORT:
        return str(value)
    return f"{'-' if value < 0 else ''}{abs(value):#x}"


def rational(value: Rational) -> str:
    """A rational number.

    Example:
        >>> from fractions import Fraction
        >>> rational(Fraction(-1, 2)), rational(3)
        ('-1 # 2', '3')
    """
    if value.denominator == 1:
        return integer(value.numerator)
    return f"{integer(value.numerator)} # {integer(value.denominator)}"


def listed(entries: Iterable[str]) -> str:
    """A list on one line.

    Example:
        >>> listed(["1", "2"])
        '[1; 2]'
    """
    return f"[{'; '.join(entries)}]"


def definition(name: str, type_: str, entries: Sequence[str], scope: str, *, of: str = "") -> str:
    """The definition of a list, on one line if it fits.

    Args:
        name: what is defined.
        type_: its type.
        entries: of the list, as terms.
        scope: in which they are read.
        of: a function to be applied to each entry.

    Example:
        >>> definition("a", "list nat", ["1", "2"], "Z", of="Z.to_nat")
        'Definition a : list nat := map Z.to_nat [1; 2]%Z.'
    """
    head, listing = f"Definition {name} : {type_} :=", listed(entries)
    if of:
        head += f" map {of}"
    if len(head) + len(listing) + len(scope) + 3 > WIDTH:
        body = fill_entries(entries)
        listing = f"[\n{body}\n]" if entries else listing
    return f"{head} {listing}%{scope}."


def fill_entries(entries: Sequence[str]) -> str:
    """The entries of a list in lines, each with as many as fit; a long one has its own.

    Example:
        >>> print(fill_entries(["1" * 60, "2" * 60, "3"]))
          111111111111111111111111111111111111111111111111111111111111;
          222222222222222222222222222222222222222222222222222222222222; 3
    """
    lines: list[str] = []
    for i, entry in enumerate(entries):
        piece = entry + (";" if i + 1 < len(entries) else "")
        if lines and len(lines[-1]) + 1 + len(piece) <= WIDTH:
            lines[-1] += f" {piece}"
        else:
            lines.append(f"  {piece}")
    return "\n".join(lines)


def whole(values: Sequence[Rational]) -> list[int]:
    """The least integers that are a positive multiple of the values.

    Example:
        >>> from fractions import Fraction
        >>> whole([Fraction(1, 2), 2, Fraction(-2, 3)])
        [3, 12, -4]
    """
    common = lcm(*(value.denominator for value in values))
    found = [value.numerator * (common // value.denominator) for value in values]
    shared = gcd(*found) or 1
    return [value // shared for value in found]


def digits(values: Iterable[Rational]) -> int:
    """Words of 16 bits in the longest number, at least 1: what the costs of products go by."""
    longest = max((max(abs(v.numerator), v.denominator).bit_length() for v in values), default=0)
    return 1 + longest // 16


def comment(text: str) -> str:
    """A comment of Rocq, in lines.

    Example:
        >>> comment("Two points.")
        '(* Two points. *)'
    """
    return fill(
        f"(* {text} *)",
        WIDTH,
        subsequent_indent="   ",
        break_long_words=False,
        break_on_hyphens=False,
    )
