"""Exported: one certificate as one Rocq file.

The file has the definitions first, then the certificate's own numbers and what is stated about
them: whoever reads that far knows what is proved. The proofs, the numbers that only the program
reads and the theorem follow, and the question to the kernel on which axioms the theorem rests.

Coq reads about 30,000 characters of numbers a second and runs about 15 million steps a second, so
the limits are half a minute and a minute; without data a file takes two seconds.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from ....symbolic.errors import CertificateInvalid, InputError, LimitReached
from ...checker import Rejected, Unreadable, check_certificate
from ...checker.fields import Json
from ...checker.reading import parse_json, read
from ..manifest import FOLDER
from . import farkas, hull, library, rank
from .terms import Parts, comment

KINDS: Mapping[str, Callable[[Json], Parts]] = MappingProxyType(
    {"farkas": farkas.parts, "hull": hull.parts, "rank": rank.parts}
)
"""The kinds that are exported, of all that the checker knows."""

STATEMENT, THEOREM = "statement", "certified"
"""The names of the statement and of the theorem in an exported file."""

STEPS = 1_000_000_000
"""Products of small numbers that the program may compute, about."""

LENGTH = 1_000_000
"""Characters that the certificate's numbers may have."""

_COMPUTED = "vm_cast_no_check (eq_refl true)."
"""Computes once, at Qed, in the kernel; `vm_compute. reflexivity.` would compute twice."""


class NotExported(InputError):
    """The certificate is of a kind that has no export."""


@dataclass(frozen=True)
class Export:
    """A certificate as a Rocq file.

    Args:
        kind: of the certificate.
        claim: that it belongs to; may be empty.
        sha256: of the certificate's file.
        says: what is proved, in words.
        statement: the definition of the statement.
        text: the whole file.
    """

    kind: str
    claim: str
    sha256: str
    says: str
    statement: str
    text: str


def export_file(path: Path, *, folder: Path = FOLDER) -> Export:
    """The Rocq file of a certificate, once the checker has accepted it.

    Args:
        path: the certificate.
        folder: the formal layer, with the definitions and proofs.

    Raises:
        NotExported: it is of another kind.
        InputError: it cannot be read.
        CertificateInvalid: it does not prove its statement.
        LimitReached: it is too large for Rocq.
    """
    try:
        content = read(path)
        certificate = parse_json(content)
        check_certificate(certificate)
    except Unreadable as error:
        raise InputError("a certificate", f"none ({error})", where=str(path)) from None
    except Rejected as error:
        raise CertificateInvalid(f"{path}: {error}") from None
    kind, claim = certificate["kind"], certificate["claim"]
    if kind not in KINDS:
        expected = f"a certificate of kind {', '.join(KINDS)}"
        raise NotExported(expected, kind, where=str(path), remedy="use `headproof check`")
    if "architecture" in certificate["data"]:
        expected, found = "a rank certificate of a matrix", "one of an architecture"
        raise NotExported(expected, found, where=str(path), remedy="use `headproof check`")
    parts = KINDS[kind](certificate["data"])
    length = sum(map(len, [*parts.data, *parts.witness]))
    if parts.steps > STEPS or length > LENGTH:
        raise LimitReached(
            f"{path}: too large for Rocq: about {parts.steps:,} steps on {length:,} characters of "
            f"numbers, at most {STEPS:,} on {LENGTH:,}; `headproof check` decides it"
        )
    return _export(kind, claim, parts, hashlib.sha256(content).hexdigest(), folder)


def _export(kind: str, claim: str, parts: Parts, digest: str, folder: Path) -> Export:
    origin = f"kind {kind}, claim {claim}" if claim else f"kind {kind}"
    statement = f"Definition {STATEMENT} : Prop :=\n  {parts.statement}."
    sections = [
        comment(
            f"What is proved: {parts.says} Written by headproof from a certificate ({origin}) "
            f"whose file has the SHA-256 {digest}."
        ),
        comment(
            "To check: coqc on this file, which needs Coq 8.16 and its standard library, nothing "
            "else; the last line makes Coq say on which axioms the theorem rests. To review: part "
            f"2, and of part 1 what {STATEMENT} uses. Beside that only Coq has to be believed."
        ),
        _heading(1, "Definitions"),
        library.definitions(kind, folder),
        _heading(2, "The certificate's data, and what is stated about them"),
        *parts.data,
        statement,
        _heading(3, "Proof that what the program accepts is true"),
        library.proofs(kind, folder),
        _heading(4, "What only the program reads, and the theorem: the kernel runs the program"),
        *parts.witness,
        f"Theorem {THEOREM} : {STATEMENT}.\nProof.\nrefine ({parts.proof} _).\n{_COMPUTED}\nQed.",
        f"Print Assumptions {THEOREM}.",
    ]
    return Export(kind, claim, digest, parts.says, statement, "\n\n".join(sections) + "\n")


def _heading(number: int, title: str) -> str:
    return comment(f"---- {number}. {title} ----")
