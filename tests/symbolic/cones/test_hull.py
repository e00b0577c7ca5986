"""Convex hulls by laws, by brute force in the plane, by pplpy, and by the independent checker."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, permutations
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.proofs_check.checker import check_file
from headproof.symbolic.cones.hull import Hull, convex_hull, upper_hull
from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import Rational

Cloud = list[list[Rational]]
SMALL = st.integers(-2, 2)
NUMBERS = st.one_of(
    SMALL,
    st.builds(Fraction, st.integers(-5, 5), st.integers(1, 3)),
    st.integers(-(10**30), 10**30),
    st.builds(lambda a, b: a * 10**30 + b, SMALL, SMALL),
)


@st.composite
def clouds(draw: st.DrawFn, most: int = 9, dimensions: tuple[int, int] = (1, 4)) -> Cloud:
    """Points in any position: repeated, flat, collinear, of any size."""
    d = draw(st.integers(*dimensions))
    numbers = draw(st.sampled_from((SMALL, NUMBERS)))
    points = draw(st.lists(st.lists(numbers, min_size=d, max_size=d), min_size=1, max_size=most))
    if d > 1 and draw(st.booleans()):
        points = [[*point[:-1], sum(point[:-1])] for point in points]
    return points


def faults(hull: Hull) -> list[str]:
    """What does not prove the hull's answer, by the definition and in plain fractions."""
    points, found = hull.points, []
    distinct = [j for j in range(len(points)) if j not in hull.equals]
    parts = sorted([*hull.vertices, *hull.combinations, *hull.equals])
    if parts != list(range(len(points))) or set(hull.vertices) != set(hull.functionals):
        found.append("not a partition")
    for j, u in hull.functionals.items():
        scores = [sum(a * b for a, b in zip(u, point, strict=True)) for point in points]
        if any(scores[i] >= scores[j] for i in distinct if i != j):
            found.append(f"{j} does not win")
        if hull.upper and u[-1] <= 0:
            found.append(f"{j} wins downwards")
    for j, weights in hull.combinations.items():
        point = [sum(w * points[i][k] for i, w in weights) for k in range(len(points[j]))]
        fits = point == list(points[j])
        if hull.upper:
            fits = point[:-1] == list(points[j][:-1]) and point[-1] >= points[j][-1]
        known = all(i in hull.vertices and w > 0 for i, w in weights)
        if not (fits and known and sum(w for _, w in weights) == 1):
            found.append(f"{j} is not combined")
    for j, i in hull.equals.items():
        if points[i] != points[j] or i not in distinct or points.index(points[j]) != i:
            found.append(f"{j} is no repetition")
    return found


@given(clouds(), st.booleans())
@example([[0, 0]], True)
@example([[0], [0], [0]], False)
@example([[0, 1], [0, 1], [0, -1]], True)
@example([[10**30, 1], [10**30 + 1, 1], [10**30 + 2, 1]], False)
def test_every_point_has_its_reason(points: Cloud, upper: bool) -> None:
    hull = (upper_hull if upper else convex_hull)(points)
    assert faults(hull) == []
    assert hull.count == len(hull.vertices) >= 1


def test_the_reasons_can_be_wrong() -> None:
    hull = convex_hull([[0, 0], [2, 0], [0, 2], [1, 1], [2, 0]])
    half = Fraction(1, 2)
    wrong = [
        replace(hull, functionals={**hull.functionals, 0: (1, 1)}),
        replace(hull, functionals={**hull.functionals, 0: (0, -1)}),
        replace(hull, combinations={3: ((0, half), (2, half))}),
        replace(hull, combinations={3: ((1, half), (2, half), (0, 0))}),
        replace(hull, combinations={3: ((3, 1),)}),
        replace(hull, equals={4: 0}),
        replace(hull, combinations={}),
        replace(hull, vertices=(0, 1)),
    ]
    assert faults(hull) == []
    assert all(faults(each) for each in wrong)
    lifted = upper_hull([[0, 0], [0, -1]])
    assert faults(lifted) == []
    assert faults(replace(lifted, functionals={0: (0, -1)}))


def turn(p: Sequence[Rational], q: Sequence[Rational], r: Sequence[Rational]) -> Rational:
    return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])


def inside(p: Sequence[Rational], others: Sequence[Sequence[Rational]]) -> bool:
    """Carathéodory in the plane: whether p lies in a segment or triangle of the others."""
    for a, b in combinations(others, 2):
        between = all(min(a[k], b[k]) <= p[k] <= max(a[k], b[k]) for k in (0, 1))
        if between and turn(a, b, p) == 0:
            return True
    for a, b, c in combinations(others, 3):
        turns = [turn(a, b, p), turn(b, c, p), turn(c, a, p)]
        if turn(a, b, c) != 0 and (min(turns) >= 0 or max(turns) <= 0):
            return True
    return False


@given(clouds(dimensions=(2, 2)))
def test_the_plane_by_brute_force(points: Cloud) -> None:
    distinct = list(dict.fromkeys(map(tuple, points)))
    expected = {p for p in distinct if not inside(p, [q for q in distinct if q != p])}
    assert {tuple(points[j]) for j in convex_hull(points).vertices} == expected


@given(clouds(dimensions=(2, 2), most=7))
def test_the_upper_hull_by_brute_force(points: Cloud) -> None:
    distinct = list(dict.fromkeys(map(tuple, points)))
    low = min(p[1] for p in points) - 1

    def below(p: tuple[Rational, ...]) -> bool:
        # conv(others) - R_+ e_2, cut off far below, is the hull of the others and their feet.
        others = [q for q in distinct if q != p]
        return inside(p, list(dict.fromkeys([*others, *((q[0], low) for q in others)])))

    expected = {p for p in distinct if not below(p)}
    assert {tuple(points[j]) for j in upper_hull(points).vertices} == expected


@given(clouds(most=7), st.randoms(use_true_random=False))
def test_order_does_not_matter(points: Cloud, random: Random) -> None:
    moved = random.sample(points, len(points))
    for hull_of in (convex_hull, upper_hull):
        vertices = {tuple(points[j]) for j in hull_of(points).vertices}
        assert {tuple(moved[j]) for j in hull_of(moved).vertices} == vertices


@given(clouds(most=7), st.integers(-(10**20), 10**20), st.integers(1, 5))
def test_translation_shear_and_scale_do_not_matter(points: Cloud, step: int, a: int) -> None:
    def image(point: list[Rational]) -> list[Rational]:
        first = sum((c * x for c, x in enumerate(point[1:], start=1)), a * point[0])
        return [first + step, *(Fraction(x, 7) - step for x in point[1:])]

    moved = [image(point) for point in points]
    assert convex_hull(moved).vertices == convex_hull(points).vertices
    if len(points[0]) > 1:
        lifted = [[*point[:-1], 3 * point[-1] + a * point[0] - step] for point in points]
        assert upper_hull(lifted).vertices == upper_hull(points).vertices


@given(clouds(most=6))
def test_repetition_does_not_matter(points: Cloud) -> None:
    once = convex_hull(points)
    twice = convex_hull(points + points)
    assert twice.vertices == once.vertices
    assert set(range(len(points), 2 * len(points))) <= set(twice.equals)


@given(clouds())
def test_the_hull_of_the_hull(points: Cloud) -> None:
    for hull_of in (convex_hull, upper_hull):
        vertices = [points[j] for j in hull_of(points).vertices]
        assert hull_of(vertices).vertices == tuple(range(len(vertices)))


@given(clouds(most=6))
def test_a_hull_is_two_upper_hulls_and_more(points: Cloud) -> None:
    down = [[*point[:-1], -point[-1]] for point in points]
    plain = set(convex_hull(points).vertices)
    assert set(upper_hull(points).vertices) | set(upper_hull(down).vertices) <= plain


def test_no_heights_is_no_lifting() -> None:
    draw = np.random.default_rng(2)
    keys = draw.integers(-3, 4, (40, 3)).tolist()
    assert upper_hull([[*key, 0] for key in keys]).vertices == convex_hull(keys).vertices


def test_known_polytopes() -> None:
    grid = [[a, b, c] for a in range(4) for b in range(4) for c in range(4)]
    assert convex_hull(grid).count == 8
    assert convex_hull(list(permutations(range(5)))).count == 120
    cross = [[s * (i == k) for i in range(6)] for k in range(6) for s in (1, -1)]
    assert convex_hull([*cross, [0] * 6]).vertices == tuple(range(12))
    parabola = [[x, -x * x] for x in range(-20, 21)]
    assert upper_hull(parabola).count == 41
    assert upper_hull([[x, x * x] for x in range(-20, 21)]).vertices == (0, 40)


def test_a_hair_off_a_facet() -> None:
    hair = Fraction(1, 10**40)
    square: Cloud = [[-1, -1], [-1, 1], [1, -1], [1, 1]]
    assert convex_hull([*square, [0, 1 + hair]]).vertices == (0, 1, 2, 3, 4)
    off: Cloud = [[0, 1], [0, 1 - hair], [1 - hair, 0]]
    for point in off:
        hull = convex_hull([*square, point])
        assert hull.vertices == (0, 1, 2, 3)
        assert faults(hull) == []


def test_coordinates_of_very_different_size() -> None:
    draw = np.random.default_rng(5)
    unit = draw.integers(-50, 51, (30, 3)).tolist()
    stretched = [[a * 10**30, Fraction(b, 10**30), c] for a, b, c in unit]
    assert convex_hull(stretched).vertices == convex_hull(unit).vertices
    assert faults(convex_hull(stretched)) == []


def test_points_like_the_keys_of_a_real_head() -> None:
    draw = np.random.default_rng(7)
    corners = draw.standard_normal((33, 32))
    mixed = draw.dirichlet(np.full(33, 0.2), 7) @ corners
    spread = np.exp(2 * draw.standard_normal(32))
    floats = (np.vstack([corners, mixed]) * spread).astype(np.float32)
    keys = [[Fraction(float(entry)) for entry in row] for row in floats]
    heights = [Fraction(float(b)) for b in draw.standard_normal(40).astype(np.float32)]
    flat = upper_hull([[*key, 0] for key in keys])
    assert faults(flat) == []
    assert set(range(33)) <= set(flat.vertices)
    assert faults(upper_hull([[*k, b] for k, b in zip(keys, heights, strict=True)])) == []


def test_many_points() -> None:
    draw = np.random.default_rng(9)
    points = np.rint(draw.standard_normal((600, 4)) * 1e6).astype(int).tolist()
    hull = convex_hull(points)
    assert faults(hull) == []
    assert 40 < hull.count < 200


@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
def test_pplpy_agrees(dimension: int) -> None:
    ppl = pytest.importorskip("ppl")
    draw = np.random.default_rng(dimension)
    variables = [ppl.Variable(k) for k in range(dimension)]
    for _ in range(60):
        points = draw.integers(-2, 3, (int(draw.integers(1, 12)), dimension)).tolist()
        system = ppl.Generator_System()
        for point in points:
            system.insert(ppl.point(sum(c * v for c, v in zip(point, variables, strict=True))))
        polytope = ppl.C_Polyhedron(system)
        expected = {
            tuple(int(g.coefficient(v)) for v in variables) for g in polytope.minimized_generators()
        }
        assert {tuple(points[j]) for j in convex_hull(points).vertices} == expected
        system.insert(ppl.ray(-variables[-1]))
        expected = {
            tuple(int(g.coefficient(v)) for v in variables)
            for g in ppl.C_Polyhedron(system).minimized_generators()
            if g.is_point()
        }
        assert {tuple(points[j]) for j in upper_hull(points).vertices} == expected


@pytest.mark.parametrize("hull_of", [convex_hull, upper_hull])
def test_the_checker_accepts_the_certificate_and_no_other(
    tmp_path: Path, hull_of: Callable[[Cloud], Hull]
) -> None:
    points: Cloud = [[0, 0], [3, 0], [0, 3], [1, 1], [3, 0], [Fraction(1, 2), -1], [1, 10**5000]]
    certificate = hull_of(points).certificate("tropical.cells")
    file = tmp_path / "hull.json"
    file.write_text(json.dumps(certificate))
    assert check_file(file).valid
    missing = json.loads(json.dumps(certificate))
    missing["data"]["vertices"].pop()
    missing["data"]["count"] -= 1
    file.write_text(json.dumps(missing))
    assert not check_file(file).valid
    moved = json.loads(json.dumps(certificate))
    moved["data"]["points"][moved["data"]["others"][0]["point"]] = [50, 50]
    file.write_text(json.dumps(moved))
    assert not check_file(file).valid


def test_the_same_call_gives_the_same_certificate() -> None:
    points = np.random.default_rng(1).integers(-9, 10, (40, 3)).tolist()
    assert convex_hull(points).certificate() == convex_hull(points).certificate()


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "at least 1 row"),
        ([[]], "at least one coordinate"),
        ([[0, 1], [2, 0.5]], r"points\[1\]\[1\]: .*float 0.5"),
        ([[0, 1], [2]], r"points\[1\]: expected 2 numbers, found 1"),
        ([[0], ["2/4"]], r"points\[1\]\[0\]: .*not reduced"),
        ([[None]], "None"),
        ("points", "list of lists"),
        (None, "list of lists"),
    ],
)
def test_wrong_points_are_refused(points: Cloud, message: str) -> None:
    for hull_of in (convex_hull, upper_hull):
        with pytest.raises(InputError, match=message):
            hull_of(points)
