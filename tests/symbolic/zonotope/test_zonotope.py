"""Zonotopes: vertices by hand and by sign vectors, places of points, selections, refusals."""

from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.proofs_check.producers.zonotope.models import HEXAGON, zonotopes
from headproof.symbolic.cones.hull import convex_hull
from headproof.symbolic.errors import InputError
from headproof.symbolic.zonotope.membership import Place, membership
from headproof.symbolic.zonotope.saturation import selection
from headproof.symbolic.zonotope.zonotope import MatrixZonotope, Zonotope, dot, vertex_bound


def corners(zonotope: Zonotope) -> list[Any]:
    return [zonotope.point(s) for s in product((1, -1), repeat=len(zonotope.generators))]


@settings(max_examples=40)
@given(zonotopes(most=4))
def test_vertices_are_those_of_the_hull_of_all_sign_vectors(zonotope: Zonotope) -> None:
    points = corners(zonotope)
    hull = convex_hull(points)
    vertices = {points[j] for j in hull.vertices}
    assert set(zonotope.sum().vertices) == vertices
    for signs in product((1, -1), repeat=len(zonotope.generators)):
        found = selection(zonotope, signs)
        assert found.vertex == (found.point in vertices)
        if found.functional is not None:
            ahead = [
                s * dot(found.functional, g)
                for s, g in zip(signs, zonotope.generators, strict=True)
                if any(g)
            ]
            assert all(a > 0 for a in ahead)


@settings(max_examples=40)
@given(zonotopes(most=4), st.data())
def test_places_with_their_reasons(zonotope: Zonotope, data: st.DataObject) -> None:
    g = len(zonotope.generators)
    share = st.integers(-6, 6).map(lambda k: Fraction(k, 4))  # up to 3/2: beyond the cube
    beta = data.draw(st.lists(share, min_size=g, max_size=g))
    point = zonotope.point(beta)
    found = membership(zonotope, point)
    if all(abs(b) < 1 for b in beta):
        assert found.place is Place.INTERIOR
    if all(abs(b) <= 1 for b in beta):
        assert found.inside
    if found.coefficients is not None:
        assert zonotope.point(found.coefficients) == point
        strict = found.place is Place.INTERIOR
        size = max((max(b, -b) for b in found.coefficients), default=0)
        assert size < 1 if strict else size <= 1
    if found.functional is not None:
        u = found.functional
        over = Fraction(dot(u, point) - zonotope.support(u))
        assert over > 0 if found.place is Place.OUTSIDE else over == 0
        if found.place is Place.BOUNDARY:  # not constant on the zonotope
            least = -zonotope.support([-x for x in u])
            assert zonotope.support(u) > least
    # symmetric about the centre
    mirror = [2 * c - x for c, x in zip(zonotope.centre, point, strict=True)]
    assert membership(zonotope, mirror).place is found.place


def test_vertices_are_boundary_points_and_the_centre_is_inside() -> None:
    for vertex in HEXAGON.sum().vertices:
        assert membership(HEXAGON, vertex).place is Place.BOUNDARY
        beyond = [Fraction(1001, 1000) * x for x in vertex]
        assert membership(HEXAGON, beyond).place is Place.OUTSIDE
    assert membership(HEXAGON, (0, 0)).place is Place.INTERIOR
    assert membership(HEXAGON, (2, "3/2")).place is Place.BOUNDARY


def test_the_relative_interior_of_a_flat_zonotope() -> None:
    segment = Zonotope((1, 1), ((1, 2), (0, 0)))
    assert membership(segment, ("3/2", 2)).place is Place.INTERIOR
    assert membership(segment, (2, 3)).place is Place.BOUNDARY
    assert membership(segment, (1, 2)).place is Place.OUTSIDE


@pytest.mark.parametrize("generators", [(), ((0, 0),)])
def test_a_point(generators: Any) -> None:
    point = Zonotope((1, 2), generators)
    assert membership(point, (1, 2)).place is Place.INTERIOR
    assert membership(point, (1, 3)).place is Place.OUTSIDE
    assert point.sum().vertices == ((1, 2),)
    assert vertex_bound(2, 0) == 1


@settings(max_examples=60)
@given(zonotopes())
def test_the_bound_and_when_it_is_attained(zonotope: Zonotope) -> None:
    bound = vertex_bound(zonotope.dimension, len(zonotope.generators))
    count = len(zonotope.sum().vertices)
    assert count <= bound
    assert (count == bound) == zonotope.most_vertices


def test_the_bound_on_a_line_does_not_ask_for_general_position() -> None:
    line = Zonotope((0,), ((0,), (1,)))
    assert (line.general, line.most_vertices) == (False, True)
    assert len(line.sum().vertices) == vertex_bound(1, 2) == 2


def test_many_generators_are_not_2_to_the_g() -> None:
    moments = Zonotope((0, 0, 0), tuple((1, t, t * t) for t in range(20)))
    assert len(moments.sum().vertices) == vertex_bound(3, 20) == 2 * (1 + 19 + 171)


def test_matrices() -> None:
    values = MatrixZonotope(((1, 2), (3, 4)), (((0, 1), (1, 0)),))
    assert values.at((1, 1)) == Zonotope((3, 7), ((1, 1),))
    assert values.flat().generators == ((0, 1, 1, 0),)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: Zonotope((), ()), "at least one coordinate"),
        (lambda: Zonotope((0.5,), ()), "found the float 0.5"),  # type: ignore[arg-type]
        (lambda: Zonotope((0, 0), ((1,),)), "generators"),
        (lambda: HEXAGON.point((1, 1)), "coefficients"),
        (lambda: membership(HEXAGON, (0,)), "point"),
        (lambda: membership(HEXAGON, (0.0, 1)), "float"),  # type: ignore[arg-type]
        (lambda: selection(HEXAGON, (1, 1)), "3 signs"),
        (lambda: selection(HEXAGON, (1, 1, 0)), "1 or -1"),
        (lambda: vertex_bound(0, 3), "d >= 1"),
        (lambda: MatrixZonotope(((1, 2),), (((1,),),)), "1 x 2, found 1 x 1"),
        (lambda: MatrixZonotope((), ()), "centre"),
    ],
)
def test_refusals(make: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert said in str(caught.value)
