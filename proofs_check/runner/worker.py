"""The worker: one claim, from its producers to its evidence.

It runs in the process of the run or in one of its own, and depends on nothing but the task. What a
producer raises becomes evidence of status `raised`; what it returns is written, read back and
checked before it counts.
"""

from __future__ import annotations

import contextlib
import json
import sys
import time
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..claim import Claim, Context, Producer, Profile
from ..evidence import Evidence, Inconclusive, Outcome, Status
from ..verdict import Verdict, decide
from . import sources
from .acceptance import objection
from .cache import Cache, certificates_stand
from .folder import RunFolder
from .record import ClaimResult
from .seeds import producer_seed
from .threads import random_state_kept


@dataclass(frozen=True)
class Task:
    """All that a worker is told.

    Args:
        claim: to be run.
        profile: how much work.
        seed: of the run.
        missing: component -> why it is missing.
        folder: of the run.
        key: digest of everything that the result depends on.
        source: digest of the package when the run began.
        cache: the cache's folder; None to do without.
        recorded: the result that an interrupted run left in the folder, if any.
        together: ids of all the claims of the run.
    """

    claim: Claim
    profile: Profile
    seed: int
    missing: Mapping[str, str]
    folder: Path
    key: str
    source: str
    cache: Path | None = None
    recorded: ClaimResult | None = None
    together: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Finished:
    """What a worker hands back.

    Args:
        claim: the claim's id.
        key: the task's; empty if the sources changed meanwhile, so that nothing reuses it.
        evidence: a piece for each producer, in the claim's order.
        seconds: what the producers took, now or when they ran.
        reused: ``"cached"`` or ``"resumed"`` if nothing had to run.
    """

    claim: str
    key: str
    evidence: tuple[Evidence, ...]
    seconds: float
    reused: str = ""


def run_claim(task: Task) -> Finished:
    """Run one claim, or find it done already."""
    found = found_done(task)
    return keep(task, settle(task)) if found is None else found


def found_done(task: Task) -> Finished | None:
    """A claim that is done already; if it is not, what an earlier attempt left is removed."""
    folder, claim = RunFolder(task.folder), task.claim
    if task.recorded is not None and task.recorded.key == task.key:
        kept = task.recorded.evidence
        if _fits(claim, kept) and certificates_stand(kept, claim.id, folder):
            return Finished(claim.id, task.key, kept, task.recorded.seconds, "resumed")
    folder.forget(claim.id)
    cache = Cache(task.cache) if task.cache is not None else None
    if cache is not None and (entry := cache.load(task.key, claim.id, folder)) is not None:
        if _fits(claim, entry[0]):
            return Finished(claim.id, task.key, entry[0], entry[1], "cached")
        folder.forget(claim.id)
    return None


def settle(task: Task) -> Finished:
    """Run all producers of a claim."""
    folder, claim = RunFolder(task.folder), task.claim
    begun = time.perf_counter()
    marker = folder.marker(claim.id)
    marker.parent.mkdir(parents=True, exist_ok=True)
    evidence = []
    for producer in claim.producers:
        marker.write_text(producer.name, encoding="utf-8")
        evidence.append(_piece(producer, task, folder))
    marker.unlink(missing_ok=True)
    seconds = round(time.perf_counter() - begun, 3)
    same = sources.digest() == task.source
    return Finished(claim.id, task.key if same else "", tuple(evidence), seconds)


def keep(task: Task, finished: Finished) -> Finished:
    """Put a claim that was settled in the cache, if it may be used again."""
    if task.cache is not None and finished.key and not _failed(task.claim, finished.evidence):
        Cache(task.cache).store(
            task.key, task.claim.id, finished.evidence, finished.seconds, RunFolder(task.folder)
        )
    return finished


def why_left_out(producer: Producer, task: Task) -> str:
    """Why the profile or the machine leaves a producer out; empty if it runs."""
    if not task.profile.includes(producer.since):
        return f"left out by profile {task.profile.value} (from {producer.since.value} on)"
    return "; ".join(task.missing[name] for name in sorted(producer.needs & set(task.missing)))


def lost(task: Task, reason: str) -> Finished:
    """The evidence of a claim whose worker did not come back."""
    folder, claim = RunFolder(task.folder), task.claim
    marker = folder.marker(claim.id)
    at_work = marker.read_text(encoding="utf-8") if marker.is_file() else ""
    marker.unlink(missing_ok=True)
    evidence = []
    for producer in claim.producers:
        left_out = why_left_out(producer, task)
        here = not at_work or producer.name == at_work
        evidence.append(
            Evidence(
                producer.name,
                producer.statement,
                producer.kind,
                Status.NOT_RUN if left_out else Status.RAISED,
                reason=left_out or (reason if here else f"lost: {reason} in {at_work}"),
            )
        )
    return Finished(claim.id, task.key, tuple(evidence), 0.0)


def _piece(producer: Producer, task: Task, folder: RunFolder) -> Evidence:
    """Run one producer and check what it leaves."""
    about = (producer.name, producer.statement, producer.kind)
    if left_out := why_left_out(producer, task):
        return Evidence(*about, Status.NOT_RUN, reason=left_out)
    claim = task.claim.id
    seed = producer_seed(task.seed, claim, producer.name)
    context = Context(
        claim,
        producer.statement,
        task.profile,
        seed,
        run_seed=task.seed,
        runs=task.folder.parent,
        together=task.together,
    )
    begun = time.perf_counter()
    try:
        # Whatever a producer prints must not end up in the one JSON document on stdout.
        with contextlib.redirect_stdout(sys.stderr), random_state_kept():
            outcome = producer.produce(context)
        if not isinstance(outcome, Outcome):
            raise TypeError(f"the producer returned {type(outcome).__name__}, not an Outcome")
        json.dumps(dict(outcome.numbers), allow_nan=False)
        texts = {
            folder.certificate(claim, producer.name, name): json.dumps(
                dict(certificate), allow_nan=False
            )
            for name, certificate in outcome.certificates.items()
        }
        for relative, text in texts.items():
            folder.write(relative, text + "\n")
    except KeyboardInterrupt:
        raise
    except Inconclusive as reason:
        return Evidence(*about, Status.NOT_RUN, reason=str(reason), seconds=_since(begun))
    except BaseException as error:  # SystemExit and pytest's outcomes too: the run goes on
        where = folder.traceback(claim, producer.name)
        folder.write(where, "".join(traceback.format_exception(error)))
        return Evidence(
            *about,
            Status.RAISED,
            reason=_one_line(error),
            traceback=where,
            seconds=_since(begun),
        )
    objections = {path: objection(folder.path / path, claim) for path in texts}
    return Evidence(
        *about,
        Status.RAN,
        finding=outcome.finding,
        scope=outcome.scope,
        general=outcome.general,
        argued=outcome.argued,
        certificates=tuple(texts),
        rejected={path: why for path, why in objections.items() if why},
        numbers=dict(outcome.numbers),
        detail=outcome.detail,
        seconds=_since(begun),
    )


def _failed(claim: Claim, evidence: Sequence[Evidence]) -> bool:
    by_statement = [
        [piece for piece in evidence if piece.statement == statement.name]
        for statement in claim.statements
    ]
    return any(decide(pieces).verdict is Verdict.FAILED for pieces in by_statement)


def _fits(claim: Claim, evidence: tuple[Evidence, ...]) -> bool:
    """Whether recorded evidence is a piece from each producer, about its statement, of its kind."""
    found = [(piece.producer, piece.statement, piece.kind) for piece in evidence]
    return found == [(made.name, made.statement, made.kind) for made in claim.producers]


def _one_line(error: BaseException) -> str:
    first = (str(error).strip().splitlines() or [""])[0]
    name = type(error).__name__
    return f"{name}: {first[:300]}" if first else name


def _since(begun: float) -> float:
    return round(time.perf_counter() - begun, 3)
