"""The table for the terminal says what the record says, with and without colours."""

import io
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from headproof.proofs_check.report.recorded import read
from headproof.proofs_check.report.terminal import (
    print_verdicts,
    verdict_lines,
    verdict_table,
)
from headproof.proofs_check.runner.record import ClaimResult


def told(results: list[ClaimResult]) -> str:
    page = io.StringIO()
    console = Console(file=page, width=140, color_system=None)
    console.print(verdict_table(results))
    return page.getvalue()


def test_a_row_for_every_statement(sample: Path) -> None:
    results = list(read(sample).results.values())
    assert verdict_table(results).row_count == 10
    text = told(results)
    lines = [line.split() for line in text.splitlines() if line.strip()]
    assert lines[1][:2] == ["tropical.dequantisation", "bounds"]
    assert "✗ refuted" in text
    assert "! failed" in text
    (failed,) = [line for line in text.splitlines() if "uniform-limit" in line]
    assert "! failed" in failed
    assert "proved" in failed


def test_brackets_are_no_markup(sample: Path) -> None:
    (result, *_) = read(sample).results.values()
    spoilt = replace(result.statements[0], name="[red]x[/red]")
    text = told([replace(result, claim="[/nonsense]", statements=(spoilt,))])
    assert "[red]x[/red]" in text
    assert "[/nonsense]" in text


@pytest.mark.parametrize("width", [40, 80, 140])
def test_no_word_is_broken_however_narrow_the_console(sample: Path, width: int) -> None:
    results = list(read(sample).results.values())
    page = io.StringIO()
    print_verdicts(results, Console(file=page, width=width, color_system=None))
    text = page.getvalue()
    for result in results:
        assert result.claim in text
        assert all(statement.name in text for statement in result.statements)
    (failed,) = [line for line in text.splitlines() if "uniform-limit" in line]
    assert "! failed" in failed
    assert "proved" in failed, "what was expected instead"
    assert ("statement" in text.splitlines()[0]) is (width == 140)


def test_plain_lines_say_the_same(sample: Path) -> None:
    results = list(read(sample).results.values())
    lines = verdict_lines(results)
    assert len(lines) == 10
    (failed,) = [line for line in lines if "uniform-limit" in line]
    assert "failed" in failed
    assert "(expected proved)" in failed
    assert verdict_lines([]) == []
