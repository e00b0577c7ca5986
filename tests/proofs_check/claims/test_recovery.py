"""The claims of topic recovery: each comes out as declared, and each false variant is refuted."""

from dataclasses import replace
from typing import Any

import pytest

from headproof.numeric.recovery import attention
from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import canonical
from headproof.oracle.recovery.baselines import recover_single_head
from headproof.oracle.recovery.conditioning import kappa
from headproof.oracle.recovery.ffn import recover_ffn
from headproof.oracle.recovery.recover import recover
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.claim import Claim, Context, Producer, Profile, Role
from headproof.proofs_check.claims.recovery import CLAIMS
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.producers.recovery import (
    algorithm,
    baselines,
    conditioning,
    equivalence,
    feed_forward,
    identity,
)
from headproof.proofs_check.producers.recovery.models import models
from headproof.proofs_check.registry import load
from headproof.proofs_check.search import search
from headproof.symbolic.errors import HeadproofError

PRODUCERS = [
    (claim, producer)
    for claim in CLAIMS
    for producer in claim.producers
    # Derivations and theorems have tests of their own.
    if producer.kind not in (Kind.SYMBOLIC, Kind.FORMAL)
]
QUICK = Context("recovery.algorithm", "right", Profile.QUICK, 3)


def test_the_registry_takes_them() -> None:
    assert {claim.id for claim in CLAIMS} <= set(load().claims)
    for claim in CLAIMS:
        kinds = {producer.kind for producer in claim.producers}
        assert {Kind.SYMBOLIC, Kind.EXACT, Kind.BALL, Kind.SEARCH} <= kinds or claim.omitted


@pytest.mark.parametrize(
    ("claim", "producer"), PRODUCERS, ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS]
)
def test_each_piece_comes_out_as_its_statement_needs(claim: Claim, producer: Producer) -> None:
    (statement,) = (s for s in claim.statements if s.name == producer.statement)
    outcome = producer.produce(Context(claim.id, statement.name, Profile.QUICK, 3))
    false = statement.role is Role.CONTROL
    assert outcome.finding is (Finding.VIOLATED if false else Finding.HOLDS)
    assert bool(outcome.certificates) or (producer.kind is Kind.SEARCH and not false)
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_a_transcript_with_another_count_is_rejected() -> None:
    certificate = algorithm.bound_transcripts(QUICK).certificates["d1H1bound3"]
    data: Any = certificate["data"]
    with pytest.raises(Rejected, match="formula"):
        check_certificate({**certificate, "data": {**data, "most": 1}})


def test_a_recovery_of_another_model_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = recover

    def swapped(*arguments: Any, **options: Any) -> Any:
        found = right(*arguments, **options)
        return replace(found, heads=tuple(replace(h, v=(5,) * len(h.v)) for h in found.heads))

    monkeypatch.setattr(algorithm, "recover", swapped)
    with pytest.raises(AssertionError, match="planted"):
        algorithm.known_transcripts(QUICK)
    assert algorithm.search_right(QUICK).finding is Finding.VIOLATED
    monkeypatch.setattr(equivalence, "recover", swapped)
    with pytest.raises(AssertionError):
        equivalence.transcripts(QUICK)


def test_an_oracle_that_is_no_attention_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Shifted(ExactOracle):
        def __call__(self, query: Any) -> Any:
            return super().__call__(query) + 1

    monkeypatch.setattr(algorithm, "ExactOracle", Shifted)
    with pytest.raises(HeadproofError):
        algorithm.search_right(QUICK)
    monkeypatch.setattr(identity, "ExactOracle", Shifted)
    assert identity.search_rational(QUICK).finding is Finding.VIOLATED
    assert identity.search_proper(QUICK).finding is Finding.VIOLATED


def test_floats_that_are_wrong_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    value, value_mp = attention.value, attention.value_mp
    monkeypatch.setattr(attention, "value", lambda *a: value(*a) + 1e-9)
    assert identity.float_agreement(QUICK).finding is Finding.VIOLATED
    monkeypatch.setattr(attention, "value_mp", lambda *a: value_mp(*a) * (1 + 10**-9))
    assert identity.enclosures(QUICK).finding is Finding.VIOLATED


def test_a_kappa_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = kappa
    monkeypatch.setattr(conditioning, "SIZES", ((1, 2),))
    monkeypatch.setattr(conditioning, "kappa", lambda *a: right(*a) / 1000)
    assert conditioning.noise(QUICK).finding is Finding.VIOLATED
    assert conditioning.kappa_agreement(QUICK).finding is Finding.VIOLATED


def test_a_wrong_layer_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def shorter(*arguments: Any, **options: Any) -> Any:
        found = recover_ffn(*arguments, **options)
        return replace(found, neurons=found.neurons[1:])

    monkeypatch.setattr(feed_forward, "recover_ffn", shorter)
    assert feed_forward.recoveries(QUICK).finding is Finding.VIOLATED


def test_a_wrong_baseline_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def longer(*arguments: Any, **options: Any) -> Any:
        found = recover_single_head(*arguments, **options)
        return replace(found, queries=found.queries + 1)

    monkeypatch.setattr(baselines, "recover_single_head", longer)
    assert baselines.search_single_head(QUICK).finding is Finding.VIOLATED


def test_degenerate_models_are_drawn() -> None:
    kinds: set[str] = set()

    def look(model: Any) -> bool:
        least = canonical(model)
        whole = [sum(column) for column in zip(*(head.v for head in least), strict=True)]
        kinds.update(["opposite"] * (bool(least) and not any(whole)))
        kinds.update(["merged"] * (len(least) < len(model)))
        kinds.update(["empty"] * (not least))
        kinds.update(["equal v"] * (len({head.v for head in least}) < len(least)))
        return True

    search(models(), look, examples=200, seed=1)
    assert kinds == {"opposite", "merged", "empty", "equal v"}
