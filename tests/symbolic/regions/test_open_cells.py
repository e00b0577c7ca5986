"""Exact answers: every one is checked here by its definition, and against pplpy."""

import random
from fractions import Fraction

import pytest

from headproof.symbolic.regions import gordan, open_cells
from headproof.symbolic.regions.open_cells import Answer, Question, Region, decide


def proves(question: Question, answer: Answer) -> bool:
    """Whether the answer is a proof, by the definition."""
    rows = question.all_rows()
    if answer.point is not None:
        return answer.point[-1] > 0 and all(
            sum(a * p for a, p in zip(row, answer.point, strict=True)) > 0 for row in rows
        )
    total = [sum(w * rows[k][i] for k, w in answer.multipliers) for i in range(len(rows[0]))]
    weights = [w for _, w in answer.multipliers]
    return bool(weights) and min(weights) > 0 and not any(total[:-1]) and total[-1] <= 0


def draw(rng: random.Random, size: int) -> Question:
    """A region around a random centre and some further rows."""
    d = rng.randint(1, 4)
    centre = (*(rng.randint(-size, size) for _ in range(d)), rng.randint(1, 8))
    rows: list[tuple[int, ...]] = []
    while len(rows) < rng.randint(1, 8):
        row = [rng.randint(-size, size) for _ in range(d + 1)]
        value = sum(a * p for a, p in zip(row, centre, strict=True))
        if value:
            rows.append(tuple(row if value > 0 else [-a for a in row]))
    more = tuple(
        tuple(rng.randint(-size, size) for _ in range(d + 1)) for _ in range(rng.randint(1, 5))
    )
    return Question(Region(tuple(rows), centre), more)


@pytest.mark.parametrize("size", [1, 2, 9, 10**30])
def test_every_answer_is_a_proof(size: int) -> None:
    by_dimension: dict[int, list[Question]] = {}
    for seed in range(150):
        question = draw(random.Random(seed), size)
        by_dimension.setdefault(len(question.rows[0]), []).append(question)
    kinds = set()
    for questions in by_dimension.values():
        for question, answer in zip(questions, decide(questions), strict=True):
            assert proves(question, answer)
            kinds.add(answer.point is None)
    assert kinds == {True, False}


def test_answers_agree_with_ppl() -> None:
    ppl = pytest.importorskip("ppl")
    for seed in range(150):
        question = draw(random.Random(seed), 3)
        d = len(question.rows[0]) - 1
        x = [ppl.Variable(i) for i in range(d + 1)]
        problem = ppl.MIP_Problem(d + 1)
        problem.add_constraint(x[d] <= 1)
        for row in question.all_rows():
            linear = sum((row[i] * x[i] for i in range(d)), ppl.Linear_Expression(row[d]))
            problem.add_constraint(linear >= x[d])
        problem.set_objective_function(x[d])
        problem.set_optimization_mode("maximization")
        is_open = problem.is_satisfiable() and problem.optimal_value() > 0
        assert (decide([question])[0].point is not None) == is_open


SLIVER = 10**25


@pytest.mark.parametrize(
    ("rows", "is_open"),
    [
        (((-SLIVER, 1),), True),  # 0 < x < 10^-25
        (((-1, 0),), False),  # 0 < x < 0
        (((-SLIVER, -1),), False),
        (((1, -SLIVER),), True),  # x > 10^25
        (((0, -1),), False),
        (((0, 0),), False),
        (((0, 1),), True),
        (((SLIVER, -SLIVER - 1), (-SLIVER, SLIVER + 2)), True),
    ],
)
def test_slivers_and_constants(rows: tuple[tuple[int, ...], ...], is_open: bool) -> None:
    question = Question(Region(((1, 0),), (1, 1)), rows)
    (answer,) = decide([question])
    assert proves(question, answer)
    assert (answer.point is not None) == is_open


def test_wrong_proposals_are_not_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that always says the opposite changes nothing."""
    question = Question(Region(((1, 0),), (1, 1)), ((-1, 3),))
    empty = Question(Region(((1, 0),), (1, 1)), ((-1, -3),))
    right = gordan.propose

    def lie(*arguments: object) -> object:
        proposals = right(*arguments)  # type: ignore[arg-type]
        proposals.margin[:] = [0.0 if m > 1e-9 else 1.0 for m in proposals.margin]
        proposals.direction[:] = 1.0
        return proposals

    monkeypatch.setattr(open_cells, "propose", lie)
    yes, no = decide([question, empty])
    assert yes.point is not None
    assert proves(question, yes)
    assert no.point is None
    assert proves(empty, no)


def test_points_are_short() -> None:
    """A cell of width 1/8 around 1000: no more than a few binary digits behind the point."""
    question = Question(Region(((8, -8000),), (2000, 1)), ((-8, 8001),))
    point = decide([question])[0].point
    assert point is not None
    assert Fraction(point[0], point[1]) == Fraction(16001, 16)


def test_memory_is_bounded_by_smaller_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = [draw(random.Random(seed), 9) for seed in range(60)]
    questions = [question for question in drawn if len(question.rows[0]) == 3]
    together = decide(questions)
    monkeypatch.setattr(open_cells, "_TABLEAU_ENTRIES", 300)
    assert len(questions) > 5
    assert decide(questions) == together


def test_nothing_asked_nothing_answered() -> None:
    assert decide([]) == []
