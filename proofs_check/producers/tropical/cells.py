"""Claim A5, tropical.cells: which keys of a head ever win alone."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import product
from random import Random

import torch

from ....numeric.tropical import cells as floats
from ....symbolic.cones.hull import convex_hull, upper_hull
from ....symbolic.errors import HeadproofError
from ....symbolic.rational import Rational
from ....symbolic.tropical.cells import cells
from ....symbolic.tropical.proofs import cells as proof
from ....symbolic.tropical.proofs import winning_ball
from ...certificates import exhaustive, farkas
from ...certificates.exhaustive import Entries, Grid
from ...claim import Context, Profile
from ...claims.tropical.cells import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...strategies import HeadCase, heads

Rows = Sequence[Sequence[Rational]]


def exclusion_derivation(_: Context) -> Outcome:
    """A key on or below a convex combination of others never wins alone, for every N and d."""
    return derived(proof.derivation(), "exclusion")


def open_derivation(_: Context) -> Outcome:
    """A strict win at one query is a win on a ball around it, for every N and d."""
    return derived(winning_ball.derivation(), "open")


def attained(context: Context) -> Outcome:
    """Heads all of whose N keys win: keys on a parabola, lifted or not."""
    certificates: dict[str, Certificate] = {}
    largest = 32 if context.profile is Profile.QUICK else 256
    for n in (1, 2, 3, 5, 8, 32, largest):
        lifted = cells([[j] for j in range(n)], [-j * j for j in range(n)])
        plain = cells([[j, -j * j] for j in range(n)])
        if lifted.count != n or plain.count != n:
            raise HeadproofError(
                f"N = {n}: expected as many cells, found {lifted.count} and {plain.count}"
            )
        certificates[f"N{n}biased"] = lifted.certificate(ID)
        certificates[f"N{n}"] = plain.certificate(ID)
    return Outcome(
        Finding.HOLDS,
        scope=f"N = 1..{largest}: d = 1 with biases, d = 2 without",
        certificates=certificates,
        numbers={"largest N": largest},
    )


def small_heads(context: Context) -> Outcome:
    """Every head with entries in {-1, 0, 1}: each key wins somewhere, or never."""
    sizes = [(2, 1), (3, 1)] if context.profile is Profile.QUICK else [(3, 1), (4, 1), (3, 2)]
    certificates: dict[str, Certificate] = {}
    instances = 0
    for n, d in sizes:
        family = _grid(n, d + 1)
        found = (({"p": p}, upper_hull(p).certificate(ID)) for p in _matrices(n, d + 1))
        certificates[f"N{n}d{d}"] = exhaustive.by_cases(ID, family, found, bind={"points": "p"})
        instances += family.count
    return Outcome(
        Finding.HOLDS,
        scope="all keys and biases in {-1, 0, 1}, (N, d) = " + ", ".join(map(str, sizes)),
        certificates=certificates,
        numbers={"instances": instances},
    )


def larger_heads(context: Context) -> Outcome:
    """Random heads in any position: repeated keys, keys on a flat, large and small numbers."""
    random = Random(context.seed)
    full = context.profile is not Profile.QUICK
    certificates: dict[str, Certificate] = {}
    wins = keys = 0
    for n, d in [(60, 1), (120, 2), (200, 3), (60, 6)] + full * [(2000, 3), (400, 6), (120, 32)]:
        for kind in ("free", "integer", "flat", "huge"):
            rows, biases = _random_head(random, n, d, kind)
            found = cells(rows, biases)
            certificates[f"N{n}d{d}{kind}"] = found.certificate(ID)
            wins += found.count
            keys += n
    return Outcome(
        Finding.HOLDS,
        scope="random heads, N <= 200, d <= 6" if not full else "random heads, N <= 2000, d <= 32",
        certificates=certificates,
        numbers={"heads": len(certificates), "keys": keys, "keys that win": wins},
    )


def unbiased_small(context: Context) -> Outcome:
    """Without biases, every choice of keys in {-1, 0, 1}^d: winners are the hull's vertices."""
    sizes = [(3, 1), (3, 2)] if context.profile is Profile.QUICK else [(4, 1), (4, 2)]
    certificates: dict[str, Certificate] = {}
    instances = 0
    for n, d in sizes:
        family = _grid(n, d)
        cases = []
        for keys in _matrices(n, d):
            hull = convex_hull(keys)
            if set(hull.vertices) != set(cells(keys).winning):
                return _disagreement(keys)
            cases.append(({"p": keys}, hull.certificate(ID)))
        certificates[f"N{n}d{d}"] = exhaustive.by_cases(ID, family, cases, bind={"points": "p"})
        instances += family.count
    return Outcome(
        Finding.HOLDS,
        scope="all keys in {-1, 0, 1}^d without biases, (N, d) = " + ", ".join(map(str, sizes)),
        certificates=certificates,
        numbers={"instances": instances},
    )


def search_alternative(context: Context) -> Outcome:
    """Look for a key that both wins and never wins, or whose witness does not stand.

    The witnesses are evaluated here from the definition of the score, in rational arithmetic.
    """

    def holds(head: HeadCase) -> bool:
        found = cells(head.keys, head.biases)
        lifted = [(*key, b) for key, b in zip(head.keys, head.biases, strict=True)]
        for j, x in found.winning.items():
            lead = [_score(lifted[j], x) - _score(p, x) for p in lifted if p != lifted[j]]
            if min(lead, default=Fraction(1)) <= 0:
                return False
        for j, weights in found.never.items():
            mean = [sum(w * lifted[i][c] for i, w in weights) for c in range(len(lifted[j]))]
            flat = all(a == b for a, b in zip(mean[:-1], lifted[j][:-1], strict=True))
            if not flat or mean[-1] < lifted[j][-1] or sum(w for _, w in weights) != 1:
                return False
        settled = set(found.winning) | set(found.never) | set(found.same_as)
        return settled == set(range(len(lifted)))

    examples = 150 if context.profile is Profile.QUICK else 2000
    result = search(heads(), holds, examples=examples, seed=context.seed)
    return searched(result, "heads (N <= 7, d <= 3, repeated and collinear keys)", lambda _: {})


def float_agreement(context: Context) -> Outcome:
    """Torch, which knows no hull: what it is certain of has to agree with the exact answer."""
    random = Random(context.seed)
    decided = cases = wrong = 0
    for n, d in [(8, 1), (12, 2), (20, 3), (16, 5)]:
        keys = [[random.randint(-50, 50) for _ in range(d)] for _ in range(n)]
        biases = [random.randint(-50, 50) for _ in range(n)]
        found = floats.cells(
            torch.tensor(keys, dtype=torch.float64), torch.tensor(biases, dtype=torch.float64)
        )
        truth = cells(keys, biases)
        never = set(truth.never)
        for j in range(n):
            won, within = bool(found.wins[0, j]), bool(found.within[0, j])
            cases += 1
            decided += won or within
            wrong += (won and j in never) or (within and j in truth.winning)
    if not decided:
        raise HeadproofError("torch decided no key, so that nothing was compared")
    return compared(
        wrong * 2, cases, "torch float64 against the exact answer", "none may differ",
        decided=decided,
    )  # fmt: skip


def search_every_key(context: Context) -> Outcome:
    """Refute that every key wins somewhere: Farkas multipliers for one that does not."""

    def holds(head: HeadCase) -> bool:
        return not cells(head.keys, head.biases).never

    result = search(heads(), holds, examples=200, seed=context.seed)
    return searched(result, "heads (N <= 7, d <= 3)", lambda head: {"never": _never_wins(head)})


def search_plain_vertices(context: Context) -> Outcome:
    """Refute that a lifted key wins as soon as it is a vertex of the lifted keys' hull."""

    def holds(head: HeadCase) -> bool:
        lifted = [(*key, b) for key, b in zip(head.keys, head.biases, strict=True)]
        return set(convex_hull(lifted).vertices) <= set(upper_hull(lifted).vertices)

    result = search(heads(), holds, examples=200, seed=context.seed)

    def refutation(head: HeadCase) -> dict[str, Certificate]:
        lifted = [(*key, b) for key, b in zip(head.keys, head.biases, strict=True)]
        hull = convex_hull(lifted)
        lower = next(j for j in hull.vertices if j in upper_hull(lifted).combinations)
        return {"vertex": hull.certificate(ID), "never": _never_wins(head, lower)}

    return searched(result, "heads (N <= 7, d <= 3)", refutation)


def _never_wins(head: HeadCase, j: int | None = None) -> Certificate:
    """The system s_j(x) > s_i(x) for all i != j has no solution."""
    never = cells(head.keys, head.biases).never
    loser = min(never) if j is None else j
    weights = dict(never[loser])
    rows: list[farkas.Row] = []
    multipliers: list[Rational] = []
    for i, (key, b) in enumerate(zip(head.keys, head.biases, strict=True)):
        if i == loser:
            continue
        lead = [a - c for a, c in zip(key, head.keys[loser], strict=True)]
        rows.append((lead, "<", head.biases[loser] - b))
        multipliers.append(weights.get(i, 0))
    return farkas.certificate(ID, rows, multipliers)


def _disagreement(keys: Rows) -> Outcome:
    """Keys whose winners are not the vertices: both certificates, side by side."""
    return Outcome(
        Finding.VIOLATED,
        scope=f"keys {keys}",
        certificates={
            "hull": convex_hull(keys).certificate(ID),
            "cells": cells(keys).certificate(ID),
        },
    )


def _grid(n: int, width: int) -> Grid:
    return Grid({"p": Entries((n, width), range(-1, 2))})


def _matrices(n: int, width: int) -> list[list[list[int]]]:
    flat = product(range(-1, 2), repeat=n * width)
    return [[list(row[i * width : (i + 1) * width]) for i in range(n)] for row in flat]


def _random_head(
    random: Random, n: int, d: int, kind: str
) -> tuple[list[list[Rational]], list[Rational]]:
    size = 10**30 if kind == "huge" else 2 if kind == "integer" else 1000

    def entry() -> Rational:
        value = random.randint(-size, size)
        return Fraction(value, 7) if kind == "free" else value

    rows = [[entry() for _ in range(d)] for _ in range(n)]
    biases = [entry() for _ in range(n)]
    if kind == "flat":
        rows = [[row[0]] * d for row in rows]
    return rows, biases


def _score(lifted: Sequence[Rational], x: Sequence[Rational]) -> Rational:
    *key, bias = lifted
    return sum((a * b for a, b in zip(key, x, strict=True)), bias)
