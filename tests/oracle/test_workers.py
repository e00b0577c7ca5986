"""Batches in several processes: the same results, the same account, oracles that may be copied."""

import pickle
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from headproof.oracle.ball import BallOracle
from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head
from headproof.oracle.noisy import NoisyOracle
from headproof.oracle.protocol import Query, Recorder
from headproof.oracle.recovery.recover import recover
from headproof.oracle.workers import LEAST, Workers, pack, unpack
from headproof.symbolic.errors import InputError, LimitReached, NotInClass


def planted(d: int, H: int, seed: int) -> tuple[Head, ...]:
    random = Random(seed)

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-3, 3) for _ in range(d))

    return tuple(Head(tuple(row() for _ in range(d)), row()) for _ in range(H))


exponents = st.integers(-2000, 2000)


@given(st.integers(), exponents, st.integers(0, (1 << 30) - 1), exponents)
def test_a_ball_survives_packing_bit_by_bit(a: int, b: int, c: int, d: int) -> None:
    ball = arb(mid=(a, b), rad=(c, d))
    assert pack(unpack(pack(ball))) == pack(ball)
    third = ball / 3
    assert pack(unpack(pack(third))) == pack(third)


@pytest.mark.parametrize("text", ["nan", "[+/- inf]"])
def test_infinite_balls_stay_infinite(text: str) -> None:
    assert not unpack(pack(arb(text))).is_finite()


def test_oracles_survive_pickling() -> None:
    query: Query = ((1, 2), (0, 1), (2, -1))
    exact = ExactOracle(planted(2, 3, seed=0), base=3)
    assert pickle.loads(pickle.dumps(exact))(query) == exact(query)
    empty = ExactOracle([], dimension=2)
    assert pickle.loads(pickle.dumps(empty))(query) == 0
    ball = BallOracle(planted(2, 3, seed=0), bits=300)
    noisy = NoisyOracle(ball, Fraction(1, 1000), seed=5)
    for oracle in (ball, noisy):
        assert pack(pickle.loads(pickle.dumps(oracle))(query)) == pack(oracle(query))


class Strange(ExactOracle):
    """Another answer to one query of the schedule, somewhere in a batch."""

    def __call__(self, query: Query) -> Any:
        return super().__call__(query) + (len(query) == 4 and query[-1] == (0, 1, 0, 0))


class Counting:
    """An oracle that counts by itself and may not be copied."""

    def __init__(self, oracle: Any) -> None:
        self.oracle = oracle
        self.dimension, self.arithmetic = oracle.dimension, oracle.arithmetic
        self.queries = 0

    def __call__(self, query: Query) -> Any:
        self.queries += 1
        return self.oracle(query)


@pytest.mark.parametrize("kind", [ExactOracle, BallOracle])
def test_the_result_and_the_account_do_not_depend_on_jobs(kind: Any) -> None:
    oracle = kind(planted(5, 4, seed=1))
    options: Any = {"bits": 80} if kind is BallOracle else {}
    one, two = (recover(oracle, bound=5, jobs=jobs, **options) for jobs in (1, 2))
    assert one.heads == two.heads
    assert (one.radius, one.bits, one.attempts) == (two.radius, two.bits, two.attempts)
    assert one.queries_all_attempts == two.queries_all_attempts
    for a, b in ((one.asked, two.asked), (one.fresh, two.fresh)):
        assert [query for query, _ in a] == [query for query, _ in b]
        assert [str(answer) for _, answer in a] == [str(answer) for _, answer in b]


def test_failures_do_not_depend_on_jobs() -> None:
    for oracle, options, kind in (
        (ExactOracle(planted(4, 3, seed=1)), {"heads": 3, "limit": 150}, LimitReached),
        (Strange(planted(4, 3, seed=1)), {"bound": 4}, NotInClass),
    ):
        messages = []
        for jobs in (1, 2):
            with pytest.raises(kind) as caught:
                recover(oracle, jobs=jobs, **options)  # type: ignore[arg-type]
            messages.append(str(caught.value))
        assert messages[0] == messages[1]


def test_an_oracle_that_may_not_be_copied_is_asked_here() -> None:
    oracle = Counting(ExactOracle(planted(4, 3, seed=2)))
    found = recover(oracle, heads=3, jobs=2)
    assert found.queries_all_attempts == oracle.queries


def test_a_batch_is_counted_as_its_queries_are() -> None:
    total = Recorder(ExactOracle(planted(1, 1, seed=0)), limit=5, keep=False)
    recorder = Recorder(total)
    assert len(recorder.ask([((1,),), ((1,), (2,), (3,))])) == 2
    assert (recorder.queries, recorder.longest, len(recorder.asked)) == (2, 3, 2)
    with pytest.raises(LimitReached, match="5 value queries"):
        recorder.ask([((1,),)] * 4)
    assert total.queries == 5


@pytest.mark.parametrize("jobs", [0, -1, 1.0, True])
def test_a_number_of_processes(jobs: Any) -> None:
    with pytest.raises(InputError, match="processes"):
        Workers(jobs)
    with pytest.raises(InputError, match="processes"):
        recover(ExactOracle(planted(1, 1, seed=0)), heads=1, jobs=jobs)


def test_small_batches_stay_here() -> None:
    with Workers(2) as workers:
        assert workers.map(lambda part: part, range(LEAST - 1)) == list(range(LEAST - 1))
        assert workers.map(sorted, range(2 * LEAST)) == list(range(2 * LEAST))
