import pytest

from headproof.proofs_check.claim import (
    Claim,
    Context,
    Expectation,
    Paper,
    Producer,
    Role,
    Statement,
)
from headproof.proofs_check.evidence import Finding, Kind, Outcome
from headproof.proofs_check.registry import build
from headproof.proofs_check.verdict import Verdict
from headproof.symbolic.errors import InputError


def produce(context: Context) -> Outcome:
    return Outcome(Finding.HOLDS, "nothing")


def claim(identifier: str, *rests_on: str) -> Claim:
    statement = Statement("main", Role.AS_VERIFIED, "x", "x", Expectation(Verdict.SUPPORTED))
    producer = Producer("search", "main", Kind.SEARCH, produce)
    paper = Paper("A", "A paper", "arXiv 0000.00000")
    return Claim(identifier, "X", "x", paper, "", (statement,), (producer,), rests_on)


def test_claims_come_after_those_they_rest_on_and_else_by_name() -> None:
    registry = build([claim("t.a", "t.z"), claim("t.z"), claim("t.m"), claim("u.b", "t.a")])
    assert [c.id for c in registry] == ["t.m", "t.z", "t.a", "u.b"]
    assert len(registry) == 4


def test_the_order_does_not_depend_on_the_order_of_declaration() -> None:
    claims = [claim("t.a", "t.z"), claim("t.z"), claim("t.m")]
    assert [c.id for c in build(claims)] == [c.id for c in build(reversed(claims))]


@pytest.mark.parametrize(
    ("claims", "message"),
    [
        ([claim("t.a"), claim("t.a")], "declared twice: t.a"),
        ([claim("t.a", "t.b")], "t.a rests on an unknown claim: t.b"),
        ([claim("t.a", "t.b"), claim("t.b", "t.a")], "in a circle"),
        ([claim("t.a", "t.a")], "in a circle"),
    ],
)
def test_a_broken_graph_is_refused(claims: list[Claim], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build(claims)


def test_selection_by_id_topic_and_nothing() -> None:
    registry = build([claim("t.a"), claim("t.b"), claim("u.c")])
    assert [c.id for c in registry.select(["u.c", "t"])] == ["t.a", "t.b", "u.c"]
    assert [c.id for c in registry.select(["t.b", "t.b"])] == ["t.b"]
    assert len(registry.select([])) == 3


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    registry = build([claim("tropical.cells")])
    with pytest.raises(InputError, match=r"did you mean tropical\.cells"):
        registry.select(["tropical.cell"])
    with pytest.raises(InputError, match="headproof list"):
        registry.select(["xyz"])


def test_a_number_is_answered_with_the_id() -> None:
    registry = build([claim("tropical.cells")])
    number = registry.claim("tropical.cells").number
    for asked in (registry.claim, lambda name: registry.select([name])):
        with pytest.raises(InputError, match=r"did you mean tropical\.cells\?"):
            asked(number)
    with pytest.raises(InputError, match="a claim id"):
        registry.claim("tropical")
    assert registry.claim("tropical.cells").id == "tropical.cells"
