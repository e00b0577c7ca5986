"""Claim T1b, equivariance.strata: equivariant attention falls apart into strata."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from ....symbolic.equivariance.gset import count, matching, types
from ....symbolic.equivariance.heads import MatrixHead, moved, orbits
from ....symbolic.equivariance.library import NAMES, Named, named
from ....symbolic.equivariance.proofs import central
from ....symbolic.equivariance.proofs import floor as floor_proof
from ....symbolic.equivariance.strata import averaged, stratum_of
from ...certificates import group
from ...claim import Context, Profile
from ...claims.equivariance.strata import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .models import Case, drawn, equivariant_cases, possible, strata


def derivation(_: Context) -> Outcome:
    """For every dimension."""
    return derived(central.derivation(), "fixed")


def floor(_: Context) -> Outcome:
    """For every number of heads, tokens, dimensions and pairs of queries."""
    return derived(floor_proof.derivation(), "output", "loss")


def witnesses(context: Context) -> Outcome:
    """A member of every realised stratum, and all strata counted."""
    certificates: dict[str, Certificate] = {}
    members = strata_of_all = 0
    for name in NAMES:
        G = named(name)
        for H in _sizes(context):
            certificates[f"{name}-{H}"] = _certificate(G, H, context.seed)
            members += count(G.classes, H, allowed=possible(G))
            strata_of_all += count(G.classes, H)
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(NAMES)}, up to {max(_sizes(context))} heads",
        certificates=certificates,
        numbers={"realised strata, each with a witness": members, "G-sets": strata_of_all},
    )


def violators(context: Context) -> Outcome:
    """For every witness and every other type of as many heads a violator of Hall's condition."""
    certificates: dict[str, Certificate] = {}
    pairs = 0
    for name in NAMES:
        G = named(name)
        H = 3 if context.profile is Profile.QUICK else 4
        certificates[f"{name}-{H}"] = _certificate(G, H, context.seed + 1)
        pairs += count(G.classes, H, allowed=possible(G)) * (count(G.classes, H) - 1)
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(NAMES)}",
        certificates=certificates,
        numbers={"witnesses and types that cannot represent them": pairs},
    )


def search_realised(context: Context) -> Outcome:
    """Look for heads fixed by K whose orbit has a stabiliser that the criterion excludes."""

    def holds(case: tuple[str, int, int]) -> bool:
        name, c, seed = case
        G = named(name)
        rho, random = G.natural, Random(seed)
        d = rho.dimension
        W, V = ([[random.randint(-2, 2) for _ in range(d)] for _ in range(d)] for _ in range(2))
        K = G.classes.representatives[c % len(G.classes)]
        head = averaged(rho, rho, K, MatrixHead(_rows(W), _rows(V)))
        if not any(map(any, head.V)):
            return True
        fixing = frozenset(g for g in range(len(G.group)) if moved(head, rho, rho, g).W == head.W)
        if any(moved(head, rho, rho, g).V != head.V for g in fixing):
            return True  # the heads of such an orbit merge into others
        return G.classes.class_of(fixing) in possible(G)

    case = st.tuples(st.sampled_from(NAMES), st.integers(0, 10), st.integers(0, 10**6))
    examples = 150 if context.profile is Profile.QUICK else 3000
    result = search(case, holds, examples=examples, seed=context.seed)
    return searched(result, "random heads fixed by random subgroups", lambda _: {})


def search_types(context: Context) -> Outcome:
    """Look for a function that another type of as many heads represents."""

    def holds(case: Case) -> bool:
        G = case.named
        stratum = stratum_of(G.classes, G.natural, G.natural, case.heads)
        covering = [
            T
            for T in types(G.classes, len(case.heads))
            if matching(G.classes, T, stratum) is not None
        ]
        sizes = sorted(len(orbit.heads) for orbit in orbits(case.heads, G.natural, G.natural))
        return covering == [stratum] and sizes == sorted(G.classes.indices[c] for c in stratum)

    examples = 60 if context.profile is Profile.QUICK else 600
    result = search(equivariant_cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "equivariant heads and all types of as many", lambda _: {})


def search_all(context: Context) -> Outcome:
    """Refute that every G-set occurs."""

    def holds(case: tuple[str, int]) -> bool:
        G = named(case[0])
        return count(G.classes, case[1]) == count(G.classes, case[1], allowed=possible(G))

    case = st.tuples(st.sampled_from(NAMES), st.integers(1, 4))
    result = search(case, holds, examples=100, seed=context.seed)

    def refutation(case: tuple[str, int]) -> dict[str, Certificate]:
        return {"case": _certificate(named(case[0]), case[1], context.seed)}

    return searched(result, "groups with their natural actions, and H", refutation)


def _certificate(G: Named, H: int, seed: int) -> Certificate:
    members = [drawn(G, S, (seed + k) % 2**31) for k, S in enumerate(strata(G, H))]
    return group.strata(ID, G.classes, G.natural, G.natural, H, members)


def _sizes(context: Context) -> range:
    return range(1, 5 if context.profile is Profile.QUICK else 7)


def _rows(rows: list[list[int]]) -> tuple[tuple[int, ...], ...]:
    return tuple(map(tuple, rows))
