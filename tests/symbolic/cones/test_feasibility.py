import json
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from operator import eq, le, lt
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.symbolic.cones import feasibility
from headproof.symbolic.cones.feasibility import (
    Decision,
    Relation,
    feasible,
    strict_cone,
    strict_cones,
)
from headproof.symbolic.cones.proposal import Floats, Proposals
from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import Rational

Condition = tuple[Sequence[Rational], Relation, Rational]
CASES = Path(__file__).parents[2] / "cases" / "polyhedra"
NUMBERS = st.one_of(
    st.integers(-2, 2),
    st.builds(Fraction, st.integers(-9, 9), st.integers(1, 3)),
    st.builds(Fraction, st.integers(-(10**30), 10**30), st.sampled_from((1, 10**40))),
)


@st.composite
def programs(draw: st.DrawFn) -> tuple[int, list[Condition]]:
    n = draw(st.integers(0, 4))
    row = st.lists(NUMBERS, min_size=n, max_size=n)
    relations: tuple[Relation, ...] = ("<=", "<", "=")
    condition = st.tuples(row, st.sampled_from(relations), NUMBERS)
    return n, draw(st.lists(condition, max_size=7))


def proves(conditions: Sequence[Condition], n: int, answer: Decision) -> bool:
    """Whether a decision shows what it says, by the definition and nothing else."""
    if answer.feasible:
        x = answer.witness
        if x is None or len(x) != n or answer.multipliers is not None:
            return False
        values = [(sum(a * c for a, c in zip(row, x, strict=True)), b) for row, _, b in conditions]
        test = {"<=": le, "<": lt, "=": eq}
        return all(test[c[1]](v, b) for c, (v, b) in zip(conditions, values, strict=True))
    y = answer.multipliers
    if y is None or len(y) != len(conditions) or answer.witness is not None:
        return False
    signs = all(w >= 0 or c[1] == "=" for w, c in zip(y, conditions, strict=True))
    left = [sum(w * c[0][k] for w, c in zip(y, conditions, strict=True)) for k in range(n)]
    right = sum(w * c[2] for w, c in zip(y, conditions, strict=True))
    counts = any(w > 0 and c[1] == "<" for w, c in zip(y, conditions, strict=True))
    return signs and not any(left) and (right < 0 or (right == 0 and counts))


def cone(rows: Sequence[Sequence[Rational]]) -> list[Condition]:
    return [([-entry for entry in row], "<", 0) for row in rows]


@given(programs())
@example((1, [([1], "<=", 0), ([-1], "<=", 0)]))
@example((1, [([1], "<", 0), ([-1], "<=", 0)]))
@example((2, [([1, 1], "=", 1), ([1, 1], "=", Fraction(1) + Fraction(1, 10**40))]))
def test_every_decision_is_proved(case: tuple[int, list[Condition]]) -> None:
    n, conditions = case
    assert proves(conditions, n, feasible(conditions, dimension=n))
    rows = [row for row, _, _ in conditions]
    assert proves(cone(rows), n, strict_cone(rows, dimension=n))


def test_the_proof_test_rejects() -> None:
    system: list[Condition] = [([1], "<", 0), ([-1], "<=", 0)]
    assert proves(system, 1, Decision(False, multipliers=(1, 1)))
    assert not proves(system, 1, Decision(False, multipliers=(1, 2)))
    assert not proves(system, 1, Decision(False, multipliers=(0, 0)))
    assert not proves(system, 1, Decision(True, witness=(0,)))
    assert not proves([([1], "=", 0)], 1, Decision(False, multipliers=(-1,)))


def test_shared_cones_are_right_with_proofs() -> None:
    case = json.loads((CASES / "cones_200x6.json").read_text())
    answers = strict_cones(case["cones"])
    assert [answer.feasible for answer in answers] == case["feasible"]
    for rows, answer in zip(case["cones"], answers, strict=True):
        assert proves(cone(rows), 6, answer)


def nonsense(systems: Floats) -> Proposals:
    B, m, n = systems.shape
    draw = np.random.default_rng(B)
    return Proposals(draw.integers(-1, m, (B, n + 1)), draw.standard_normal((B, n)), np.zeros(B))


def broken(systems: Floats) -> Proposals:
    B, _, n = systems.shape
    return Proposals(np.full((B, n + 1), -1), np.full((B, n), np.nan), np.full(B, np.nan))


@pytest.mark.parametrize("proposer", [nonsense, broken])
def test_proposals_do_not_change_the_answers(
    monkeypatch: pytest.MonkeyPatch, proposer: object
) -> None:
    draw = np.random.default_rng(8)
    systems = [draw.integers(-9, 10, (7, 3)).tolist() for _ in range(30)]
    expected = [answer.feasible for answer in strict_cones(systems)]
    assert len(set(expected)) == 2
    monkeypatch.setattr(feasibility, "propose", proposer)
    answers = strict_cones(systems)
    assert [answer.feasible for answer in answers] == expected
    assert all(proves(cone(s), 3, a) for s, a in zip(systems, answers, strict=True))


def test_a_singular_step_is_survived(monkeypatch: pytest.MonkeyPatch) -> None:
    def singular(*_: object) -> None:
        raise np.linalg.LinAlgError

    monkeypatch.setattr(np.linalg, "solve", singular)
    assert [a.feasible for a in strict_cones([[[1, 0], [1, 0]], [[1, 0], [-1, 0]]])] == [
        True,
        False,
    ]


def test_batches_mix_sizes_and_kinds() -> None:
    systems = [
        [[1, 0], [0, 1]],
        [[1]],
        np.array([[1, 2], [-1, -2], [3, 1]]),
        [["1/2", 1], [-1, -2]],
        [],
        [[0, 0]],
        [[2**70, 1], [-(2**70), 1]],
        [[], []],
    ]
    answers = strict_cones(systems)
    assert [a.feasible for a in answers] == [True, True, False, False, True, False, True, False]
    assert strict_cone([[1, 0], [0, 1]]) == answers[0]
    assert answers[-1].multipliers == (1, 0)
    assert strict_cone(np.zeros((0, 3), dtype=int)).witness == (0, 0, 0)


@given(st.lists(st.lists(st.integers(-3, 3), min_size=2, max_size=2), max_size=6))
def test_the_plane_by_brute_force(rows: list[list[int]]) -> None:
    # An open cone of the plane holds a sum of two of its edge normals' rotations, or a row.
    turned = [[-b, a] for a, b in rows] + [[b, -a] for a, b in rows] + rows
    sums = [[p[0] + q[0], p[1] + q[1]] for p, q in combinations(turned, 2)] + turned
    found = any(all(a * u + b * v > 0 for a, b in rows) for u, v in sums)
    assert strict_cone(rows, dimension=2).feasible == (found or not rows)


@given(programs(), st.randoms(use_true_random=False), st.integers(1, 10**20))
def test_order_and_positive_factors_do_not_matter(
    case: tuple[int, list[Condition]], random: Random, factor: int
) -> None:
    n, conditions = case
    moved: list[Condition] = [
        ([factor * a for a in row], r, factor * b) for row, r, b in conditions
    ]
    random.shuffle(moved)
    answer = feasible(moved, dimension=n)
    assert answer.feasible == feasible(conditions, dimension=n).feasible


def test_margins_and_sizes_beyond_floats() -> None:
    eps = Fraction(1, 10**40)
    between: list[Condition] = [([1], "<", eps), ([-1], "<", 0)]
    assert proves(between, 1, feasible(between))
    assert feasible(between).feasible
    beyond: list[Condition] = [([1], "<=", 10**30), ([-1], "<=", -(10**30) - eps)]
    assert proves(beyond, 1, feasible(beyond))
    assert not feasible(beyond).feasible


def test_pplpy_agrees() -> None:
    ppl = pytest.importorskip("ppl")
    draw = np.random.default_rng(11)
    for _ in range(150):
        n = int(draw.integers(1, 4))
        program: list[Condition] = [
            (draw.integers(-2, 3, n).tolist(), ("<=", "<", "=")[draw.integers(3)], int(b))
            for b in draw.integers(-2, 3, int(draw.integers(1, 7)))
        ]
        system = ppl.Constraint_System()
        for row, relation, b in program:
            left = sum((a * ppl.Variable(k) for k, a in enumerate(row)), ppl.Linear_Expression(0))
            left += 0 * ppl.Variable(n - 1)
            system.insert({"<=": left <= b, "<": left < b, "=": left == b}[relation])
        assert feasible(program).feasible != ppl.NNC_Polyhedron(system).is_empty()


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([[0.5]], r"^rows\[0\]\[0\]: .*float 0.5"),
        ([[1, True]], r"^rows\[0\]\[1\]: .*truth value"),
        ([[1], [1, 2]], r"^rows\[1\]: expected 1 number, found 2"),
        (np.array([[0.5]]), "float"),
        (None, "list of lists"),
        ("12", "list of lists"),
    ],
)
def test_wrong_rows_are_refused(rows: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        strict_cone(rows)


@pytest.mark.parametrize(
    "conditions",
    [
        [([1], ">=", 0)],
        [([1], "<")],
        [([1], "<", 0), ([1, 2], "<", 0)],
        [([1.0], "<", 0)],
        [([1], "<", 0.0)],
    ],
)
def test_wrong_conditions_are_refused(conditions: list[Condition]) -> None:
    with pytest.raises(InputError, match=r"^conditions\["):
        feasible(conditions)


def test_a_wrong_system_is_named() -> None:
    with pytest.raises(InputError, match=r"^systems\[1\]\[0\]\[0\]"):
        strict_cones([[[1]], [[0.5]]])
