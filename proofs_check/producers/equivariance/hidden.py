"""Claim T1c, equivariance.hidden: no hidden representation covers all equivariant forms."""

from __future__ import annotations

from itertools import product
from random import Random

from flint import fmpq, fmpq_mat
from hypothesis import strategies as st

from ....symbolic.equivariance.characters import RealIrreducible, character_table
from ....symbolic.equivariance.hidden import Classification, classify
from ....symbolic.equivariance.isotypic import isotypic_parts
from ....symbolic.equivariance.library import NAMES, Named, named
from ....symbolic.equivariance.representation import Representation, direct_sum, to_flint
from ...certificates import group
from ...claim import Context, Profile
from ...claims.equivariance.hidden import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import searched
from ...search import search

MOST = 6
"""The largest d_k of the certificates."""

Numbers = tuple[tuple[int, ...], tuple[int, ...], int]
"""Dimensions, multiplicities and d_k."""


def smallest(_: Context) -> Outcome:
    """C_2 on the plane by diag(1, -1), d_k = 1: two lines, and sigma has room for one."""
    C_2 = named("C_2")
    found = classify((1, 1), (1, 1), 1)
    return Outcome(
        Finding.VIOLATED if found.covers else Finding.HOLDS,
        scope="C_2 by diag(1, -1), d_k = 1",
        certificates={"C_2": group.hidden(ID, C_2.natural, C_2.irreducibles, found)},
        numbers={"needed": found.least, "d_k": 1},
    )


def classified(context: Context) -> Outcome:
    """The criterion for nine groups, with every decomposition checked from characters.

    Raises:
        AssertionError: the isotypic parts are not those that were put together.
    """
    certificates: dict[str, Certificate] = {}
    covered = 0
    for name in NAMES:
        G = named(name)
        dimensions = tuple(each.dimension for each in G.irreducibles)
        for what, multiplicities in _multiplicities(G).items():
            rho = _sum(G, multiplicities)
            parts = isotypic_parts(rho)
            counted = sorted((part.irreducible.dimension, part.multiplicity) for part in parts)
            if counted != sorted(zip(dimensions, multiplicities, strict=True)):
                raise AssertionError(f"{name}: {counted} for {multiplicities}")
            most = min(MOST, rho.dimension) if context.profile is Profile.QUICK else rho.dimension
            for hidden in range(1, most + 1):
                found = classify(dimensions, multiplicities, hidden)
                covered += found.covers
                key = f"{name}-{what}-{hidden}"
                certificates[key] = group.hidden(ID, rho, G.irreducibles, found)
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(NAMES)}, three representations each",
        certificates=certificates,
        numbers={"cases": len(certificates), "covered by one hidden representation": covered},
    )


def search_criterion(context: Context) -> Outcome:
    """Look for numbers for which trying every sigma gives another answer."""

    def holds(case: Numbers) -> bool:
        dimensions, multiplicities, hidden = case
        return classify(dimensions, multiplicities, hidden).covers == _some_sigma(case)

    def case(n: int) -> st.SearchStrategy[Numbers]:
        return st.tuples(
            st.tuples(*[st.integers(1, 4)] * n),
            st.tuples(*[st.integers(0, 3)] * n),
            st.integers(1, 7),
        )

    examples = 300 if context.profile is Profile.QUICK else 5000
    strategy = st.integers(1, 3).flatmap(case)
    result = search(strategy, holds, examples=examples, seed=context.seed)
    return searched(result, "dimensions, multiplicities and d_k", lambda _: {})


def search_images(context: Context) -> Outcome:
    """Look for an invariant W of small rank whose image is not among the images listed."""

    def holds(case: tuple[str, int]) -> bool:
        name, seed = case
        G, random = named(name), Random(seed)
        multiplicities = tuple(random.randint(0, 2) for _ in G.irreducibles)
        if not any(multiplicities):
            return True
        rho = _sum(G, multiplicities)
        W = _invariant(rho, random)
        rank = W.rank()
        if rank == 0:
            return True
        parts = isotypic_parts(rho)
        image = []
        for n, m, irreducible in zip(
            (each.dimension for each in G.irreducibles),
            multiplicities,
            _in_order(G),
            strict=True,
        ):
            if m == 0:
                image.append(0)
                continue
            part = next(each for each in parts if each.irreducible == irreducible)
            P = part.rational_projection
            assert P is not None
            dimension = (to_flint(P) * W).rank()
            if dimension % n:
                return False
            image.append(dimension // n)
        dimensions = tuple(each.dimension for each in G.irreducibles)
        found: Classification = classify(dimensions, multiplicities, int(rank))
        return tuple(image) in found.images()

    case = st.tuples(st.sampled_from(NAMES), st.integers(0, 10**6))
    examples = 40 if context.profile is Profile.QUICK else 500
    result = search(case, holds, examples=examples, seed=context.seed)
    return searched(result, "random invariant W of random representations", lambda _: {})


def search_two_fit(context: Context) -> Outcome:
    """Refute that two irreducibles that fit leave no hidden representation."""

    def holds(case: tuple[str, tuple[int, ...], int]) -> bool:
        name, multiplicities, hidden = case
        found = _classified(name, multiplicities, hidden)
        fitting = sum(k > 0 for k in found.needed)
        return fitting < 2 or hidden >= _total(found) or not found.covers

    def case(name: str) -> st.SearchStrategy[tuple[str, tuple[int, ...], int]]:
        copies = st.tuples(*[st.integers(0, 3)] * len(named(name).irreducibles))
        return st.tuples(st.just(name), copies.filter(any), st.integers(1, 5))

    strategy = st.sampled_from(("C_3", "S_3", "A_4")).flatmap(case)
    result = search(strategy, holds, examples=400, seed=context.seed)

    def refutation(case: tuple[str, tuple[int, ...], int]) -> dict[str, Certificate]:
        name, multiplicities, hidden = case
        G = named(name)
        found = _classified(name, multiplicities, hidden)
        rho = _sum(G, multiplicities)
        return {"case": group.hidden(ID, rho, G.irreducibles, found)}

    return searched(result, "groups, multiplicities and d_k below the dimension of rho", refutation)


def _classified(name: str, multiplicities: tuple[int, ...], hidden: int) -> Classification:
    dimensions = tuple(each.dimension for each in named(name).irreducibles)
    return classify(dimensions, multiplicities, hidden)


def _total(found: Classification) -> int:
    return sum(n * m for n, m in zip(found.dimensions, found.multiplicities, strict=True))


def _some_sigma(case: Numbers) -> bool:
    """By definition: a sigma of at most d_k dimensions in which every image embeds."""
    dimensions, multiplicities, hidden = case

    def size(copies: tuple[int, ...]) -> int:
        return sum(n * k for n, k in zip(dimensions, copies, strict=True))

    every = product(*(range(m + 1) for m in multiplicities))
    images = [copies for copies in every if size(copies) <= hidden]
    candidates = product(*(range(m + 1) for m in multiplicities))
    return any(
        all(all(k <= s for k, s in zip(image, sigma, strict=True)) for image in images)
        for sigma in candidates
        if size(sigma) <= hidden
    )


def _multiplicities(G: Named) -> dict[str, tuple[int, ...]]:
    """Every irreducible once, the last one twice, and as in the regular representation."""
    order = len(G.group)
    regular = []
    for each in G.irreducibles:
        norm = sum(int(x) ** 2 for x in each.character) // order
        regular.append(each.dimension // norm)
    once = (1,) * len(G.irreducibles)
    return {"once": once, "twice": (*once[:-1], 2), "regular": tuple(regular)}


def _sum(G: Named, multiplicities: tuple[int, ...]) -> Representation:
    summands = [
        each for each, m in zip(G.irreducibles, multiplicities, strict=True) for _ in range(m)
    ]
    return direct_sum(*summands)


def _invariant(rho: Representation, random: Random) -> fmpq_mat:
    """A random map that commutes with the group, often of small rank."""
    d = rho.dimension
    entries = [random.choice((0, 0, 0, 1, -1)) for _ in range(d * d)]
    drawn = fmpq_mat(d, d, [fmpq(entry) for entry in entries])
    total = fmpq_mat(d, d)
    for a, image in enumerate(rho.matrices):
        total += image * drawn * rho.matrices[rho.group.inverses[a]]
    return total


def _in_order(G: Named) -> list[RealIrreducible]:
    """The irreducibles of the character table in the order of the library's."""
    table = character_table(G.group)
    return [
        next(part for part in table.real if table.multiplicity(each.character, part))
        for each in G.irreducibles
    ]
