"""The subgroups of a finite group, their classes up to conjugacy, and the table of marks.

Every subgroup is reached from a smaller one by adjoining one element of prime power order, and up
to conjugacy it is enough to start from one subgroup of each class. The cost is (classes) x (cyclic
subgroups of prime power order) closures: instantly for the groups of the claims, seconds for a few
hundred elements. A group with an abundance of subgroups (an elementary abelian 2-group of order
256 has 417,199) is refused at `MOST` of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from ..errors import LimitReached
from .group import Group

MOST = 20_000
"""Subgroups, counted one by one, above which the search gives up."""

Subgroup: TypeAlias = frozenset[int]
"""The numbers of its elements."""


@dataclass(frozen=True)
class SubgroupClasses:
    """The subgroups up to conjugacy, the smallest first, the whole group last.

    Args:
        group: the group.
        members: every subgroup, class by class; the first of a class represents it.
    """

    group: Group
    members: tuple[tuple[Subgroup, ...], ...]

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.members)

    @property
    def representatives(self) -> tuple[Subgroup, ...]:
        """One subgroup of each class: that whose sorted list of elements comes first."""
        return tuple(each[0] for each in self.members)

    @cached_property
    def indices(self) -> tuple[int, ...]:
        """The sizes |G : K| of the orbits G/K."""
        return tuple(len(self.group) // len(K) for K in self.representatives)

    @cached_property
    def _class_of(self) -> dict[Subgroup, int]:
        return {K: c for c, each in enumerate(self.members) for K in each}

    def class_of(self, subgroup: Subgroup) -> int:
        """The number of a subgroup's class."""
        return self._class_of[subgroup]

    @cached_property
    def marks(self) -> tuple[tuple[int, ...], ...]:
        """The table of marks: marks[k][c] is the number of points of G/K_c that K_k fixes.

        K_k fixes the coset g K_c iff K_k is in g K_c g^-1; every conjugate of K_c stands for
        |N(K_c) : K_c| cosets.
        """
        rows = []
        for K in self.representatives:
            row = []
            for c, conjugates in enumerate(self.members):
                each = self.indices[c] // len(conjugates)
                row.append(each * sum(K <= other for other in conjugates))
            rows.append(tuple(row))
        return tuple(rows)

    def below(self, k: int, c: int) -> bool:
        """Whether K_k lies in a conjugate of K_c: whether G/K_k maps onto G/K_c."""
        return self.marks[k][c] > 0


def subgroup_classes(group: Group, *, most: int = MOST) -> SubgroupClasses:
    """Find all subgroups, up to conjugacy.

    Raises:
        LimitReached: there are more than `most` subgroups.

    Example:
        >>> from headproof.symbolic.equivariance.group import permutation_group
        >>> found = subgroup_classes(permutation_group([(1, 0, 2), (1, 2, 0)]))
        >>> found.indices
        (6, 3, 2, 1)
        >>> found.marks
        ((6, 3, 2, 1), (0, 1, 0, 1), (0, 0, 2, 1), (0, 0, 0, 1))
    """
    cyclic = {
        group.closure([a])
        for a, order in enumerate(group.orders)
        if order > 1 and _prime_power(order)
    }
    generators = sorted(min(a for a in C if group.orders[a] == len(C)) for C in cyclic)
    trivial: Subgroup = frozenset([0])
    seen: set[Subgroup] = {trivial}
    classes: list[tuple[Subgroup, ...]] = [(trivial,)]
    for members in classes:
        K = members[0]
        for z in generators:
            if z in K:
                continue
            larger = group.closure([*_generating(group, K), z])
            if larger in seen:
                continue
            conjugates = {_conjugate(group, larger, g) for g in range(len(group))}
            seen |= conjugates
            if len(seen) > most:
                raise LimitReached(f"the group has more than {most:,} subgroups")
            classes.append(tuple(sorted(conjugates, key=sorted)))
    classes.sort(key=lambda each: (len(each[0]), sorted(each[0])))
    return SubgroupClasses(group, tuple(classes))


def _conjugate(group: Group, K: Subgroup, g: int) -> Subgroup:
    row, inverse = group.table[g], group.inverses[g]
    return frozenset(group.table[row[a]][inverse] for a in K)


def _generating(group: Group, K: Subgroup) -> list[int]:
    """A few elements that generate K."""
    found: list[int] = []
    reached: Subgroup = frozenset([0])
    while len(reached) < len(K):
        found.append(min(K - reached))
        reached = group.closure(found)
    return found


def _prime_power(n: int) -> bool:
    p = next(p for p in range(2, n + 1) if n % p == 0)
    while n % p == 0:
        n //= p
    return n == 1
