"""A finite group of permutations, as a table.

Everything that follows (subgroups, G-sets, characters) asks for products of elements over and over,
so the elements are enumerated once, sorted, and multiplied through a table of n^2 small integers;
sympy's strong generating sets are made for groups that are too large to list, and are slower here.
Exact; fails above `LARGEST` elements.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias

import numpy as np

from ..errors import InputError, LimitReached

LARGEST = 1000
"""Groups with more elements are refused."""

Permutation: TypeAlias = tuple[int, ...]
"""Where each point 0..n-1 goes."""


@dataclass(frozen=True)
class Group:
    """A group of permutations; elements are known by their number in sorted order, 0 is identity.

    Args:
        generators: as given.
        elements: all permutations, sorted.
    """

    generators: tuple[Permutation, ...]
    elements: tuple[Permutation, ...]

    def __len__(self) -> int:
        """The order of the group."""
        return len(self.elements)

    @cached_property
    def number(self) -> dict[Permutation, int]:
        """The number of each permutation."""
        return {element: k for k, element in enumerate(self.elements)}

    @cached_property
    def table(self) -> list[list[int]]:
        """table[a][b] is the number of a b: first b, then a."""
        array = np.array(self.elements, dtype=np.int64).reshape(len(self), -1)
        # A few points tell all elements apart: one, for a regular action.
        base: list[int] = []
        while len(np.unique(array[:, base], axis=0)) < len(self):
            images = [len(np.unique(array[:, [*base, i]], axis=0)) for i in range(array.shape[1])]
            base.append(int(np.argmax(images)))
        seen = array[:, base]
        number = {row.tobytes(): k for k, row in enumerate(np.ascontiguousarray(seen))}
        return [[number[row.tobytes()] for row in array[a][seen]] for a in range(len(self))]

    @cached_property
    def inverses(self) -> list[int]:
        """The number of each inverse."""
        return [row.index(0) for row in self.table]

    @cached_property
    def generator_numbers(self) -> tuple[int, ...]:
        """The numbers of the generators."""
        return tuple(self.number[generator] for generator in self.generators)

    @cached_property
    def orders(self) -> list[int]:
        """The order of each element."""
        found = []
        for a in range(len(self)):
            power, order = a, 1
            while power:
                power, order = self.table[power][a], order + 1
            found.append(order)
        return found

    @property
    def exponent(self) -> int:
        """The least common multiple of the orders of the elements."""
        return lcm(*self.orders)

    @cached_property
    def words(self) -> tuple[tuple[int, int], ...]:
        """For each element but the identity, in the order of a search: how it was reached.

        The entry (a, s) stands for a times generator s; the element is ``table[a][s]``.
        """
        seen, found, queue = {0}, [], [0]
        for a in queue:
            for s, g in enumerate(self.generator_numbers):
                product = self.table[a][g]
                if product not in seen:
                    seen.add(product)
                    queue.append(product)
                    found.append((a, s))
        return tuple(found)

    @cached_property
    def classes(self) -> tuple[tuple[int, ...], ...]:
        """The conjugacy classes, each sorted, that of the identity first."""
        seen: set[int] = set()
        found = []
        for a in range(len(self)):
            if a not in seen:
                mine = sorted({self.conjugate(a, g) for g in range(len(self))})
                seen.update(mine)
                found.append(tuple(mine))
        return tuple(found)

    def conjugate(self, a: int, g: int) -> int:
        """The number of g a g^-1."""
        return self.table[self.table[g][a]][self.inverses[g]]

    def closure(self, numbers: Iterable[int]) -> frozenset[int]:
        """The subgroup that these elements generate."""
        generators = [a for a in dict.fromkeys(numbers) if a]
        seen, queue = {0}, [0]
        for a in queue:
            row = self.table[a]
            for g in generators:
                product = row[g]
                if product not in seen:
                    seen.add(product)
                    queue.append(product)
        return frozenset(seen)


def permutation_group(generators: Sequence[Any], *, limit: int = LARGEST) -> Group:
    """Enumerate the group that permutations generate.

    Args:
        generators: lists of the images of 0..n-1, at least one.
        limit: the most elements.

    Raises:
        InputError: no generators, or one that is no permutation, or of another degree.
        LimitReached: the group has more than `limit` elements.

    Example:
        >>> len(permutation_group([(1, 0, 2), (1, 2, 0)]))
        6
    """
    given = _read(generators)
    identity = tuple(range(len(given[0])))
    seen, queue = {identity}, [identity]
    for a in queue:
        for s in given:
            product = tuple(a[i] for i in s)
            if product not in seen:
                if len(seen) >= limit:
                    raise LimitReached(f"the group has more than {limit:,} elements")
                seen.add(product)
                queue.append(product)
    return Group(given, tuple(sorted(seen)))


def _read(generators: Sequence[Any]) -> tuple[Permutation, ...]:
    if not isinstance(generators, (list, tuple)) or not generators:
        raise InputError("a list of at least one permutation", "none", where="generators")
    found: list[Permutation] = []
    for k, each in enumerate(generators):
        where = f"generators[{k}]"
        if not isinstance(each, (list, tuple)) or any(type(image) is not int for image in each):
            raise InputError("a list of integers", repr(each), where=where)
        if sorted(each) != list(range(len(each))) or not each:
            raise InputError("every one of 0..n-1 once", str(list(each)), where=where)
        if found and len(each) != len(found[0]):
            raise InputError(f"{len(found[0])} points", f"{len(each)}", where=where)
        found.append(tuple(each))
    return tuple(found)
