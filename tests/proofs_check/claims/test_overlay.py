"""tropical.overlay: its evidence is accepted, and engines that disagree are noticed."""

from dataclasses import replace
from typing import Any

import pytest

from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.claims.tropical.overlay import CLAIM
from headproof.proofs_check.evidence import Finding, Outcome
from headproof.proofs_check.producers.tropical import overlay as producers


def produce(name: str, seed: int = 2) -> Outcome:
    (producer,) = (p for p in CLAIM.producers if p.name == name)
    return producer.produce(Context(CLAIM.id, producer.statement, Profile.QUICK, seed))


@pytest.mark.parametrize("name", ["two-keys", "special-positions", "random-heads"])
def test_evidence_is_accepted(name: str) -> None:
    outcome = produce(name)
    assert outcome.finding is Finding.HOLDS
    assert {c["kind"] for c in outcome.certificates.values()} == {"overlay", "hull"}
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_a_certificate_with_a_cell_less_or_another_bias_is_rejected() -> None:
    certificates = produce("random-heads").certificates
    certificate: Any = next(
        c for c in certificates.values() if c["kind"] == "overlay" and c["data"]["cells"] > 4
    )
    data = certificate["data"]
    fewer = {**data, "labels": data["labels"][1:], "cells": data["cells"] - 1}
    head = {
        **data["heads"][0],
        "biases": [b + 50 * n for n, b in enumerate(data["heads"][0]["biases"])],
    }
    moved = {**data, "heads": [head, *data["heads"][1:]]}
    for wrong in (fewer, moved):
        with pytest.raises(Rejected):
            check_certificate({**certificate, "data": wrong})


@pytest.mark.parametrize("name", ["every-combination-search", "all-vertices-search"])
def test_controls_are_refuted(name: str) -> None:
    outcome = produce(name)
    assert outcome.finding is Finding.VIOLATED
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_a_missing_label_is_noticed_by_every_producer(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = producers.overlay  # type: ignore[attr-defined]

    def forgetful(heads: Any) -> Any:
        found = honest(heads)
        return replace(found, labels=found.labels[1:], cells=found.cells - 1)

    monkeypatch.setattr(producers, "overlay", forgetful)
    assert produce("search").finding is Finding.VIOLATED
    assert produce("torch").finding is Finding.VIOLATED
    with pytest.raises(AssertionError, match="upper vertices"):
        produce("special-positions")


def test_a_label_too_many_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = producers.overlay  # type: ignore[attr-defined]

    def inventive(heads: Any) -> Any:
        found = honest(heads)
        each = [sorted({label[h] for label in found.labels}) for h in range(len(found.heads))]
        labels = tuple(sorted(producers.product(*each)))  # type: ignore[attr-defined]
        return replace(found, labels=labels, cells=len(labels))

    monkeypatch.setattr(producers, "overlay", inventive)
    assert produce("search").finding is Finding.VIOLATED
    with pytest.raises(AssertionError, match="upper vertices"):
        produce("special-positions")
