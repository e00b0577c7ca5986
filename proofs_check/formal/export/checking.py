"""Checking: an exported file put before coqc, and the theorem in it questioned.

The file is compiled in a scratch folder, and coqtop is asked what it is asked about every theorem
of the formal layer (`audit`): does the theorem have the statement for its type, is it opaque, on
which axioms does it rest. Only one that rests on none is checked.
"""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from .. import audit, compilation
from ..audit import Question
from ..verification import Standing
from .exported import STATEMENT, THEOREM, Export

MODULE = "certificate"

LIMIT = 600.0
"""Seconds for one file; the largest that is exported takes two minutes."""


@dataclass(frozen=True)
class Checked:
    """What became of an exported file.

    Args:
        standing: checked, failed, or not run if it took too long.
        axioms: those that the theorem rests on.
        reasons: why it failed or was not run; empty if checked.
        seconds: wall time.
    """

    standing: Standing
    axioms: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    seconds: float = 0.0


def check_export(export: Export, *, limit: float = LIMIT) -> Checked:
    """Compile an exported file and ask about its theorem.

    Args:
        export: the file.
        limit: seconds for compiling, and for the answers.
    """
    begun = time.perf_counter()
    with TemporaryDirectory(prefix="headproof-rocq-") as place:
        scratch = Path(place) / "rocq"
        scratch.mkdir()
        (scratch / f"{MODULE}.v").write_text(export.text, encoding="utf-8")
        checked = _check(scratch, Path(place) / "answers", limit)
    seconds = round(time.perf_counter() - begun, 3)
    return Checked(checked.standing, checked.axioms, checked.reasons, seconds)


def _check(scratch: Path, answers: Path, limit: float) -> Checked:
    name = f"{MODULE}.v"
    error = compilation.compile_all(scratch, [name], jobs=1, limit=limit).errors[name]
    if error.startswith(compilation.TOO_LONG):
        return Checked(Standing.NOT_RUN, (), (error,))
    if error:
        return Checked(Standing.FAILED, (), (f"does not compile: {error}",))
    question = Question(f"{MODULE}.{STATEMENT}", f"{MODULE}.{THEOREM}")
    try:
        (answer,) = audit.ask(scratch, answers, [question], limit=limit)
    except subprocess.TimeoutExpired:
        return Checked(Standing.NOT_RUN, (), ("no answer in time",))
    reasons = []
    if not answer.exists:
        reasons.append(f"no theorem {THEOREM}")
    else:
        if not answer.of_type:
            reasons.append(f"{THEOREM} is not of the type {STATEMENT}")
        if not answer.opaque:
            reasons.append(f"{THEOREM} is not opaque")
        if answer.axioms:
            reasons.append(f"rests on {', '.join(answer.axioms)}")
    standing = Standing.FAILED if reasons else Standing.CHECKED
    return Checked(standing, answer.axioms, tuple(reasons))
