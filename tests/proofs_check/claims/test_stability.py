"""Claims A10 to A12: every control is refuted, and what is stated of boxes is what is checked."""

import json
import math
from fractions import Fraction

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
from headproof.proofs_check.producers.tropical.soft_output import distance
from headproof.symbolic.regions.network_document import parse


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


def test_a_network_beyond_the_recursion_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    far = Fraction(10**9)
    monkeypatch.setattr(stability_scope, "distance", lambda network, point, temperature: far)
    outcome = stability_scope.search_networks(context("tropical.stability-scope"))
    assert outcome.finding is Finding.VIOLATED
    assert not outcome.certificates  # a bound that does not hold is no certificate of a departure


def test_the_second_implementation_of_a_soft_network() -> None:
    head = {"keys": [[-1], [1]], "values": [[-1], [1]]}
    network = parse({"dimension": 1, "layers": [{"heads": [head], "residual": False}]})
    off = distance(network, [Fraction(2)], Fraction(1))
    assert abs(float(off) - (1 - math.tanh(2))) < 1e-15
