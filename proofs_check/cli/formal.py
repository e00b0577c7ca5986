"""``headproof formal``: the theorems checked by Rocq."""

from __future__ import annotations

from pathlib import Path

import click

from .document import emit
from .options import claim_names, json_option

_EXAMPLES = """\b
Examples:
  headproof formal
  headproof formal recovery.algorithm
  headproof formal --out runs && headproof verify --require formal
"""


@click.command("formal", epilog=_EXAMPLES)
@click.argument("names", nargs=-1, metavar="[ID|TOPIC]...", shell_complete=claim_names)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Files compiled at the same time.",
)
@click.option(
    "--out",
    metavar="DIR",
    help="Keep the answer in DIR, where `headproof verify --out DIR` finds it, and use one that is "
    "kept there. Only without names.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context, names: tuple[str, ...], jobs: int, out: str | None, as_json: bool
) -> None:
    """Compile the formal proofs and hold them against the manifest.

    Without a name all of them are, those included that no claim uses yet. Shows for every claim its
    theorems, the axioms that they rest on, and whether they were checked. Exit code 0 if all are
    checked, 1 if one failed, 3 if Rocq is missing or of another version, so that
    none was run.
    """
    from ...symbolic.errors import InputError
    from ..api import find_registry
    from ..formal.manifest import read_manifest
    from ..formal.shared import shared_verification, to_json
    from ..formal.verification import Standing, verify_formal
    from ..runner.components import COMPONENTS, why_missing

    coq = COMPONENTS["coqc"].find()
    if names and out:
        raise click.UsageError("--out keeps the answer for all theorems: give no names with it")
    claims = {claim.id for claim in find_registry(None).select(names)} if names else None
    if claims is not None and not claims & {entry.claim for entry in read_manifest()}:
        raise InputError("claims that have theorems", f"none in {', '.join(names)}")
    if out and coq:
        verification = shared_verification(Path(out) / "formal", coq=coq, jobs=jobs)
    else:
        verification = verify_formal(coq=coq, claims=claims, jobs=jobs, missing=why_missing("coqc"))
    if as_json:
        document = to_json(verification)
        del document["format"]
        emit("formal", document)
    else:
        rows = [
            (
                result.entry.claim or "(no claim yet)",
                result.entry.proves,
                result.entry.theorem,
                result.standing.value,
                ", ".join(axiom.rpartition(".")[2] for axiom in result.axioms)
                or ("none" if result.standing is Standing.CHECKED else ""),
            )
            for result in verification.results
        ]
        heads = ("claim", "statement", "theorem", "status", "axioms")
        widths = [max(len(row[i]) for row in [heads, *rows]) for i in range(4)]
        for row in [heads, *rows]:
            cells = [cell.ljust(width) for cell, width in zip(row, widths, strict=False)]
            click.echo("  ".join([*cells, row[4]]).rstrip())
        for result in verification.results:
            if result.standing is Standing.FAILED:
                for reason in result.reasons:
                    click.echo(f"  {result.entry.theorem}: {reason}")
        counts = dict.fromkeys(Standing, 0)
        for result in verification.results:
            counts[result.standing] += 1
        said = ", ".join(f"{n} {standing.value}" for standing, n in counts.items() if n)
        how = f" (coq {verification.coq}, {verification.seconds:.1f} s)" if coq else ""
        click.echo(f"\n{len(verification.results)} theorems: {said or 'none'}{how}")
        if not coq:
            click.echo(why_missing("coqc"))
    ctx.exit(1 if verification.failed else 3 if verification.not_run else 0)
