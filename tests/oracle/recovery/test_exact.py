"""Exact recovery: counts, canonical form, special models, wrong oracles."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from flint import fmpq
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head, canonical
from headproof.oracle.protocol import Query
from headproof.oracle.recovery.poles import another_prime
from headproof.oracle.recovery.recover import recover
from headproof.oracle.recovery.recovery import ATTEMPTS
from headproof.oracle.recovery.schedule import detecting_formula, formula
from headproof.symbolic.errors import Degenerate, InputError, LimitReached, NotInClass


def planted(d: int, H: int, seed: int, *, reach: int = 3) -> tuple[Head, ...]:
    """H distinct heads with nonzero values."""
    random = Random(seed)

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-reach, reach) for _ in range(d))

    model: tuple[Head, ...] = ()
    while len(model) < H:
        model = canonical((*model, Head(tuple(row() for _ in range(d)), row())))
    return model


@st.composite
def models(draw: st.DrawFn) -> list[Head]:
    """Small models with all that is special: equal W or v, zeros, fractions."""
    d = draw(st.integers(1, 3))
    entry = st.integers(-2, 2)
    row = st.lists(entry, min_size=d, max_size=d).map(tuple)
    form = st.lists(row, min_size=d, max_size=d).map(tuple)
    value = st.one_of(entry, st.fractions(-3, 3, max_denominator=5))
    functional = st.lists(value, min_size=d, max_size=d).map(tuple)
    pool = draw(st.lists(functional, min_size=1, max_size=3))
    heads = st.builds(Head, form, st.one_of(functional, st.sampled_from(pool)))
    return draw(st.lists(heads, min_size=1, max_size=4))


@given(models(), st.integers(0, 3))
@settings(max_examples=80)
def test_what_is_planted_is_recovered(model: list[Head], seed: int) -> None:
    wanted = canonical(model)
    d, H = len(model[0].v), len(wanted)
    found = recover(ExactOracle(model), heads=H, seed=seed)
    assert found.heads == wanted
    assert found.verified
    assert found.queries == formula(d, H) == found.formula
    assert found.longest == 2 * H + 1


@given(models(), st.integers(0, 2), st.booleans())
@settings(max_examples=60)
def test_a_bound_serves_as_well(model: list[Head], extra: int, detect: bool) -> None:
    wanted = canonical(model)
    d, H = len(model[0].v), len(wanted)
    H0 = max(1, H + extra)
    oracle = ExactOracle(model)
    found = recover(oracle, bound=H0, detect=detect)
    assert found.heads == wanted
    assert found.longest == 2 * H0 + 1
    count = detecting_formula(d, H0, H) if detect else formula(d, H0)
    assert found.queries == found.formula == count


@st.composite
def cancelling_models(draw: st.DrawFn) -> list[Head]:
    """Heads with sparse W whose values sum to zero: they hide each other where scores coincide."""
    d = draw(st.integers(1, 3))
    row = st.tuples(*[st.sampled_from((0, 0, 1, -1))] * d)
    form = st.tuples(*[row] * d)
    values = draw(st.lists(st.tuples(*[st.integers(-1, 1)] * d), min_size=1, max_size=3))
    last = tuple(-sum(column) for column in zip(*values, strict=True))
    return [Head(draw(form), v) for v in (*values, last)]


@given(cancelling_models(), st.integers(0, 2), st.sampled_from(("known", "bound", "detect")))
@example(
    [Head(((0, 0, 0),) * 3, (0, 0, 1)), Head(((0, 0, 0), (0, 0, 0), (0, 0, 1)), (0, 0, -1))],
    0,
    "known",
)
@example([Head(((0, 0), (0, 0)), (-2, 2))], 1, "detect")
def test_heads_that_hide_each_other_are_no_foreign_oracle(
    model: list[Head], seed: int, mode: str
) -> None:
    wanted, d = canonical(model), len(model[0].v)
    known: dict[str, Any] = {"bound": 4, "detect": mode == "detect"}
    if mode == "known":
        known = {"heads": len(wanted)}
    assert recover(ExactOracle(model, dimension=d), seed=seed, **known).heads == wanted


@pytest.mark.parametrize(("d", "H"), [(d, H) for d in (1, 2, 3, 5) for H in (1, 2, 3, 5)])
def test_the_count_is_the_formula(d: int, H: int) -> None:
    oracle = Counting(ExactOracle(planted(d, H, seed=10 * d + H)))
    found = recover(oracle, heads=H)
    assert found.queries == 4 * H * d * d - 2 * H + 1
    assert found.queries_all_attempts == oracle.queries
    assert found.fresh_queries == 4
    assert found.fresh_longest == 2 * H + 4
    assert all(len(set(query)) >= 3 for query, _ in found.fresh)
    assert all(len(set(query)) <= 2 for query, _ in found.asked)


@pytest.mark.parametrize(("d", "H"), [(2, 16), (4, 12)])
def test_many_heads_up_to_their_order(d: int, H: int) -> None:
    model = planted(d, H, seed=H)
    found = recover(ExactOracle(reversed(model)), heads=H)
    assert canonical(found.heads) == canonical(model)


class Counting:
    """An oracle that counts by itself."""

    def __init__(self, oracle: ExactOracle) -> None:
        self.oracle = oracle
        self.dimension = oracle.dimension
        self.queries = 0

    def __call__(self, query: Query) -> fmpq:
        self.queries += 1
        return self.oracle(query)


SPECIAL = {
    "one dimension": [Head(((2,),), (1,)), Head(((-1,),), (1,)), Head(((0,),), (3,))],
    "zero W": [Head(((0, 0), (0, 0)), (1, 2)), Head(((1, 0), (0, 1)), (-1, -2))],
    "equal v": [Head(((a, 1), (0, a * a)), (1, 1)) for a in range(5)],
    "opposite v": [Head(((a, 1), (1, a)), (1 - 2 * (a % 2), 0)) for a in range(4)],
    "equal rows": [Head(((1, 2), (a, 3)), (1, a)) for a in range(4)],
    "equal rows and v": [Head(((1, 2), (a, 3)), (1, 5)) for a in range(4)],
    "unit v": [Head(((a, 0, 1), (0, 1, a), (1, a, 0)), (0, 0, 1)) for a in range(3)],
    "difference v": [Head(((a, 0, 1), (0, 1, a), (1, a, 0)), (1, -1, 0)) for a in range(3)],
    "rational v": [Head(((1, 2), (3, 4)), (Fraction(1, 3), Fraction(-7, 11)))],
    "long v": [Head(((a, 0), (1, 1)), (Fraction(10**30 + a, 7**20), 3**50)) for a in range(3)],
    "large W": [Head(((40, -7), (3, 25)), (1, 2)), Head(((-31, 7), (3, 25)), (1, 2))],
    "cancels": [Head(((1, 2), (3, 4)), (1, 2)), Head(((1, 2), (3, 4)), (-1, -2))],
    "merges": [Head(((1, 2), (3, 4)), (1, 2)), Head(((1, 2), (3, 4)), (1, -3))],
    "zero v": [Head(((1, 2), (3, 4)), (0, 0)), Head(((1, 0), (3, 4)), (1, 2))],
}


@pytest.mark.parametrize("name", SPECIAL)
@pytest.mark.parametrize("known", [True, False])
def test_special_models(name: str, known: bool) -> None:
    model = SPECIAL[name]
    H = len(canonical(model))
    options: Any = {"heads": H} if known else {"bound": max(1, H)}
    found = recover(ExactOracle(model), **options)
    assert found.heads == canonical(model)
    assert found.queries == formula(len(model[0].v), max(H, 0 if known else 1))


@pytest.mark.parametrize("base", [2, 3, 10])
def test_other_bases(base: int) -> None:
    model = planted(2, 3, seed=5)
    assert recover(ExactOracle(model, base=base), heads=3).heads == canonical(model)


def test_the_drawing_depends_on_the_seed_alone() -> None:
    model = planted(2, 2, seed=1)
    one, two, other = (recover(ExactOracle(model), heads=2, seed=s) for s in (4, 4, 5))
    assert one == two
    assert one.asked == two.asked
    assert one.asked != other.asked
    assert one.heads == other.heads


# Wrong oracles ----------------------------------------------------------------------------


class Wrong:
    """An oracle outside the class: a model's answer, changed."""

    dimension = 2

    def __init__(self, name: str) -> None:
        self.model = ExactOracle(planted(2, 2, seed=3), base=3 if name == "wrong base" else 2)
        self.name = name

    def __call__(self, query: Query) -> Any:
        value, n = self.model(query), len(query)
        flat = [Fraction(entry) for token in query for entry in token]
        changed = {
            "squared": value * value,
            "length": value + n,
            "reciprocal length": value + fmpq(1, n),
            "long queries only": value + (n > 7),
            "constant": value + 3,
            "three tokens": value + (len(set(query)) > 2),
            "last token squared": value + int(query[-1][0]) ** 2,
            "largest entry": fmpq(int(max(flat))),
            "sum": fmpq(int(sum(flat))),
            "parity": value + n % 2,
            "large answers": value + (abs(value) > 40),
            "multiple of the prime": value + (2305843009213693921 if n == 3 else 0),
        }
        return changed.get(self.name, value)


WRONG = [
    "wrong base",
    "squared",
    "length",
    "reciprocal length",
    "long queries only",
    "constant",
    "three tokens",
    "last token squared",
    "largest entry",
    "sum",
    "parity",
    "large answers",
    "multiple of the prime",
]


@pytest.mark.parametrize("name", WRONG)
@pytest.mark.parametrize(
    "known", [{"heads": 2}, {"bound": 2}, {"bound": 4}, {"bound": 4, "detect": True}], ids=str
)
def test_a_wrong_oracle_is_refused_with_a_query(name: str, known: dict[str, Any]) -> None:
    oracle = Wrong(name)
    with pytest.raises(NotInClass) as caught:
        recover(oracle, **known)
    query: Any = caught.value.query
    assert caught.value.answer == oracle(query)
    assert "(" in str(caught.value)


def test_the_control_is_accepted() -> None:
    assert recover(Wrong("right"), bound=4).verified


@pytest.mark.parametrize(
    "known", [{"heads": 2}, {"bound": 2}, {"bound": 1, "detect": True}], ids=str
)
def test_too_few_heads_allowed(known: dict[str, Any]) -> None:
    with pytest.raises(NotInClass, match=r"at most \d heads"):
        recover(ExactOracle(planted(2, 3, seed=2)), **known)


def test_more_heads_said_than_there_are() -> None:
    with pytest.raises(Degenerate, match=rf"{ATTEMPTS} drawings .* bound="):
        recover(ExactOracle(planted(2, 2, seed=2)), heads=3)


def test_a_budget_is_kept() -> None:
    oracle = Counting(ExactOracle(planted(2, 2, seed=2)))
    with pytest.raises(LimitReached, match="20 value queries"):
        recover(oracle, heads=2, limit=20)
    assert oracle.queries == 20


@pytest.mark.parametrize(
    "options",
    [{}, {"heads": 1, "bound": 2}, {"bound": 0}, {"heads": -1}, {"heads": 1, "detect": True}],
)
def test_wrong_arguments(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        recover(ExactOracle(planted(1, 1, seed=0)), **options)


@pytest.mark.parametrize("answer", [0.5, "1", True])
def test_answers_must_be_exact(answer: object) -> None:
    class Rounded:
        dimension = 1

        def __call__(self, query: Query) -> object:
            return answer

    with pytest.raises(InputError, match="exact rational"):
        recover(Rounded(), heads=1)


@pytest.mark.long
def test_a_thousand_small_models_without_a_wrong_answer() -> None:
    random = Random(0)
    for seed in range(1000):
        d, H = random.randint(1, 4), random.randint(1, 3 if seed % 4 else 6)
        model = planted(d, H, seed, reach=random.choice((4, 5, 9)))
        if random.random() < 0.3:
            model = tuple(Head(head.W, model[0].v) for head in model)
        wanted = canonical(model)
        options: Any = (
            {"heads": len(wanted)} if random.random() < 0.5 else {"bound": H + random.randint(0, 2)}
        )
        found = recover(ExactOracle(model, dimension=d), seed=seed, **options)
        assert canonical(found.heads) == canonical(wanted), (seed, options)


# Extremes ---------------------------------------------------------------------------------


def test_long_scores_are_found_by_giant_steps() -> None:
    model = [Head(((9000,),), (1,)), Head(((-7001,),), (2,)), Head(((1,),), (3,))]
    assert recover(ExactOracle(model), heads=3).heads == canonical(model)


@pytest.mark.parametrize("entry", [10**7, 10**30])
def test_weights_of_endless_length_are_a_limit(entry: int) -> None:
    with pytest.raises(LimitReached, match="smaller entries of W"):
        recover(ExactOracle([Head(((entry,),), (1,))]), heads=1)


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_a_base_that_is_special_modulo_the_prime(shift: int) -> None:
    base = another_prime(0) + shift
    model = [Head(((2, 1), (0, 1)), (1, 2)), Head(((1, 0), (0, 1)), (1, 1))]
    assert recover(ExactOracle(model, base=base), heads=2).heads == canonical(model)


def test_a_bound_beyond_all_measure_is_refused() -> None:
    with pytest.raises(InputError, match="from 1 to 1,000"):
        recover(ExactOracle(planted(1, 1, seed=0)), bound=10**11, limit=1000)


HIDING: list[tuple[list[Head], int]] = [
    (
        [
            Head(((-1, -2, -2), (-1, 1, 0), (3, 3, -1)), (-1, 2, 1)),
            Head(((1, 0, 3), (-2, 3, 2), (-2, 0, -2)), (1, 2, 0)),
            Head(((-2, 2, 1), (1, -1, 3), (2, -3, -2)), (-3, 0, 3)),
            Head(((1, -3, 1), (-2, -1, 2), (2, 3, 3)), (-3, 0, 3)),
        ],
        756414,
    ),
    (
        [
            Head(((1, 1), (-1, -1)), (1, 0)),
            Head(((1, 0), (1, 1)), (0, 1)),
            Head(((1, -1), (0, 1)), (-1, 0)),
            Head(((1, 0), (-1, 1)), (0, -1)),
            Head(((0, 0), (-1, -1)), (-1, 0)),
        ],
        618252,
    ),
    (
        [
            Head(((1, -2), (0, -2)), (2, 0)),
            Head(((-1, 0), (-2, 0)), (1, 1)),
            Head(((1, 0), (2, 2)), (1, 1)),
            Head(((1, -1), (2, 2)), (-2, -1)),
            Head(((0, -2), (-2, 0)), (-1, -1)),
        ],
        263542,
    ),
]


@pytest.mark.parametrize(("model", "seed"), HIDING)
def test_two_drawings_that_show_too_few_heads_rule_nothing_out(
    model: list[Head], seed: int
) -> None:
    found = recover(ExactOracle(model), bound=6, detect=True, seed=seed)
    assert found.heads == canonical(model)
    assert len(found.attempts) > 2


def test_a_wrong_assignment_of_hidden_heads_rules_nothing_out() -> None:
    model = [
        Head(((1, 0, -1), (1, 1, 1), (-1, -1, 0)), (-1, -1, 1)),
        Head(((1, 1, -1), (0, 1, 0), (1, -1, 0)), (1, 0, 0)),
        Head(((0, 0, 1), (0, 1, 0), (-1, -1, 0)), (-1, 0, 0)),
    ]
    assert recover(ExactOracle(model), heads=3, seed=544969).heads == canonical(model)
