"""``headproof show``: one claim, with what it states and what settles it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from .document import emit
from .options import claim_names, json_option, registry_option

if TYPE_CHECKING:
    from ..claim import Claim, Statement
    from ..evidence import Json
    from ..runner.record import ClaimResult

_EXAMPLES = """\b
Examples:
  headproof show tropical.power-diagram
  headproof show tropical.cells --run runs/quick-0
"""


@click.command(
    "show",
    short_help="Show one claim with its statements, hypotheses and evidence.",
    epilog=_EXAMPLES,
)
@click.argument("name", metavar="ID", shell_complete=claim_names)
@click.option("--run", metavar="FOLDER", help="Show the verdicts of this run too.")
@registry_option
@json_option
def command(name: str, run: str | None, registry: str | None, as_json: bool) -> None:
    """Show one claim: statements, hypotheses, evidence, what it rests on and what uses it."""
    from ..api import find_registry

    known = find_registry(registry)
    claim = known.claim(name)
    used_by = sorted(known.graph.predecessors(name))
    result = _result(Path(run), name) if run else None
    if as_json:
        emit("claim", _document(claim, used_by, result))
        return
    for line in _lines(claim, used_by, result):
        click.echo(line)


def _result(run: Path, claim: str) -> ClaimResult:
    from ...symbolic.errors import InputError
    from ..runner.folder import RunFolder

    if not (run / "run.json").is_file():
        raise InputError("a run folder", "no run.json", where=str(run))
    for result in RunFolder(run).results():
        if result.claim == claim:
            return result
    raise InputError(f"a result of {claim}", "none", where=str(run))


def _document(claim: Claim, used_by: list[str], result: ClaimResult | None) -> dict[str, Json]:
    paper = claim.paper
    return {
        "id": claim.id,
        "number": claim.number,
        "title": claim.title,
        "paper": {"key": paper.key, "title": paper.title, "reference": paper.reference},
        "place": claim.place,
        "rests_on": list(claim.rests_on),
        "used_by": used_by,
        "omitted": claim.omitted,
        "statements": [
            {
                "name": statement.name,
                "role": statement.role.value,
                "text": statement.text,
                "latex": statement.latex,
                "hypotheses": list(statement.hypotheses),
                "ours": statement.ours,
                "amended_by": statement.amended_by,
                "expected": statement.expected.verdict.value,
                "expected_under": {k: v.value for k, v in statement.expected.under.items()},
            }
            for statement in claim.statements
        ],
        "evidence": [
            {
                "producer": producer.name,
                "statement": producer.statement,
                "kind": producer.kind.value,
                "since": producer.since.value,
                "needs": sorted(producer.needs),
            }
            for producer in claim.producers
        ],
        "result": None if result is None else result.to_json(),
    }


def _lines(claim: Claim, used_by: list[str], result: ClaimResult | None) -> list[str]:
    lines = [
        f"{claim.id}  ({claim.number})  {claim.title}",
        f"  paper:     {claim.paper.title} ({claim.paper.reference}), {claim.place}",
        f"  rests on:  {', '.join(claim.rests_on) or 'no other claim'}",
        f"  used by:   {', '.join(used_by) or 'no other claim'}",
    ]
    if claim.omitted:
        lines.append(f"  omitted:   {claim.omitted}")
    for statement in claim.statements:
        lines += ["", *_statement_lines(claim, statement, result)]
    return lines


def _statement_lines(claim: Claim, statement: Statement, result: ClaimResult | None) -> list[str]:
    reading = ", our reading" if statement.ours else ""
    lines = [f"{statement.name} ({statement.role.value}{reading})", f"  {statement.text}"]
    lines += [f"  hypothesis: {hypothesis}" for hypothesis in statement.hypotheses]
    if statement.amended_by:
        lines.append(f"  amended by: {statement.amended_by}")
    exceptions = [f"{key}: {value.value}" for key, value in statement.expected.under.items()]
    listed = f" ({'; '.join(exceptions)})" if exceptions else ""
    lines.append(f"  expected:   {statement.expected.verdict.value}{listed}")
    for found in result.statements if result else ():
        if found.name == statement.name:
            lines.append(f"  verdict:    {found.verdict.value}: {found.reason}")
    for producer in claim.producers:
        if producer.statement == statement.name:
            needs = f", needs {', '.join(sorted(producer.needs))}" if producer.needs else ""
            since = producer.since.value
            lines.append(f"  evidence:   {producer.kind.value}: {producer.name} ({since}{needs})")
    return lines
