"""The document for other programs."""

import json
from pathlib import Path

import pytest

from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.report.json import summary
from headproof.symbolic.errors import InputError


def test_the_summary_says_what_the_page_says(sample: Path, registry: Registry) -> None:
    document = json.loads(json.dumps(summary(sample, registry=registry), allow_nan=False))
    assert document["format"] == "headproof-report/1"
    assert document["verdicts"] == {"proved": 2, "refuted": 5, "not run": 1, "failed": 2}
    assert document["different"] == 2
    assert document["certificates"] == {"accepted": 8, "rejected": 1}
    assert [claim["number"] for claim in document["claims"]] == ["A1", "A2", "A3", "A5"]
    statement = document["claims"][0]["statements"][0]
    assert statement["verdict"] == "proved"
    assert statement["evidence"] == ["symbolic", "ball", "search"]


def test_unknown_claims_are_marked(sample: Path) -> None:
    document = summary(sample, registry=build([]))
    assert [claim["known"] for claim in document["claims"]] == [False] * 4
    assert len(document["notes"]) == 1


def test_a_folder_that_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        summary(tmp_path, registry=build([]))
