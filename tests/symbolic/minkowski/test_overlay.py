"""Overlays of power diagrams: maxima, laws, an exact brute force, and other programs."""

import json
import random
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.errors import InputError, LimitReached
from headproof.symbolic.minkowski import boundary, rounds
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.minkowski.overlay import Overlay, most_cells, overlay

CASES = Path(__file__).parents[2] / "cases" / "polyhedra"
COUNTS = {
    "overlay_d1_N10_H3": 15,
    "overlay_d2_N8_H2": 25,
    "overlay_d2_N10_H3": 76,
    "overlay_d3_N6_H3": 80,
    "overlay_d3_N8_H4": 283,
}


def check(found: Overlay) -> None:
    """The certificate, through JSON and the independent checker."""
    KINDS["overlay"](json.loads(json.dumps(found.certificate()))["data"], Budget())


# Brute force -------------------------------------------------------------------------------


def feasible(rows: Any, right: Any) -> bool:
    """Whether A w = b has a solution w >= 0: the simplex method with Bland's rule, exactly."""
    table = [
        [Fraction(x) if b >= 0 else -Fraction(x) for x in row] + [abs(Fraction(b))]
        for row, b in zip(rows, right, strict=True)
    ]
    columns, basis = len(rows[0]), [-1] * len(rows)
    while True:
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


def wins_somewhere(label: Any, scores: Any) -> bool:
    """Whether the open cell of a label is not empty (Gordan: no combination of the rivals)."""
    differences = {
        tuple(a - b for a, b in zip(rival, head[j], strict=True))
        for head, j in zip(scores, label, strict=True)
        for rival in head
        if rival != head[j]
    }
    if not differences:
        return True
    # Empty iff weights w >= 0, sum 1, with sum w (kappa - kappa_j) = 0 and sum w (b - b_j) >= 0.
    rows = [[v[c] for v in differences] for c in range(len(next(iter(differences))) - 1)]
    rows = [[*row, 0] for row in rows]
    rows.append([*(v[-1] for v in differences), -1])
    rows.append([1] * len(differences) + [0])
    return not feasible(rows, [0] * (len(rows) - 1) + [1])


def brute(heads: Any) -> Any:
    scores = [
        [(*k, b) for k, b in zip(h["keys"], h.get("biases", [0] * len(h["keys"])), strict=True)]
        for h in heads
    ]
    lowest = [[j for j, s in enumerate(head) if head.index(s) == j] for head in scores]
    return [label for label in product(*lowest) if wins_somewhere(label, scores)]


@st.composite
def degenerate(draw: Any) -> Any:
    d = draw(st.integers(1, 3))
    number = draw(st.sampled_from([st.integers(-1, 1), st.fractions(-2, 2, max_denominator=2)]))
    heads = []
    for _ in range(draw(st.integers(1, 3))):
        n = draw(st.integers(1, 4))
        key = st.lists(number, min_size=d, max_size=d)
        head = {"keys": draw(st.lists(key, min_size=n, max_size=n))}
        if draw(st.booleans()):
            head["biases"] = draw(st.lists(number, min_size=n, max_size=n))
        heads.append(head)
    if draw(st.booleans()) and len(heads) < 3:
        heads.append(draw(st.sampled_from(heads)))
    return heads


@given(degenerate())
@example([{"keys": [[-1], [0], [1]]}])
@example([{"keys": [[0, 0], [0, 0]], "biases": [1, 2]}, {"keys": [[3, 3]]}])
@example(
    [{"keys": [[0, 0], [1, 0]], "biases": [0, 0]}, {"keys": [[0, 0], [2, 0]], "biases": [0, 1]}]
)
def test_agrees_with_brute_force(heads: Any) -> None:
    found = overlay(heads)
    assert list(found.labels) == brute(heads)
    assert found.cells == len(found.labels) <= found.bound
    check(found)


# Values ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", COUNTS)
def test_shared_cases(name: str) -> None:
    found = overlay(json.loads((CASES / f"{name}.json").read_text())["heads"])
    assert found.cells == COUNTS[name] <= found.bound
    check(found)


def parallel_families(d: int, sizes: Any) -> Any:
    """Each head reads one generic linear form: N - 1 parallel hyperplanes (THEORY A7)."""
    generator = random.Random(f"{d} {sizes}")
    heads = []
    for n in sizes:
        form = [generator.randint(-99, 99) for _ in range(d)]
        shift = generator.randint(-50, 50)
        heads.append(
            {
                "keys": [[j * x for x in form] for j in range(n)],
                "biases": [-(j * j) * 1000 + shift * j for j in range(n)],
            }
        )
    return heads


@pytest.mark.parametrize(
    ("d", "sizes", "count"),
    [
        (2, (3, 3, 3), 19),
        (2, (3, 3, 3, 3), 33),
        (3, (4, 4, 4), 64),
        (3, (4, 4, 4, 4), 175),
        (2, (2, 3, 4), 18),
        (1, (4, 4, 4), 10),
        (5, (3, 3), 9),
        (4, (2, 2, 2, 2, 2, 2), 57),
    ],
)
def test_tropical_maximum_is_attained(d: int, sizes: Any, count: int) -> None:
    found = overlay(parallel_families(d, sizes))
    assert found.cells == found.bound == count == most_cells(d, sizes)
    check(found)


def test_without_biases_the_cells_are_the_vertices_of_the_sum() -> None:
    generator = random.Random(3)
    for d in (1, 2, 3):
        keys = [[[generator.randint(-9, 9) for _ in range(d)] for _ in range(5)] for _ in range(3)]
        found = overlay([{"keys": k} for k in keys])
        assert found.labels == tuple(sorted(minkowski_sum(keys).choices))
        check(found)


def test_the_bound_counts_distinct_scores() -> None:
    head: Any = {"keys": [[0], [1], [1], [1]], "biases": [0, 0, 0, 5]}
    assert overlay([head]).bound == 3
    assert overlay([head]).labels == ((0,), (3,))


# Laws --------------------------------------------------------------------------------------


def random_heads(seed: float, d: int, H: int, N: int, size: int) -> Any:
    generator = random.Random(seed)
    return [
        {
            "keys": [[generator.randint(-size, size) for _ in range(d)] for _ in range(N)],
            "biases": [generator.randint(-size, size) for _ in range(N)],
        }
        for _ in range(H)
    ]


@pytest.mark.parametrize("size", [1, 300])
def test_laws(size: int) -> None:
    for seed, d in enumerate((1, 2, 3)):
        heads = random_heads(seed, d, 3, 5, size)
        found = overlay(heads)
        check(found)

        turned = overlay(heads[::-1])
        assert turned.labels == tuple(sorted(label[::-1] for label in found.labels))

        # The same function of x + c, plus a constant for each head.
        moved = overlay(
            [
                {
                    "keys": h["keys"],
                    "biases": [
                        b + 7 * sum(k) + i for k, b in zip(h["keys"], h["biases"], strict=True)
                    ],
                }
                for i, h in enumerate(heads)
            ]
        )
        assert moved.labels == found.labels

        large = overlay(
            [
                {
                    "keys": [[x * 10**30 for x in k] for k in h["keys"]],
                    "biases": [b * 10**40 for b in h["biases"]],
                }
                for h in heads
            ]
        )
        assert large.labels == found.labels
        check(large)

        doubled = overlay(heads + heads)
        assert doubled.labels == tuple(label + label for label in found.labels)
        check(doubled)

        # One more coordinate that depends on the others does not matter.
        lifted = overlay(
            [{"keys": [[*k, 2 * k[0]] for k in h["keys"]], "biases": h["biases"]} for h in heads]
        )
        assert lifted.labels == found.labels
        check(lifted)


@pytest.mark.parametrize("size", [1, 2, 5, 300])
def test_ties_do_not_need_the_fallback(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("floats were not enough")

    monkeypatch.setattr(boundary, "exact_wrap", refuse)
    monkeypatch.setattr(boundary, "_FLOAT_ATTEMPTS", 1)
    for seed, (d, N, H) in enumerate([(2, 10, 3), (3, 8, 4), (4, 5, 3)]):
        check(overlay(random_heads(seed, d, H, N, size)))


def test_processes_and_seeds_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    heads = random_heads(4, 3, 3, 6, 300)
    whole = overlay(heads)
    assert overlay(heads, seed=5).certificate() == whole.certificate()
    monkeypatch.setattr(rounds, "_ENTRIES", 200)
    assert overlay(heads).certificate() == whole.certificate()
    flat = random_heads(4, 3, 3, 5, 1)
    assert overlay(flat, seed=5) == overlay(flat)


def test_nearly_coinciding_scores() -> None:
    generator = random.Random(3)
    far = 10**400
    heads = [
        {
            "keys": [[x * far + generator.randint(-2, 2) for x in key] for key in head["keys"]],
            "biases": [b * far for b in head["biases"]],
        }
        for head in random_heads(3, 2, 2, 4, 1)
    ]
    found = overlay(heads)
    assert list(found.labels) == brute(heads)
    check(found)


@pytest.mark.parametrize("size", [1, 300])
def test_limit(size: int) -> None:
    heads = random_heads(5, 3, 3, 6, size)
    cells = overlay(heads).cells
    assert overlay(heads, limit=cells).cells == cells
    with pytest.raises(LimitReached, match=rf"over the limit of {cells - 1}"):
        overlay(heads, limit=cells - 1)
    with pytest.raises(LimitReached):
        overlay(heads, limit=3)


@pytest.mark.parametrize("size", [1, 300])
def test_limit_stops_the_exact_fallback_early(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(boundary, "_FLOAT_ATTEMPTS", 0)
    seen: list[int] = []
    heads = random_heads(5, 3, 3, 6, size)
    with pytest.raises(LimitReached):
        overlay(heads, limit=3, progress=lambda cells, _: seen.append(cells))
    assert seen[-1] < overlay(heads).cells


@pytest.mark.parametrize(
    ("heads", "message"),
    [
        ([], "at least one head"),
        ("ab", "a list of heads"),
        ([[[0]]], 'an object with "keys" and "biases"'),
        ([{"biases": [1]}], '"keys"'),
        ([{"keys": [[0]], "bias": [1]}], "only"),
        ([{"keys": [[0]], "biases": [1, 2]}], "1 biases, one for each key"),
        ([{"keys": [[0]], "biases": 1}], "a list of numbers"),
        ([{"keys": [[0]], "biases": [0.5]}], r"heads\[0\].biases\[0\]: .*found the float 0.5"),
        ([{"keys": [[0], [0, 1]]}], r"heads\[0\].keys\[1\]: expected 1 coordinates"),
        ([{"keys": [[0]]}, {"keys": [[0, 1]]}], "expected 1 coordinates"),
        ([{"keys": []}], "at least one point"),
    ],
)
def test_input_errors(heads: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        overlay(heads)


# Other programs ----------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_thousands_of_degenerate_overlays_agree_with_pplpy(seed: int) -> None:
    ppl = pytest.importorskip("ppl", reason="pplpy comes with the extra [test]")
    generator = random.Random(seed)
    for case in range(1000):
        d, size = generator.randint(1, 3), generator.randint(1, 2)
        heads = [
            h
            for _ in range(generator.randint(1, 3))
            for h in random_heads(generator.random(), d, 1, generator.randint(1, 6), size)
        ]
        if generator.random() < 0.3:
            heads.append(generator.choice(heads))
        axes = [ppl.Variable(i) for i in range(d + 1)]
        vertices: Any = {(0,) * (d + 1)}
        lifted = [[(*k, b) for k, b in zip(h["keys"], h["biases"], strict=True)] for h in heads]
        for points in lifted:
            system = ppl.Generator_System()
            sums = {
                tuple(a + b for a, b in zip(v, q, strict=True)) for v in vertices for q in points
            }
            for p in sums:
                system.insert(
                    ppl.point(sum(x * c for x, c in zip(axes, p, strict=True)) + 0 * axes[-1])
                )
            system.insert(ppl.ray(-1 * axes[-1]))
            generators = ppl.C_Polyhedron(system).minimized_generators()
            vertices = {tuple(map(int, g.coefficients())) for g in generators if g.is_point()}
        found = overlay(heads, seed=case)
        sums_of_labels = [
            tuple(map(sum, zip(*(lifted[h][j] for h, j in enumerate(label)), strict=True)))
            for label in found.labels
        ]
        assert (set(sums_of_labels), len(sums_of_labels)) == (vertices, len(vertices)), heads
        check(found)
