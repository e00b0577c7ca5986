"""Finite G-sets up to isomorphism: how heads are permuted, and which type covers which.

A G-set is a disjoint union of orbits G/K, so a type is a multiset of subgroup classes. A type T of
heads represents a function whose heads form S iff some sub-G-set of T maps onto S: the other heads
get V = 0, and the heads over one point share its V. An orbit maps onto one orbit, G/K onto G/L iff
K lies in a conjugate of L, so this is a bipartite matching of orbits, and where there is none,
Hall's theorem names orbits of S with too few orbits of T that map onto them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import networkx as nx

from .subgroups import SubgroupClasses

Type: TypeAlias = tuple[int, ...]
"""The classes of the orbits, ascending: a G-set up to isomorphism."""


def size(classes: SubgroupClasses, orbits: Sequence[int]) -> int:
    """The number of points."""
    return sum(classes.indices[c] for c in orbits)


def types(
    classes: SubgroupClasses, points: int, *, allowed: Sequence[int] | None = None
) -> Iterator[Type]:
    """All G-sets with so many points, each once.

    Args:
        classes: of the group.
        points: the size.
        allowed: the classes that orbits may have; all if None.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> list(types(named("C_2").classes, 2))
        [(0,), (1, 1)]
    """
    chosen = range(len(classes)) if allowed is None else sorted(set(allowed))
    yield from _fill(classes, points, tuple(chosen))


def _fill(classes: SubgroupClasses, points: int, allowed: tuple[int, ...]) -> Iterator[Type]:
    if points == 0:
        yield ()
        return
    for k, c in enumerate(allowed):
        if classes.indices[c] <= points:
            for rest in _fill(classes, points - classes.indices[c], allowed[k:]):
                yield (c, *rest)


def count(classes: SubgroupClasses, points: int, *, allowed: Sequence[int] | None = None) -> int:
    """How many G-sets have so many points: the coefficient of x^points in prod 1/(1 - x^|G:K|).

    Args:
        classes: of the group.
        points: how many, at least 0.
        allowed: numbers of the classes of the orbits' stabilisers; all if None.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> [count(named("V_4").classes, H) for H in range(1, 5)]
        [1, 4, 4, 11]
    """
    ways = [1] + [0] * points
    for c in range(len(classes)) if allowed is None else sorted(set(allowed)):
        index = classes.indices[c]
        for n in range(index, points + 1):
            ways[n] += ways[n - index]
    return ways[points]


def matching(
    classes: SubgroupClasses, architecture: Sequence[int], stratum: Sequence[int]
) -> tuple[int, ...] | None:
    """For every orbit of the stratum an orbit of the type that maps onto it, each used once.

    Args:
        classes: of the group.
        architecture: the classes of the orbits of T.
        stratum: the classes of the orbits of S.

    Returns:
        Positions in `architecture`, or None if T does not cover S.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> C_2 = named("C_2").classes
        >>> matching(C_2, [0, 1], [1, 1]), matching(C_2, [0], [1, 1])
        ((0, 1), None)
    """
    found = _largest_matching(classes, architecture, stratum)
    if len(found) < len(stratum):
        return None
    return tuple(found[s] for s in range(len(stratum)))


def violator(
    classes: SubgroupClasses, architecture: Sequence[int], stratum: Sequence[int]
) -> tuple[int, ...] | None:
    """Orbits of S that fewer orbits of T map onto than they are; None if T covers S.

    The orbits of S that alternating paths reach from an unmatched one.

    Args:
        classes: of the group.
        architecture: the classes of the orbits of T.
        stratum: the classes of the orbits of S.

    Returns:
        Positions in `stratum`, or None.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> violator(named("C_2").classes, [1, 1, 1], [0, 1])
        (0,)
    """
    found = _largest_matching(classes, architecture, stratum)
    unmatched = [s for s in range(len(stratum)) if s not in found]
    if not unmatched:
        return None
    partner = {t: s for s, t in found.items()}
    reached, queue = {unmatched[0]}, [unmatched[0]]
    for s in queue:
        for t, k in enumerate(architecture):
            if classes.below(k, stratum[s]) and partner[t] not in reached:
                reached.add(partner[t])
                queue.append(partner[t])
    return tuple(sorted(reached))


def _largest_matching(
    classes: SubgroupClasses, architecture: Sequence[int], stratum: Sequence[int]
) -> dict[int, int]:
    # Nodes are integers, whose order in sets, unlike that of names, is the same in every process.
    n = len(stratum)
    graph = nx.Graph()
    graph.add_nodes_from(range(n + len(architecture)))
    graph.add_edges_from(
        (s, n + t)
        for s, c in enumerate(stratum)
        for t, k in enumerate(architecture)
        if classes.below(k, c)
    )
    pairs = nx.bipartite.hopcroft_karp_matching(graph, top_nodes=range(n))
    return {s: pairs[s] - n for s in range(n) if s in pairs}
