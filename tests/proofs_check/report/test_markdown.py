"""The Markdown table: it says what the record says, and README.md carries it."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import headproof
from headproof.proofs_check.claim import Claim, Profile
from headproof.proofs_check.evidence import Evidence, Status
from headproof.proofs_check.registry import Registry, load
from headproof.proofs_check.report.markdown import verdict_table, verdicts
from headproof.proofs_check.report.recorded import read
from headproof.proofs_check.runner import components
from headproof.proofs_check.runner.record import ClaimResult, StatementResult
from headproof.proofs_check.runner.worker import Task, why_left_out
from headproof.proofs_check.verdict import Verdict, decide

README = Path(__file__).parents[3] / "README.md"
MARKED = re.compile(r"<!-- verdicts[^\n]*-->\n(.*)<!-- /verdicts -->", re.DOTALL)
MISSING = ("checkpoint", "coqc")
"""What `make verify` does without."""


def carried() -> str:
    found = MARKED.search(README.read_text("utf-8"))
    assert found, "README.md has lost the markers of its table"
    return found.group(1)


def as_expected(claim: Claim) -> ClaimResult:
    """What a quick run of a claim leaves if everything comes out as expected."""
    missing = {name: components.why_missing(name) for name in MISSING}
    task = Task(claim, Profile.QUICK, 0, missing, Path(), "", "")
    evidence = []
    for producer in claim.producers:
        reason = why_left_out(producer, task)
        status = Status.NOT_RUN if reason else Status.RAN
        about = (producer.name, producer.statement, producer.kind)
        evidence.append(Evidence(*about, status, reason=reason))
    statements = []
    for statement in claim.statements:
        verdict = statement.expected.at(Profile.QUICK, frozenset(MISSING))
        pieces = [piece for piece in evidence if piece.statement == statement.name]
        reason = decide(pieces).reason if verdict is Verdict.NOT_RUN else ""
        role = statement.role
        statements.append(StatementResult(statement.name, role, verdict, verdict, reason, False))
    return ClaimResult(claim.id, "", 0.0, tuple(statements), tuple(evidence))


def test_the_readme_carries_the_expected_verdicts() -> None:
    registry = load()
    table = verdict_table([as_expected(claim) for claim in registry], registry.claims)
    assert carried() == table, "see tests/README.md on how to renew the table"


@pytest.mark.long
def test_the_readme_carries_the_verdicts_of_a_quick_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = components.detect()
    monkeypatch.setattr(components, "detect", lambda: {**there, **dict.fromkeys(MISSING)})
    run = headproof.verify(out=tmp_path, jobs=2)
    assert run.as_expected
    assert carried() == verdicts(run.folder)


def test_a_difference_stands_out(sample: Path, registry: Registry) -> None:
    lines = verdicts(sample, registry=registry).splitlines()
    assert len(lines) == 2 + 10
    assert lines[2].startswith("| A1 Dequantisation of log-sum-exp | ")
    assert lines[3].startswith("|  | ")
    differing = [line for line in lines if "**! failed** (expected " in line]
    assert len(differing) == 2


def test_what_markdown_would_read_is_escaped(sample: Path, registry: Registry) -> None:
    (result, *_) = read(sample).results.values()
    spoilt = replace(result.statements[0], name="a|b\n<b> [x](y) *z*")
    text = verdict_table([replace(result, claim="c|d", statements=(spoilt,))], registry.claims)
    (row,) = text.splitlines()[2:]
    assert r"a\|b \<b> \[x](y) \*z\*" in row
    assert row.startswith(r"| c\|d | ")
