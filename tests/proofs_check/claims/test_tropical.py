"""The claims of topic tropical: each can fail, and each false variant is refuted for its reason."""

from fractions import Fraction
from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.claim import Claim, Context, Producer, Profile, Role
from headproof.proofs_check.claims.tropical import CLAIMS
from headproof.proofs_check.evidence import Evidence, Finding, Kind, Status
from headproof.proofs_check.registry import load
from headproof.proofs_check.verdict import Verdict, decide
from headproof.symbolic.tropical import dequantisation, power_diagram, routing_limit

BY_ID = {claim.id: claim for claim in CLAIMS}
CONTROLS = [(c, s) for c in CLAIMS for s in c.statements if s.role is Role.CONTROL]


def produce(claim: Claim, producer: Producer, seed: int = 1) -> Any:
    return producer.produce(Context(claim.id, producer.statement, Profile.QUICK, seed))


def producer(claim_id: str, name: str) -> tuple[Claim, Producer]:
    claim = BY_ID[claim_id]
    return claim, next(p for p in claim.producers if p.name == name)


def test_each_claim_has_what_is_asked_of_it() -> None:
    for claim in CLAIMS:
        roles = {statement.role for statement in claim.statements}
        assert roles == set(Role), claim.id
        kinds = {p.kind for p in claim.producers}
        assert {Kind.SYMBOLIC, Kind.EXACT, Kind.SEARCH} <= kinds, claim.id
        assert Kind.BALL in kinds or claim.omitted, claim.id


def test_the_registry_takes_them() -> None:
    registry = load()
    assert {claim.id for claim in CLAIMS} <= set(registry.claims)


@pytest.mark.parametrize(
    ("claim", "statement"), CONTROLS, ids=[f"{c.id}-{s.name}" for c, s in CONTROLS]
)
def test_a_false_variant_is_refuted_by_a_valid_certificate(claim: Claim, statement: Any) -> None:
    producers = [p for p in claim.producers if p.statement == statement.name]
    pieces = []
    for one in producers:
        outcome = produce(claim, one, seed=3)
        assert outcome.finding is Finding.VIOLATED
        assert outcome.certificates
        for certificate in outcome.certificates.values():
            check_certificate(certificate)
        pieces.append(
            Evidence(one.name, statement.name, one.kind, Status.RAN, outcome.finding,
                     certificates=tuple(outcome.certificates))
        )  # fmt: skip
    assert decide(pieces).verdict is Verdict.REFUTED


def test_a_bound_that_is_too_small_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = dequantisation.gap_limit

    def halved(count: int, temperature: Any, *, digits: int = 60) -> Any:
        return honest(count, Fraction(temperature) / 2, digits=digits)

    monkeypatch.setattr(dequantisation, "gap_limit", halved)
    outcome = produce(*producer("tropical.dequantisation", "search"))
    assert outcome.finding is Finding.VIOLATED


def test_balls_that_miss_the_truth_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = dequantisation.gap

    def shifted(scores: Any, temperature: Any, *, digits: int = 60) -> Any:
        found = honest(scores, temperature, digits=digits)
        off = Fraction(1, 10**45)
        return type(found)(found.lower + off, found.upper + off)

    monkeypatch.setattr(dequantisation, "gap", shifted)
    outcome = produce(*producer("tropical.dequantisation", "enclosures"))
    assert outcome.finding is Finding.VIOLATED


def test_wrong_power_weights_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = power_diagram.power_weights
    monkeypatch.setattr(
        power_diagram,
        "power_weights",
        lambda k, b: tuple(w + j for j, w in enumerate(honest(k, b))),
    )
    assert produce(*producer("tropical.power-diagram", "search")).finding is Finding.VIOLATED
    assert produce(*producer("tropical.power-diagram", "torch")).finding is Finding.VIOLATED


def test_a_rate_that_is_too_good_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = routing_limit.deviation_bounds

    def sharpened(scores: Any, temperature: Any, *, digits: int = 60) -> Any:
        found = honest(scores, temperature, digits=digits)
        bound = type(found.bound)(found.bound.lower / 3, found.bound.upper / 3)
        return type(found)(found.distance, bound)

    monkeypatch.setattr(routing_limit, "deviation_bounds", sharpened)
    outcome = produce(*producer("tropical.routing-limit", "search"))
    assert outcome.finding is Finding.VIOLATED


@pytest.mark.parametrize(
    ("claim_id", "name"),
    [
        ("tropical.dequantisation", "base-two"),
        ("tropical.power-diagram", "small-heads"),
        ("tropical.power-diagram", "identities"),
        ("tropical.routing-limit", "base-two"),
        ("tropical.cells", "small-heads"),
        ("tropical.cells", "attained"),
    ],
)
def test_exact_evidence_is_accepted_and_falsified_is_not(claim_id: str, name: str) -> None:
    outcome = produce(*producer(claim_id, name))
    for certificate in outcome.certificates.values():
        check_certificate(certificate)
    certificate = dict(next(reversed(outcome.certificates.values())))
    falsified = {**certificate, "data": {**certificate["data"]}}
    key = "count" if "count" in falsified["data"] else "right"
    falsified["data"][key] = 1 if key == "count" else 7
    with pytest.raises(Exception, match=r"count|differ|equal"):
        check_certificate(falsified)
