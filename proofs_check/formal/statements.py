"""Statements: the files that a reader reviews, and the digest of each statement.

A statement file is an opening (imports and scopes) followed by ``Definition name : Prop := ...``
and nothing else, so that the meaning of a statement is settled by the opening and its own text: the
digest is taken over both, without comments and with every run of white space made one space. The
opening imports libraries only, never a file beside it, whose content the digest would not see.

The statements about programs that check certificates need those programs, and words for what the
programs decide. Their file may define both before and between the statements, and the digest of a
statement is taken over all that is defined before it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ...symbolic.errors import InputError
from .sentences import sentences

CERTIFICATES = "StatementsCertificates.v"
"""The statement file that may define what its statements speak of."""

FILES = ("StatementsAlgebra.v", "StatementsAnalysis.v", CERTIFICATES)
"""The statement files, relative to the folder of the formal layer."""

_OPENING = re.compile(r"(From (mathcomp|Coq) Require Import|Import|Local Open Scope) [\w. ]+")
_DEFINITION = re.compile(r"Definition (\w+) : Prop := (.+)", re.DOTALL)
_VOCABULARY = re.compile(
    r"(Definition|Fixpoint|Record|Inductive|Notation|(Declare|Delimit|Bind) Scope) .+", re.DOTALL
)


@dataclass(frozen=True)
class FormalStatement:
    """A statement as it stands in its file.

    Args:
        name: of the definition.
        module: the file's name without its ending.
        text: the definition as written, from ``Definition`` to the full stop.
        comment: the comment before it: what it says in words.
        sha256: of the opening of the file, of what it defines before, and of the definition,
            normalised.
    """

    name: str
    module: str
    text: str
    comment: str
    sha256: str


def read_statements(folder: Path) -> Mapping[str, FormalStatement]:
    """All statements, by their names.

    Raises:
        InputError: a file cannot be read, holds something else, or a name stands twice.
    """
    found: dict[str, FormalStatement] = {}
    for file in FILES:
        for statement in _statements_of(folder / file):
            if statement.name in found:
                raise InputError("each statement once", repr(statement.name), where=file)
            found[statement.name] = statement
    return MappingProxyType(found)


def _statements_of(path: Path) -> list[FormalStatement]:
    try:
        source = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError("a statement file", str(error.strerror), where=str(path)) from None
    opening: list[str] = []
    found: list[FormalStatement] = []
    for sentence in sentences(source, path.name):
        match = _DEFINITION.fullmatch(sentence.text)
        if match is None:
            defines = path.name == CERTIFICATES and _VOCABULARY.fullmatch(sentence.text)
            if not defines and (found or not _OPENING.fullmatch(sentence.text)):
                where = f"{path.name}:{sentence.line}"
                shown = repr(sentence.text[:60])
                raise InputError("Definition <name> : Prop := <statement>", shown, where=where)
            opening.append(sentence.text)
            continue
        normalised = "\n".join([*opening, sentence.text])
        digest = hashlib.sha256(normalised.encode()).hexdigest()
        comment, text = _as_written(source, match[1])
        found.append(FormalStatement(match[1], path.stem, text, comment, digest))
    return found


def _as_written(source: str, name: str) -> tuple[str, str]:
    """The comment before a definition and its lines, for readers; nothing depends on them."""
    match = re.search(rf"^Definition {name} : Prop :=.*?\.(?=\s*(\Z|\n\s*\n))", source, re.S | re.M)
    if match is None:
        return "", ""
    before = source[: match.start()].rstrip()
    if not before.endswith("*)"):
        return "", match.group()
    comment = before[before.rindex("(*") + 2 : -2]
    return " ".join(comment.split()), match.group()
