"""The evidence of claim A7 that is made of exact overlays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement, product

from hypothesis import assume

from ....symbolic.cones.hull import upper_hull
from ....symbolic.errors import HeadproofError
from ....symbolic.minkowski.overlay import overlay
from ....symbolic.regions.linear_regions import linear_regions
from ....symbolic.regions.network import Ffn, Layer, Network
from ....symbolic.tropical.maximum import (
    directions,
    key_bias_heads,
    maximum,
    parallel_heads,
    scored,
)
from ...certificates import exhaustive, identity
from ...certificates.exhaustive import Listed
from ...certificates.formula import Expression, at, number, sum_over, var
from ...claim import Context, Profile
from ...claims.tropical.maximum import ID
from ...configurations import Heads, several_heads
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import searched
from ...search import search

LARGE = ((1, 100, 50), (2, 30, 8), (3, 10, 10), (4, 8, 7), (5, 7, 5))
"""(d, H, N) of the largest overlays, up to 103,873 cells; for the full profile.

A certificate of many more cells than that would be refused by the checker for its size.
"""

UNEQUAL = ((2, 3, 4), (1, 2, 5), (2, 2, 6), (2, 3, 3, 4), (5, 4, 3, 2))


def attained(context: Context) -> Outcome:
    """Parallel walls in general position: as many cells as R(d, H, N), counted and certified."""
    full = context.profile is not Profile.QUICK
    most = 4000 if full else 1500
    certificates: dict[str, Certificate] = {}
    cells = largest = 0
    for d, sizes in _grid(most, large=full):
        found = overlay(parallel_heads(d, sizes))
        if found.cells != maximum(d, sizes):
            # Too few may only mean that these directions are in no general position.
            raise HeadproofError(f"d = {d}, sizes {sizes}: {found.cells} cells")
        equal = len(set(sizes)) == 1
        shown = f"H{len(sizes)}N{sizes[0]}" if equal else f"N{'-'.join(map(str, sizes))}"
        certificates[f"d{d}{shown}"] = found.certificate(ID)
        cells += found.cells
        largest = max(largest, found.cells)
    return Outcome(
        Finding.HOLDS,
        scope=f"(d, H, N) on a grid with R <= {most:,}, and unequal sizes"
        + (f", and {len(LARGE)} up to {largest:,} cells" if full else ""),
        certificates=certificates,
        numbers={"overlays": len(certificates), "cells": cells, "largest": largest},
    )


def two_keys(context: Context) -> Outcome:
    """N = 2: the overlay of H heads and the regions of H neurons, each with its certificate."""
    full = context.profile is not Profile.QUICK
    certificates: dict[str, Certificate] = {}
    for d, H in product(range(1, 6 if full else 4), range(1, 9 if full else 6)):
        found = overlay(parallel_heads(d, [2] * H))
        slopes = tuple(directions(d, h) for h in range(H))
        # The wall of head h is <a_h, x> = 1: a neuron with the same wall has the bias -1.
        ffn = Ffn(slopes, (-1,) * H, tuple((0,) * H for _ in range(d)), (0,) * d)
        tree = linear_regions(Network(d, (Layer(ffn=ffn),)))
        if not found.cells == tree.cells == maximum(d, [2] * H):
            raise HeadproofError(f"d = {d}, H = {H}: {found.cells} and {tree.cells} cells")
        certificates[f"d{d}H{H}heads"] = found.certificate(ID)
        certificates[f"d{d}H{H}neurons"] = tree.certificate(ID)
    return Outcome(
        Finding.HOLDS,
        scope=f"H hyperplanes in general position, d <= {d}, H <= {H}",
        certificates=certificates,
        numbers={"arrangements": len(certificates) // 2},
    )


def key_biases(_: Context) -> Outcome:
    """Biases <b_Q, k_hj> alone: d_k = 1 leaves two cells a head, d_k = 2 gives everything."""
    certificates: dict[str, Certificate] = {}
    for d, sizes in ((2, (4, 4, 4)), (1, (5, 5)), (3, (3, 3, 3, 3)), (2, (2, 3, 4))):
        for head_dimension in (1, 2):
            heads = [scored(h) for h in key_bias_heads(d, sizes, head_dimension=head_dimension)]
            found = overlay(heads)
            expected = maximum(d, [min(n, 2) for n in sizes] if head_dimension == 1 else sizes)
            if found.cells != expected:
                raise HeadproofError(f"{d}, {sizes}, d_k = {head_dimension}: {found.cells} cells")
            name = f"d{d}N{'-'.join(map(str, sizes))}dk{head_dimension}"
            certificates[name] = found.certificate(ID)
    cases = []
    for keys in product(range(-1, 2), repeat=4):
        lifted = [[a * k for a in directions(2, 0)] + [k] for k in keys]
        hull = upper_hull(lifted)
        if len(hull.vertices) > 2:
            raise HeadproofError(f"keys {keys}: {len(hull.vertices)} cells")
        cases.append(({"p": lifted}, hull.certificate(ID)))
    family = Listed([instance for instance, _ in cases])
    certificates["two-a-head"] = exhaustive.by_cases(ID, family, cases, bind={"points": "p"})
    return Outcome(
        Finding.HOLDS,
        scope="(d, H, N) = (2,3,4): 7 cells for d_k = 1, 37 for d_k = 2; three more sizes; "
        "all k in {-1, 0, 1}^4 for d_k = 1",
        certificates=certificates,
        numbers={"heads of d_k = 1": len(cases)},
    )


def search_upper(context: Context) -> Outcome:
    """Look for heads with more cells than R(d, H, N)."""

    def holds(heads: Heads) -> bool:
        found = overlay(heads.document())
        distinct = [
            len(set(zip(keys, biases, strict=True)))
            for keys, biases in zip(heads.keys, heads.biases, strict=True)
        ]
        return found.cells <= maximum(heads.dimension, distinct)

    examples = 300 if context.profile is Profile.QUICK else 2000
    result = search(several_heads(), holds, examples=examples, seed=context.seed)
    return searched(result, "heads (d <= 3, H <= 4, N <= 4, degenerate ones)", _overlay)


def search_one_degree_less(context: Context) -> Outcome:
    """Refute that the sum needs to go to min(d, H) - 1 only."""

    def holds(heads: Heads) -> bool:
        sizes = list(map(len, heads.keys))
        degree = min(heads.dimension, len(sizes)) - 1
        return overlay(heads.document()).cells <= (maximum(degree, sizes) if degree else 1)

    result = search(several_heads(), holds, examples=200, seed=context.seed)
    return searched(result, "heads (d <= 3, H <= 4, N <= 4)", _overlay)


def search_every_label(context: Context) -> Outcome:
    """Refute that heads all of whose keys win alone have a cell for every label."""

    def holds(heads: Heads) -> bool:
        document = heads.document()
        alone = all(overlay([head]).cells == len(head["keys"]) for head in document)
        assume(alone)
        labels = 1
        for keys in heads.keys:
            labels *= len(keys)
        return overlay(document).cells == labels

    strategy = several_heads(max_dimension=2, max_heads=3, max_count=3)
    result = search(strategy, holds, examples=200, seed=context.seed)
    return searched(result, "heads (d <= 2, H <= 3, N <= 3) whose keys all win alone", _overlay)


def missing_labels(context: Context) -> Outcome:
    """No d + 1 heads with two keys have all labels: an identity in all slopes, biases and queries.

    sum_h y_h t_h(x) does not depend on x, t_h(x) = <a_h, x> + b_h being by how much head h prefers
    its second key and y_h the signed minor of the slopes without row h. So the label that takes the
    second key where y_h > 0, the first where y_h < 0, and the opposite label cannot both win
    somewhere. If all minors vanish, the slopes have rank below d, and fewer heads do.
    """
    dimensions = (1, 2, 3) if context.profile is Profile.QUICK else (1, 2, 3, 4)
    return Outcome(
        Finding.VIOLATED,
        scope="N = 2 keys, H = d + 1 heads: no choice of slopes and biases has all 2^H labels, "
        f"d = {', '.join(map(str, dimensions))}",
        certificates={f"d{d}H{d + 1}N2": constant_combination(d) for d in dimensions},
        detail=(missing_labels.__doc__ or "").strip(),
    )


def constant_combination(d: int) -> Certificate:
    """The identity sum_h y_h (<a_h, x> + b_h) = sum_h y_h b_h, y_h minors of the slopes a."""
    H = d + 1
    left, right = number(0), number(0)
    for h in range(H):
        minor = (-1) ** h * _determinant([r for r in range(H) if r != h], list(range(d)))
        inner = sum_over("c", number(d), at("a", h, var("c")) * at("x", var("c")))
        left = left + minor * (inner + at("b", h))
        right = right + minor * at("b", h)
    variables = {"a": (H, d), "b": (H,), "x": (d,)}
    return identity.certificate(ID, variables=variables, left=left, right=right)


def _determinant(rows: Sequence[int], columns: Sequence[int]) -> Expression:
    """Laplace expansion of the determinant of these rows and columns of a."""
    if not rows:
        return number(1)
    total = number(0)
    for sign, row in enumerate(rows):
        rest = [r for r in rows if r != row]
        total = total + (-1) ** sign * at("a", row, columns[0]) * _determinant(rest, columns[1:])
    return total


def _grid(most: int, *, large: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    for d, H, N in product(range(1, 6), range(1, 8), (1, 2, 3, 4, 6, 9)):
        if maximum(d, [N] * H) <= most and (N > 1 or H == 2):
            yield d, (N,) * H
    for d, sizes in product((1, 2, 3, 4), UNEQUAL):
        yield d, sizes
    if large:
        for sizes in combinations_with_replacement(range(1, 7), 3):
            if len(set(sizes)) > 1 and sizes not in UNEQUAL:
                yield 2, sizes
        for d, H, N in LARGE:
            yield d, (N,) * H


def _overlay(heads: Heads) -> dict[str, Certificate]:
    return {"overlay": overlay(heads.document()).certificate(ID)}
