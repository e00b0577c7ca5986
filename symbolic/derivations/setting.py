"""The setting of a derivation: which letters it uses and what is known of them.

A *size* (N, H, d, n) is a positive integer and stays a symbol. An *index* is an integer with a
declared range. A *family* is a real function of indices: the scores s(j), the keys kappa(j, c).
Everything else is a real symbol whose sign, if known, is one of its sympy assumptions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from sympy import Expr, Function, Integer, Symbol, sympify


def size(name: str) -> Symbol:
    """A size: a positive integer of which nothing else is known."""
    return Symbol(name, integer=True, positive=True)


def index(name: str) -> Symbol:
    """An index: an integer; its range is declared in the `Setting`."""
    return Symbol(name, integer=True)


def family(name: str, **assumptions: bool) -> Any:
    """A real-valued family of numbers, to be applied to indices."""
    return Function(name, real=True, **assumptions)


@dataclass(frozen=True)
class Setting:
    """The letters of a derivation.

    Args:
        sizes: the size symbols.
        ranges: index -> (lower, upper), both included; an end may name sizes and earlier indices.
        reals: the real symbols.
        families: the families, by themselves (not applied).
        meaning: letter -> what it stands for, for the reader; keys are names.
        abbreviations: name -> the expression that it stands for when a derivation is shown.
            They change what is printed and nothing else.

    Raises:
        ValueError: a letter has assumptions other than those of its kind, or two have one name.
    """

    sizes: tuple[Symbol, ...]
    ranges: Mapping[Symbol, tuple[Any, Any]]
    reals: tuple[Symbol, ...] = ()
    families: tuple[Any, ...] = ()
    meaning: Mapping[str, str] = field(default_factory=dict)
    abbreviations: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Check the kinds of the letters."""
        names = [str(getattr(letter, "__name__", letter)) for letter in self._all()]
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"two letters of one name: {', '.join(twice)}")
        for letter in self.sizes:
            if letter != size(letter.name):
                raise ValueError(f"{letter} is no plain size: make it with size({letter.name!r})")
        for letter in self.ranges:
            if letter != index(letter.name):
                raise ValueError(f"{letter} is no plain index: make it with index({letter.name!r})")
        for letter in (*self.reals, *(f(Integer(1)) for f in self.families)):
            if not letter.is_real:
                raise ValueError(f"{letter} is not declared real")
        ranges = {i: (sympify(low), sympify(high)) for i, (low, high) in self.ranges.items()}
        object.__setattr__(self, "ranges", MappingProxyType(ranges))

    def _all(self) -> tuple[Any, ...]:
        return (*self.sizes, *self.ranges, *self.reals, *self.families)

    def letters(self) -> frozenset[Symbol]:
        """Every declared symbol."""
        return frozenset((*self.sizes, *self.ranges, *self.reals))

    def nonnegative(self) -> tuple[Expr, ...]:
        """What the ranges say: each index minus its lower end and the upper end minus it."""
        found: list[Expr] = []
        for letter, (low, high) in self.ranges.items():
            found += [letter - low, high - letter]
        return tuple(found)
