"""Claims D1 and D2: each piece comes out as its statement needs, and a wrong count is noticed."""

from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.claim import Claim, Context, Producer, Profile
from headproof.proofs_check.claims.attention_only.accounting import CLAIM as ACCOUNTING
from headproof.proofs_check.claims.attention_only.matching import CLAIM as MATCHING
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.producers.attention_only import accounting, matching
from headproof.proofs_check.verdict import Verdict
from headproof.symbolic.attention_only.accounting import (
    Operations,
    attention_matrices,
    block_operations,
    operations,
    parameters,
)
from headproof.symbolic.attention_only.proofs import accounting as proofs
from headproof.symbolic.errors import DerivationFailed

PRODUCERS = [
    (claim, producer)
    for claim in (ACCOUNTING, MATCHING)
    for producer in claim.producers
    if producer.kind is not Kind.SYMBOLIC and producer.since is Profile.QUICK
    if producer.name != "torch"  # tests/symbolic/attention_only compares the same
]
QUICK = Context("attention_only.accounting", "counted", Profile.QUICK, 3)


@pytest.mark.parametrize(
    ("claim", "producer"), PRODUCERS, ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS]
)
def test_each_piece_comes_out_as_its_statement_needs(claim: Claim, producer: Producer) -> None:
    (statement,) = (s for s in claim.statements if s.name == producer.statement)
    outcome = producer.produce(Context(claim.id, statement.name, Profile.QUICK, 3))
    false = statement.expected.verdict is Verdict.REFUTED
    assert outcome.finding is (Finding.VIOLATED if false else Finding.HOLDS)
    assert bool(outcome.certificates) or (producer.kind is Kind.SEARCH and not false)
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_one_parameter_more_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = parameters
    monkeypatch.setattr(accounting, "parameters", lambda made: right(made) + 1)
    assert accounting.search_counted(QUICK).finding is Finding.VIOLATED


def test_one_operation_less_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = operations

    def wrong(*given: Any, **options: Any) -> Operations:
        found = right(*given, **options)
        return Operations(found.forward, found.backward - 2)

    monkeypatch.setattr(accounting, "operations", wrong)
    assert accounting.search_counted(QUICK).finding is Finding.VIOLATED


def test_a_forgotten_matrix_stops_the_derivation(monkeypatch: pytest.MonkeyPatch) -> None:
    right = attention_matrices
    monkeypatch.setattr(proofs, "attention_matrices", lambda made: right(made) * 3 / 4)
    with pytest.raises(DerivationFailed):
        proofs.share()
    with pytest.raises(DerivationFailed):
        proofs.depth()


def test_one_operation_more_in_each_layer_stops_the_derivation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = block_operations
    monkeypatch.setattr(
        proofs, "block_operations", lambda made, **more: right(made, **more) + made.layers
    )
    with pytest.raises(DerivationFailed):
        proofs.compute()


def test_a_match_that_is_not_the_closest_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = matching._by_trial
    monkeypatch.setattr(matching, "_by_trial", lambda *given: (*right(*given), (0, 0)))
    assert matching.search_closest(QUICK).finding is Finding.VIOLATED
