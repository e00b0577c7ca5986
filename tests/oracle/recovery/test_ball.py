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
