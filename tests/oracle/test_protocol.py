"""Counting, budgets, and queries in messages."""

import pytest

from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head
from headproof.oracle.protocol import Recorder, copies, runs, shown
from headproof.symbolic.errors import InputError, LimitReached


def test_a_recorder_counts_and_keeps() -> None:
    recorder = Recorder(ExactOracle([Head(((1,),), (1,))]), limit=2)
    query = copies((2,), 3, (1,))
    answer = recorder(query)
    recorder(((1,),))
    assert (recorder.queries, recorder.longest) == (2, 4)
    assert recorder.asked[0] == (query, answer)
    with pytest.raises(LimitReached):
        recorder(query)
    assert recorder.queries == len(recorder.asked) == 2


def test_a_refused_query_is_counted_but_not_kept() -> None:
    recorder = Recorder(ExactOracle([Head(((1,),), (1,))]))
    with pytest.raises(InputError):
        recorder(((1, 2),))
    assert (recorder.queries, recorder.asked) == (1, [])


def test_runs_and_text() -> None:
    query = copies((1, 2), 2, (0, 1))
    assert runs(query) == [((1, 2), 2), ((0, 1), 1)]
    assert shown(query) == "2 x (1, 2), then (0, 1)"
    assert len(shown(tuple((k,) * 99 for k in range(99)))) < 300
    with pytest.raises(InputError):
        runs(())
