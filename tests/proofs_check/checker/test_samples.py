"""Every kind's good samples pass, the others fail for the reason in reasons.json."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from headproof.proofs_check.checker import KINDS, check_file

HERE = Path(__file__).parent
KINDS_HERE = ("ball", "counterexample", "exhaustive", "farkas", "hull", "identity")
SAMPLES = [f"{k}/{p.stem}" for k in KINDS_HERE for p in sorted((HERE / "samples" / k).iterdir())]
GOOD = [name for name in SAMPLES if "/good-" in name]
REASONS = json.loads((HERE / "reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def sample(name: str) -> Path:
    return HERE / "samples" / f"{name}.json"


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: Any) -> None:
    result = check_file(sample(name))
    assert (result.answer, result.reason) == ("valid", "")
    assert result.kind == name.split("/")[0]
    assert result.claim == "sample.claim"


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: Any) -> None:
    result = check_file(sample(name))
    assert f"{result.answer}: {result.reason}" == REASONS[name]


def test_every_kind_has_good_incomplete_and_wrong_samples() -> None:
    assert set(KINDS_HERE) <= set(KINDS)
    for kind in KINDS_HERE:
        names = {
            name.split("/")[1].split("-")[0] for name in SAMPLES if name.startswith(f"{kind}/")
        }
        assert names == {"good", "incomplete", "wrong"}
    assert set(REASONS) == set(SAMPLES) - set(GOOD)


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: Any, validators: Any) -> None:
    validators(name.split("/")[0]).validate(json.loads(sample(name).read_text()))


@pytest.mark.parametrize(
    "name",
    [
        "ball/incomplete-half",
        "ball/wrong-enclosure-says-nothing",
        "counterexample/wrong-operator",
        "counterexample/wrong-condition-as-number",
        "exhaustive/wrong-both-kinds-of-values",
        "farkas/wrong-relation",
        "hull/wrong-unknown-key",
        "hull/wrong-index-negative",
        "identity/incomplete-no-right",
    ],
)
def test_schema_refuses_malformed_sample(name: Any, validators: Any) -> None:
    assert not validators(name.split("/")[0]).is_valid(json.loads(sample(name).read_text()))


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("*.json")), ids=lambda path: path.stem)
def test_schema_is_a_schema(path: Any) -> None:
    jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text()))
