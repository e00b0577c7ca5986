"""The report paper by paper: what each claims, what holds of it, and under which hypotheses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..claim import Paper, Role
from ..verdict import Verdict
from .view import ClaimView, StatementView


@dataclass(frozen=True)
class PaperView:
    """A paper with the claims that come from it.

    Args:
        paper: the paper.
        arxiv: its arXiv number, empty if its reference holds none.
        claims: its claims, by number.
    """

    paper: Paper
    arxiv: str
    claims: tuple[ClaimView, ...]

    @property
    def statements(self) -> tuple[StatementView, ...]:
        """Every statement but the deliberately false controls."""
        return tuple(s for c in self.claims for s in c.statements if s.role is not Role.CONTROL)

    def count(self, role: Role) -> dict[Verdict, int]:
        """How many statements of a role have each verdict; those that none has are left out."""
        return _counted(s for s in self.statements if s.role is role)

    @property
    def all(self) -> dict[Verdict, int]:
        """How many of all its statements have each verdict."""
        return _counted(self.statements)

    @property
    def anchor(self) -> str:
        """The id of its fold in the page."""
        return "paper-" + "".join(c if c.isalnum() else "-" for c in self.paper.key)


def _counted(statements: Iterable[StatementView]) -> dict[Verdict, int]:
    found = [s.verdict for s in statements]
    return {verdict: found.count(verdict) for verdict in Verdict if verdict in found}


def papers(claims: Sequence[ClaimView]) -> tuple[PaperView, ...]:
    """The papers of the claims shown, in the order of their first claims."""
    by_key: dict[str, list[ClaimView]] = {}
    for claim in claims:
        if claim.paper:
            by_key.setdefault(claim.paper.key, []).append(claim)
    return tuple(
        PaperView(own[0].paper, own[0].arxiv, tuple(own)) for own in by_key.values() if own[0].paper
    )
