"""Shared: one verification for all claims and runs, whichever process needs it first.

The first producer that asks compiles while it holds a lock; the others wait and
read what it wrote. What lies there counts only if it was made from the same proofs, by the same
modules of this package and the same version of Rocq; so it serves later runs of the folder too.
It carries a digest of itself, so that an answer that was edited or damaged is made anew. Whoever
can write to the folder can write that digest too: delete the folder where that matters, as CI does.

A run of a few claims compiles only what their theorems need.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path

from ...symbolic.errors import InputError
from ..evidence import Json
from ..runner.folder import write_atomically
from ..runner.lock import locked
from .manifest import FOLDER, Entry, read_manifest
from .verification import Standing, TheoremResult, Verification, digest, verify_formal

FORMAT = "headproof-formal-verification/1"

WAIT = 900.0
"""Seconds to wait for another process that compiles."""


def shared_verification(
    place: Path, *, coq: str, claims: Collection[str] | None = None, jobs: int = 2
) -> Verification:
    """The verification that the runs of a folder share, made if need be.

    Args:
        place: where it is kept.
        coq: the version of Rocq.
        claims: ids of the claims whose theorems are wanted, others may be among them; None for
            every theorem.
        jobs: files compiled at the same time.

    Raises:
        InputError: the manifest or a statement file is not of its form.
        TimeoutError: another process holds the lock for too long.
    """
    place.mkdir(parents=True, exist_ok=True)
    file = place / "formal.json"
    with _waiting(place / "formal.lock"):
        found = _read(file, claims)
        if found is not None and found.coq == coq and found.digest == digest(FOLDER):
            return found
        if claims is not None and _with_theorems() <= set(claims):
            claims = None
        made = verify_formal(FOLDER, coq=coq, claims=claims, jobs=jobs)
        body = {
            "program": _program(),
            "claims": None if claims is None else sorted(claims),
            **to_json(made),
        }
        document = {**body, "seal": _seal(body)}
        write_atomically(file, json.dumps(document, indent=1) + "\n")
        return made


def to_json(verification: Verification) -> dict[str, Json]:
    """As JSON, for the file and for the command."""
    results = [{**asdict(r), "standing": r.standing.value} for r in verification.results]
    return {
        "format": FORMAT,
        "coq": verification.coq,
        "digest": verification.digest,
        "seconds": verification.seconds,
        "results": json.loads(json.dumps(results)),
    }


def from_json(document: Json) -> Verification:
    """Read back what `to_json` wrote.

    Raises:
        ValueError, KeyError, TypeError: it is something else.
    """
    if document["format"] != FORMAT:
        raise ValueError(f"expected {FORMAT}")
    results = [
        TheoremResult(
            entry=Entry(**{**value["entry"], "axioms": tuple(value["entry"]["axioms"])}),
            standing=Standing(value["standing"]),
            axioms=tuple(value["axioms"]),
            reasons=tuple(value["reasons"]),
            text=value["text"],
            comment=value["comment"],
        )
        for value in document["results"]
    ]
    seconds = float(document["seconds"])
    return Verification(tuple(results), document["coq"], document["digest"], seconds)


def _program() -> str:
    """SHA-256 over the modules that verify: they import nothing else that decides."""
    total = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        content = path.read_bytes()
        total.update(f"{path.name}:{len(content)}:".encode() + content)
    return total.hexdigest()


def _with_theorems() -> frozenset[str]:
    return frozenset(entry.claim for entry in read_manifest() if entry.claim)


def _seal(body: Json) -> str:
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()


def _read(file: Path, claims: Collection[str] | None) -> Verification | None:
    """What is kept, if it is whole, made by this program, and about these claims."""
    try:
        document = json.loads(file.read_text(encoding="utf-8"))
        seal = document.pop("seal")
        if seal != _seal(document) or document["program"] != _program():
            return None
        about = document["claims"]
        if about is not None and (claims is None or not set(claims) <= set(about)):
            return None
        return from_json(document)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@contextmanager
def _waiting(path: Path) -> Iterator[None]:
    """Hold a lock, waiting until it is free."""
    end = time.monotonic() + WAIT
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(locked(path))
                break
            except InputError:
                if time.monotonic() > end:
                    raise TimeoutError(f"{path} was not released within {WAIT:g} s") from None
            time.sleep(0.2)
        yield
