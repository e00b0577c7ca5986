"""Claim T2b, zonotope.containment: where outputs lie, and how many vertices there are."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from ....numeric.zonotope.high_precision import coefficients as true_coefficients
from ....symbolic.zonotope.layer import Head, coefficients, evaluate, mean
from ....symbolic.zonotope.membership import Place, membership
from ....symbolic.zonotope.proofs import containment as proofs
from ....symbolic.zonotope.zonotope import MatrixZonotope, Zonotope, vertex_bound
from ...certificates.zonotope import place
from ...claim import Context, Profile
from ...claims.zonotope.containment import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .models import Case, cases, numbers, zonotopes

DIGITS = 60


def derivation(_: Context) -> Outcome:
    """For all sizes."""
    return derived(proofs.derivation(), "output", "above", "below")


def outputs(context: Context) -> Outcome:
    """Outputs of drawn heads in the relative interior; saturated and doubled ones are not.

    Raises:
        AssertionError: a point that was moved to the boundary or beyond came out as inside.
    """
    random = Random(context.seed)
    certificates: dict[str, Certificate] = {}
    wrong: list[str] = []
    for p, d, g in ((1, 1, 1), (2, 2, 3), (2, 3, 1), (3, 2, 2), (3, 3, 5)):
        head = _head(random, p, d, g)
        tokens = [[random.randint(-2, 2) for _ in range(d)] for _ in range(3)]
        value = evaluate([head], tokens)[0]
        zonotope = head.values.at(mean(head, tokens, 0))
        found = membership(zonotope, value)
        name = f"p{p}-d{d}-g{g}"
        certificates[name] = place(ID, found)
        if found.place is not Place.INTERIOR:
            wrong.append(f"{name}: {found.place.value}")
        top = _extreme(zonotope)
        if top is None:
            continue
        edge = membership(zonotope, top)
        beyond = membership(
            zonotope, [2 * x - c for x, c in zip(top, zonotope.centre, strict=True)]
        )
        if (edge.place, beyond.place) != (Place.BOUNDARY, Place.OUTSIDE):
            raise AssertionError(f"{name}: {edge.place}, {beyond.place} of {zonotope}")
        certificates[f"{name}-edge"] = place(ID, edge)
        certificates[f"{name}-beyond"] = place(ID, beyond)
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope="five heads, to base 2",
        certificates=certificates,
        detail="; ".join(wrong),
    )


def search_interior(context: Context) -> Outcome:
    """Look for an output outside the relative interior, the coefficients being forgotten."""

    def holds(case: Case) -> bool:
        head = case.heads[0]
        rows = evaluate([head], case.tokens)
        return all(
            membership(head.values.at(mean(head, case.tokens, q)), row).place is Place.INTERIOR
            for q, row in enumerate(rows)
        )

    examples = 40 if context.profile is Profile.QUICK else 1000
    result = search(cases(heads=1), holds, examples=examples, seed=context.seed)
    return searched(result, "heads and tokens, to base 2", lambda _: {})


def digits_search(context: Context) -> Outcome:
    """Look for a tanh that is 1 or more, or of another sign than to base 2, in mpmath."""

    def holds(case: Case) -> bool:
        for head in case.heads:
            true = true_coefficients(numbers(head), case.tokens, DIGITS)
            for one, other in zip(true, coefficients(head, case.tokens), strict=True):
                bound = 1 - Fraction(1, 10 ** (DIGITS - 10))
                if abs(one) >= bound or (one > 0) != (other > 0) or (one < 0) != (other < 0):
                    return False
        return True

    examples = 30 if context.profile is Profile.QUICK else 500
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, f"pooled features, tanh to {DIGITS} digits", lambda _: {})


FAMILIES: dict[str, Zonotope] = {
    "segment": Zonotope((0, 0), ((1, 2),)),
    "hexagon": Zonotope((0, 0), ((1, 0), (0, 1), (1, 1))),
    "parallel": Zonotope((0, 0), ((1, 0), (0, 1), (2, 0))),
    "with-zero": Zonotope((1, 1), ((1, 0), (0, 0), (0, 1))),
    "line": Zonotope((0,), ((1,), (2,), (3,))),
    "line-with-zero": Zonotope((0,), ((1,), (0,))),
    "cube": Zonotope((0, 0, 0), ((1, 0, 0), (0, 1, 0), (0, 0, 1))),
    "moment-6": Zonotope((0, 0, 0), tuple((1, t, t * t) for t in range(6))),
    "moment-9": Zonotope((0, 0, 0), tuple((1, t, t * t) for t in range(9))),
    "planar-in-space": Zonotope((0, 0, 0), ((1, 0, 0), (0, 1, 0), (1, 1, 0), (0, 0, 1))),
    "space-4": Zonotope((0,) * 4, tuple((1, t, t**2, t**3) for t in range(7))),
    "few-in-space-4": Zonotope((0,) * 4, ((1, 0, 0, 0), (0, 1, 0, 0), (1, 1, 1, 0))),
}
"""Zonotopes in general position and not, with fewer and with more generators than dimensions."""


def counted(_: Context) -> Outcome:
    """The vertices of twelve zonotopes, certified, against the bound."""
    certificates: dict[str, Certificate] = {}
    rows: dict[str, str] = {}
    wrong: list[str] = []
    for name, zonotope in FAMILIES.items():
        found = zonotope.sum()
        bound = vertex_bound(zonotope.dimension, len(zonotope.generators))
        certificates[name] = found.certificate(ID)
        count = len(found.vertices)
        rows[name] = f"{count} of at most {bound}"
        if count > bound or (count == bound) != zonotope.most_vertices:
            wrong.append(
                f"{name}: {count}, bound {bound}, expected to be attained: {zonotope.most_vertices}"
            )
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope=", ".join(FAMILIES),
        certificates=certificates,
        numbers=rows,
        detail="; ".join(wrong),
    )


def search_counts(context: Context) -> Outcome:
    """Look for a zonotope with too many vertices, or where equality and position disagree."""

    def holds(zonotope: Zonotope) -> bool:
        bound = vertex_bound(zonotope.dimension, len(zonotope.generators))
        count = len(zonotope.sum().vertices)
        return count <= bound and (count == bound) == zonotope.most_vertices

    examples = 40 if context.profile is Profile.QUICK else 1500
    result = search(zonotopes(), holds, examples=examples, seed=context.seed)
    return searched(result, "zonotopes with small entries", lambda _: {})


def fewer(_: Context) -> Outcome:
    """Two parallel generators in the plane: 4 vertices, not 6."""
    found = FAMILIES["parallel"].sum()
    bound = vertex_bound(2, 3)
    return Outcome(
        Finding.HOLDS if len(found.vertices) == bound else Finding.VIOLATED,
        scope="one zonotope",
        certificates={"parallel": found.certificate(ID)},
        detail=f"{len(found.vertices)} vertices, bound {bound}",
    )


def _head(random: Random, p: int, d: int, g: int) -> Head:
    def table(rows: int, columns: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(random.randint(-3, 3) for _ in range(columns)) for _ in range(rows))

    values = MatrixZonotope(table(p, d), tuple(table(p, d) for _ in range(g)))
    return Head(table(d, d), values, table(g, d), tuple(random.randint(-1, 1) for _ in range(g)))


def _extreme(zonotope: Zonotope) -> tuple[int | Fraction, ...] | None:
    """A vertex, unless the zonotope is a point."""
    vertex = zonotope.sum().vertices[-1]
    return None if vertex == zonotope.centre else vertex
