"""Evidence: what one producer found out about one statement.

A producer returns an `Outcome`: what it found and the certificates that show it. It never says
that a certificate is valid and never names a verdict: the runner writes the certificates, has
them checked by the independent checker, and turns the outcome into `Evidence`, from which
`verdict.decide` computes the verdict.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeAlias

Json: TypeAlias = Any
"""A value that ``json.dumps`` writes: no floats where exactness is claimed."""

Certificate: TypeAlias = Mapping[str, Json]
"""A certificate as CERTIFICATES.md describes it."""


class Kind(StrEnum):
    """How a piece of evidence was obtained."""

    FORMAL = "formal"
    SYMBOLIC = "symbolic"
    EXACT = "exact"
    BALL = "ball"
    SEARCH = "search"
    TRAINED = "trained"


class Finding(StrEnum):
    """What a producer found."""

    HOLDS = "holds"
    """The statement holds as far as the piece reaches."""

    VIOLATED = "violated"
    """A counterexample was found; its certificate makes the statement refuted."""

    UNMET = "unmet"
    """A criterion fixed beforehand was not met (trained evidence only)."""


class Status(StrEnum):
    """What became of a producer in a run."""

    RAN = "ran"
    NOT_RUN = "not run"
    RAISED = "raised"


class Inconclusive(Exception):
    """Raised by a producer that did its work and may conclude nothing from it.

    A trained experiment under a small profile runs its mechanics only. The piece of evidence is
    then `not run`, with this reason, and no difference from what is expected.
    """


@dataclass(frozen=True)
class Outcome:
    """What a producer returns.

    Args:
        finding: what was found.
        scope: in words, what it was found for: the finite family, the box, the search.
        general: the piece speaks of every size: N, H, d and n stayed symbols. Only formal and
            symbolic evidence may be general.
        argued: how many steps were argued in words instead of decided by machine.
        certificates: name -> certificate; the name becomes the file name.
        numbers: what a table shows: cases, digits, seeds, error bounds.
        detail: text for the report: the derivation, a shrunk counterexample.
    """

    finding: Finding
    scope: str
    general: bool = False
    argued: int = 0
    certificates: Mapping[str, Certificate] = field(default_factory=dict)
    numbers: Mapping[str, Json] = field(default_factory=dict)
    detail: str = ""


@dataclass(frozen=True)
class Evidence:
    """One producer's outcome as the run records it.

    Args:
        producer: the producer's name within its claim.
        statement: the statement that it speaks about.
        kind: how it was obtained.
        status: whether it ran.
        reason: why it did not run, or what it raised; empty otherwise.
        rejected: certificate file -> why the checker rejected it.
        certificates: the certificate files, relative to the run folder, as accepted or not.
        traceback: the traceback file, relative to the run folder; empty unless it raised.
        seconds: wall time.
    """

    producer: str
    statement: str
    kind: Kind
    status: Status
    finding: Finding | None = None
    scope: str = ""
    general: bool = False
    argued: int = 0
    reason: str = ""
    certificates: tuple[str, ...] = ()
    rejected: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, Json] = field(default_factory=dict)
    detail: str = ""
    traceback: str = ""
    seconds: float = 0.0
