"""A finite group of permutations and its subgroups, enumerated anew (CERTIFICATES.md, group)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from .budget import Budget
from .errors import Rejected, Unreadable
from .fields import Json, integer, items

LARGEST = 500
"""Elements of a group."""

Subgroup = frozenset[int]


class FiniteGroup:
    """A group by its elements, in ascending order of their lists of images."""

    def __init__(self, generators: list[tuple[int, ...]], budget: Budget) -> None:
        """Enumerate the elements and tabulate the products."""
        degree = len(generators[0])
        seen = {tuple(range(degree))}
        queue = list(seen)
        for a in queue:
            for s in generators:
                budget.spend(2 + degree // 4)
                product = tuple([a[i] for i in s])
                if product not in seen:
                    if len(seen) == LARGEST:
                        raise Unreadable(f"group: more than {LARGEST} elements")
                    seen.add(product)
                    queue.append(product)
        self.budget = budget
        self.elements = sorted(seen)
        budget.spend(len(seen) ** 2 * (1 + degree // 16))
        number = {element: k for k, element in enumerate(self.elements)}
        self.generators = [number[s] for s in generators]
        self.table = [
            [number[tuple([a[i] for i in b])] for b in self.elements] for a in self.elements
        ]
        self.inverse = [row.index(0) for row in self.table]

    def __len__(self) -> int:
        """The order of the group."""
        return len(self.elements)

    def closure(self, elements: Iterable[int]) -> Subgroup:
        """The subgroup that these elements generate."""
        generators = list(elements)
        seen, queue = {0}, [0]
        for a in queue:
            self.budget.spend(1 + len(generators))
            row = self.table[a]
            for g in generators:
                if row[g] not in seen:
                    seen.add(row[g])
                    queue.append(row[g])
        return frozenset(seen)

    def conjugates(self, K: Subgroup) -> Iterator[Subgroup]:
        """The subgroups g K g^-1, for all g."""
        for g in range(len(self)):
            self.budget.spend(1 + len(K) // 4)
            row, back = self.table[g], self.inverse[g]
            yield frozenset([self.table[row[a]][back] for a in K])

    def subgroups(self) -> list[Subgroup]:
        """All of them, by adjoining one element after the other to the trivial one."""
        trivial = frozenset([0])
        found: dict[Subgroup, list[int]] = {trivial: []}
        queue = [trivial]
        for K in queue:
            for a in range(len(self)):
                if a not in K:
                    larger = self.closure([*found[K], a])
                    if larger not in found:
                        found[larger] = [*found[K], a]
                        queue.append(larger)
        return queue


def read_group(value: Json, budget: Budget) -> FiniteGroup:
    """A group by permutations that generate it.

    Raises:
        Unreadable: no permutations of one degree, or a group that is too large.
    """
    generators: list[tuple[int, ...]] = []
    for s, given in enumerate(items(value, "group", least=1)):
        where = f"group[{s}]"
        images = items(given, where, least=1)
        degree = len(generators[0]) if generators else len(images)
        if len(images) != degree:
            raise Unreadable(f"{where}: expected {degree} images, found {len(images)}")
        image = tuple(integer(i, f"{where}[{k}]", 0, degree - 1) for k, i in enumerate(images))
        if len(set(image)) < degree:
            raise Unreadable(f"{where}: an image stands twice")
        generators.append(image)
    return FiniteGroup(generators, budget)


class Classes:
    """The subgroups up to conjugacy, as a certificate lists them, all accounted for."""

    def __init__(self, group: FiniteGroup, value: Json) -> None:
        """Read and check the list.

        Raises:
            Rejected: a list is no subgroup, two are conjugate, or one is missing.
            Unreadable: it is malformed.
        """
        self.group = group
        self.subgroups: list[Subgroup] = []
        everything = group.subgroups()
        all_of_them = set(everything)
        class_of: dict[Subgroup, int] = {}
        for c, given in enumerate(items(value, "classes", least=1)):
            where = f"classes[{c}]"
            numbers = [
                integer(a, f"{where}[{k}]", 0, len(group) - 1)
                for k, a in enumerate(items(given, where, least=1))
            ]
            if any(a >= b for a, b in pairwise(numbers)):
                raise Unreadable(f"{where}: the elements are not in ascending order")
            K = frozenset(numbers)
            if K not in all_of_them:
                raise Rejected(f"{where}: no subgroup")
            if K in class_of:
                raise Rejected(f"{where}: conjugate to classes[{class_of[K]}]")
            class_of.update(dict.fromkeys(group.conjugates(K), c))
            self.subgroups.append(K)
        if len(class_of) < len(everything):
            missing = min((sorted(K) for K in everything if K not in class_of), key=len)
            raise Rejected(f"classes: the subgroup {missing} is conjugate to none of them")
        self.everything = everything
        self.class_of = class_of
        self.indices = [len(group) // len(K) for K in self.subgroups]
        self._below = [[False] * len(self.subgroups) for _ in self.subgroups]
        for k, K in enumerate(self.subgroups):
            conjugates = set(group.conjugates(K))
            for c, L in enumerate(self.subgroups):
                group.budget.spend(1 + len(conjugates))
                self._below[k][c] = any(other <= L for other in conjugates)

    def maps_onto(self, k: int, c: int) -> bool:
        """Whether G/K_k maps onto G/K_c."""
        return self._below[k][c]

    def size(self, orbits: Iterable[int]) -> int:
        """The number of points of a type."""
        return sum(self.indices[c] for c in orbits)

    def read_type(self, value: Json, where: str) -> tuple[int, ...]:
        """A type: classes in ascending order.

        Raises:
            Unreadable: it is something else.
        """
        found = tuple(
            integer(c, f"{where}[{k}]", 0, len(self.subgroups) - 1)
            for k, c in enumerate(items(value, where))
        )
        if list(found) != sorted(found):
            raise Unreadable(f"{where}: the classes are not in ascending order")
        return found

    def types(self, size: int, allowed: list[int]) -> set[tuple[int, ...]]:
        """All types of a size whose orbits are of allowed classes."""
        found: list[set[tuple[int, ...]]] = [set() for _ in range(size + 1)]
        found[0].add(())
        for c in allowed:
            index = self.indices[c]
            for n in range(index, size + 1):
                self.group.budget.spend(1 + len(found[n - index]) * (1 + size // 8))
                found[n] |= {(*before, c) for before in found[n - index]}
        return found[size]
