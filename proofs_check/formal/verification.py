"""Verification: the whole manifest held against the sources and against Rocq.

A theorem is `checked` if nothing at all is wrong: its statement is the one that was reviewed, its
file and all that it requires hold only what they may and compile, it has exactly the statement for
its type, it is opaque, and it rests on allowed axioms alone. Without Rocq every theorem is `not
run`. The sources are read anew for every verification: less than a minute of processor time, and a
few seconds for most claims alone.
"""

from __future__ import annotations

import hashlib
import subprocess
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryDirectory

from ...symbolic.errors import InputError
from . import audit, compilation
from .audit import Answer, Question
from .manifest import FILE, FOLDER, Entry, read_manifest
from .sentences import sentences
from .statements import FILES, FormalStatement, read_statements
from .vernacular import objections


class Standing(StrEnum):
    """What became of a theorem."""

    CHECKED = "checked"
    FAILED = "failed"
    NOT_RUN = "not run"


@dataclass(frozen=True)
class TheoremResult:
    """A theorem after verification.

    Args:
        entry: its line of the manifest.
        standing: checked, failed or not run.
        axioms: those that it rests on, at most.
        reasons: why it failed, or was not run; empty if checked.
        text: the statement as written; empty if there is none of that name.
        comment: what the statement says in words.
    """

    entry: Entry
    standing: Standing
    axioms: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    text: str = ""
    comment: str = ""


@dataclass(frozen=True)
class Verification:
    """All theorems after verification.

    Args:
        results: in the order of the manifest.
        coq: the version; empty if not run.
        digest: of the manifest and the sources.
        seconds: wall time.
    """

    results: tuple[TheoremResult, ...]
    coq: str
    digest: str
    seconds: float

    @property
    def failed(self) -> bool:
        """Whether a theorem failed."""
        return any(result.standing is Standing.FAILED for result in self.results)

    @property
    def not_run(self) -> bool:
        """Whether a theorem was not run."""
        return any(result.standing is Standing.NOT_RUN for result in self.results)

    def of(self, claim: str, proves: str) -> tuple[TheoremResult, ...]:
        """The theorems that speak for a statement of a claim."""
        return tuple(r for r in self.results if (r.entry.claim, r.entry.proves) == (claim, proves))


def digest(folder: Path = FOLDER) -> str:
    """SHA-256 over the manifest and every .v file, with their relative paths."""
    total = hashlib.sha256()
    files = [folder / FILE, *folder.glob("*.v"), *(folder / "proofs").glob("*.v")]
    for path in sorted(files):
        content = path.read_bytes()
        total.update(f"{path.relative_to(folder).as_posix()}:{len(content)}:".encode() + content)
    return total.hexdigest()


def verify_formal(
    folder: Path = FOLDER,
    *,
    coq: str | None,
    claims: Collection[str] | None = None,
    jobs: int = 2,
    missing: str = "coqc is missing",
) -> Verification:
    """Verify the theorems of the manifest.

    Args:
        folder: holds the manifest, the statement files and ``proofs/``.
        claims: ids of the claims whose theorems are verified; None for every theorem.
        coq: the version of Rocq that is installed; None if there is none.
        jobs: files compiled at the same time.
        missing: why there is none.

    Raises:
        InputError: the manifest or a statement file is not of its form.
    """
    begun = time.perf_counter()
    entries, statements = read_manifest(folder), read_statements(folder)
    if claims is not None:
        entries = tuple(entry for entry in entries if entry.claim in claims)
    source = digest(folder)
    if coq is None:
        results = tuple(_not_run(entry, statements, missing) for entry in entries)
        return Verification(results, "", source, round(time.perf_counter() - begun, 3))
    with TemporaryDirectory(prefix="headproof-rocq-") as place:
        scratch = Path(place) / "rocq"
        files = compilation.copy_sources(folder, scratch)
        unfit, refused = {}, {}
        for name in files:
            unfit[name], runs = _unfit(scratch / name)
            if runs:
                refused[name] = "refused, since it might do more than prove"
        wanted = None if claims is None else {entry.file for entry in entries}
        compiled = compilation.compile_all(
            scratch, files, wanted=wanted, refused=refused, jobs=jobs
        )
        asked = [entry for entry in entries if _can_be_asked(entry, statements, compiled)]
        questions = [_question(entry, statements[entry.statement]) for entry in asked]
        try:
            said = audit.ask(scratch, Path(place) / "answers", questions)
        except subprocess.TimeoutExpired:
            said = [Answer(exists=True, axioms=("no answer in time",)) for _ in asked]
        answers = dict(zip(asked, said, strict=True))
    results = tuple(
        _judged(entry, statements.get(entry.statement), unfit, compiled, answers.get(entry))
        for entry in entries
    )
    return Verification(results, coq, source, round(time.perf_counter() - begun, 3))


def _unfit(path: Path) -> tuple[tuple[str, ...], bool]:
    """What a file holds that it must not hold, and whether it must not even be compiled."""
    try:
        found = objections(sentences(path.read_text(encoding="utf-8"), path.name))
    except (InputError, UnicodeDecodeError) as error:
        return (str(error),), True
    reasons = tuple(f"{path.name}:{wrong.line}: {wrong.reason}" for wrong in found)
    return reasons, any(wrong.runs for wrong in found)


def _can_be_asked(
    entry: Entry, statements: Mapping[str, FormalStatement], compiled: compilation.Compiled
) -> bool:
    if entry.statement not in statements:
        return False
    needed = (entry.file, f"{statements[entry.statement].module}.v")
    return not any(compiled.errors.get(name, "missing") for name in needed)


def _question(entry: Entry, statement: FormalStatement) -> Question:
    module = entry.file.removesuffix(".v").replace("/", ".")
    return Question(
        f"{statement.module}.{statement.name}", f"{module}.{entry.theorem}", entry.axioms
    )


def _judged(
    entry: Entry,
    statement: FormalStatement | None,
    unfit: Mapping[str, Sequence[str]],
    compiled: compilation.Compiled,
    answer: Answer | None,
) -> TheoremResult:
    if statement is None:
        reason = f"no statement {entry.statement} in {' or '.join(FILES)}"
        return TheoremResult(entry, Standing.FAILED, (), (reason,))
    reasons = []
    if statement.sha256 != entry.sha256:
        reasons.append(
            f"the statement drifted: its digest is {statement.sha256}, the manifest has "
            f"{entry.sha256}; review the statement, then write its digest into the manifest"
        )
    if entry.file not in compiled.errors:
        reasons.append(f"no file {entry.file}")
    elif compiled.errors[entry.file]:
        reasons.append(f"{entry.file} does not compile: {compiled.errors[entry.file]}")
    for name in sorted({entry.file, *compiled.requires.get(entry.file, ())}):
        reasons += unfit.get(name, ())
    axioms: tuple[str, ...] = ()
    if answer is not None and not answer.exists:
        reasons.append(f"no theorem {entry.theorem} in {entry.file}")
    elif answer is not None:
        axioms = answer.axioms
        if not answer.of_type:
            reasons.append(f"{entry.theorem} is not of the type {entry.statement}")
        if not answer.opaque:
            reasons.append(f"{entry.theorem} is not opaque: its proof must end with Qed")
        if extra := sorted(set(axioms) - set(entry.axioms)):
            reasons.append(f"rests on {', '.join(extra)}, which the manifest does not allow")
    elif not reasons:
        reasons.append(f"{statement.module}.v does not compile")
    standing = Standing.FAILED if reasons else Standing.CHECKED
    return TheoremResult(entry, standing, axioms, tuple(reasons), statement.text, statement.comment)


def _not_run(
    entry: Entry, statements: Mapping[str, FormalStatement], missing: str
) -> TheoremResult:
    statement = statements.get(entry.statement)
    text, comment = (statement.text, statement.comment) if statement else ("", "")
    return TheoremResult(entry, Standing.NOT_RUN, (), (missing,), text, comment)
