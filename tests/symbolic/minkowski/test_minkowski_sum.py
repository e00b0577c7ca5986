"""Minkowski sums: laws, hand values, an exact brute force, and other programs."""

import json
import random
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.errors import InputError, LimitReached
from headproof.symbolic.minkowski import boundary, rounds
from headproof.symbolic.minkowski.cells import Inconsistent
from headproof.symbolic.minkowski.cofactors import primitive
from headproof.symbolic.minkowski.exact_wrap import exact_wrap
from headproof.symbolic.minkowski.minkowski_sum import MinkowskiSum, minkowski_sum
from headproof.symbolic.minkowski.mixed_cells import Exploration, wrap
from headproof.symbolic.minkowski.pivots import Pivots
from headproof.symbolic.minkowski.planar import planar
from headproof.symbolic.minkowski.rounds import Outcome
from headproof.symbolic.minkowski.summands import configuration, distinct

CASES = Path(__file__).parents[2] / "cases" / "polyhedra"

# Counts on which PyNormaliz, pplpy, pycddlib, polymake and qhull agree, as far as they finished.
COUNTS = {
    "minkowski_d2_N50_H4": (45, 45),
    "minkowski_d3_N12_H3": (66, 83),
    "minkowski_d3_N30_H4": (271, 331),
    "minkowski_d4_N10_H3": (188, 349),
    "minkowski_d4_N12_H4": (575, 946),
    "minkowski_d5_N8_H3": (253, 678),
    "minkowski_d6_N8_H4": (1355, 5004),
    "minkowski_zono_d5_n14": (2186, 2002),
}


def check(found: MinkowskiSum) -> None:
    """The certificate, through JSON and the independent checker."""
    KINDS["minkowski"](json.loads(json.dumps(found.certificate()))["data"], Budget())


# Brute force -------------------------------------------------------------------------------


def feasible(rows: Any, right: Any) -> bool:
    """Whether A w = b has a solution w >= 0: the simplex method with Bland's rule, exactly."""
    table = [
        [Fraction(x) if b >= 0 else -Fraction(x) for x in row] + [abs(Fraction(b))]
        for row, b in zip(rows, right, strict=True)
    ]
    columns, basis = len(rows[0]), [-1] * len(rows)
    while True:
        # Artificial variables (-1) have cost 1: reduced costs are the sums of their rows.
        active = [r for r, b in enumerate(basis) if b < 0]
        if sum(table[r][-1] for r in active) == 0:
            return True
        enter = next((c for c in range(columns) if sum(table[r][c] for r in active) > 0), None)
        if enter is None:
            return False
        _, _, leave = min(
            (row[-1] / row[enter], basis[r], r) for r, row in enumerate(table) if row[enter] > 0
        )
        pivot = table[leave] = [x / table[leave][enter] for x in table[leave]]
        for r, row in enumerate(table):
            if r != leave and row[enter]:
                table[r] = [x - row[enter] * y for x, y in zip(row, pivot, strict=True)]
        basis[leave] = enter


def extreme(point: Any, others: Any) -> bool:
    """Whether a point is not in the convex hull of the others."""
    if not others:
        return True
    rows = [[q[c] for q in others] for c in range(len(point))] + [[1] * len(others)]
    return not feasible(rows, [*point, 1])


def echelon(vectors: Any) -> Any:
    """Reduced rows and pivot columns."""
    rows, pivots = [[Fraction(x) for x in v] for v in vectors], []
    done = 0
    for c in range(len(rows[0]) if rows else 0):
        r = next((r for r in range(done, len(rows)) if rows[r][c]), None)
        if r is None:
            continue
        rows[done], rows[r] = rows[r], rows[done]
        rows[done] = [x / rows[done][c] for x in rows[done]]
        for s in range(len(rows)):
            if s != done:
                rows[s] = [x - rows[s][c] * y for x, y in zip(rows[s], rows[done], strict=True)]
        done += 1
        pivots.append(c)
    return rows[:done], pivots


def count_facets(vertices: Any) -> int:
    """Facets of the convex hull in its affine hull, by trying all hyperplanes through vertices."""
    moved = [[x - y for x, y in zip(v, vertices[0], strict=True)] for v in vertices]
    _, columns = echelon(moved)
    k = len(columns)
    if k == 0:
        return 0
    points = [tuple(v[c] for c in columns) for v in moved]
    facets = set()
    for chosen in combinations(points, k):
        edges = [[x - y for x, y in zip(p, chosen[0], strict=True)] for p in chosen[1:]]
        rows, pivots = echelon(edges) if edges else ([], [])
        if len(pivots) < k - 1:
            continue
        free = next(c for c in range(k) if c not in pivots)
        normal = [Fraction(0)] * k
        normal[free] = Fraction(1)
        for row, c in zip(rows, pivots, strict=True):
            normal[c] = -row[free]
        values = [sum(a * b for a, b in zip(normal, p, strict=True)) for p in points]
        level = values[points.index(chosen[0])]
        if all(v <= level for v in values) or all(v >= level for v in values):
            facets.add(frozenset(i for i, v in enumerate(values) if v == level))
    return len(facets)


def brute(summands: Any) -> Any:
    """Vertices, choices and facets from all N^H sums."""
    first = [distinct([tuple(p) for p in points]) for points in summands]
    sums: dict[Any, list[Any]] = {}
    for choice in product(*first):
        chosen = [summands[h][j] for h, j in enumerate(choice)]
        point = tuple(sum(xs) for xs in zip(*chosen, strict=True))
        sums.setdefault(point, []).append(choice)
    vertices = sorted(p for p in sums if extreme(p, [q for q in sums if q != p]))
    assert all(len(sums[v]) == 1 for v in vertices)
    return vertices, [sums[v][0] for v in vertices], count_facets(vertices)


NUMBERS = st.integers(-2, 2) | st.fractions(-2, 2, max_denominator=2)


@st.composite
def degenerate(draw: Any) -> Any:
    """Few points with few coordinates: ties, parallel edges, flats, repetitions."""
    d = draw(st.integers(1, 3))
    number = draw(st.sampled_from([st.integers(-1, 1), st.integers(-2, 2), NUMBERS]))
    point = st.lists(number, min_size=d, max_size=d)
    summands = draw(
        st.lists(st.lists(point, min_size=1, max_size=4), min_size=1, max_size=2 if d == 3 else 3)
    )
    if draw(st.booleans()) and len(summands) < 3:
        summands.append(draw(st.sampled_from(summands)))
    return summands


@given(degenerate())
@example([[[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], [[0, 0, 0], [0, 0, 1]]])
@example([[[0, 0], [1, 1]], [[0, 0], [2, 2]], [[3, 3]]])
@example([[[1], [5], [Fraction(7, 2)]], [[0]]])
def test_agrees_with_brute_force(summands: Any) -> None:
    found = minkowski_sum(summands)
    vertices, choices, facets = brute(summands)
    assert list(found.vertices) == vertices
    assert list(found.choices) == choices
    assert found.facets == facets
    check(found)


def test_brute_force_knows_the_cube() -> None:
    cube = [[[0, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [1, 0, 0], [1, 0, 0]]]
    vertices, _, facets = brute(cube)
    assert (len(vertices), facets) == (8, 6)


# Values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COUNTS)
def test_shared_cases(name: str) -> None:
    found = minkowski_sum(json.loads((CASES / f"{name}.json").read_text())["summands"])
    assert (len(found.vertices), found.facets) == COUNTS[name]
    check(found)


def no_biases(d: int, sizes: Any) -> Any:
    """Keys t_j (a_h, 0) - t_j^2 e_d with generic a_h: THEORY A8."""
    generator = random.Random(f"{d} {sizes}")
    summands = []
    for n in sizes:
        a = [generator.randint(-(10**6), 10**6) for _ in range(d - 1)]
        ts = generator.sample(range(-40, 41), n)
        summands.append([[*(t * x for x in a), -t * t] for t in ts])
    return summands


@pytest.mark.parametrize(
    ("d", "sizes", "count"),
    [
        (3, (3, 3, 3), 20),
        (3, (4, 4, 4), 38),
        (3, (3, 3, 3, 3), 36),
        (4, (3, 3, 3, 3), 66),
        (3, (2, 3, 4), 19),
        (4, (2, 3, 3, 4), 61),
    ],
)
def test_tropical_without_biases_attains_its_maximum(d: int, sizes: Any, count: int) -> None:
    found = minkowski_sum(no_biases(d, sizes))
    assert len(found.vertices) == count
    check(found)


def test_cubes_and_crosses() -> None:
    for d in range(1, 7):
        axes = [[int(i == j) for j in range(d)] for i in range(d)]
        cube = minkowski_sum([[[0] * d, axis] for axis in axes])
        assert (len(cube.vertices), cube.facets) == (2**d, 2 * d)
        cross = axes + [[-x for x in axis] for axis in axes]
        doubled = minkowski_sum([cross, cross])
        assert (len(doubled.vertices), doubled.facets) == (2 * d, 2**d)
        check(cube)
        check(doubled)


def test_permutohedron() -> None:
    """Segments e_i e_j in R^5: a flat sum of dimension 4 with 120 vertices and 30 facets."""
    axes = [[int(i == j) for j in range(5)] for i in range(5)]
    found = minkowski_sum([[a, b] for a, b in combinations(axes, 2)])
    assert (len(found.vertices), found.facets, found.dimension) == (120, 30, 4)
    check(found)


def test_more_candidates_than_int64_can_count() -> None:
    """70 segments in R^3: 2^70 sums, 2 (1 + 69 + C(69, 2)) vertices, 70 * 69 facets."""
    generator = random.Random(5)
    segments = [[[0] * 3, [generator.randint(-999, 999) for _ in range(3)]] for _ in range(70)]
    found = minkowski_sum(segments)
    assert (len(found.vertices), found.facets) == (4832, 4830)
    check(found)


# Laws --------------------------------------------------------------------------------------


def random_summands(seed: int, d: int, H: int, N: int, size: int) -> Any:
    generator = random.Random(seed)
    return [
        [[generator.randint(-size, size) for _ in range(d)] for _ in range(N)] for _ in range(H)
    ]


@pytest.mark.parametrize("size", [2, 1000])
def test_laws(size: int) -> None:
    for seed, d in enumerate((2, 3, 4)):
        summands = random_summands(seed, d, 3, 5, size)
        found = minkowski_sum(summands)
        check(found)

        turned = minkowski_sum(summands[::-1])
        assert turned.vertices == found.vertices
        assert turned.choices == tuple(c[::-1] for c in found.choices)
        assert turned.facets == found.facets

        back = minkowski_sum([points[::-1] for points in summands])
        assert back.vertices == found.vertices

        far = [[[x + 10**30 for x in p] for p in points] for points in summands]
        assert minkowski_sum(far).choices == found.choices
        check(minkowski_sum(far))

        large = [[[x * 10**30 for x in p] for p in points] for points in summands]
        assert minkowski_sum(large).choices == found.choices
        assert minkowski_sum(large).facets == found.facets

        small = [[[Fraction(x, 7) for x in p] for p in points] for points in summands]
        scaled = minkowski_sum(small)
        assert scaled.vertices == tuple(tuple(Fraction(x, 7) for x in v) for v in found.vertices)
        check(scaled)

        twice = minkowski_sum([points + points for points in summands])
        assert (twice.vertices, twice.choices) == (found.vertices, found.choices)

        doubled = minkowski_sum(summands + summands)
        assert doubled.vertices == tuple(tuple(2 * x for x in v) for v in found.vertices)
        assert doubled.facets == found.facets
        check(doubled)

        lifted = minkowski_sum([[[*p, sum(p)] for p in points] for points in summands])
        assert (lifted.choices, lifted.facets) == (found.choices, found.facets)
        check(lifted)


@pytest.mark.parametrize("power", [3, 6, 12, 30])
def test_sheared_input_is_right_when_floats_are_not(power: int) -> None:
    summands = random_summands(1, 3, 3, 6, 50)
    K = 10**power
    sheared = [[[p[0], p[1] + K * p[0], p[2] + K * p[1]] for p in points] for points in summands]
    found = minkowski_sum(sheared)
    assert set(found.choices) == set(minkowski_sum(summands).choices)
    check(found)


@pytest.mark.parametrize("power", [20, 400])
def test_nearly_degenerate_input(power: int) -> None:
    # Relative to the largest numbers a slack is no normal float at the power 400.
    generator = random.Random(2)
    summands = [
        [[x * 10**power + generator.randint(-1, 1) for x in p] for p in points]
        for points in random_summands(3, 3, 2, 4, 2)
    ]
    found = minkowski_sum(summands)
    vertices, choices, _ = brute(summands)
    assert (list(found.vertices), list(found.choices)) == (vertices, choices)
    check(found)


def test_numbers_of_thousands_of_digits() -> None:
    found = minkowski_sum(random_summands(4, 3, 2, 5, 10**5000))
    check(found)
    assert any("0x" in str(x) for v in found.certificate()["data"]["vertices"] for x in v)


@pytest.mark.parametrize("size", [1, 60])
def test_a_cell_found_twice_is_noticed(size: int) -> None:
    points = random_summands(5, 3, 2, 5, size)
    summands = [[tuple(p) for p in s] for s in points]
    conf = configuration(summands, [distinct(s) for s in summands])
    once = wrap(conf)
    for times in (1, 2):
        exploration = Exploration(Pivots(conf, 0, careful=not once.simple))
        for _ in range(times):
            assert not len(exploration.add(once.cells))
            exploration.learn(
                Outcome(once.normals, once.plain, once.cells[:0], once.cells[:0].ravel())
            )
        if times == 1:
            assert len(exploration.proved().cells) == len(once.cells)
        else:
            with pytest.raises(Inconsistent, match="found twice"):
                exploration.proved()


@pytest.mark.parametrize("size", [1, 2, 60])
def test_both_gift_wrappings_find_the_same_cells(size: int) -> None:
    for seed in range(10):
        summands = [
            [tuple(p) for p in points] for points in random_summands(seed, 3 + seed % 2, 3, 4, size)
        ]
        conf = configuration(summands, [distinct(points) for points in summands])
        if conf.dimension < 3:
            continue
        fast, exact = wrap(conf, seed=seed), exact_wrap(conf, seed=seed)
        assert fast.simple == exact.simple
        assert cells(fast) == cells(exact)


@pytest.mark.parametrize("size", [1, 2, 5, 1000])
def test_ties_do_not_need_the_fallback(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("floats were not enough")

    monkeypatch.setattr(boundary, "exact_wrap", refuse)
    monkeypatch.setattr(boundary, "_FLOAT_ATTEMPTS", 1)
    for seed, (d, N, H) in enumerate([(3, 12, 3), (3, 20, 4), (4, 10, 3), (5, 7, 3)]):
        check(minkowski_sum(random_summands(seed, d, H, N, size)))


def cells(found: Any) -> Any:
    vectors = primitive(found.normals).T.tolist()
    return {
        (tuple(c), tuple(map(int, n))) for c, n in zip(found.cells.tolist(), vectors, strict=True)
    }


# Seeds, processes, limits, progress -----------------------------------------------------------


def test_the_answer_does_not_depend_on_the_seed() -> None:
    summands = random_summands(6, 4, 3, 5, 1)
    found = [minkowski_sum(summands, seed=seed) for seed in range(5)]
    assert all(other == found[0] for other in found)
    generic = random_summands(6, 4, 3, 5, 1000)
    assert minkowski_sum(generic, seed=1).certificate() == minkowski_sum(generic).certificate()


def test_processes_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rounds, "_WORTH_SENDING", 50)
    for size in (1, 1000):
        summands = random_summands(7, 4, 3, 6, size)
        alone, together = minkowski_sum(summands), minkowski_sum(summands, jobs=2)
        assert alone == together
        assert alone.certificate() == together.certificate()


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for size in (1, 1000):
        summands = random_summands(8, 4, 3, 6, size)
        whole = minkowski_sum(summands)
        with monkeypatch.context() as patch:
            patch.setattr(rounds, "_ENTRIES", 100)
            assert minkowski_sum(summands).certificate() == whole.certificate()


@pytest.mark.parametrize("size", [1, 1000, 10**30])
def test_limit(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    summands = random_summands(9, 4, 3, 6, size)
    facets = minkowski_sum(summands).facets
    assert minkowski_sum(summands, limit=facets).facets == facets
    with pytest.raises(LimitReached, match=rf"over the limit of {facets - 1}"):
        minkowski_sum(summands, limit=facets - 1)
    monkeypatch.setattr(boundary, "_FLOAT_ATTEMPTS", 0)
    with pytest.raises(LimitReached):
        minkowski_sum(summands, limit=facets // 2)


def test_limit_in_the_plane() -> None:
    with pytest.raises(LimitReached, match="found 4 facets"):
        minkowski_sum([[[0, 0], [1, 0]], [[0, 0], [0, 1]]], limit=3)
    conf = configuration([[(0, 0), (1, 0)], [(0, 0), (0, 1)]], [[0, 1], [0, 1]])
    with pytest.raises(LimitReached, match="found 4 facets"):
        planar(conf, 3)
    assert len(planar(conf, 4)[1]) == 4


@pytest.mark.parametrize("option", ["limit", "jobs"])
@pytest.mark.parametrize("value", [0, -1])
def test_limit_and_jobs_are_positive(option: str, value: int) -> None:
    options: dict[str, Any] = {option: value}
    with pytest.raises(InputError, match=rf"{option}: expected an integer >= 1, found {value}"):
        minkowski_sum([[[0]]], **options)


def test_progress_and_interruption() -> None:
    seen: list[tuple[int, int]] = []
    minkowski_sum(random_summands(9, 4, 3, 6, 1000), progress=lambda *x: seen.append(x))
    assert seen[-1][1] == 0
    assert [count for count, _ in seen] == sorted(count for count, _ in seen)

    def interrupt(found: int, still_open: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        minkowski_sum(random_summands(9, 4, 3, 6, 1000), progress=interrupt)


@pytest.mark.parametrize(
    ("summands", "message"),
    [
        ([], "at least one summand"),
        ([[]], "at least one point"),
        ([[[]]], "at least one coordinate"),
        ([[[0, 0], [1]]], "expected 2 coordinates, found 1"),
        ([[[0, 0]], [[1, 2, 3]]], r"summands\[1\]\[0\]: expected 2 coordinates"),
        ([[[0.5, 0]]], r"summands\[0\]\[0\]\[0\]: .*found the float 0.5; write it as \"1/2\""),
        ([[[0, 0], [True, 0]]], r"\[0\]\[1\]\[0\]: .*found the truth value True"),
        ([[[0, "2/4"]]], r"\[0\]\[0\]\[1\]: .*not reduced; write .1/2"),
        ([["ab"]], "a list of coordinates"),
        ([[1, 2]], "a list of coordinates"),
        ("ab", "a list of summands"),
        (None, "a list of summands"),
        ([3], "a list of points"),
    ],
)
def test_input_errors(summands: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        minkowski_sum(summands)


def test_numbers_may_be_written_as_in_files() -> None:
    written: list[Any] = [[["1/2", 0], [0, np.int64(3)]], [[0, "-7/3"]]]
    exact: list[Any] = [[[Fraction(1, 2), 0], [0, 3]], [[0, Fraction(-7, 3)]]]
    assert minkowski_sum(written) == minkowski_sum(exact)
    assert minkowski_sum(written).vertices == minkowski_sum(exact).vertices


# Other programs ----------------------------------------------------------------------------


def pplpy_sum(summands: Any) -> Any:
    """Vertices and number of facets, one summand at a time."""
    ppl = pytest.importorskip("ppl", reason="pplpy comes with the extra [test]")
    d = len(summands[0][0])
    axes = [ppl.Variable(i) for i in range(d)]
    vertices: Any = {(0,) * d}
    for points in summands:
        system = ppl.Generator_System()
        for p in {
            tuple(a + b for a, b in zip(v, q, strict=True)) for v in vertices for q in points
        }:
            form = sum((x * c for x, c in zip(axes, p, strict=True)), 0 * axes[-1])
            system.insert(ppl.point(form))
        hull = ppl.C_Polyhedron(system)
        vertices = {tuple(map(int, g.coefficients())) for g in hull.minimized_generators()}
    return vertices, sum(1 for c in hull.minimized_constraints() if c.is_inequality())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(8))
def test_thousands_of_degenerate_sums_agree_with_pplpy(seed: int) -> None:
    generator = random.Random(seed)
    for case in range(1000):
        d, size = generator.randint(1, 4), generator.randint(1, 2)
        summands = [
            [
                [generator.randint(-size, size) for _ in range(d)]
                for _ in range(generator.randint(1, 6))
            ]
            for _ in range(generator.randint(1, 3))
        ]
        if generator.random() < 0.3:
            summands.append(generator.choice(summands))
        found = minkowski_sum(summands, seed=case)
        vertices, facets = pplpy_sum(summands)
        assert (set(found.vertices), len(found.vertices)) == (vertices, len(vertices)), summands
        assert found.facets == facets, summands
        check(found)
