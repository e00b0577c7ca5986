"""The audit: what Rocq itself says about each theorem once everything is compiled.

coqtop loads the compiled modules and answers three questions about each theorem: does it have the
type of the statement, is it opaque, on which axioms does it rest. Each answer goes to a file of
its own (``Redirect``), so that a question that fails leaves no answer and disturbs no other; names
are qualified in full, so that nothing a proof file defines can stand in for a statement.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .compilation import OPTIONS, environment

LIMIT = 600.0
"""Seconds for all the questions together."""


@dataclass(frozen=True)
class Question:
    """A theorem to be asked about.

    Args:
        statement: its module and name, as ``StatementsAlgebra.power_diagram``.
        theorem: the same, as ``proofs.power_diagram.power_diagram_holds``.
        allowed: the axioms that it may rest on.
    """

    statement: str
    theorem: str
    allowed: tuple[str, ...] = ()


@dataclass(frozen=True)
class Answer:
    """What Rocq said.

    Args:
        exists: there is such a theorem.
        of_type: its type is the statement.
        opaque: its proof ended with Qed.
        axioms: what it rests on at most, by last names; also whatever else Rocq warns of.
    """

    exists: bool
    of_type: bool = False
    opaque: bool = False
    axioms: tuple[str, ...] = ()


def ask(scratch: Path, questions: Sequence[Question], *, limit: float = LIMIT) -> list[Answer]:
    """Ask about theorems whose modules are compiled, in the scratch folder.

    Whoever asks for the axioms of one theorem over the reals walks through the whole library, two
    seconds each time. So the theorems with the same allowed axioms are asked about together: what
    they rest on together bounds what each rests on. Only if that is too much is each asked alone.

    Raises:
        subprocess.TimeoutExpired: the answers took too long.
    """
    lines = []
    for i, question in enumerate(questions):
        theorem, statement = f"Headproof.{question.theorem}", f"Headproof.{question.statement}"
        lines += [
            f'Redirect "answer{i}.about" About {theorem}.',
            f"Definition asked{i} : {statement} := {theorem}.",
            f'Redirect "answer{i}.type" Check asked{i}.',
        ]
    _run(scratch, questions, lines, limit)
    known = [i for i in range(len(questions)) if _about(scratch, i)]
    axioms: dict[int, tuple[str, ...]] = {}
    groups: dict[tuple[str, ...], list[int]] = {}
    for i in known:
        groups.setdefault(questions[i].allowed, []).append(i)
    together = {f"group{n}": group for n, group in enumerate(groups.values())}
    found = _axioms(scratch, questions, together, limit)
    alone = {}
    for name, group in together.items():
        for i in group:
            axioms[i] = found[name]
            if set(found[name]) - set(questions[i].allowed):
                alone[f"single{i}"] = [i]
    if alone:
        for name, answer in _axioms(scratch, questions, alone, limit).items():
            axioms[alone[name][0]] = answer
    return [
        _answer(scratch, i, question, axioms.get(i, ())) for i, question in enumerate(questions)
    ]


def _axioms(
    scratch: Path, questions: Sequence[Question], sets: Mapping[str, Sequence[int]], limit: float
) -> dict[str, tuple[str, ...]]:
    """The axioms of sets of theorems, each set by its name."""
    lines = []
    for name, members in sets.items():
        term = "I"
        for i in members:
            term = f"({term}, Headproof.{questions[i].theorem})"
        lines += [f"Definition {name} := {term}.", f'Redirect "{name}" Print Assumptions {name}.']
    asked = [questions[i] for members in sets.values() for i in members]
    _run(scratch, asked, lines, limit)
    return {name: assumptions(_text(scratch / f"{name}.out")) for name in sets}


def _run(scratch: Path, questions: Sequence[Question], lines: Sequence[str], limit: float) -> None:
    modules = {name.rpartition(".")[0] for q in questions for name in (q.statement, q.theorem)}
    opening = [f"Require Headproof.{module}." for module in sorted(modules)]
    subprocess.run(
        ["coqtop", *OPTIONS],
        input="\n".join([*opening, *lines, "Quit."]) + "\n",
        cwd=scratch,
        env=environment(scratch),
        capture_output=True,
        text=True,
        errors="replace",
        timeout=limit,
    )


def _answer(scratch: Path, i: int, question: Question, axioms: tuple[str, ...]) -> Answer:
    about = _about(scratch, i)
    said = re.match(r"\S+\s*:\s*(\S+)\s", about)
    if said is None:
        return Answer(exists=False)
    exact = said[1].rpartition(".")[2] == question.statement.rpartition(".")[2]
    return Answer(
        exists=True,
        of_type=exact and bool(_text(scratch / f"answer{i}.type.out")),
        opaque=re.search(r"^\S+ is opaque\b", about, re.MULTILINE) is not None,
        axioms=axioms,
    )


def _about(scratch: Path, i: int) -> str:
    """What Rocq says about a theorem; empty if there is none."""
    text = _text(scratch / f"answer{i}.about.out")
    return "" if "not a defined object" in text else text


def assumptions(printed: str) -> tuple[str, ...]:
    r"""The names in an answer to ``Print Assumptions``.

    An empty answer is no answer: it counts as resting on something unknown. So does any line that
    is not of the form ``name : type``, such as the warning of an unsafe universe hierarchy.

    Example:
        >>> assumptions("Closed under the global context")
        ()
        >>> assumptions("Axioms:\nboolp.funext : forall x,\n  x = x")
        ('funext',)
        >>> assumptions("Axioms:\nsmall relies on an unsafe hierarchy.")
        ('small relies on an unsafe hierarchy.',)
    """
    if not printed.strip():
        return ("no answer",)
    found: list[str] = []
    text = re.sub(r"\n\s+", " ", printed)  # an indented line goes on with the one before
    for line in text.splitlines():
        if not line.strip() or line.strip() in ("Axioms:", "Section Variables:"):
            continue
        if re.fullmatch(r"Fetching opaque proofs from disk for [\w.]+", line.strip()):
            continue  # progress, printed when a library's proofs are first read
        if line.strip() == "Closed under the global context":
            return tuple(sorted(set(found)))
        match = re.match(r"([\w.']+)\s*:(?!=)", line)
        found.append(match[1].rpartition(".")[2] if match else line.strip())
    return tuple(sorted(set(found)))


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
