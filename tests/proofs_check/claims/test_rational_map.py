"""tropical.rational-map: its evidence is accepted, and would not be if the claim were false."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from headproof.numeric.tropical import rational_map as floats
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.claims.tropical.rational_map import CLAIM
from headproof.proofs_check.evidence import Finding, Outcome
from headproof.symbolic.enclosures.ball import Enclosure
from headproof.symbolic.tropical import dequantisation
from headproof.symbolic.tropical import rational_map as exact


def produce(name: str, seed: int = 2) -> Outcome:
    (producer,) = (p for p in CLAIM.producers if p.name == name)
    return producer.produce(Context(CLAIM.id, producer.statement, Profile.QUICK, seed))


ACCEPTED = (
    "base-two",
    "enclosures",
    "strict-base-two",
    "family",
    "signed-base-two",
    "constant-base-two",
)


@pytest.mark.parametrize("name", ACCEPTED)
def test_evidence_is_accepted(name: str) -> None:
    outcome = produce(name)
    assert outcome.finding is Finding.HOLDS
    assert outcome.certificates
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


@pytest.mark.parametrize("name", ["either-sign-search", "jump", "half-search", "fewer-search"])
def test_false_readings_are_refuted(name: str) -> None:
    outcome = produce(name)
    assert outcome.finding is Finding.VIOLATED
    assert outcome.certificates
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_a_limit_that_does_not_jump_is_no_counterexample() -> None:
    """With equal values the limit is constant: the same certificates must be rejected."""
    for certificate in produce("jump").certificates.values():
        data = {**certificate["data"]}
        data["instance"] = {**data["instance"], "v": [1, 1]}
        with pytest.raises(Rejected):
            check_certificate({**certificate, "data": data})


def test_coverage_is_counted() -> None:
    certificate: Any = list(produce("base-two").certificates.values())[-1]
    family = certificate["data"]["family"]
    wider = {**family["variables"], "u": {**family["variables"]["u"], "to": 2}}
    data = {**certificate["data"], "family": {**family, "variables": wider}}
    with pytest.raises(Rejected, match="count"):
        check_certificate({**certificate, "data": data})


def _halved(honest: Callable[..., Enclosure]) -> Callable[..., Enclosure]:
    return lambda count, tau, *, digits=60: honest(count, Fraction(tau) / 2, digits=digits)


@pytest.mark.parametrize("name", ["search", "enclosures"])
def test_a_smaller_bound_is_found_out(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(dequantisation, "gap_limit", _halved(dequantisation.gap_limit))
    outcome = produce(name)
    assert outcome.finding is Finding.VIOLATED
    for certificate in outcome.certificates.values():  # and the claim itself is not at fault
        with pytest.raises(Rejected):
            check_certificate(certificate)


def test_balls_that_miss_the_truth_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest, off = exact.deviation, Fraction(1, 10**50)

    def shifted(*args: Any, **options: Any) -> Enclosure:
        found = honest(*args, **options)
        return Enclosure(found.lower + off, found.upper + off)

    monkeypatch.setattr(exact, "deviation", shifted)
    assert produce("enclosures").finding is Finding.VIOLATED


def test_a_careless_float_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = floats.deviation
    monkeypatch.setattr(floats, "deviation", lambda *args: honest(*args) * (1 + 1e-9))
    assert produce("torch").finding is Finding.VIOLATED


def test_the_limit_of_one_winner_alone_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def first_winner(scores: Any, values: Any) -> tuple[Fraction, ...]:
        return tuple(map(Fraction, values[list(scores).index(max(scores))]))

    monkeypatch.setattr(exact, "fixed_value_limit", first_winner)
    assert produce("constant-search").finding is Finding.VIOLATED
    assert produce("constant-torch").finding is Finding.VIOLATED
    with pytest.raises(AssertionError, match="limit"):
        produce("jump")
