"""Which key is taken away from which query: the top of the stack, and the controls (claim F5).

One query a sequence: the last symbol before a closer. Only its own row of attention is touched, so
that no other position sees the intervention.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .language import Annotated, Integers, Language

CONTROLS = ("same-type", "other-type", "later-same-level", "waiting", "later-other-type")
"""Another opener of the type of the top; one of another type; a later symbol, not the query itself,
after which as many openers wait; another opener that waits; a later symbol of the same level that
is not of the type of the top."""


@dataclass(frozen=True)
class Queries:
    """Sequences with one query each.

    Args:
        batch: ``n`` sequences.
        position: ``(n,)``: the query.
        bin: ``(n,)``: which interval of distances it was drawn for.
    """

    batch: Annotated
    position: Integers
    bin: Integers

    def __len__(self) -> int:
        """How many there are, n."""
        return len(self.position)

    def of(self, values: NDArray[np.generic]) -> NDArray[np.generic]:
        """The entries of ``(n, T)`` at the queries."""
        return values[np.arange(len(self)), self.position]


def draw(
    language: Language,
    edges: tuple[int, ...],
    each: int,
    random: np.random.Generator,
    *,
    rounds: int = 60,
) -> Queries:
    """Queries with distances in the intervals [e_0, e_1), [e_1, e_2), ...

    Args:
        language: that makes the sequences.
        edges: increasing; a distance is that of a closer from its opener.
        each: how many for every interval; fewer where it is rare.
        random: the generator.
        rounds: how often 500 sequences are drawn before an interval is left short.

    Raises:
        ValueError: not even one query was found.
    """
    chosen: list[list[tuple[Annotated, int, int]]] = [[] for _ in edges[1:]]
    for _ in range(rounds):
        batch = language.sample(500, random)
        distance = batch.distance
        for row in range(len(batch.tokens)):
            wanted = [b for b, found in enumerate(chosen) if len(found) < each]
            for b in reversed(wanted):  # long distances are rare
                fits = batch.closes_next[row] & (distance[row] >= edges[b])
                places = np.flatnonzero(fits & (distance[row] < edges[b + 1]))
                if len(places):
                    chosen[b].append((batch, row, int(random.choice(places))))
                    break
        if all(len(found) >= each for found in chosen):
            break
    picked = [(b, *one) for b, found in enumerate(chosen) for one in found]
    if not picked:
        raise ValueError(f"no closer at a distance within {edges} was found")

    def stacked(name: str) -> NDArray[np.generic]:
        return np.stack([getattr(batch, name)[row] for _, batch, row, _ in picked])

    names = ("tokens", "depth", "top", "kind", "opens", "closes_next")
    return Queries(
        Annotated(**{name: stacked(name) for name in names}),  # type: ignore[arg-type]
        np.array([place for *_, place in picked]),
        np.array([b for b, *_ in picked]),
    )


def keys(queries: Queries, control: str, random: np.random.Generator) -> Integers:
    """``(n,)``: the key that each query loses; -1 where there is none of that description.

    Args:
        queries: the queries.
        control: ``"top"`` or one of `CONTROLS`.
        random: chooses among several.

    Raises:
        ValueError: another control.
    """
    batch = queries.batch
    top = np.asarray(queries.of(batch.top), dtype=np.int64)
    if control == "top":
        return top
    if control not in CONTROLS:
        raise ValueError(f"expected top or one of {', '.join(CONTROLS)}, found {control!r}")
    found = np.full(len(queries), -1, dtype=np.int64)
    places = np.arange(batch.tokens.shape[1])
    for n, i in enumerate(queries.position):
        earlier = (places <= i) & (places != top[n])
        kind = batch.kind[n, top[n]]
        if control == "same-type":
            fits = earlier & batch.opens[n] & (batch.kind[n] == kind)
        elif control == "other-type":
            fits = earlier & batch.opens[n] & (batch.kind[n] != kind)
        elif control.startswith("later-"):
            fits = (places > top[n]) & (places < i) & (batch.depth[n] == batch.depth[n, i])
            if control == "later-other-type":
                fits &= batch.kind[n] != kind
        else:
            fits = np.isin(places, _waiting(batch, n, int(top[n])))
        choice = np.flatnonzero(fits)
        if len(choice):
            found[n] = random.choice(choice)
    return found


def row_mask(queries: Queries, chosen: Integers) -> NDArray[np.bool_]:
    """``(n, T, T)``: true at each query's own key; nowhere where it is -1.

    Args:
        queries: n of them.
        chosen: ``(n,)``, what `keys` returned.
    """
    n, T = queries.batch.tokens.shape
    mask = np.zeros((n, T, T), dtype=bool)
    there = chosen >= 0
    mask[np.flatnonzero(there), queries.position[there], chosen[there]] = True
    return mask


def mass_mask(
    queries: Queries, weights: NDArray[np.float64]
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Keys other than the top that together have about its weight.

    The heaviest key that fits into what is left is taken, again and again; the sum is at most the
    weight of the top, and less where it has more than half of all.

    Args:
        queries: n of them.
        weights: ``(n, T)``: those of the queries' rows.

    Returns:
        ``(n, T, T)``, and ``(n,)``: the sum over the weight of the top.
    """
    n, T = queries.batch.tokens.shape
    mask = np.zeros((n, T, T), dtype=bool)
    top = np.asarray(queries.of(queries.batch.top), dtype=np.int64)
    share = np.zeros(n)
    for row, i in enumerate(queries.position):
        left = goal = weights[row, top[row]]
        for j in np.argsort(-weights[row, : i + 1]):
            if j != top[row] and 0 < weights[row, j] <= left:
                mask[row, i, j] = True
                left -= weights[row, j]
        share[row] = (goal - left) / goal if goal > 0 else 0.0
    return mask, share


def _waiting(batch: Annotated, row: int, top: int) -> list[int]:
    """The openers below the top of the stack: each is the top before the next was opened."""
    found = []
    place = int(batch.top[row, top - 1]) if top > 0 else -1
    while place >= 0:
        found.append(place)
        place = int(batch.top[row, place - 1]) if place > 0 else -1
    return found
