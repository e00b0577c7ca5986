"""Claims: what is stated, by whom, on what it rests, and what is to settle it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

from ..symbolic.display import facts, listing
from .evidence import Kind, Outcome
from .verdict import Verdict

_ID = re.compile(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+")
_NAME = re.compile(r"[A-Za-z0-9_-]+")


class Profile(StrEnum):
    """How much work a run may do."""

    QUICK = "quick"
    FULL = "full"
    PAPER = "paper"

    def includes(self, other: Profile) -> bool:
        """Whether a producer that starts at ``other`` runs under this profile."""
        order = list(Profile)
        return order.index(self) >= order.index(other)


class Role(StrEnum):
    """Why a statement stands in a claim."""

    AS_STATED = "as stated"
    """The sentence of the paper, or our reading where the paper leaves it open."""

    AS_VERIFIED = "as verified"
    """The statement with every hypothesis that it needs."""

    CONTROL = "control"
    """A deliberately false variant: the suite must refute it, or it could not have failed."""


@dataclass(frozen=True)
class Expectation:
    """The verdict that a run should come to.

    Args:
        verdict: under every profile, with every component.
        under: exceptions; the key is a profile (``"quick"``) or a missing component
            (``"-checkpoint"``).
    """

    verdict: Verdict
    under: Mapping[str, Verdict] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Reject an exception that could never apply."""
        profiles = {profile.value for profile in Profile}
        for key in self.under:
            if key not in profiles and not re.fullmatch(r"-[a-z0-9]+", key):
                raise ValueError(f"expected a profile or -component, found {key!r}")

    def at(self, profile: Profile, missing: frozenset[str]) -> Verdict:
        """The verdict expected under a profile when some components are missing."""
        for component in sorted(missing):
            if f"-{component}" in self.under:
                return self.under[f"-{component}"]
        return self.under.get(profile.value, self.verdict)


@dataclass(frozen=True)
class Statement:
    """One sentence with a verdict of its own.

    Args:
        name: short, unique within the claim, used in file names.
        role: as stated, as verified, or a deliberately false control.
        text: the sentence.
        latex: the same as a formula (no dollar signs).
        hypotheses: every one that is needed.
        expected: the verdict that a run should come to.
        ours: the reading is ours where the paper leaves it open.
        amended_by: for a sentence that is refuted, the statement that holds instead; several with
            a comma and a space between.
    """

    name: str
    role: Role
    text: str
    latex: str
    expected: Expectation
    hypotheses: tuple[str, ...] = ()
    ours: bool = False
    amended_by: str = ""

    def _repr_latex_(self) -> str:
        """The formula, as a notebook shows it."""
        return rf"$\displaystyle {self.latex}$"


@dataclass(frozen=True)
class Context:
    """What a producer may depend on: everything else makes a run irreproducible.

    Args:
        claim: the claim's id, for the certificates.
        statement: the statement's name.
        profile: how much work.
        seed: of this producer, derived from the run's seed, the claim and the producer's name.
        run_seed: of the whole run: experiments that several producers share start from it.
        runs: the folder that holds the runs, where finished experiments are found and kept; None
            to keep nothing. It changes what a run costs, never what it finds.
        together: ids of all the claims of the run, so that what they need in common is made once;
            empty if not known. It changes nothing but the cost either.
    """

    claim: str
    statement: str
    profile: Profile
    seed: int
    run_seed: int = 0
    runs: Path | None = None
    together: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Producer:
    """A piece of evidence that can be made.

    Args:
        name: unique within the claim, used in file names.
        statement: the statement that it speaks about.
        kind: of the evidence.
        produce: makes it; a `Deferred`, or a module-level function of a module that loads
            quickly, so that it can go to another process.
        since: the smallest profile that includes it.
        needs: components without which it is not run (see `runner.components`).
    """

    name: str
    statement: str
    kind: Kind
    produce: Callable[[Context], Outcome]
    since: Profile = Profile.QUICK
    needs: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Paper:
    """A source, for citations.

    Args:
        key: the letter used in the project (A to G, T1 to T3).
        title: as published.
        reference: arXiv number or what else finds it.
    """

    key: str
    title: str
    reference: str


@dataclass(frozen=True)
class Claim:
    """A theorem, where it stands, and what settles it.

    Args:
        id: ``topic.noun``, the same in docstrings, tests, certificates and the report.
        number: the number in the project's list, such as ``A2``.
        title: a few words.
        paper: the source.
        place: where in the source.
        statements: as stated, as verified, and false controls.
        producers: the evidence.
        rests_on: ids of the claims that it uses.
        omitted: which usual evidence it does without, and why: "a property search, since ...".
    """

    id: str
    number: str
    title: str
    paper: Paper
    place: str
    statements: tuple[Statement, ...]
    producers: tuple[Producer, ...]
    rests_on: tuple[str, ...] = ()
    omitted: str = ""

    def __post_init__(self) -> None:
        """Reject a claim that contradicts itself, or whose names cannot name files."""
        if not _ID.fullmatch(self.id):
            raise ValueError(f"claim id {self.id!r}: expected topic.noun in letters, digits and -")
        names = [statement.name for statement in self.statements]
        made = [producer.name for producer in self.producers]
        for what, seen in (("statement", names), ("producer", made)):
            twice = sorted({name for name in seen if seen.count(name) > 1})
            if twice:
                raise ValueError(f"{self.id}: {what} declared twice: {', '.join(twice)}")
            odd = sorted(name for name in seen if not _NAME.fullmatch(name))
            if odd:
                raise ValueError(
                    f"{self.id}: {what} names with other than letters, digits, - and _: {odd}"
                )
        unknown = sorted({p.statement for p in self.producers} - set(names))
        if unknown:
            raise ValueError(f"{self.id}: evidence for an unknown statement: {', '.join(unknown)}")
        bare = sorted(set(names) - {p.statement for p in self.producers})
        if bare:
            raise ValueError(f"{self.id}: no evidence declared for: {', '.join(bare)}")

    def _repr_html_(self) -> str:
        """The statements, as a notebook shows them."""
        told = facts(
            f"{self.number} {self.title}",
            [
                ("claim", self.id),
                ("paper", f"{self.paper.title} ({self.paper.reference})"),
                ("place", self.place),
                ("rests on", ", ".join(self.rests_on) or "nothing else"),
            ],
        )
        rows = [
            (s.role.value, s.text, "; ".join(s.hypotheses), s.expected.verdict.value)
            for s in self.statements
        ]
        headings = ("role", "statement", "hypotheses", "expected")
        return told + listing(headings, rows, count=len(rows), most=len(rows))

    @property
    def topic(self) -> str:
        """The part of the id before the first dot."""
        return self.id.partition(".")[0]

    def statement(self, name: str) -> Statement:
        """The statement of that name."""
        return next(s for s in self.statements if s.name == name)
