"""A run: selected claims settled once, recorded so that an interruption costs nothing finished.

The folder's name follows from the command, so the same command finds its own beginnings. A run that
came to its end is begun anew by the same command (the cache makes that quick); one that did not is
resumed: results whose key still fits, and whose certificates the checker still accepts, stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ...symbolic.display import facts, listing
from ...symbolic.errors import InputError
from ..claim import Claim, Profile
from ..evidence import Kind
from ..registry import Registry
from . import components, environment, sources
from .command import verify_command
from .folder import RunFolder, folder_name
from .judgement import judge, undeclared
from .key import key
from .lock import locked
from .record import ClaimResult
from .schedule import execute
from .worker import Finished, Task

if TYPE_CHECKING:
    from ..cluster.executor import ClusterExecutor

FORMAT = "headproof-run/1"


class Watcher(Protocol):
    """What wants to hear how a run goes on."""

    def begun(self, folder: Path, claims: Sequence[Claim]) -> None:
        """The run begins."""

    def started(self, claim: str) -> None:
        """A claim was handed out."""

    def finished(self, result: ClaimResult, reused: str) -> None:
        """A claim ended; reused is ``"cached"`` or ``"resumed"`` if nothing had to run."""


@dataclass(frozen=True)
class Run:
    """What a run found.

    Args:
        folder: where it lies.
        profile: how much work it did.
        seed: from which every other seed follows.
        selection: ids of the claims, each after those that it rests on.
        require: kinds of evidence that had to run.
        undeclared: required kinds of which no selected claim declares any evidence.
        results: of the claims that ended, in the order of the selection.
        complete: whether every claim ended.
        registry: ``"module:function"`` if the claims are not the suite's.
    """

    folder: Path
    profile: Profile
    seed: int
    selection: tuple[str, ...]
    require: tuple[Kind, ...]
    undeclared: tuple[Kind, ...]
    results: tuple[ClaimResult, ...]
    complete: bool
    registry: str = ""

    def __repr__(self) -> str:
        """One line; the fields hold everything."""
        state = "as expected" if self.as_expected else "complete" if self.complete else "incomplete"
        ended = f"{len(self.results)} of {len(self.selection)} claims"
        return f"<Run in {self.folder}: {ended}, {state}>"

    def _repr_html_(self) -> str:
        """The verdicts, as a notebook shows them."""
        told = facts(
            f"Run in {self.folder}",
            [
                ("profile", self.profile.value),
                ("seed", self.seed),
                ("claims", f"{len(self.results)} of {len(self.selection)}"),
                ("as expected", self.as_expected),
            ],
        )
        rows = [
            (result.claim, statement.name, statement.role.value, statement.verdict.value)
            for result in self.results
            for statement in result.statements
        ]
        headings = ("claim", "statement", "role", "verdict")
        return told + listing(headings, rows, count=len(rows), most=len(rows))

    @property
    def as_expected(self) -> bool:
        """Whether the run is complete and no verdict differs from the expected one."""
        differs = any(result.differences for result in self.results)
        return self.complete and not differs and not self.undeclared

    def reproduce(self, claim: str) -> str:
        """The one command that repeats a claim of this run."""
        return verify_command(
            [claim],
            profile=self.profile.value,
            seed=self.seed,
            require=[kind.value for kind in self.require],
            registry=self.registry,
        )


class Interrupted(KeyboardInterrupt):
    """A run stopped by the user; what ended before is recorded.

    Args:
        run: as far as it came.
    """

    def __init__(self, run: Run) -> None:
        super().__init__(f"{len(run.results)} of {len(run.selection)} claims ended")
        self.run = run


def run_claims(
    registry: Registry,
    names: Sequence[str],
    *,
    profile: Profile,
    seed: int,
    jobs: int,
    out: Path,
    require: frozenset[Kind],
    use_cache: bool,
    watcher: Watcher | None = None,
    cluster: ClusterExecutor | None = None,
) -> Run:
    """Run the selected claims and leave a run folder.

    Raises:
        InputError: a name is unknown, another run holds the folder, or a run of another registry
            lies there, whose certificates would be lost.
        ValueError: a claim needs a component that nobody knows.
        LimitReached: the cluster is lost; the same call resumes.
        Interrupted: Ctrl-C.
    """
    claims = registry.select(names)
    _known_components(claims)
    everything = len(claims) == len(registry)
    ids = tuple(claim.id for claim in claims)
    folder = RunFolder(out / folder_name(profile, seed, ids, everything=everything))
    folder.path.mkdir(parents=True, exist_ok=True)
    with locked(folder.path / "lock"):
        _require_same_registry(folder, registry)
        job = _Job(claims, profile, seed, require, folder)
        cache = out / "cache" if use_cache else None
        return job.run(jobs, cache.absolute() if cache else None, watcher, cluster)


class _Job:
    """One run while it goes on."""

    def __init__(
        self,
        claims: Sequence[Claim],
        profile: Profile,
        seed: int,
        require: frozenset[Kind],
        folder: RunFolder,
    ) -> None:
        self.claims = claims
        self.profile = profile
        self.seed = seed
        self.require = require
        self.folder = folder
        self.source = sources.digest()
        self.versions = environment.versions()
        self.components = components.detect()
        self.missing = {
            name: components.why_missing(name)
            for name, version in self.components.items()
            if version is None
        }
        self.recorded: dict[str, ClaimResult] = {}
        self.results: dict[str, ClaimResult] = {}

    def run(
        self,
        jobs: int,
        cache: Path | None,
        watcher: Watcher | None,
        cluster: ClusterExecutor | None,
    ) -> Run:
        recorded = self.recorded = self._recorded()
        started = _now()
        self.folder.keep_only(recorded)
        self.folder.replace_results(recorded.values())
        self._describe(started, None)
        tasks = [
            Task(
                claim=claim,
                profile=self.profile,
                seed=self.seed,
                missing=self.missing,
                folder=self.folder.path.absolute(),
                key=self._key(claim),
                source=self.source,
                cache=cache,
                recorded=recorded.get(claim.id),
                together=frozenset(claim.id for claim in self.claims),
            )
            for claim in self.claims
        ]
        if watcher:
            watcher.begun(self.folder.path, self.claims)
        try:
            hand_out = watcher.started if watcher else _nobody
            workers = max(1, min(jobs, len(tasks)))
            execution = execute(tasks, jobs=workers, started=hand_out, cluster=cluster)
            with closing(execution) as ended:
                for finished in ended:
                    result = self._record(finished)
                    if watcher:
                        watcher.finished(result, finished.reused)
        except KeyboardInterrupt:
            raise Interrupted(self._state()) from None
        run = self._state()
        self.folder.replace_results(run.results)
        self.folder.keep_only(run.selection)
        self._describe(started, _now())
        return run

    def _recorded(self) -> dict[str, ClaimResult]:
        """What an interrupted run of the same command left, as far as it is of use."""
        before = self.folder.description()
        if before is None or before.get("complete") is not False:
            return {}
        keys = {claim.id: self._key(claim) for claim in self.claims}
        found = self.folder.results()
        return {result.claim: result for result in found if keys.get(result.claim) == result.key}

    def _record(self, finished: Finished) -> ClaimResult:
        claim = next(claim for claim in self.claims if claim.id == finished.claim)
        statements = judge(
            claim,
            finished.evidence,
            profile=self.profile,
            missing=frozenset(self.missing),
            require=self.require,
        )
        result = ClaimResult(
            claim.id, finished.key, finished.seconds, statements, finished.evidence
        )
        if self.recorded.get(claim.id) != result:  # a resumed one stands in the file already
            self.folder.append(result)
        self.results[claim.id] = result
        return result

    def _state(self) -> Run:
        ids = tuple(claim.id for claim in self.claims)
        return Run(
            folder=self.folder.path,
            profile=self.profile,
            seed=self.seed,
            selection=ids,
            require=tuple(sorted(self.require)),
            undeclared=undeclared(self.claims, self.require),
            results=tuple(self.results[name] for name in ids if name in self.results),
            complete=len(self.results) == len(ids),
        )

    def _describe(self, started: str, finished: str | None) -> None:
        self.folder.describe(
            {
                "format": FORMAT,
                "profile": self.profile.value,
                "seed": self.seed,
                "selection": [claim.id for claim in self.claims],
                "require": sorted(self.require),
                "undeclared": list(undeclared(self.claims, self.require)),
                "source": self.source,
                "versions": self.versions,
                "components": self.components,
                "environment": environment.machine(),
                "started": started,
                "finished": finished,
                "complete": finished is not None,
            }
        )

    def _key(self, claim: Claim) -> str:
        return key(
            claim,
            profile=self.profile,
            seed=self.seed,
            source=self.source,
            versions=self.versions,
            components=self.components,
        )


def _require_same_registry(folder: RunFolder, registry: Registry) -> None:
    before = (folder.description() or {}).get("selection")
    if before and not any(claim in registry.claims for claim in before):
        raise InputError(
            "a folder without a run of other claims",
            f"one of {before[0]}" + (f" and {len(before) - 1} more" if before[1:] else ""),
            where=str(folder.path),
            remedy="give another folder with --out",
        )


def _known_components(claims: Sequence[Claim]) -> None:
    for claim in claims:
        for producer in claim.producers:
            if unknown := sorted(producer.needs - set(components.COMPONENTS)):
                raise ValueError(
                    f"{claim.id}: {producer.name} needs an unknown component: {', '.join(unknown)}"
                )


def _nobody(claim: str) -> None:
    """Nobody listens."""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
