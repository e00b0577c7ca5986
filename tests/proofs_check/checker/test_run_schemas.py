"""The schemas of run folders describe what the runner writes."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from headproof.proofs_check.claim import Role
from headproof.proofs_check.evidence import Evidence, Finding, Kind, Status
from headproof.proofs_check.runner.record import ClaimResult, StatementResult
from headproof.proofs_check.verdict import Verdict

SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def line() -> Any:
    evidence = Evidence(
        "exact", "s", Kind.EXACT, Status.RAN, Finding.HOLDS, certificates=("certificates/a/b.json",)
    )
    missing = Evidence("formal", "s", Kind.FORMAL, Status.NOT_RUN, reason="no coqc")
    statement = StatementResult(
        "s", Role.AS_VERIFIED, Verdict.CERTIFIED, Verdict.PROVED, "exact", True
    )
    result = ClaimResult("a", "0f", 0.5, (statement,), (evidence, missing))
    return json.loads(json.dumps(result.to_json()))


def test_result_line_fits_its_schema() -> None:
    schema = json.loads((SCHEMAS / "result.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(line())


@pytest.mark.parametrize(
    ("key", "value"), [("format", "headproof-result/2"), ("seconds", "1"), ("evidence", {})]
)
def test_other_lines_do_not(key: str, value: Any) -> None:
    schema = json.loads((SCHEMAS / "result.schema.json").read_text())
    assert not jsonschema.Draft202012Validator(schema).is_valid(line() | {key: value})
