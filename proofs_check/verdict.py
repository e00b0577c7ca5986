"""Verdicts, computed from evidence and from nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from .evidence import Evidence, Finding, Kind, Status


class Verdict(StrEnum):
    """What the evidence of a run says about one statement."""

    PROVED = "proved"
    CERTIFIED = "certified"
    SUPPORTED = "supported"
    REFUTED = "refuted"
    NOT_REPLICATED = "not replicated"
    NOT_RUN = "not run"
    FAILED = "failed"


@dataclass(frozen=True)
class Decision:
    """A verdict and the sentence that says which evidence gave it."""

    verdict: Verdict
    reason: str


_CERTIFYING = frozenset({Kind.EXACT, Kind.BALL})


def decide(pieces: Sequence[Evidence]) -> Decision:
    """Compute the verdict on one statement from all its evidence.

    The strongest verdict that the evidence proves wins, provided that every piece that ran came
    out: a piece that raised, whose certificate was rejected, or that found a violation without
    an accepted certificate makes the statement `failed`, and so does a general proof beside an
    accepted counterexample.

    Args:
        pieces: the evidence on one statement, in any order.

    Example:
        >>> from headproof.proofs_check.evidence import Evidence, Finding, Kind, Status
        >>> proof = Evidence("derivation", "s", Kind.SYMBOLIC, Status.RAN, Finding.HOLDS,
        ...                  general=True)
        >>> decide([proof]).verdict.value
        'proved'
        >>> decide([]).verdict.value
        'not run'
    """
    ran = [piece for piece in pieces if piece.status is not Status.NOT_RUN]
    broken = [complaint for piece in ran if (complaint := _complaint(piece))]
    if broken:
        return Decision(Verdict.FAILED, "; ".join(broken))

    against = [piece for piece in ran if piece.finding is Finding.VIOLATED]
    for_it = [piece for piece in ran if piece.finding is Finding.HOLDS]
    unmet = [piece for piece in ran if piece.finding is Finding.UNMET]
    proofs = [piece for piece in for_it if _proves(piece)]
    if against and proofs:
        names = _names(proofs), _names(against)
        return Decision(
            Verdict.FAILED, f"{names[0]} proves the statement and {names[1]} refutes it"
        )
    if against:
        return Decision(Verdict.REFUTED, f"counterexample accepted: {_names(against)}")
    if unmet:
        return Decision(Verdict.NOT_REPLICATED, f"criterion not met: {_names(unmet)}")
    if proofs:
        return Decision(Verdict.PROVED, f"general: {_names(proofs)}")
    certified = [piece for piece in for_it if piece.kind in _CERTIFYING and piece.certificates]
    if certified:
        return Decision(Verdict.CERTIFIED, f"certificates accepted: {_names(certified)}")
    derived = (Kind.FORMAL, Kind.SYMBOLIC)
    fixed_size = [piece for piece in for_it if piece.kind in derived and not piece.argued]
    if fixed_size:
        return Decision(Verdict.CERTIFIED, f"derived at fixed sizes: {_names(fixed_size)}")
    found = [piece for piece in for_it if piece.kind in (Kind.SEARCH, Kind.TRAINED)]
    if found:
        return Decision(Verdict.SUPPORTED, f"nothing against it: {_names(found)}")
    return Decision(Verdict.NOT_RUN, _why_nothing(pieces))


def _proves(piece: Evidence) -> bool:
    """Whether the piece, which holds, settles the general statement."""
    return piece.kind in (Kind.FORMAL, Kind.SYMBOLIC) and piece.general and not piece.argued


def _complaint(piece: Evidence) -> str:
    """Why a piece that was started did not come out; empty if it did."""
    name = piece.producer
    if piece.status is Status.RAISED:
        return f"{name} raised {piece.reason}"
    if piece.rejected:
        return f"{name}: certificate rejected ({'; '.join(sorted(piece.rejected))})"
    if piece.finding is None:
        return f"{name} returned no finding"
    if piece.finding is Finding.VIOLATED and not piece.certificates:
        return f"{name} found a violation but left no certificate of it"
    if piece.finding is Finding.HOLDS and piece.kind in _CERTIFYING and not piece.certificates:
        return f"{name} is {piece.kind.value} evidence without a certificate"
    if piece.general and piece.kind not in (Kind.FORMAL, Kind.SYMBOLIC):
        return f"{name}: {piece.kind.value} evidence cannot be general"
    if piece.finding is Finding.UNMET and piece.kind is not Kind.TRAINED:
        return f"{name}: only trained evidence has a criterion to miss"
    return ""


def _why_nothing(pieces: Sequence[Evidence]) -> str:
    argued = [piece for piece in pieces if piece.argued]
    if argued:
        return f"argued in words, and no formal proof ran: {_names(argued)}"
    missing = sorted({piece.reason for piece in pieces if piece.status is Status.NOT_RUN})
    return "; ".join(missing) or "no evidence"


def _names(pieces: Sequence[Evidence]) -> str:
    return ", ".join(sorted(piece.producer for piece in pieces))
