import pytest

from headproof.proofs_check.claim import (
    Claim,
    Context,
    Expectation,
    Paper,
    Producer,
    Profile,
    Role,
    Statement,
)
from headproof.proofs_check.evidence import Finding, Kind, Outcome
from headproof.proofs_check.verdict import Verdict

PAPER = Paper("A", "A paper", "arXiv 0000.00000")


def produce(context: Context) -> Outcome:
    return Outcome(Finding.HOLDS, "nothing")


def statement(name: str = "main") -> Statement:
    return Statement(name, Role.AS_VERIFIED, "x", "x", Expectation(Verdict.PROVED))


def producer(name: str = "search", of: str = "main") -> Producer:
    return Producer(name, of, Kind.SEARCH, produce)


def test_a_larger_profile_includes_a_smaller_one_and_not_the_reverse() -> None:
    assert Profile.PAPER.includes(Profile.QUICK)
    assert Profile.FULL.includes(Profile.FULL)
    assert not Profile.QUICK.includes(Profile.FULL)


def test_expected_verdict_depends_on_profile_and_on_what_is_missing() -> None:
    expectation = Expectation(
        Verdict.PROVED, {"quick": Verdict.CERTIFIED, "-coqc": Verdict.SUPPORTED}
    )
    assert expectation.at(Profile.FULL, frozenset()) is Verdict.PROVED
    assert expectation.at(Profile.QUICK, frozenset()) is Verdict.CERTIFIED
    assert expectation.at(Profile.FULL, frozenset({"coqc"})) is Verdict.SUPPORTED
    assert expectation.at(Profile.FULL, frozenset({"torch"})) is Verdict.PROVED


@pytest.mark.parametrize("key", ["fast", "coqc", "", "-", "- coqc"])
def test_an_exception_that_never_applies_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="profile or -component"):
        Expectation(Verdict.PROVED, {key: Verdict.CERTIFIED})


@pytest.mark.parametrize(
    ("identifier", "statements", "producers", "message"),
    [
        ("t.x", [statement(), statement()], [producer()], "statement declared twice"),
        ("t.x", [statement()], [producer(), producer()], "producer declared twice"),
        ("t.x", [statement()], [producer(of="other")], "unknown statement"),
        ("t.x", [statement(), statement("b")], [producer()], "no evidence declared for: b"),
        ("no-topic", [statement()], [producer()], "topic.noun"),
        ("t.x/../y", [statement()], [producer()], "topic.noun"),
        ("t.x", [statement()], [producer("a.b")], "other than letters"),
        ("t.x", [statement("a b")], [producer(of="a b")], "other than letters"),
    ],
)
def test_a_claim_that_contradicts_itself_is_refused(
    identifier: str, statements: list[Statement], producers: list[Producer], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Claim(identifier, "X", "x", PAPER, "", tuple(statements), tuple(producers))


def test_a_claim_knows_its_topic_and_its_statements() -> None:
    claim = Claim("tropical.x", "X", "x", PAPER, "", (statement(),), (producer(),))
    assert claim.topic == "tropical"
    assert claim.statement("main") == statement()
