"""Claim A8, tropical.unbiased-maximum: the most vertices of a Minkowski sum."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, combinations_with_replacement, product
from math import comb, prod

import torch

from ....numeric.tropical import minkowski as floats
from ....symbolic.errors import HeadproofError
from ....symbolic.minkowski.minkowski_sum import minkowski_sum
from ....symbolic.minkowski.overlay import most_cells
from ....symbolic.tropical.proofs import label_bound
from ....symbolic.tropical.proofs import unbiased_maximum as proof
from ....symbolic.tropical.unbiased_maximum import (
    parabolic_summands,
    unbiased_maximum,
    weibel,
)
from ...certificates import identity
from ...certificates.formula import Expression, at, number
from ...claim import Context, Profile
from ...claims.tropical.unbiased_maximum import ID
from ...configurations import Heads, several_heads
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

WEIBEL_DIMENSIONS = range(2, 11)

LARGE = ((3, 20, 10), (4, 8, 6), (5, 7, 5))
"""(d, H, N) beyond the grid; for the full profile."""


def label_derivation(_: Context) -> Outcome:
    """At most n_1 ... n_H vertices, one for each choice."""
    return derived(label_bound.derivation(), "labels")


def formula_derivation(_: Context) -> Outcome:
    """The formula against N^H, and zonotopes, for every d, H and N."""
    return derived(proof.derivation(), "boundary", "less", "zonotope")


def weibel_derivation(_: Context) -> Outcome:
    """Weibel's form for all H and N, one dimension at a time."""
    each = [derived(proof.weibel(d), "weibel") for d in WEIBEL_DIMENSIONS]
    reach = f"d = {WEIBEL_DIMENSIONS[0]}..{WEIBEL_DIMENSIONS[-1]}"
    return replace(
        each[0],
        scope=f"every H and N, {reach}",
        general=False,
        argued=sum(piece.argued for piece in each),
        numbers={"dimensions": len(each), "symbols": "N, H"},
        detail="\n".join(piece.detail for piece in each),
    )


def weibel_identities(context: Context) -> Outcome:
    """Weibel's form for unequal sizes: a polynomial identity in n_1, ..., n_H for each (d, H)."""
    largest = 5 if context.profile is Profile.QUICK else 6
    certificates = {
        f"d{d}H{H}": weibel_identity(d, H)
        for d in range(2, largest)
        for H in range(d, d + (3 if context.profile is Profile.QUICK else 4))
    }
    return Outcome(
        Finding.HOLDS,
        scope=f"all n_1, ..., n_H, for {len(certificates)} pairs (d, H), d <= {largest - 1}",
        certificates=certificates,
    )


def weibel_identity(d: int, H: int) -> Certificate:
    """Both forms as polynomials in the sizes n."""
    alpha = 2 * (d % 2)
    ours = number(comb(H - 1, d - 1))
    theirs = number(alpha)
    for j in range(d):
        for subset in combinations(range(H), j):
            ours = ours + _product(subset, 1)
            if j:
                sign = (-1) ** (d - 1 - j) * comb(H - 1 - j, d - 1 - j)
                theirs = theirs + sign * (_product(subset, 0) - alpha)
    return identity.certificate(ID, variables={"n": (H,)}, left=ours, right=theirs)


def attained(context: Context) -> Outcome:
    """Keys on parabolas: as many vertices as the formula says, counted and certified."""
    full = context.profile is not Profile.QUICK
    certificates: dict[str, Certificate] = {}
    vertices = largest = 0
    for d, sizes in _grid(full=full):
        found = minkowski_sum(parabolic_summands(d, sizes))
        count, most = len(found.vertices), unbiased_maximum(d, sizes)
        if count != most:
            # Too few may only mean that these directions are in no general position.
            raise HeadproofError(
                f"d = {d}, sizes {sizes}: {count} vertices, the formula says {most}"
            )
        if 2 <= d <= len(sizes) and min(sizes) > 1 and weibel(d, sizes) != most:
            raise HeadproofError(f"d = {d}, sizes {sizes}: Weibel's form differs")
        certificates[f"d{d}N{'-'.join(map(str, sizes))}"] = found.certificate(ID)
        vertices += count
        largest = max(largest, count)
    return Outcome(
        Finding.HOLDS,
        scope="d <= 5, H <= d + 3, N <= 5 and unequal sizes"
        + ("" if full else ", as far as at most 400 vertices"),
        certificates=certificates,
        numbers={"sums": len(certificates), "vertices": vertices, "largest": largest},
    )


def zonotopes(context: Context) -> Outcome:
    """N = 2: 2 sum_{i < d} C(H - 1, i) vertices."""
    reach = 8 if context.profile is Profile.QUICK else 12
    certificates: dict[str, Certificate] = {}
    for d, H in product(range(1, 6), range(1, reach)):
        found = minkowski_sum(parabolic_summands(d, [2] * H))
        if len(found.vertices) != 2 * sum(comb(H - 1, i) for i in range(d)):
            raise HeadproofError(f"d = {d}, H = {H}: {len(found.vertices)} vertices")
        certificates[f"d{d}H{H}"] = found.certificate(ID)
    return Outcome(
        Finding.HOLDS,
        scope=f"d <= 5, H < {reach}",
        certificates=certificates,
        numbers={"zonotopes": len(certificates)},
    )


def search_upper(context: Context) -> Outcome:
    """Look for sums with more vertices than the formula says."""

    def holds(heads: Heads) -> bool:
        distinct = [len(set(keys)) for keys in heads.keys]
        found = minkowski_sum(heads.keys)
        return len(found.vertices) <= unbiased_maximum(heads.dimension, distinct)

    examples = 300 if context.profile is Profile.QUICK else 2000
    strategy = several_heads(max_dimension=4, biased=False)
    result = search(strategy, holds, examples=examples, seed=context.seed)
    return searched(result, "point sets (d <= 4, H <= 4, N <= 4, degenerate ones)", _sum)


def search_upper_half(context: Context) -> Outcome:
    """Refute that R(d - 1, H, N) is the largest number, without the second term."""

    def holds(heads: Heads) -> bool:
        d, sizes = heads.dimension, list(map(len, heads.keys))
        upper = most_cells(d - 1, sizes) if d > 1 else 1
        return len(minkowski_sum(heads.keys).vertices) <= upper

    strategy = several_heads(max_dimension=3, biased=False)
    result = search(strategy, holds, examples=300, seed=context.seed)
    return searched(result, "point sets (d <= 3, H <= 4, N <= 4)", _sum)


def float_agreement(context: Context) -> Outcome:
    """Torch: sums of all choices and support functions in many directions, no facets."""
    wrong = cases = seen = 0
    for d, sizes in ((2, (3, 4, 5)), (3, (3, 3, 3)), (3, (2, 3, 4)), (4, (2, 2, 3))):
        summands = parabolic_summands(d, sizes)
        truth = set(minkowski_sum(summands).choices)
        tensors = [torch.tensor(points, dtype=torch.float64) for points in summands]
        found = floats.extreme_choices(tensors, seed=context.seed % 2**31)
        wrong += len(found - truth)
        cases += len(truth)
        seen += len(found)
    if seen == 0:
        raise HeadproofError("torch decided no direction at all")
    return compared(
        2 * wrong,
        cases,
        "vertices that support functions in torch see against the exact ones",
        "none may differ; what is seen is a lower bound",
        seen=seen,
    )


def _grid(*, full: bool) -> Iterator[tuple[int, tuple[int, ...]]]:
    for d in range(1, 6):
        for H, N in product(range(1, d + 4), range(1, 6)):
            if full or unbiased_maximum(d, [N] * H) <= 400:
                yield d, (N,) * H
        for H in range(2, 5 if full else 4):
            for sizes in combinations_with_replacement(range(1, 5), H):
                if len(set(sizes)) > 1 and (full or prod(sizes) > 6):
                    yield d, sizes
    yield 4, (2, 3, 3, 4)
    if full:
        for d, H, N in LARGE:
            yield d, (N,) * H


def _product(subset: tuple[int, ...], less: int) -> Expression:
    product_ = number(1)
    for i in subset:
        product_ = product_ * (at("n", i) - less)
    return product_


def _sum(heads: Heads) -> dict[str, Certificate]:
    return {"sum": minkowski_sum(heads.keys).certificate(ID)}
