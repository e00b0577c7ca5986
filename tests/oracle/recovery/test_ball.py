"""Ball recovery: certified bounds hold, precision is raised on the same queries."""

from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from flint import arb

from headproof.oracle.ball import BallOracle
from headproof.oracle.model import Head
from headproof.oracle.protocol import Query
from headproof.oracle.recovery.ball import drawing
from headproof.oracle.recovery.recover import recover
from headproof.oracle.recovery.recovery import Recovery
from headproof.oracle.recovery.schedule import detecting_formula, formula
from headproof.symbolic.errors import (
    HeadproofError,
    InputError,
    LimitReached,
    NotInClass,
    PrecisionExhausted,
)


def planted(d: int, H: int, seed: int) -> tuple[Head, ...]:
    random = Random(seed)

    def row() -> tuple[Fraction, ...]:
        return tuple(Fraction(random.randint(-20, 20), 9) for _ in range(d))

    return tuple(Head(tuple(row() for _ in range(d)), row()) for _ in range(H))


def within(found: Recovery, wanted: tuple[Head, ...]) -> bool:
    """Whether each planted head lies within the certified bounds of one that was found."""

    def near(a: Head, b: Head) -> bool:
        flat = [[*head.v, *(e for row in head.W for e in row)] for head in (a, b)]
        return all(abs(x - y) <= found.radius for x, y in zip(*flat, strict=True))

    return len(found.heads) == len(wanted) and all(
        any(near(a, b) for a in found.heads) for b in wanted
    )


@pytest.mark.parametrize(("d", "H"), [(1, 1), (1, 3), (2, 2), (3, 4), (5, 2)])
def test_what_is_planted_lies_within_the_bounds(d: int, H: int) -> None:
    model = planted(d, H, seed=d + 10 * H)
    found = recover(BallOracle(model), heads=H)
    assert within(found, model)
    assert 0 < found.radius < Fraction(1, 1 << 64)
    assert (found.queries, found.longest) == (formula(d, H), 2 * H + 1)
    assert (found.arithmetic, found.base, found.verified) == ("ball", "e", True)


@pytest.mark.parametrize("detect", [False, True])
@pytest.mark.parametrize("extra", [0, 1, 2])
def test_a_bound_serves_as_well(extra: int, detect: bool) -> None:
    model = planted(2, 2, seed=3)
    found = recover(BallOracle(model), bound=2 + extra, detect=detect)
    assert within(found, model)
    count = detecting_formula(2, 2 + extra, 2) if detect else formula(2, 2 + extra)
    assert found.queries == found.formula == count


def test_special_models() -> None:
    for model in [
        (Head(((0, 0), (0, 0)), (1, 2)), Head(((1, 0), (0, 1)), (-1, -2))),
        tuple(Head(((a, 1), (0, a * a)), (1, 1)) for a in range(4)),
        tuple(Head(((1, 2), (a, 3)), (1, 5)) for a in range(3)),
    ]:
        assert within(recover(BallOracle(model), heads=len(model)), model)


class Recorded(BallOracle):
    """Keeps what it is asked at each precision."""

    asked: dict[int, list[Query]]

    def at(self, bits: int) -> "Recorded":
        other = Recorded(self.heads, bits=bits)
        other.asked = self.asked
        return other

    def __call__(self, query: Query) -> arb:
        self.asked.setdefault(self.bits, []).append(query)
        return super().__call__(query)


def test_precision_is_raised_on_the_same_queries() -> None:
    model = planted(2, 3, seed=1)
    oracle = Recorded(model)
    oracle.asked = {}
    found = recover(oracle, heads=3, bits=60)
    assert within(found, model)
    assert found.bits > 60
    rounds = list(oracle.asked.values())
    assert len(rounds) == len(found.attempts) > 1
    assert all(list(later[: len(first)]) == first for first, later in pairwise(rounds))
    assert found.queries_all_attempts == sum(map(len, rounds))


class Wrong(BallOracle):
    """A model's answer, changed."""

    name: str

    def at(self, bits: int) -> "Wrong":
        other = Wrong(self.heads, bits=bits)
        other.name = self.name
        return other

    def __call__(self, query: Query) -> arb:
        value, n = super().__call__(query), len(query)
        changed: dict[str, arb] = {
            "squared": value * value,
            "length": value + n,
            "reciprocal length": value + arb(1) / n,
            "constant": value + 3,
            "three tokens": value + (len(set(query)) > 2),
            "long queries only": value + (n > 7),
            "parity": value + n % 2,
        }
        return changed.get(self.name, value)


@pytest.mark.parametrize(
    "name",
    [
        "squared",
        "length",
        "reciprocal length",
        "constant",
        "three tokens",
        "long queries only",
        "parity",
    ],
)
@pytest.mark.parametrize("known", [{"heads": 2}, {"bound": 4}], ids=str)
def test_a_wrong_oracle_gives_no_model(name: str, known: Any) -> None:
    oracle = Wrong(planted(2, 2, seed=3))
    oracle.name = name
    with pytest.raises((NotInClass, PrecisionExhausted)) as caught:
        recover(oracle, **known)
    # A double pole, or a constant besides fewer poles than allowed, is only not certified.
    if known == {"heads": 2} or name not in ("squared", "length"):
        assert isinstance(caught.value, NotInClass)
        query: Any = caught.value.query
        assert oracle.at(300)(query).overlaps(caught.value.answer)  # type: ignore[arg-type]


def test_the_control_is_accepted() -> None:
    oracle = Wrong(planted(2, 2, seed=3))
    oracle.name = "right"
    assert recover(oracle, bound=4).verified


def test_a_wrong_number_of_heads() -> None:
    for heads in (1, 3):
        with pytest.raises(HeadproofError):
            recover(BallOracle(planted(2, 2, seed=3)), heads=heads)


def test_limits_and_transcripts() -> None:
    with pytest.raises(LimitReached):
        recover(BallOracle(planted(2, 2, seed=3)), heads=2, limit=10)
    with pytest.raises(InputError):
        recover(BallOracle(planted(1, 1, seed=3)), heads=1).transcript()


class Fresh(BallOracle):
    """Right on the schedule, something else where three tokens are distinct."""

    answer: object = None

    def at(self, bits: int) -> "Fresh":
        other = Fresh(self.heads, bits=bits)
        other.answer = self.answer
        return other

    def __call__(self, query: Query) -> Any:
        return super().__call__(query) if len(set(query)) < 3 else self.answer


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (arb("nan"), InputError),
        (arb(0, arb("inf")), InputError),
        (1.5, InputError),
        (None, InputError),
        ("1", InputError),
        (arb(0, 1e30), PrecisionExhausted),
    ],
    ids=str,
)
def test_an_answer_that_tests_nothing_verifies_nothing(answer: object, error: Any) -> None:
    oracle = Fresh(planted(2, 2, seed=3))
    oracle.answer = answer
    with pytest.raises(error):
        recover(oracle, heads=2)


class Constant:
    """The same answer to every query."""

    arithmetic, base, dimension = "ball", "e", 2

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def at(self, bits: int) -> "Constant":
        return self

    def __call__(self, query: Query) -> object:
        return self.answer


@pytest.mark.parametrize("known", [{"heads": 2}, {"bound": 2}], ids=str)
def test_wide_answers_are_no_empty_model(known: Any) -> None:
    assert recover(Constant(arb(0)), bound=2).heads == ()
    with pytest.raises(PrecisionExhausted):
        recover(Constant(arb(0, 10)), **known)
    for answer in (arb("nan"), 2, None):
        with pytest.raises(InputError, match="finite ball"):
            recover(Constant(answer), **known)


class Moved(BallOracle):
    """Other values at the second attending token, on the schedule alone, consistently."""

    def at(self, bits: int) -> "Moved":
        return Moved(self.heads, bits=bits)

    def __call__(self, query: Query) -> arb:
        (_, x2), (w1, _) = drawing(2, 0)
        plain = tuple(int(e * (1 << 20)) for e in query[-1])
        if plain != x2 or len(set(query)) > 2:
            return super().__call__(query)
        u = tuple(int(e * (1 << 20)) - a for e, a in zip(query[0], x2, strict=True))
        value = super().__call__(query)
        if len(query) == 1 or u == w1:
            return value
        # One head: F(m) - F(0) scaled is another c with the same score; both w_2 and w_1 + w_2
        # are moved by the same amount.
        (head,) = self.heads
        w = tuple(Fraction(e, 1 << 20) for e in u)
        m, x = len(query) - 1, query[-1]
        score = sum(
            a * e * b for a, row in zip(x, head.W, strict=True) for e, b in zip(row, w, strict=True)
        )
        rho = (-_ball(Fraction(score))).exp()
        return value + arb(m) / (m + rho)


def _ball(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def test_values_that_change_with_the_attending_token() -> None:
    with pytest.raises(NotInClass, match="attending tokens"):
        recover(Moved(planted(2, 1, seed=3)), heads=1)
