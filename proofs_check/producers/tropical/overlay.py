"""Claim A6, tropical.overlay: cells of overlaid heads are upper vertices of a Minkowski sum."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import overlay as floats
from ....symbolic.cones.hull import Hull, convex_hull, upper_hull
from ....symbolic.derivations.derivation import Derivation
from ....symbolic.minkowski.overlay import overlay
from ....symbolic.rational import Rational
from ....symbolic.tropical.proofs import overlay as proof
from ...certificates import farkas
from ...claim import Context, Profile
from ...claims.tropical.overlay import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

Label = tuple[int, ...]


@dataclass(frozen=True)
class LiftedHead:
    """One head: its keys with the bias as the last coordinate, (N, d + 1)."""

    lifted: tuple[tuple[Rational, ...], ...]

    def json(self) -> dict[str, list[object]]:
        """As `overlay` reads it."""
        return {
            "keys": [list(point[:-1]) for point in self.lifted],
            "biases": [point[-1] for point in self.lifted],
        }


Heads = tuple[LiftedHead, ...]


@cache
def _proof() -> Derivation:
    """Decided once; two statements are among its conclusions."""
    return proof.derivation()


def faces_derivation(_: Context) -> Outcome:
    """The face of a sum is the sum of the faces, for every H, N and d."""
    return derived(_proof(), "support", "faces")


def labels_derivation(_: Context) -> Outcome:
    """Points of that face, and strict wins, head by head, for every H, N and d."""
    return derived(_proof(), "winners", "alone", "exchange")


def two_keys(context: Context) -> Outcome:
    """Every pair of heads with two keys, entries in {-1, 0, 1}, the first key at the origin.

    A translation of a head's lifted keys adds one affine function to all its scores: it changes no
    winner, and so the first key may stand at the origin.
    """
    d = 1 if context.profile is Profile.QUICK else 2
    origin = (0,) * (d + 1)
    points = list(product((-1, 0, 1), repeat=d + 1))
    cases = [(LiftedHead((origin, p)), LiftedHead((origin, q))) for p in points for q in points]
    return _certified(
        cases, f"every two heads of two keys in {{-1, 0, 1}}^{d + 1}, up to translation"
    )


def special_positions(context: Context) -> Outcome:
    """Identical heads, coinciding scores, single keys, flat and vertical heads, no biases."""
    bent = ((-1, 0), (0, 1), (1, 0))
    square = tuple((a, b, 0) for a in (0, 1) for b in (0, 1))
    cases: list[list[tuple[tuple[Rational, ...], ...]]] = [
        [bent, bent],
        [bent, bent, bent],
        [bent, ((2, 3),)],
        [((0, 0), (0, 0), (1, 0)), ((0, 0), (1, 0), (1, 0))],
        [((0, 0), (0, 5)), ((1, 1), (1, 1))],
        [((-1, 0), (0, 0), (1, 0)), bent],
        [square, square],
        [square, ((0, 0, 0), (1, 1, 0), (2, 2, 0))],
        [((0, 0, 0), (1, 2, 3)), ((0, 0, 0), (2, 4, 6)), ((0, 0, 0), (-1, -2, 5))],
        [square, ((0, 0, 0), (0, 0, 9))],
        [tuple((a, b, c, 0) for a in (0, 1) for b in (0, 1) for c in (0, 1))] * 2,
        [((10**30, 1), (-(10**30), 1)), ((1, 0), (Fraction(1, 3), Fraction(2, 7)))],
    ]
    heads = [tuple(map(LiftedHead, case)) for case in cases]
    return _certified(heads, "heads in special position")


def random_heads(context: Context) -> Outcome:
    """Random heads, generic and degenerate, also against the hull of all N^H sums."""
    random = Random(context.seed)
    full = context.profile is not Profile.QUICK
    sizes = [(1, 5, 3), (2, 4, 2), (2, 5, 2), (2, 3, 3), (3, 4, 2), (3, 3, 3)]
    if full:
        sizes += [(4, 4, 3), (3, 6, 3), (2, 10, 3), (5, 4, 3)]
    cases = [
        tuple(_random_head(random, n, d, spread) for _ in range(h))
        for d, n, h in sizes
        for spread in (1, 2, 1000)
    ]
    return _certified(cases, f"random heads, d <= {max(d for d, _, _ in sizes)}")


def _certified(cases: Iterable[Heads], what: str) -> Outcome:
    """Overlays with their certificates, and the hulls of all sums beside them.

    Raises:
        AssertionError: the two engines differ.
    """
    certificates: dict[str, Certificate] = {}
    cells = 0
    for number, heads in enumerate(cases):
        found = overlay([head.json() for head in heads])
        sums, hull = _all_sums(heads)
        if _points(heads, found.labels) != {sums[v] for v in hull.vertices}:
            raise AssertionError(f"{found.labels} are not the upper vertices at {heads}")
        certificates[f"overlay{number}"] = found.certificate(ID)
        certificates[f"hull{number}"] = hull.certificate(ID)
        cells += found.cells
    return Outcome(
        Finding.HOLDS,
        scope=what,
        certificates=certificates,
        numbers={"overlays": len(certificates) // 2, "cells": cells},
        detail="each overlay beside the upper hull of all sums, with the same vertices",
    )


def search_labels(context: Context) -> Outcome:
    """Look for heads at which the overlay and the definition disagree.

    The definition: a label is a cell iff at some query it is the only best one in every head, up
    to keys with equal scores. Queries come from the hull of all sums, which shares nothing with
    the gift-wrapping of overlays, and are put to the heads as they are.
    """

    def holds(heads: Heads) -> bool:
        found = overlay([head.json() for head in heads])
        _, hull = _all_sums(heads)
        wins = {_winners(heads, hull.query(v)) for v in hull.vertices}
        return None not in wins and wins == set(found.labels)

    examples = 120 if context.profile is Profile.QUICK else 1500
    result = search(_strategy(), holds, examples=examples, seed=context.seed)
    return searched(result, "heads (H <= 3, N <= 4, d <= 3, small integers)", lambda _: {})


def float_agreement(context: Context) -> Outcome:
    """Hard attention in torch at sampled queries: every label seen is a cell; small: all are."""
    random = Random(context.seed)
    wrong = cases = seen = total = 0
    for d, n, h in [(1, 3, 2), (1, 6, 2), (2, 3, 2), (2, 4, 2), (2, 3, 3), (3, 3, 2)]:
        heads = tuple(_random_head(random, n, d, 9) for _ in range(h))
        exact = set(overlay([head.json() for head in heads]).labels)
        tensors = [
            (lifted[:, :-1], lifted[:, -1])
            for lifted in (torch.tensor(head.lifted, dtype=torch.float64) for head in heads)
        ]
        found = floats.visited(tensors, queries=100, depth=24, seed=context.seed)
        wrong += len(found - exact)
        if d == 1:  # bisected lines cross every cell of a line but the narrowest
            wrong += len(exact - found)
        cases += 1
        seen += len(found)
        total += len(exact)
    return compared(
        wrong * 2, cases, "torch float64 against the exact labels", "none may differ",
        seen=f"{seen} of {total} cells",
    )  # fmt: skip


def search_every_combination(context: Context) -> Outcome:
    """Refute that every combination of winning keys is a cell: Farkas multipliers for one."""

    def missing(heads: Heads) -> list[Label]:
        each = [upper_hull(head.lifted).vertices for head in heads]
        labels = set(overlay([head.json() for head in heads]).labels)
        return [label for label in product(*each) if label not in labels]

    result = search(_strategy(), lambda heads: not missing(heads), examples=300, seed=context.seed)

    def refutation(heads: Heads) -> dict[str, Certificate]:
        return {"combination": _never(heads, missing(heads)[0])}

    return searched(result, "heads (H <= 3, N <= 4, d <= 3)", refutation)


def search_lower_vertices(context: Context) -> Outcome:
    """Refute that every vertex of the sum of the lifted keys is a cell, lower ones included."""

    def lower(heads: Heads) -> list[Label]:
        labels = list(product(*(range(len(head.lifted)) for head in heads)))
        sums, upper = _all_sums(heads)
        return [labels[v] for v in convex_hull(sums).vertices if v in upper.combinations]

    result = search(_strategy(), lambda heads: not lower(heads), examples=100, seed=context.seed)

    def refutation(heads: Heads) -> dict[str, Certificate]:
        sums, _ = _all_sums(heads)
        hull = convex_hull(sums).certificate(ID)
        return {"vertices": hull, "combination": _never(heads, lower(heads)[0])}

    return searched(result, "heads (H <= 3, N <= 4, d <= 3)", refutation)


def _never(heads: Heads, label: Label) -> Certificate:
    """No query lets the label win strictly in every head: multipliers from the hull of all sums."""
    labels = list(product(*(range(len(head.lifted)) for head in heads)))
    _, hull = _all_sums(heads)
    weights = dict(hull.combinations[labels.index(label)])
    rows: list[farkas.Row] = []
    multipliers: list[Rational] = []
    for h, (head, own) in enumerate(zip(heads, label, strict=True)):
        *key, bias = head.lifted[own]
        for j, (*rival, height) in enumerate(head.lifted):
            if j == own:
                continue
            lead = [a - b for a, b in zip(rival, key, strict=True)]
            rows.append((lead, "<", bias - height))
            multipliers.append(
                sum((w for v, w in weights.items() if labels[v][h] == j), Fraction(0))
            )
    return farkas.certificate(ID, rows, multipliers)


def _all_sums(heads: Heads) -> tuple[list[tuple[Rational, ...]], Hull]:
    """Every sum of one lifted key of each head, in the order of the labels, and its upper hull."""
    chosen = product(*(head.lifted for head in heads))
    sums = [_added(points) for points in chosen]
    return sums, upper_hull(sums)


def _points(heads: Heads, labels: Iterable[Label]) -> set[tuple[Rational, ...]]:
    chosen = ([head.lifted[j] for head, j in zip(heads, label, strict=True)] for label in labels)
    return {_added(points) for points in chosen}


def _added(points: Iterable[Sequence[Rational]]) -> tuple[Rational, ...]:
    return tuple(sum(column, 0) for column in zip(*points, strict=True))


def _winners(heads: Heads, x: Sequence[Rational]) -> Label | None:
    """The only best key of every head, lowest index of equal ones; None if others tie."""
    label = []
    for head in heads:
        scores = [
            sum((a * b for a, b in zip(point, x, strict=False)), point[-1]) for point in head.lifted
        ]
        best = [j for j, score in enumerate(scores) if score == max(scores)]
        if len({head.lifted[j] for j in best}) > 1:
            return None
        label.append(best[0])
    return tuple(label)


def _random_head(random: Random, n: int, d: int, spread: int) -> LiftedHead:
    return LiftedHead(
        tuple(tuple(random.randint(-spread, spread) for _ in range(d + 1)) for _ in range(n))
    )


def _strategy() -> st.SearchStrategy[Heads]:
    """Up to three heads in up to three dimensions: free, repeated, identical, without biases."""

    @st.composite
    def heads(draw: st.DrawFn) -> Heads:
        d = draw(st.integers(1, 3))
        entry = st.integers(-2, 2)
        bias = entry if draw(st.booleans()) else st.just(0)
        point = st.tuples(*[entry] * d, bias)
        head = st.lists(point, min_size=1, max_size=4).map(lambda rows: LiftedHead(tuple(rows)))
        if draw(st.integers(0, 5)) == 0:
            return (draw(head),) * draw(st.integers(2, 3))
        return tuple(draw(st.lists(head, min_size=1, max_size=3)))

    return heads()
