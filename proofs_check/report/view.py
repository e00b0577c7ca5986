"""What the report shows: the claims of this version joined with the results of a run.

The two need not agree. A run of another version may know claims that this one does not, and the
other way round; a run may have been stopped, or asked for a part. Everything that a run recorded is
shown, and what is missing on either side is said. Verdicts are computed again from the recorded
evidence: where a line says something else, the page says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from ...symbolic.mathml import mathml
from ..claim import Claim, Paper, Role, Statement
from ..evidence import Evidence, Json
from ..registry import Registry
from ..runner.record import ClaimResult, StatementResult
from ..verdict import Verdict, decide
from .badge import worst
from .certificate import Exhibit, exhibit
from .commands import check, names_in, reproduce, selected
from .recorded import RecordedRun
from .table import kinds_that_ran

_ARXIV = re.compile(r"\b(\d{4}\.\d{4,5})(v\d+)?\b")
_MOST_NUMBER = 400
"""Characters of a number in a table."""


@dataclass(frozen=True)
class PieceView:
    """One piece of evidence."""

    piece: Evidence
    numbers: tuple[tuple[str, str], ...]
    exhibits: tuple[Exhibit, ...]
    traceback: str

    @property
    def exhibit_groups(self) -> tuple[tuple[Exhibit, ...], ...]:
        """The certificates, those accepted that prove the same sort of thing together."""
        groups: dict[tuple[str, ...], list[Exhibit]] = {}
        for shown in self.exhibits:
            alike = shown.accepted and shown.present
            key = (shown.kind, shown.proves) if alike else (shown.kind, shown.proves, shown.file)
            groups.setdefault(key, []).append(shown)
        return tuple(map(tuple, groups.values()))


@dataclass(frozen=True)
class StatementView:
    """One statement; `statement` is None if this version does not know it."""

    name: str
    role: Role
    statement: Statement | None
    formula: Markup
    result: StatementResult | None
    pieces: tuple[PieceView, ...]
    contradiction: str

    @property
    def verdict(self) -> Verdict | None:
        """The recorded verdict; None if the run has none."""
        return self.result.verdict if self.result else None

    @property
    def differs(self) -> bool:
        """Whether the verdict is not the expected one, by the record or by plain comparison."""
        if self.result is None:
            return False
        unlike = self.result.verdict not in (self.result.expected, Verdict.NOT_RUN)
        return self.result.difference or unlike

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of evidence that ran."""
        return kinds_that_ran(shown.piece for shown in self.pieces)


@dataclass(frozen=True)
class ClaimView:
    """One claim; `claim` is None if this version does not know it."""

    id: str
    claim: Claim | None
    result: ClaimResult | None
    statements: tuple[StatementView, ...]
    reproduce: str

    @property
    def anchor(self) -> str:
        """The id of its section in the page."""
        return "claim-" + re.sub(r"[^A-Za-z0-9.-]", "-", self.id)

    @property
    def topic(self) -> str:
        """The topic that its id begins with."""
        return self.id.partition(".")[0]

    @property
    def number(self) -> str:
        """Its number in the list, or its topic if it is unknown."""
        return self.claim.number if self.claim else "?"

    @property
    def title(self) -> str:
        """Its title, or its id if it is unknown."""
        return self.claim.title if self.claim else self.id

    @property
    def paper(self) -> Paper | None:
        """Where it comes from."""
        return self.claim.paper if self.claim else None

    @property
    def arxiv(self) -> str:
        """The arXiv number of the paper, empty if its reference holds none."""
        found = _ARXIV.search(self.claim.paper.reference) if self.claim else None
        return found.group(0) if found else ""

    @property
    def rests_on(self) -> tuple[str, ...]:
        """The ids of the claims that it uses."""
        return self.claim.rests_on if self.claim else ()

    @property
    def by_role(self) -> dict[Role, Verdict]:
        """The worst verdict on the statements as verified, and on those as stated.

        Controls are refuted when all is well and do not count.
        """
        found = {}
        for role in (Role.AS_VERIFIED, Role.AS_STATED):
            verdicts = [s.verdict for s in self.statements if s.role is role and s.verdict]
            if verdict := worst(verdicts):
                found[role] = verdict
        return found

    @property
    def headline(self) -> Verdict | None:
        """The worst verdict on what the suite itself states: see `by_role`."""
        return next(iter(self.by_role.values()), None)

    @property
    def differs(self) -> bool:
        """Whether any verdict is not the expected one."""
        return any(s.differs for s in self.statements)


@dataclass(frozen=True)
class View:
    """The whole report, before it becomes a page."""

    run: RecordedRun
    claims: tuple[ClaimView, ...]
    notes: tuple[str, ...]
    reproduce: str
    check: str

    @property
    def statements(self) -> tuple[StatementView, ...]:
        """Every statement that has a verdict."""
        return tuple(s for c in self.claims for s in c.statements if s.result)

    @property
    def counts(self) -> dict[Verdict, int]:
        """How many statements have each verdict."""
        counted = Counter(s.result.verdict for s in self.statements if s.result)
        return {verdict: counted[verdict] for verdict in Verdict if counted[verdict]}

    @property
    def different(self) -> int:
        """How many verdicts are not as expected."""
        return sum(s.differs for s in self.statements)

    @property
    def exhibits(self) -> tuple[Exhibit, ...]:
        """Every certificate of the run."""
        return tuple(e for s in self.statements for p in s.pieces for e in p.exhibits)


def view(run: RecordedRun, registry: Registry) -> View:
    """Join a run with the claims of this version.

    Args:
        run: as `recorded.read` gives it.
        registry: the claims that are known.
    """
    notes = list(run.notes)
    if not run.complete:
        notes.insert(0, f"This run is not complete: {_progress(run)}")
    for kind in names_in(run.manifest.get("undeclared")):
        notes.append(f"Required, but no selected claim declares any evidence of the kind {kind}.")
    known = [c for c in registry if c.id in run.results]
    unknown = [r for r in run.results.values() if r.claim not in registry.claims]
    if unknown:
        names = ", ".join(result.claim for result in unknown)
        notes.append(
            f"Not known to this version of headproof, shown as recorded and without its text: "
            f"{names}."
        )
    views = [_claim_view(run, claim.id, claim) for claim in sorted(known, key=by_number)]
    views += [_claim_view(run, result.claim, None) for result in unknown]
    told = [(f"{c.id} ({s.name})", s) for c in views for s in c.statements]
    if changed := [name for name, s in told if s.contradiction]:
        notes.append(
            f"The recorded verdict is not what the recorded evidence gives: {', '.join(changed)}."
        )
    if silent := [name for name, s in told if s.result is None]:
        notes.append(f"The run recorded no verdict: {', '.join(silent)}.")
    return View(
        run, tuple(views), tuple(notes), reproduce(run, selected(run, registry)), check(run)
    )


def by_number(claim: Claim) -> tuple[str, int, str]:
    """A sort key that puts A2 before A10."""
    found = re.fullmatch(r"(\D*)(\d+)(.*)", claim.number)
    return (found[1], int(found[2]), found[3]) if found else (claim.number, 0, claim.id)


def _progress(run: RecordedRun) -> str:
    selection = run.manifest.get("selection")
    total = f" of {len(selection)}" if isinstance(selection, list) and selection else ""
    return (
        f"{len(run.results)}{total} claims have a result. The same `headproof verify` command "
        "goes on where it stopped."
    )


def _claim_view(run: RecordedRun, claim_id: str, claim: Claim | None) -> ClaimView:
    result = run.results.get(claim_id)
    recorded = {s.name: s for s in result.statements} if result else {}
    declared = {s.name: s for s in claim.statements} if claim else {}
    evidence = result.evidence if result else ()
    statements = tuple(
        _statement_view(run, name, declared.get(name), recorded.get(name), evidence)
        for name in dict.fromkeys([*declared, *recorded])
    )
    return ClaimView(claim_id, claim, result, statements, reproduce(run, [claim_id]))


def _statement_view(
    run: RecordedRun,
    name: str,
    statement: Statement | None,
    result: StatementResult | None,
    evidence: Sequence[Evidence],
) -> StatementView:
    role = statement.role if statement else result.role if result else Role.AS_STATED
    formula = mathml(statement.latex) if statement and statement.latex else Markup()
    pieces = [piece for piece in evidence if piece.statement == name]
    views = tuple(_piece_view(run, piece) for piece in pieces)
    contradiction = ""
    if result and (computed := decide(pieces).verdict) is not result.verdict:
        contradiction = (
            f"recorded as {result.verdict.value}, but the recorded evidence gives "
            f"{computed.value}. Run the claim again."
        )
    return StatementView(name, role, statement, formula, result, views, contradiction)


def _piece_view(run: RecordedRun, piece: Evidence) -> PieceView:
    files = dict.fromkeys([*piece.certificates, *piece.rejected])
    return PieceView(
        piece=piece,
        numbers=tuple((str(name), _shown(value)) for name, value in piece.numbers.items()),
        exhibits=tuple(exhibit(run, file, piece.rejected.get(file, "")) for file in files),
        traceback=run.text(piece.traceback) if piece.traceback else "",
    )


def _shown(value: Json) -> str:
    """A value of a table of numbers, shortened if it is huge."""
    if isinstance(value, float):
        text = f"{value:.6g}"
    elif isinstance(value, list | tuple):
        text = ", ".join(_shown(entry) for entry in value[:_MOST_NUMBER])
    elif isinstance(value, dict):
        text = ", ".join(f"{name}: {_shown(entry)}" for name, entry in value.items())
    else:
        text = {True: "yes", False: "no", None: "none"}.get(value, str(value))
    if len(text) > _MOST_NUMBER:
        text = f"{text[:_MOST_NUMBER]}… ({len(text)} characters)"
    return text
