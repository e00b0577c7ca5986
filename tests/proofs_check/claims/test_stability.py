"""Claims A10 to A12: every control is refuted, and what is stated of boxes is what is checked."""

import json

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.evidence import Finding
from headproof.proofs_check.producers.tropical import (
    derivative_stability,
    gap_boxes,
    stability_scope,
    value_stability,
)


def context(claim: str) -> Context:
    return Context(claim, "", Profile.QUICK, 7)


@pytest.mark.parametrize(
    ("claim", "producer", "finding"),
    [
        ("tropical.value-stability", value_stability.walls, Finding.VIOLATED),
        ("tropical.value-stability", value_stability.search_sharper, Finding.VIOLATED),
        ("tropical.value-stability", value_stability.base_two_attained, Finding.HOLDS),
        ("tropical.derivative-stability", derivative_stability.walls, Finding.VIOLATED),
        ("tropical.derivative-stability", derivative_stability.search_eighth, Finding.VIOLATED),
        ("tropical.derivative-stability", derivative_stability.expanded, Finding.HOLDS),
        ("tropical.derivative-stability", derivative_stability.boxes, Finding.HOLDS),
        ("tropical.stability-scope", stability_scope.tanh, Finding.VIOLATED),
        ("tropical.stability-scope", stability_scope.second_layer, Finding.VIOLATED),
        ("tropical.stability-scope", stability_scope.smaller_gap, Finding.VIOLATED),
        ("tropical.stability-scope", stability_scope.networks, Finding.HOLDS),
        ("tropical.rational-map", gap_boxes.log_values, Finding.HOLDS),
    ],
)
def test_producers_and_their_certificates(claim: str, producer: object, finding: Finding) -> None:
    assert callable(producer)
    outcome = producer(context(claim))
    assert outcome.finding is finding
    assert outcome.certificates
    for certificate in outcome.certificates.values():
        assert certificate["claim"] == claim
        check_certificate(json.loads(json.dumps(certificate)))
