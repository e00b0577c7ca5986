"""Newton polytopes, regular subdivisions, normal fans and dual graphs, in any position."""

from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.cones.hull import convex_hull, upper_hull
from headproof.symbolic.errors import InputError
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.minkowski.overlay import overlay
from headproof.symbolic.tropical.dual_graph import dual_graph
from headproof.symbolic.tropical.newton import (
    lifted_polytope,
    newton_polytope,
    regular_subdivision,
)
from headproof.symbolic.tropical.normal_fan import normal_fan
from headproof.symbolic.tropical.polynomial import polynomial

small = st.integers(-2, 2)


@st.composite
def polynomials(draw: Any, d: Any = None, most: Any = 6) -> Any:
    d = d or draw(st.integers(1, 3))
    n = draw(st.integers(1, most))
    exponents = draw(st.lists(st.tuples(*[small] * d), min_size=n, max_size=n))
    return polynomial(exponents, draw(st.lists(small, min_size=n, max_size=n)))


@st.composite
def pairs(draw: Any) -> Any:
    d = draw(st.integers(1, 3))
    return draw(polynomials(d, 4)), draw(polynomials(d, 4))


@given(pairs())
def test_newton_polytope_of_a_product_is_the_minkowski_sum(case: Any) -> None:
    f, g = case
    total = f * g
    vertices = {total.exponents[j] for j in newton_polytope(total).vertices}
    assert vertices == set(minkowski_sum([f.exponents, g.exponents]).vertices)


@given(pairs())
def test_winning_terms_of_a_product_are_the_cells_of_the_overlay(case: Any) -> None:
    f, g = case
    heads = [{"keys": p.exponents, "biases": p.coefficients} for p in case]
    assert len((f * g).winning) == overlay(heads).cells


@given(polynomials())
def test_vertices_of_the_subdivision_are_the_winning_terms(f: Any) -> None:
    found = regular_subdivision(f)
    assert found.vertices == lifted_polytope(f).vertices
    corners = set()
    for cell in found.cells:
        assert f.winners(cell.query) == frozenset(cell.members)
        hull = convex_hull([f.exponents[j] for j in cell.members])
        corners |= {cell.members[v] for v in hull.vertices}
    assert corners == set(found.vertices)


@given(polynomials())
def test_cells_are_maximal_and_cover(f: Any) -> None:
    """No cell lies in another, and every term on the upper surface is in one."""
    cells = [set(cell.members) for cell in regular_subdivision(f).cells]
    assert not any(a < b for a in cells for b in cells)
    ties = {j for j in range(len(f.terms)) if _on_surface(f, j)}
    assert set().union(*cells) == ties


def _on_surface(f: Any, j: Any) -> Any:
    """Whether term j is at the top somewhere: then raising it by any eps > 0 makes it a vertex.

    With integers of size 2 in d <= 3 a combination that is strictly above a point is so by more
    than 10^-6.
    """
    fine = [[*p[:-1], 10**6 * p[-1]] for p in f.lifted]
    fine[j][-1] += 1
    return j in upper_hull(fine).vertices


@pytest.mark.parametrize(
    ("exponents", "coefficients", "cells"),
    [
        ([[0], [1], [2]], [0, 1, 0], [(0, 1), (1, 2)]),
        ([[0], [1], [2]], [0, 0, 0], [(0, 1, 2)]),
        ([[0], [1], [2]], [0, -1, 0], [(0, 2)]),
        ([[3]], [5], [(0,)]),
        # the unit square, flat: one cell of four points, not two triangles
        ([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 0, 0, 0], [(0, 1, 2, 3)]),
        # collinear points in the plane
        ([[0, 0], [1, 1], [2, 2]], [0, 3, 0], [(0, 1), (1, 2)]),
        # a tent over the middle of a square
        (
            [[0, 0], [0, 2], [1, 1], [2, 0], [2, 2]],
            [0, 0, 1, 0, 0],
            [(0, 1, 2), (0, 2, 3), (1, 2, 4), (2, 3, 4)],
        ),
    ],
)
def test_hand_values(exponents: Any, coefficients: Any, cells: Any) -> None:
    f = polynomial(exponents, coefficients)
    assert [cell.members for cell in regular_subdivision(f).cells] == cells


def test_normal_fan_of_a_square_and_of_flat_sums() -> None:
    fan = normal_fan([[0, 0], [1, 0]], [[0, 0], [0, 1]])
    assert fan.rays == ((-1, 0), (0, -1), (0, 1), (1, 0))
    assert [len(cone) for cone in fan.cones] == [2, 2, 2, 2]
    assert fan.lineality == ()
    segment = normal_fan([[0, 0, 0], [1, 2, 0]])
    assert segment.cones == ((0,), (1,))
    assert len(segment.lineality) == 2
    for u in segment.lineality:
        assert sum(a * b for a, b in zip(u, (1, 2, 0), strict=True)) == 0
    point = normal_fan([[7, 8]])
    assert (point.rays, point.cones, point.lineality) == ((), ((),), ((1, 0), (0, 1)))
    with pytest.raises(InputError):
        normal_fan([[0.5]])


@given(st.lists(polynomials(2, 4), min_size=1, max_size=2), st.tuples(small, small))
def test_cones_of_a_normal_fan(factors: Any, u: Any) -> None:
    """A direction inside a cone is best at its vertex alone, a ray at all vertices of a facet."""
    fan = normal_fan(*(f.exponents for f in factors))
    for v, cone in enumerate(fan.cones):
        if len(fan.vertices) > 1:
            inside = [sum(column) for column in zip(*(fan.rays[i] for i in cone), strict=True)]
            assert fan.locate(inside) == {v}
    for i, ray in enumerate(fan.rays):
        assert fan.locate(ray) == {v for v, cone in enumerate(fan.cones) if i in cone}
    moved = [a + sum(w[c] for w in fan.lineality) for c, a in enumerate(u)]
    assert fan.locate(u) == fan.locate(moved)


def brute_adjacent(heads: Any) -> Any:
    """Pairs of cells in the plane that tie, above all others, on a piece of their wall."""
    sums = {}
    for label in overlay(heads).labels:
        chosen = [(*h["keys"][j], h["biases"][j]) for h, j in zip(heads, label, strict=True)]
        sums[label] = tuple(map(sum, zip(*chosen, strict=True)))
    labels = list(sums)
    pairs = set()
    for n, a in enumerate(labels):
        for b in labels[n + 1 :]:
            normal = [q - p for p, q in zip(sums[a], sums[b], strict=True)]
            if any(normal[:-1]) and _alone_somewhere(normal, sums, a, b):
                pairs.add((a, b))
    return pairs


def _alone_somewhere(normal: Any, sums: Any, a: Any, b: Any) -> Any:
    """Whether a and b tie strictly above all others on their wall, in dimension 2."""
    p, q, c = normal
    size = p * p + q * q
    base = (Fraction(-c * p, size), Fraction(-c * q, size))
    low, high = None, None
    for other, s in sums.items():
        if other in (a, b):
            continue
        diff = [x - y for x, y in zip(sums[a], s, strict=True)]
        at = diff[0] * base[0] + diff[1] * base[1] + diff[2]
        slope = -diff[0] * q + diff[1] * p
        if slope == 0:
            if at <= 0:
                return False
        elif slope > 0:
            low = max(low, -at / slope) if low is not None else -at / slope
        else:
            high = min(high, -at / slope) if high is not None else -at / slope
    return low is None or high is None or low < high


@st.composite
def planar_heads(draw: Any) -> Any:
    heads = []
    for _ in range(draw(st.integers(1, 2))):
        n = draw(st.integers(1, 4))
        keys = draw(st.lists(st.tuples(small, small), min_size=n, max_size=n))
        heads.append({"keys": keys, "biases": draw(st.lists(small, min_size=n, max_size=n))})
    return heads


@given(planar_heads())
def test_dual_graph_against_brute_force(heads: Any) -> None:
    graph = dual_graph(heads)
    assert {tuple(sorted(edge)) for edge in graph.edges} == brute_adjacent(heads)
    assert nx.is_connected(graph)


def test_dual_graph_walls() -> None:
    heads: list[dict[str, Any]] = [{"keys": [[0, 0], [2, 0]], "biases": [0, 3]}, {"keys": [[0, 0]]}]
    graph = dual_graph(heads)
    wall = graph.edges[(0, 0), (1, 0)]
    assert (wall["normal"], wall["offset"]) == ((1, 0), Fraction(3, 2))


def test_dual_graph_of_a_grid() -> None:
    """Two heads that read one coordinate each: the grid of 3 times 3 cells."""
    line = [[-1], [0], [1]]
    bent = [0, 1, 0]
    heads: list[dict[str, Any]] = [
        {"keys": [[k[0], 0] for k in line], "biases": bent},
        {"keys": [[0, k[0]] for k in line], "biases": bent},
    ]
    graph = dual_graph(heads)
    assert nx.is_isomorphic(graph, nx.grid_2d_graph(3, 3))
    cube: list[dict[str, Any]] = [
        {"keys": [[s * int(c == h) for c in range(3)] for s in (0, 1)], "biases": [0, 0]}
        for h in range(3)
    ]
    assert nx.is_isomorphic(dual_graph(cube), nx.hypercube_graph(3))
    assert set(dual_graph(cube)) == set(product((0, 1), repeat=3))
