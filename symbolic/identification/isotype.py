"""The coordinates of a head that turn alike: what stands between queries and keys, as a list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from ..errors import InputError
from .architecture import Architecture

Field = Literal["real", "complex"]


@dataclass(frozen=True)
class Isotype:
    """The coordinates of a head that turn alike.

    Args:
        field: "complex" for planes that turn, "real" for coordinates that do not.
        multiplicity: how many planes or coordinates.
        start: the first coordinate; they follow each other, planes as neighbouring pairs.
        trivial: whether nothing happens to them at all (a half turn at every step is not trivial).
    """

    field: Field
    multiplicity: int
    start: int = 0
    trivial: bool = False

    @property
    def degree(self) -> int:
        """Real coordinates of one line or plane."""
        return 2 if self.field == "complex" else 1

    @property
    def size(self) -> int:
        """Real coordinates together."""
        return self.degree * self.multiplicity


def isotypes(architecture: Architecture) -> tuple[Isotype, ...]:
    """The isotypes of a head of an architecture, the unrotated coordinates last.

    Example:
        >>> partial = Architecture(d_model=8, heads=2, rope="distinct", rotary_dim=2)
        >>> [(part.field, part.size) for part in isotypes(partial)]
        [('complex', 2), ('real', 2)]
    """
    planes = architecture.rotary_dim // 2
    turns: list[Fraction | str] = (
        ["the same"] * planes
        if architecture.rope == "equal"
        else [f"frequency {number}" for number in range(planes)]
    )
    return isotypes_of(turns, architecture.head_dim - architecture.rotary_dim)


def isotypes_of(turns: Sequence[Fraction | str], unrotated: int) -> tuple[Isotype, ...]:
    """The isotypes of planes with any frequencies.

    The coordinates are renumbered so that an isotype's stand together; a plane that turns the
    other way is reflected. Neither changes a dimension.

    Args:
        turns: one frequency a plane: a fraction of a full turn, exactly, or a name for a
            frequency that differs from all others up to sign and is no multiple of a half turn.
        unrotated: how many coordinates follow that are not rotated.

    Raises:
        InputError: a negative number of coordinates.

    Example:
        >>> third, half = Fraction(1, 3), Fraction(1, 2)
        >>> parts = isotypes_of([third, 1 - third, half, Fraction(0)], 1)
        >>> [(part.field, part.multiplicity) for part in parts]
        [('complex', 2), ('real', 2), ('real', 3)]
    """
    if unrotated < 0:
        raise InputError("a number of coordinates", str(unrotated), where="unrotated")
    alike: dict[Fraction | str, int] = {}
    for turn in turns:
        key = turn if isinstance(turn, str) else min(turn % 1, -turn % 1)
        alike[key] = alike.get(key, 0) + 1
    still = unrotated + 2 * alike.pop(Fraction(0), 0)
    signs = 2 * alike.pop(Fraction(1, 2), 0)
    found: list[Isotype] = []
    start = 0
    for multiplicity in alike.values():
        found.append(Isotype("complex", multiplicity, start))
        start += found[-1].size
    for multiplicity, trivial in ((signs, False), (still, True)):
        if multiplicity:
            found.append(Isotype("real", multiplicity, start, trivial))
            start += multiplicity
    return tuple(found)
