"""``headproof rocq``: certificates as Rocq files, which Rocq's kernel proves without axioms."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .document import emit
from .options import json_option

if TYPE_CHECKING:
    from ..formal.export.checking import Checked
    from ..formal.export.collection import Exported, LeftOut

_EXAMPLES = """\b
Examples:
  headproof rocq hull.json --check
  headproof hull points.json -o hull.json && headproof rocq hull.json -o hull.v && coqc hull.v
  headproof rocq runs/quick-0 --check -o proofs
"""

_CODES = {"invalid": 1, "unreadable": 2, "size": 3, "kind": 0}
"""Why a certificate is left out -> what that makes of the exit code."""


@click.command("rocq", epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "-o",
    "--output",
    metavar="FILE.v|DIR",
    help="Write the file here; a folder for several, made if need be.  [default: stdout]",
)
@click.option("--check", "checks", is_flag=True, help="Compile, and ask Rocq for the axioms.")
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    metavar="N",
    help="Files compiled at the same time.",
)
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    paths: tuple[str, ...],
    output: str | None,
    checks: bool,
    jobs: int,
    as_json: bool,
) -> None:
    """Write certificates as files that Rocq proves.

    PATH is a certificate of kind farkas, hull or rank (of a matrix), or a folder or a run with
    such; other kinds in it are left out. A file states what its certificate does, over every
    ordered field, and needs nothing but Coq's standard library. Exit code 0 if all were written
    and, with --check, proved; 1 if a certificate is invalid or a proof failed; 2 if one cannot be
    read; 3 if one is too large, or if Rocq is missing, of another version or too slow.
    """
    from ...symbolic.errors import InputError
    from ..formal.export import collection
    from ..formal.export.exported import KINDS

    alone = len(paths) == 1 and not Path(paths[0]).is_dir()
    done, left = ((collection.alone(paths[0]),), ()) if alone else collection.collect(paths)
    if not done and all(entry.why == "kind" for entry in left):
        raise InputError(f"certificates of kind {', '.join(KINDS)}", "none", where=", ".join(paths))
    if not (alone or output or checks or as_json):
        raise click.UsageError("several certificates: name a folder with -o, or give --check")
    files = _written(done, output, alone)
    standings = _checked(done, jobs) if checks else {}
    if as_json:
        _emit(done, left, files, standings)
    elif not output and not checks:
        click.echo(done[0].export.text, nl=False)
    else:
        _tell(done, left, files, standings)
    ctx.exit(_code(left, standings))


def _written(done: tuple[Exported, ...], output: str | None, alone: bool) -> dict[str, str]:
    """The path of every file that was written, by that of its certificate."""
    from ...symbolic.errors import InputError
    from ..formal.export.collection import FILE_NAME
    from ..runner.folder import write_atomically

    if output is None:
        return {}
    target = Path(output)
    if alone and not target.is_dir():
        if not FILE_NAME.fullmatch(target.name):
            expected = "a name of letters, digits and _ that ends in .v, as coqc wants it"
            raise InputError(expected, repr(target.name), where="-o")
        places = {done[0].path: target}
    else:
        places = {one.path: target / one.file for one in done}
    try:
        if not alone:
            target.mkdir(parents=True, exist_ok=True)
        for one in done:
            write_atomically(places[one.path], one.export.text)
    except OSError as error:
        raise InputError("a place to write to", str(error.strerror), where=output) from None
    return {path: str(place) for path, place in places.items()}


def _checked(done: tuple[Exported, ...], jobs: int) -> dict[str, Checked]:
    from ..formal.export.checking import Checked, check_export
    from ..formal.verification import Standing
    from ..runner.rocq import alone

    _, wrong = alone()
    if wrong:
        return {one.path: Checked(Standing.NOT_RUN, (), (wrong,)) for one in done}
    with ThreadPoolExecutor(jobs) as pool:
        found = pool.map(lambda one: check_export(one.export), done)
        return {one.path: checked for one, checked in zip(done, found, strict=True)}


def _emit(
    done: tuple[Exported, ...],
    left: tuple[LeftOut, ...],
    files: dict[str, str],
    standings: dict[str, Checked],
) -> None:
    results = []
    for one in done:
        checked = standings.get(one.path)
        results.append(
            {
                "path": one.path,
                "kind": one.export.kind,
                "claim": one.export.claim,
                "sha256": one.export.sha256,
                "says": one.export.says,
                "statement": one.export.statement,
                "file": files.get(one.path),
                "standing": checked.standing.value if checked else "not run",
                "axioms": list(checked.axioms) if checked else [],
                "reasons": list(checked.reasons) if checked else ["not asked for"],
                "seconds": checked.seconds if checked else 0.0,
            }
        )
    names = ("path", "kind", "why", "reason")
    left_out = [{name: getattr(entry, name) for name in names} for entry in left]
    emit("rocq", {"results": results, "left_out": left_out})


def _tell(
    done: tuple[Exported, ...],
    left: tuple[LeftOut, ...],
    files: dict[str, str],
    standings: dict[str, Checked],
) -> None:
    counts: dict[str, int] = {}
    for one in done:
        checked = standings.get(one.path)
        standing = checked.standing.value if checked else "written"
        counts[standing] = counts.get(standing, 0) + 1
        click.echo(f"{standing}: {files.get(one.path, one.path)}: {one.export.says}")
        if checked:
            for reason in checked.reasons:
                click.echo(f"  {reason}")
    for entry in left:
        if entry.why == "kind":
            counts["of another kind"] = counts.get("of another kind", 0) + 1
        else:
            click.echo(f"left out: {entry.path}: {entry.reason}")
            counts["left out"] = counts.get("left out", 0) + 1
    said = ", ".join(f"{count} {word}" for word, count in counts.items())
    axioms = "" if not counts.get("checked") else "; what is checked rests on no axiom"
    total = len(done) + len(left)
    click.echo(f"\n{total} certificate{'' if total == 1 else 's'}: {said}{axioms}")


def _code(left: tuple[LeftOut, ...], standings: dict[str, Checked]) -> int:
    from ..formal.verification import Standing

    found = {_CODES[entry.why] for entry in left}
    found |= {1 for checked in standings.values() if checked.standing is Standing.FAILED}
    found |= {3 for checked in standings.values() if checked.standing is Standing.NOT_RUN}
    return next((code for code in (1, 2, 3) if code in found), 0)
