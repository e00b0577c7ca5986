"""The report as a document for other programs: what the page says, without its pictures.

Evidence is not repeated: it stands in the run's results, which the document names. What is here is
the join that only the report makes, of verdicts with the claims' titles, papers and statements, and
what could not be read.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from ..evidence import Json
from ..registry import Registry, load
from .recorded import read
from .view import ClaimView, StatementView, view

FORMAT = "headproof-report/1"


def summary(run_folder: Path, *, registry: Registry | None = None) -> dict[str, Json]:
    """Summarise a run as a value for ``json.dumps``.

    Args:
        run_folder: as `headproof verify` left it, finished or not.
        registry: the claims that are known; those of this version by default.

    Raises:
        InputError: the folder is no run.
    """
    shown = view(read(run_folder), load() if registry is None else registry)
    manifest: Mapping[str, Json] = shown.run.manifest
    taken_over = ("profile", "seed", "source", "versions", "components", "started", "finished")
    accepted = sum(exhibit.accepted for exhibit in shown.exhibits)
    return {
        "format": FORMAT,
        "run": {name: manifest.get(name) for name in taken_over},
        "complete": shown.run.complete,
        "verdicts": {verdict.value: count for verdict, count in shown.counts.items()},
        "different": shown.different,
        "certificates": {"accepted": accepted, "rejected": len(shown.exhibits) - accepted},
        "reproduce": shown.reproduce,
        "notes": list(shown.notes),
        "claims": [_claim(claim) for claim in shown.claims],
    }


def _claim(shown: ClaimView) -> dict[str, Json]:
    paper = shown.paper
    return {
        "id": shown.id,
        "known": shown.claim is not None,
        "number": shown.claim.number if shown.claim else None,
        "title": shown.claim.title if shown.claim else None,
        "paper": {"title": paper.title, "reference": paper.reference} if paper else None,
        "rests_on": list(shown.rests_on),
        "verdict": shown.headline.value if shown.headline else None,
        "reproduce": shown.reproduce,
        "statements": [_statement(statement) for statement in shown.statements],
    }


def _statement(shown: StatementView) -> dict[str, Json]:
    result = shown.result
    return {
        "name": shown.name,
        "role": shown.role.value,
        "text": shown.statement.text if shown.statement else None,
        "verdict": result.verdict.value if result else None,
        "expected": result.expected.value if result else None,
        "different": shown.differs,
        "reason": result.reason if result else None,
        "evidence": list(shown.kinds),
    }
