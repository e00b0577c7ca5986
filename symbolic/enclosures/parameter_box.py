"""A box of parameters: named intervals, alone or in arrays, as one list of coordinates.

Formulas speak of arrays, a subdivision of coordinates in one order; this is the way there and back.
Everything is checked here, so that the search may trust it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from ..errors import InputError
from ..rational import Rational, parse
from .interval import constant
from .interval_formula import Instance

Path: TypeAlias = tuple[str | int, ...]
"""The name of a variable and, in an array, its indices."""

Sides: TypeAlias = tuple[tuple[Rational, Rational], ...]
"""An interval for every coordinate, in the order of the box."""


class ParameterBox:
    """Where the coordinates stand in the box, and the constants.

    Args:
        box: name -> an interval (low, high), or lists of them.
        given: name -> a rational number, or lists of them.

    Raises:
        InputError: a name twice, no interval, low > high, or no variable.

    Example:
        >>> box = ParameterBox({"s": [(0, 1), (2, 2)]}, {})
        >>> box.paths, box.wide, box.instance(["x", "y"])
        ([('s', 0), ('s', 1)], [0], {'s': ['x', 'y']})
    """

    def __init__(self, box: Mapping[str, Any], given: Mapping[str, Any]) -> None:
        self._box = box
        self.paths: list[Path] = []
        sides: list[tuple[Rational, Rational]] = []
        for name, value in box.items():
            if name in given:
                raise InputError("a variable of the box or a given one", f"{name!r} twice")
            for path, (low, high) in _intervals(value, (name,)):
                if low > high:
                    raise InputError("low <= high", f"{low} > {high}", where=str(path))
                self.paths.append(path)
                sides.append((low, high))
        if not sides:
            raise InputError("a box with a variable", "none", where="box")
        self.sides: Sides = tuple(sides)
        self.wide = [i for i, (low, high) in enumerate(sides) if low < high]
        self._given = given

    def constants(self) -> Instance:
        """The given numbers, enclosed at the precision in force."""
        return {name: _mapped(value, constant) for name, value in self._given.items()}

    def instance(self, entries: list[Any]) -> Instance:
        """The box with each coordinate replaced by an entry."""
        supply = iter(entries)
        return {name: _refilled(value, supply) for name, value in self._box.items()}


def _intervals(value: Any, path: Path) -> Iterator[tuple[Path, tuple[Rational, Rational]]]:
    if isinstance(value, tuple):
        if len(value) != 2:
            raise InputError("an interval (low, high)", repr(value), where=str(path[0]))
        low, high = (parse(end, str(path[0])) for end in value)
        yield path, (low, high)
    elif isinstance(value, list):
        for i, entry in enumerate(value):
            yield from _intervals(entry, (*path, i))
    else:
        raise InputError(
            "an interval (low, high) or a list of them", repr(value), where=str(path[0])
        )


def _mapped(value: Any, function: Any) -> Any:
    if isinstance(value, list | tuple):
        return [_mapped(entry, function) for entry in value]
    return function(parse(value, "given"))


def _refilled(value: Any, supply: Iterator[Any]) -> Any:
    if isinstance(value, list):
        return [_refilled(entry, supply) for entry in value]
    return next(supply)
