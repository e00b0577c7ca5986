"""The Markdown tables: they say what the record says; README.md and docs/verdicts.md carry them."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

import headproof
from headproof.proofs_check.claim import Claim, Profile
from headproof.proofs_check.claims.attention_only.published import FIGURES
from headproof.proofs_check.evidence import Evidence, Kind, Status
from headproof.proofs_check.registry import Registry, load
from headproof.proofs_check.report.markdown import (
    claim_table,
    short_verdicts,
    trained_table,
    verdict_table,
    verdicts,
)
from headproof.proofs_check.report.recorded import read
from headproof.proofs_check.runner import components
from headproof.proofs_check.runner.record import ClaimResult, StatementResult
from headproof.proofs_check.runner.worker import Task, why_left_out
from headproof.proofs_check.training.evidence import ONLY_MECHANICS
from headproof.proofs_check.verdict import Verdict, decide

ROOT = Path(__file__).parents[3]
README, ALL_VERDICTS = ROOT / "README.md", ROOT / "docs" / "verdicts.md"
ALL_TRAINED = ROOT / "docs" / "trained.md"
MARKED = re.compile(r"<!-- verdicts[^\n]*-->\n(.*)<!-- /verdicts -->", re.DOTALL)
MISSING = ("checkpoint", "coqc")
"""What `make verify` does without."""


def carried(file: Path) -> str:
    found = MARKED.search(file.read_text("utf-8"))
    assert found, f"{file.name} has lost the markers of its table"
    return found.group(1)


def as_expected(claim: Claim) -> ClaimResult:
    """What a quick run of a claim leaves if everything comes out as expected."""
    missing = {name: components.why_missing(name) for name in MISSING}
    task = Task(claim, Profile.QUICK, 0, missing, Path(), "", "")
    evidence = []
    for producer in claim.producers:
        reason = why_left_out(producer, task)
        if not reason and producer.kind is Kind.TRAINED:
            figure = FIGURES.get(producer.statement)
            reason = figure.why_not_run if figure else ONLY_MECHANICS
        status = Status.NOT_RUN if reason else Status.RAN
        about = (producer.name, producer.statement, producer.kind)
        evidence.append(Evidence(*about, status, reason=reason))
    statements = []
    for statement in claim.statements:
        pieces = [piece for piece in evidence if piece.statement == statement.name]
        verdict = statement.expected.at(Profile.QUICK, frozenset(MISSING))
        if not any(piece.status is Status.RAN for piece in pieces):
            verdict = Verdict.NOT_RUN
        reason = decide(pieces).reason if verdict is Verdict.NOT_RUN else ""
        role = statement.role
        statements.append(StatementResult(statement.name, role, verdict, verdict, reason, False))
    return ClaimResult(claim.id, "", 0.0, tuple(statements), tuple(evidence))


def test_the_documents_carry_the_expected_verdicts() -> None:
    registry = load()
    results = [as_expected(claim) for claim in registry]
    renew = "see tests/README.md on how to renew the tables"
    assert carried(README) == claim_table(results, registry.claims), renew
    assert carried(ALL_VERDICTS) == verdict_table(results, registry.claims), renew


@pytest.mark.long
def test_the_documents_carry_the_verdicts_of_a_quick_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = components.detect()
    monkeypatch.setattr(components, "detect", lambda: {**there, **dict.fromkeys(MISSING)})
    run = headproof.verify(out=tmp_path, jobs=2)
    assert run.as_expected
    assert carried(README) == short_verdicts(run.folder)
    assert carried(ALL_VERDICTS) == verdicts(run.folder)


def test_a_difference_stands_out(sample: Path, registry: Registry) -> None:
    lines = verdicts(sample, registry=registry).splitlines()
    assert len(lines) == 2 + 10
    assert lines[2].startswith("| A1 Dequantisation of log-sum-exp | ")
    assert lines[3].startswith("|  | ")
    differing = [line for line in lines if "**! failed** (expected " in line]
    assert len(differing) == 2


def test_a_row_for_each_claim(sample: Path, registry: Registry) -> None:
    results = tuple(read(sample).results.values())
    lines = short_verdicts(sample, registry=registry).splitlines()
    assert len(lines) == 2 + len(results)
    assert sum("**not as expected**" in line for line in lines) == 2
    assert claim_table(results[::-1], registry.claims).splitlines() == lines


def trained_in_full(claim: Claim) -> ClaimResult:
    """What a full run leaves of a claim's trainings if everything comes out as expected."""
    result = as_expected(claim)
    trained = tuple(
        replace(piece, status=Status.RAN)
        for piece in result.evidence
        if piece.kind is Kind.TRAINED and piece.statement not in FIGURES
    )
    statements = [
        StatementResult(each.name, each.role, verdict, verdict, "", False)
        for each in claim.statements
        for verdict in [each.expected.at(Profile.FULL, frozenset())]
    ]
    return replace(result, statements=tuple(statements), evidence=trained)


def test_the_page_of_trainings_has_every_criterion_with_the_expected_verdict() -> None:
    def without_numbers(table: str) -> list[str]:
        return [line.rsplit(" | ", 1)[0] for line in table.splitlines()]

    registry = load()
    expected = trained_table([trained_in_full(claim) for claim in registry], registry.claims)
    page = carried(ALL_TRAINED)
    assert without_numbers(page) == without_numbers(expected), "see tests/README.md on how to renew"
    assert all("seeds that meet it: " in line for line in page.splitlines()[2:])


def test_what_was_trained_stands_with_its_numbers() -> None:
    registry = load()
    claim = registry.claims["identification.gradient"]
    result = as_expected(claim)
    assert trained_table([result], registry.claims).count("\n") == 2, "nothing was trained"
    numbers = {"seeds that meet it": "5 of 5", "a|b": "1.5 (1.2..1.8)", "first seed": 0}
    trained = tuple(
        replace(piece, status=Status.RAN, numbers=numbers) if piece.kind is Kind.TRAINED else piece
        for piece in result.evidence
    )
    told = {piece.statement for piece in trained if piece.kind is Kind.TRAINED}
    lines = trained_table([replace(result, evidence=trained)], registry.claims).splitlines()[2:]
    assert len(lines) == len(told) < len(claim.statements)
    assert lines[0].startswith("| C6 ")
    assert all(line.startswith("|  | ") for line in lines[1:])
    assert all(
        line.endswith(r" | seeds that meet it: 5 of 5; a\|b: 1.5 (1.2..1.8) |") for line in lines
    )


def test_what_markdown_would_read_is_escaped(sample: Path, registry: Registry) -> None:
    (result, *_) = read(sample).results.values()
    spoilt = replace(result.statements[0], name="a|b\n<b> [x](y) *z*")
    text = verdict_table([replace(result, claim="c|d", statements=(spoilt,))], registry.claims)
    (row,) = text.splitlines()[2:]
    assert r"a\|b \<b> \[x](y) \*z\*" in row
    assert row.startswith(r"| c\|d | ")
