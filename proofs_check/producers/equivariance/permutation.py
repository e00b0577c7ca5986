"""Claim T1a, equivariance.permutation: equivariant iff the group permutes the heads."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import torch

from ....numeric.equivariance.layer import EquivariantAttention, action
from ....numeric.recovery.attention import value_mp
from ....oracle.equivariance import coordinate_oracles, recover_matrix_heads
from ....symbolic.equivariance.heads import (
    MatrixHead,
    act,
    canonical,
    evaluate,
    orbits,
    permutation,
)
from ....symbolic.equivariance.library import NAMES, named
from ....symbolic.equivariance.representation import Matrix, Representation
from ....symbolic.equivariance.violation import violation
from ...certificates import group, recovery
from ...claim import Context, Profile
from ...claims.equivariance.permutation import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, searched
from ...search import search
from .models import Case, cases, drawn, equivariant_cases, strata

DIGITS = 60
"""Of the twin in mpmath."""


def recovered(context: Context) -> Outcome:
    """Members of strata, seen through value queries only; the permutation is read off the answers.

    Raises:
        AssertionError: other heads were recovered, or both sides differ at a fresh query.
    """
    random = Random(context.seed)
    sizes = (2, 3) if context.profile is Profile.QUICK else (1, 2, 3, 4, 5)
    certificates: dict[str, Certificate] = {}
    queries = compared_at = 0
    for name in NAMES:
        G, H = named(name), random.choice(sizes)
        planted = drawn(G, random.choice(strata(G, H)), random.randrange(1000))
        found = recover_matrix_heads(
            coordinate_oracles(planted), bound=H, seed=random.getrandbits(30)
        )
        if found.heads != canonical(planted):
            raise AssertionError(f"{name}: {found.heads} recovered, {planted} planted")
        rho = G.natural
        for g in range(len(G.group)):
            query = _query(random, rho.dimension)
            moved = evaluate(found.heads, act(rho.matrix(g), query))
            if moved != act(rho.matrix(g), [evaluate(planted, query)])[0]:
                raise AssertionError(f"{name}: element {g} at {query}")
            compared_at += 1
        certificates[f"{name}-permuted"] = group.permuted(ID, rho, rho, found.heads)
        first = found.coordinates[0]
        certificates[f"{name}-transcript"] = recovery.certificate(ID, first.transcript())
        queries += found.queries
    return Outcome(
        Finding.HOLDS,
        scope=f"a function of each of {', '.join(NAMES)}: recovered, then permuted",
        certificates=certificates,
        numbers={"value queries": queries, "both sides compared": compared_at},
    )


def broken(context: Context) -> Outcome:
    """Functions whose recovered heads are not permuted, with the query that shows it.

    Raises:
        AssertionError: a function that was broken on purpose came out as equivariant.
    """
    random = Random(context.seed)
    certificates: dict[str, Certificate] = {}
    for name in NAMES:
        G = named(name)
        whole = next(S for H in range(2, 9) for S in strata(G, H) if G.classes.indices[S[0]] > 1)
        part = drawn(G, whole, random.randrange(1000))[1:]  # an orbit that lacks a head
        found = recover_matrix_heads(
            coordinate_oracles(part), bound=len(part), seed=random.getrandbits(30)
        )
        shown = violation(found.heads, G.natural, G.natural, seed=random.getrandbits(30))
        if shown is None:
            raise AssertionError(f"{name}: an orbit without one of its heads passed")
        certificates[name] = group.not_equivariant(ID, G.natural, G.natural, found.heads, shown)
    return Outcome(
        Finding.HOLDS,
        scope=f"an orbit that lacks a head, for each of {', '.join(NAMES)}",
        certificates=certificates,
    )


def search_permuted(context: Context) -> Outcome:
    """Look for heads that are permuted but not equivariant at a query, or the other way round."""
    random = Random(context.seed)

    def holds(case: Case) -> bool:
        rho = case.named.natural
        elements = rho.group.generator_numbers
        are = all(permutation(case.heads, rho, rho, g) is not None for g in elements)
        if not are:
            return violation(case.heads, rho, rho) is not None
        for g in elements:
            query = _query(random, rho.dimension)
            value = act(rho.matrix(g), [evaluate(case.heads, query)])[0]
            if evaluate(case.heads, act(rho.matrix(g), query)) != value:
                return False
        return True

    examples = 60 if context.profile is Profile.QUICK else 800
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "heads that are permuted, nearly so, or arbitrary", lambda _: {})


def search_composition(context: Context) -> Outcome:
    """Look for two elements whose permutations compose in the other order."""

    def holds(case: Case) -> bool:
        rho = case.named.natural
        found = [permutation(case.heads, rho, rho, g) for g in range(len(rho.group))]
        table = rho.group.table
        return all(
            p is not None and q is not None and found[table[g][k]] == tuple(q[h] for h in p)
            for g, p in enumerate(found)
            for k, q in enumerate(found)
        )

    examples = 30 if context.profile is Profile.QUICK else 300
    names = ("C_3", "V_4", "S_3", "D_4", "Q_8")
    result = search(equivariant_cases(names), holds, examples=examples, seed=context.seed)
    return searched(result, "equivariant heads and all pairs of elements", lambda _: {})


def search_alone(context: Context) -> Outcome:
    """Refute that every head of an equivariant function is equivariant."""

    def holds(case: Case) -> bool:
        rho = case.named.natural
        return all(len(orbit.heads) == 1 for orbit in orbits(case.heads, rho, rho))

    result = search(equivariant_cases(), holds, examples=100, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        rho = case.named.natural
        return {"case": group.permuted(ID, rho, rho, case.heads)}

    return searched(result, "equivariant heads", refutation)


def float_agreement(context: Context) -> Outcome:
    """Torch layers of every type with one orbit of each class: both sides within the bound."""
    worst, count = 0.0, 0
    draws = torch.Generator().manual_seed(context.seed % 2**63)
    for name in NAMES:
        G = named(name)
        images = _floats(G.natural)
        acting = action(G.group.table, images, images)
        layer = EquivariantAttention(acting, [sorted(K) for K in G.classes.representatives])
        for g in range(len(G.group)):
            tokens = torch.randn(4, G.natural.dimension, generator=draws, dtype=torch.float64)
            ratio = layer.defect(tokens, g) / layer.rounding_bound(tokens, g)
            worst, count = max(worst, float(ratio)), count + 1
    return compared(
        worst, count, "f(rho(g) X) with rho_out(g) f(X), torch layers", "rounding of both sides"
    )


def digits_agreement(context: Context) -> Outcome:
    """The true softmax in mpmath: both sides agree to the digits that were asked for."""
    random = Random(context.seed)
    worst, count = Fraction(0), 0
    for name in NAMES:
        G = named(name)
        rho = G.natural
        heads = drawn(G, random.choice(strata(G, 2)), random.randrange(1000))
        for g in rho.group.generator_numbers:
            query = [[Fraction(x, 2) for x in token] for token in _query(random, rho.dimension)]
            R = rho.matrix(g)
            moved = _true_softmax(heads, act(R, query))
            turned = [_true_softmax(heads, query)]
            expected = act(R, turned)[0]
            for one, other in zip(moved, expected, strict=True):
                allowed = Fraction(1, 10 ** (DIGITS - 5)) * (1 + abs(Fraction(one)))
                worst = max(worst, abs(Fraction(one - other)) / allowed)
                count += 1
    return compared(
        worst,
        count,
        "f(rho(g) X) with rho_out(g) f(X), softmax to base e",
        f"10^-{DIGITS - 5} of the value",
        digits=DIGITS,
    )


def _true_softmax(
    heads: tuple[MatrixHead, ...],
    query: tuple[tuple[Fraction | int, ...], ...] | list[list[Fraction]],
) -> tuple[Fraction, ...]:
    forms = [head.W for head in heads]
    return tuple(
        value_mp(forms, [head.V[r] for head in heads], query, DIGITS)
        for r in range(len(heads[0].V))
    )


def _floats(rho: Representation) -> list[list[list[float]]]:
    def rows(m: Matrix) -> list[list[float]]:
        return [[float(entry) for entry in row] for row in m]

    return [rows(rho.matrix(a)) for a in range(len(rho.group))]


def _query(random: Random, d: int) -> tuple[tuple[int, ...], ...]:
    """Two to four tokens with entries up to 1."""
    return tuple(
        tuple(random.randint(-1, 1) for _ in range(d)) for _ in range(random.randint(2, 4))
    )
