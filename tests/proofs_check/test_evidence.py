import json

import pytest

from headproof.proofs_check.evidence import Evidence, Finding, Kind, Outcome, Status
from headproof.proofs_check.runner.record import evidence_from_json, evidence_to_json

PIECE = Evidence(
    "search",
    "main",
    Kind.SEARCH,
    Status.RAN,
    Finding.VIOLATED,
    scope="500 cases",
    certificates=("certificates/t.x/search.instance.json",),
    rejected={"certificates/t.x/search.instance.json": "invalid: holds"},
    numbers={"cases": 500, "bound": "1/3"},
    seconds=1.5,
)


def test_evidence_survives_the_way_through_json() -> None:
    assert evidence_from_json(json.loads(json.dumps(evidence_to_json(PIECE)))) == PIECE


@pytest.mark.parametrize(
    ("field", "value"),
    [("kind", "rumour"), ("status", "maybe"), ("finding", "perhaps"), ("certificates", None)],
)
def test_what_is_no_evidence_is_not_read_as_such(field: str, value: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        evidence_from_json({**evidence_to_json(PIECE), field: value})


def test_unknown_and_missing_fields_are_refused() -> None:
    with pytest.raises(TypeError):
        evidence_from_json({**evidence_to_json(PIECE), "verdict": "proved"})
    with pytest.raises(KeyError):
        evidence_from_json({"producer": "search"})


def test_an_outcome_has_no_field_for_a_verdict() -> None:
    assert not {"verdict", "valid", "accepted"} & set(Outcome.__dataclass_fields__)
