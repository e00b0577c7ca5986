"""The audit: what Rocq itself says about each theorem once everything is compiled.

coqtop loads the compiled modules and answers three questions about each theorem: does it have the
type of the statement, is it opaque, on which axioms does it rest. Each answer goes to a file of its
own (``Redirect``) in a folder that did not exist while the proofs were compiled, so that a question
that fails leaves no answer, disturbs no other and finds none that somebody left there. Names of
theorems and statements are qualified in full, so that nothing a proof file defines can stand in for
a statement; the axioms that Rocq prints by their shortest names are asked for their full ones, so
that no axiom passes for one of the library that is called alike.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .compilation import environment

LIMIT = 600.0
"""Seconds for a session; it takes a few."""

_NAME = re.compile(r"[\w.']+")


@dataclass(frozen=True)
class Question:
    """A theorem to be asked about.

    Args:
        statement: its module and name, as ``StatementsAlgebra.power_diagram``.
        theorem: the same, as ``proofs.power_diagram.power_diagram_holds``.
        allowed: the axioms that it may rest on, by full names.
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
        axioms: what it rests on at most, by full names; also whatever else Rocq warns of.
    """

    exists: bool
    of_type: bool = False
    opaque: bool = False
    axioms: tuple[str, ...] = ()


def ask(
    scratch: Path, answers: Path, questions: Sequence[Question], *, limit: float = LIMIT
) -> list[Answer]:
    """Ask about theorems whose modules are compiled, in the scratch folder.

    Whoever asks for the axioms of one theorem over the reals walks through the whole library, two
    seconds each time. So the theorems with the same allowed axioms are asked about together: what
    they rest on together bounds what each rests on. Only if that is too much is each asked alone.

    Args:
        scratch: holds the compiled files.
        answers: a new folder for what Rocq says.
        questions: about which theorems.
        limit: seconds for each of at most three sessions.

    Raises:
        subprocess.TimeoutExpired: the answers took too long.
        FileExistsError: the folder for the answers is not new.
    """
    if not questions:
        return []
    answers.mkdir()
    session = _Session(scratch, answers, questions, limit)
    groups: dict[tuple[str, ...], list[int]] = {}
    for i, question in enumerate(questions):
        groups.setdefault(question.allowed, []).append(i)
    axioms = session.axioms({f"group{n}": group for n, group in enumerate(groups.values())})
    alone = {f"single{i}": [i] for i, q in enumerate(questions) if set(axioms[i]) - set(q.allowed)}
    if alone:
        axioms |= session.axioms(alone)
    return [session.answer(i, axioms[i]) for i in range(len(questions))]


class _Session:
    """Sessions with coqtop about the same theorems.

    A theorem is named ``asked<i>`` as a term of the type of its statement. If it is none, that name
    is given to a trivial term in the next line, which fails if it is taken: so the terms that stand
    for several theorems can be built whatever becomes of each.
    """

    def __init__(
        self, scratch: Path, answers: Path, questions: Sequence[Question], limit: float
    ) -> None:
        self.scratch, self.answers, self.questions, self.limit = scratch, answers, questions, limit

    def axioms(self, sets: Mapping[str, Sequence[int]]) -> dict[int, tuple[str, ...]]:
        """The full names of the axioms of each set of theorems, for each of its members."""
        lines = []
        for name, members in sets.items():
            term = "I"
            for i in members:
                theorem = f"Headproof.{self.questions[i].theorem}"
                lines += [
                    f'Redirect "about{i}" About {theorem}.',
                    f"Definition asked{i} : Headproof.{self.questions[i].statement} := {theorem}.",
                    f'Redirect "type{i}" Check asked{i}.',
                    f"Definition asked{i} := I.",
                ]
                term = f"({term}, asked{i})"
            lines += [f"Definition {name} := {term}."]
            lines += [f'Redirect "{name}" Print Assumptions {name}.']
        self._run(lines)
        printed = {name: assumptions(self._text(name)) for name in sets}
        names = sorted({axiom for found in printed.values() for axiom in found})
        asked = {name: f"axiom{n}" for n, name in enumerate(names) if _NAME.fullmatch(name)}
        if asked:
            self._run([f'Redirect "{file}" About {name}.' for name, file in asked.items()])
        full = {name: full_name(self._text(file)) or name for name, file in asked.items()}
        return {
            i: tuple(sorted({full.get(axiom, axiom) for axiom in printed[name]}))
            for name, members in sets.items()
            for i in members
        }

    def answer(self, i: int, axioms: tuple[str, ...]) -> Answer:
        """What was said about a theorem."""
        about = self._text(f"about{i}")
        said = re.match(r"\S+\s*:\s*(\S+)\s", about)
        if said is None or "not a defined object" in about:
            return Answer(exists=False)
        exact = said[1].rpartition(".")[2] == self.questions[i].statement.rpartition(".")[2]
        return Answer(
            exists=True,
            of_type=exact and bool(self._text(f"type{i}")),
            opaque=re.search(r"^\S+ is opaque\b", about, re.MULTILINE) is not None,
            axioms=axioms,
        )

    def _run(self, lines: Sequence[str]) -> None:
        asked = self.questions
        modules = {name.rpartition(".")[0] for q in asked for name in (q.statement, q.theorem)}
        opening = [f"Require Headproof.{module}." for module in sorted(modules)]
        subprocess.run(
            ["coqtop", "-q", "-w", "none", "-Q", str(self.scratch), "Headproof"],
            input="\n".join([*opening, *lines, "Quit."]) + "\n",
            cwd=self.answers,
            env=environment(self.scratch),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=self.limit,
        )

    def _text(self, name: str) -> str:
        try:
            return (self.answers / f"{name}.out").read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def full_name(about: str) -> str:
    r"""The full name in an answer to ``About``; empty if there is none.

    Example:
        >>> full_name("funext : forall x,\nx = x\nExpands to: Constant mathcomp.boolp.funext")
        'mathcomp.boolp.funext'
    """
    found = re.search(r"^Expands to:\s+Constant\s+(\S+)\s*\Z", about, re.MULTILINE)
    return found[1] if found else ""


def assumptions(printed: str) -> tuple[str, ...]:
    r"""The names in an answer to ``Print Assumptions``, as printed.

    An empty answer is no answer: it counts as resting on something unknown. So does any line that
    is not of the form ``name : type``, such as the warning of an unsafe universe hierarchy.

    Example:
        >>> assumptions("Closed under the global context")
        ()
        >>> assumptions("Axioms:\nboolp.funext : forall x,\n  x = x")
        ('boolp.funext',)
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
        found.append(match[1] if match else line.strip())
    return tuple(sorted(set(found)))
