"""The trained pieces of topic equivariance: criteria that can be missed, and what they rest on."""

import copy
from typing import Any

import pytest

from headproof.numeric.equivariance.experiment import EXPERIMENT
from headproof.numeric.experiment import NoJournal
from headproof.proofs_check.claim import Context, Profile, Role
from headproof.proofs_check.claims.equivariance import CLAIMS, criteria
from headproof.proofs_check.evidence import Inconclusive, Kind
from headproof.proofs_check.training.registry import EXPERIMENTS


def found() -> Any:
    """Measurements as they should be."""
    fits = {"own": [1e-28, 0.1], "other": [0.11, 0.2], "covering": [0.2, 1e-27], "many": [0.09]}
    return {
        witness: {"floor": 0.08, "zero": 1.4, "losses": copy.deepcopy(fits)}
        for witness in ("free", "fixed")
    }


def test_criteria_are_met_by_what_they_describe_and_controls_are_not() -> None:
    for criterion in criteria.CRITERIA:
        assert criterion.met(found()) is not criterion.control, criterion.name
        assert all(value(found()) >= 0 for value in criterion.values.values())


@pytest.mark.parametrize(
    ("name", "witness", "fit", "losses"),
    [
        ("own-type", "free", "own", [1e-6]),
        ("own-type", "fixed", "own", [0.08, 0.1]),
        ("other-type", "free", "other", [0.2, 0.07]),
        ("other-type", "fixed", "other", [0.07]),
        ("other-type", "free", "many", [0.079]),
        ("covering-type", "free", "covering", [0.08]),
        ("covering-type", "fixed", "covering", [1e-6]),
    ],
)
def test_a_criterion_is_missed_by_another_loss(
    name: str, witness: str, fit: str, losses: list[float]
) -> None:
    criterion = next(one for one in criteria.CRITERIA if one.name == name)
    other = found()
    other[witness]["losses"][fit] = losses
    assert not criterion.met(other)


def test_a_floor_near_zero_is_missed_and_the_control_can_be_met() -> None:
    other = found()
    other["fixed"]["floor"] = 0.01
    assert not criteria.OTHER.met(other)
    other["free"]["losses"]["many"] = [0.03]
    assert criteria.MANY.met(other)


def test_every_criterion_has_its_statement() -> None:
    by_text = {s.text: (claim, s) for claim in CLAIMS for s in claim.statements}
    for criterion in criteria.CRITERIA:
        claim, statement = by_text[criterion.text]
        assert claim.id == criterion.claim
        assert (statement.role is Role.CONTROL) == criterion.control
        kinds = {p.kind for p in claim.producers if p.statement == statement.name}
        assert kinds == {Kind.TRAINED}


def test_quick_runs_the_mechanics_and_concludes_nothing() -> None:
    claim = next(one for one in CLAIMS if one.id == "equivariance.price")
    producer = next(p for p in claim.producers if p.kind is Kind.TRAINED)
    with pytest.raises(Inconclusive, match="left to profile full"):
        producer.produce(Context(claim.id, producer.statement, Profile.QUICK, 0))


@pytest.mark.long
def test_the_quick_profile_fits_with_the_right_types_only() -> None:
    """Whether a witness is far enough from the other type's layers varies from draw to draw."""
    measured = EXPERIMENT.run(EXPERIMENT.configs["quick"], 50, NoJournal())
    for criterion in EXPERIMENTS["equivariance"].load_criteria():
        if criterion is not criteria.OTHER:
            assert criterion.met(measured) is not criterion.control, criterion.name
