"""Claim T2c, zonotope.saturation: what saturated coefficients select."""

from __future__ import annotations

from itertools import product

from hypothesis import strategies as st

from ....symbolic.zonotope.membership import Place, membership
from ....symbolic.zonotope.saturation import selection
from ....symbolic.zonotope.zonotope import MatrixZonotope, Zonotope
from ...certificates.zonotope import place, selected
from ...claim import Context, Profile
from ...claims.zonotope.saturation import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import searched
from ...search import search
from .containment import FAMILIES
from .models import HEXAGON, zonotopes

MATRICES: dict[str, MatrixZonotope] = {
    "one": MatrixZonotope(((0, 0),), (((1, 2),),)),
    "units": MatrixZonotope(((1, 0), (0, 1)), (((1, 0), (0, 0)), ((0, 1), (0, 0)))),
    "example": MatrixZonotope(
        ((0, 0), (0, 0)), (((1, 0), (0, 0)), ((0, 0), (1, 0)), ((1, 1), (1, 0)))
    ),
    "full": MatrixZonotope(
        ((0, 0), (0, 0)),
        (((1, 1), (0, 0)), ((1, -1), (0, 0)), ((0, 0), (2, 1)), ((1, 0), (0, 3))),
    ),
}
"""Independent generators; at x = (1, 0) those of the example are (1,0), (0,1), (1,1)."""


def centre(_: Context) -> Outcome:
    """Signs +, +, - at (1,0), (0,1), (1,1) give the centre."""
    found = selection(HEXAGON, (1, 1, -1))
    return Outcome(
        Finding.HOLDS if found.vertex else Finding.VIOLATED,
        scope="three generators in the plane",
        certificates={"hexagon": selected(ID, found)},
        detail=f"the point {found.point}",
    )


def inside(_: Context) -> Outcome:
    """The same point lies in the interior."""
    found = membership(HEXAGON, selection(HEXAGON, (1, 1, -1)).point)
    return Outcome(
        Finding.VIOLATED if found.place is Place.INTERIOR else Finding.HOLDS,
        scope="three generators in the plane",
        certificates={"hexagon": place(ID, found)},
        detail=found.place.value,
    )


def matrices(_: Context) -> Outcome:
    """All sign vectors of matrix zonotopes with independent generators."""
    certificates: dict[str, Certificate] = {}
    wrong: list[str] = []
    for name, values in MATRICES.items():
        flat = values.flat()
        for signs in product((1, -1), repeat=len(flat.generators)):
            found = selection(flat, signs)
            certificates[f"{name}-{_written(signs)}"] = selected(ID, found)
            if not found.vertex:
                wrong.append(f"{name}: {signs}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope=f"all sign vectors of {', '.join(MATRICES)}",
        certificates=certificates,
        detail="; ".join(wrong),
    )


def signs(_: Context) -> Outcome:
    """All sign vectors of small zonotopes, and as many vertices as the engine finds."""
    certificates: dict[str, Certificate] = {}
    wrong: list[str] = []
    rows: dict[str, str] = {}
    for name in ("segment", "hexagon", "parallel", "with-zero", "line", "cube", "planar-in-space"):
        zonotope = FAMILIES[name]
        vertices, count = set(), 0
        for chosen in product((1, -1), repeat=len(zonotope.generators)):
            found = selection(zonotope, chosen)
            certificates[f"{name}-{_written(chosen)}"] = selected(ID, found)
            count += found.vertex
            if found.vertex:
                vertices.add(found.point)
        if vertices != set(zonotope.sum().vertices):
            wrong.append(name)
        rows[name] = f"{count} of {2 ** len(zonotope.generators)} sign vectors, {len(vertices)} "
        rows[name] += "vertices"
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope="all sign vectors of seven zonotopes",
        certificates=certificates,
        numbers=rows,
        detail="; ".join(wrong),
    )


def search_criterion(context: Context) -> Outcome:
    """Look for a zonotope where the criterion and the list of vertices disagree."""

    def holds(zonotope: Zonotope) -> bool:
        vertices = set(zonotope.sum().vertices)
        return all(
            selection(zonotope, chosen).vertex == (zonotope.point(chosen) in vertices)
            for chosen in product((1, -1), repeat=len(zonotope.generators))
        )

    examples = 25 if context.profile is Profile.QUICK else 600
    result = search(zonotopes(most=4), holds, examples=examples, seed=context.seed)
    return searched(result, "zonotopes with small entries", lambda _: {})


def search_independent(context: Context) -> Outcome:
    """Look for independent generators and signs that select no vertex."""

    def holds(case: tuple[Zonotope, int]) -> bool:
        zonotope, number = case
        g = len(zonotope.generators)
        if not (g <= zonotope.dimension and zonotope.general):
            return True
        chosen = [1 if number >> i & 1 else -1 for i in range(g)]
        return selection(zonotope, chosen).vertex

    examples = 150 if context.profile is Profile.QUICK else 3000
    drawn = st.tuples(zonotopes(most=3), st.integers(0, 7))
    result = search(drawn, holds, examples=examples, seed=context.seed)
    return searched(result, "zonotopes and signs (dependent generators pass)", lambda _: {})


def _written(signs: tuple[int, ...]) -> str:
    return "".join("p" if s > 0 else "m" for s in signs)
