"""The claims of topic equivariance: each comes out as declared, each false variant is refuted."""

from typing import Any

import pytest

from headproof.numeric.equivariance.layer import EquivariantAttention
from headproof.oracle.equivariance import MatrixRecovery, recover_matrix_heads
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.claim import Claim, Context, Producer, Profile, Role
from headproof.proofs_check.claims.equivariance import CLAIMS
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.producers.equivariance import hidden, models, permutation, price, strata
from headproof.proofs_check.registry import load
from headproof.symbolic.equivariance.gset import types
from headproof.symbolic.equivariance.heads import permutation as heads_permutation
from headproof.symbolic.equivariance.hidden import classify
from headproof.symbolic.equivariance.library import named
from headproof.symbolic.equivariance.price import cheapest
from headproof.symbolic.errors import HeadproofError

PRODUCERS = [
    (claim, producer)
    for claim in CLAIMS
    for producer in claim.producers
    # The formal ones need coqc and are tested with it, the trained ones are tested by themselves.
    if producer.kind not in (Kind.FORMAL, Kind.TRAINED)
]
QUICK = Context("equivariance.permutation", "permuted", Profile.QUICK, 3)


def test_the_registry_takes_them() -> None:
    assert {claim.id for claim in CLAIMS} <= set(load().claims)
    assert [claim.number for claim in CLAIMS] == ["T1a", "T1b", "T1c", "T1d"]
    for claim in CLAIMS:
        roles = {statement.role for statement in claim.statements}
        assert roles == set(Role)
        assert claim.omitted
        stated = [s for s in claim.statements if s.role is Role.AS_STATED]
        assert all(statement.ours for statement in stated)


@pytest.mark.parametrize(
    ("claim", "producer"),
    PRODUCERS,
    ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS],
)
def test_each_piece_comes_out_as_its_statement_needs(claim: Claim, producer: Producer) -> None:
    statement = claim.statement(producer.statement)
    outcome = producer.produce(Context(claim.id, statement.name, Profile.QUICK, 3))
    false = statement.role is Role.CONTROL
    assert outcome.finding is (Finding.VIOLATED if false else Finding.HOLDS)
    needed = false or producer.kind is Kind.EXACT
    assert bool(outcome.certificates) is needed
    assert outcome.general is (producer.kind is Kind.SYMBOLIC)
    for certificate in outcome.certificates.values():
        assert certificate["claim"] == claim.id
        check_certificate(certificate)


def test_a_wrong_recovery_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:

    def short(*args: Any, **options: Any) -> MatrixRecovery:
        found = recover_matrix_heads(*args, **options)
        return MatrixRecovery(found.heads[1:], found.coordinates)

    monkeypatch.setattr(permutation, "recover_matrix_heads", short)
    with pytest.raises(AssertionError, match="recovered"):
        permutation.recovered(QUICK)


def test_a_violation_that_is_overlooked_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "violation", lambda *_, **__: None)
    with pytest.raises(AssertionError, match="passed"):
        permutation.broken(QUICK)
    assert permutation.search_permuted(QUICK).finding is Finding.VIOLATED


def test_heads_that_are_not_permuted_disagree_in_mpmath(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "drawn", lambda *args: models.drawn(*args)[:1])
    monkeypatch.setattr(permutation, "strata", lambda G, _: [models.strata(G, 8)[0]])
    outcome = permutation.digits_agreement(QUICK)
    assert outcome.finding is Finding.VIOLATED


def test_layers_that_are_not_equivariant_disagree(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fewer(EquivariantAttention):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.transversals = [each[:1] for each in self.transversals]

    monkeypatch.setattr(permutation, "EquivariantAttention", Fewer)
    assert permutation.float_agreement(QUICK).finding is Finding.VIOLATED


def test_permutations_in_the_other_order_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:

    def backwards(heads: Any, rho: Any, out: Any, g: int) -> Any:
        return heads_permutation(heads, rho, out, rho.group.inverses[g])

    monkeypatch.setattr(permutation, "permutation", backwards)
    assert permutation.search_composition(QUICK).finding is Finding.VIOLATED


def test_a_stratum_left_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = models.strata
    monkeypatch.setattr(strata, "strata", lambda G, H: right(G, H)[1:])
    certificate = strata.violators(QUICK).certificates["S_3-3"]
    with pytest.raises(Rejected, match="missing"):
        check_certificate(certificate)


def test_a_criterion_that_leaves_a_class_out_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = models.possible
    monkeypatch.setattr(strata, "possible", lambda G: right(G)[1:])
    assert strata.search_realised(QUICK).finding is Finding.VIOLATED


def test_another_criterion_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hidden, "classify", lambda n, m, k: classify(n, m, k + 1))
    assert hidden.search_criterion(QUICK).finding is Finding.VIOLATED
    certificate = hidden.smallest(QUICK).certificates["C_2"]
    with pytest.raises(Rejected, match="needed"):
        check_certificate({**certificate, "data": {**certificate["data"], "needed": [1, 0]}})


def test_another_price_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(price, "KNOWN", {"C_2": (1, 3, 4, 5)})
    with pytest.raises(AssertionError, match="C_2"):
        price.abstract_table(QUICK)
    monkeypatch.setattr(price, "cheapest", lambda classes, H: cheapest(classes, H + 1))
    assert price.enumeration(QUICK).finding is Finding.VIOLATED


def test_a_property_that_raises_is_no_support(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strata, "matching", lambda *_: 1 / 0)
    with pytest.raises(HeadproofError, match="ZeroDivisionError"):
        strata.search_types(QUICK)


def test_models_draw_what_they_say() -> None:
    G = named("V_4")
    assert models.strata(G, 2) == list(types(G.classes, 2, allowed=models.possible(G)))
    assert len(models.drawn(G, models.strata(G, 2)[0], 1)) == 2
