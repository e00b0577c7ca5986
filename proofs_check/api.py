"""The library: what the command line does, as functions.

    run = headproof.verify("tropical", seed=0)
    run.as_expected, run.folder
    headproof.check(run.folder).valid

Nothing here imports torch, sympy or a claim before it has to; `check` never does.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from ..symbolic.display import facts, listing
from ..symbolic.errors import InputError
from .claim import Profile
from .evidence import Kind

if TYPE_CHECKING:
    from .checker import Result
    from .cluster.executor import ClusterExecutor
    from .registry import Registry
    from .runner.run import Run, Watcher

_Member = TypeVar("_Member", bound=StrEnum)


@dataclass(frozen=True)
class CheckReport:
    """What the checker says of all the files that it was given."""

    results: tuple[Result, ...]

    def __repr__(self) -> str:
        """One line; ``results`` holds everything."""
        wrong = sum(not result.valid for result in self.results)
        return f"<CheckReport: {len(self.results)} certificates, {wrong} not valid>"

    def _repr_html_(self) -> str:
        """The tally and what is not valid, as a notebook shows them."""
        wrong = [(r.path, r.answer, r.reason) for r in self.results if not r.valid]
        told = facts("Certificates", [("checked", len(self.results)), ("not valid", len(wrong))])
        return told + (listing(("file", "answer", "why"), wrong, count=len(wrong)) if wrong else "")

    @property
    def valid(self) -> bool:
        """Whether every certificate is valid."""
        return all(result.valid for result in self.results)

    @property
    def invalid(self) -> bool:
        """Whether a certificate was read and does not prove what it states."""
        return any(result.answer == "invalid" for result in self.results)


def verify(
    ids: str | Sequence[str] = (),
    *,
    profile: str = "quick",
    seed: int = 0,
    jobs: int = 1,
    dask: str | None = None,
    out: str | Path = "runs",
    require: Sequence[str] = (),
    cache: bool = True,
    registry: Registry | str | None = None,
    watcher: Watcher | None = None,
) -> Run:
    """Settle claims and leave a run folder.

    With ``jobs`` > 1 a script has to call this below ``if __name__ == "__main__":``, since the
    processes that it starts import the script again.

    Args:
        ids: claim ids and topics; all claims if empty.
        profile: ``"quick"``, ``"full"`` or ``"paper"``.
        seed: from which every producer's seed is derived.
        jobs: how many processes, with one thread each; 1 runs in this process, where torch gets
            one thread for the time of the run and a BLAS that is loaded already keeps its own.
        dask: instead of jobs, the address of a Dask scheduler, on whose workers everything runs.
        out: where the run folder and the cache go.
        require: kinds of evidence whose absence counts as a difference.
        cache: whether to use and to fill the cache.
        registry: claims of one's own, or ``"module:function"`` that returns them.
        watcher: told how the run goes on.

    Returns:
        The run; `Run.as_expected` says whether every verdict is the expected one.

    Raises:
        InputError: a name, profile or kind is unknown, ``out`` cannot be used, or the cluster
            does not answer, has no workers or runs another headproof.
        LimitReached: the cluster was lost; the same call resumes.
        Interrupted: Ctrl-C; the same call resumes.
    """
    from .runner.run import run_claims

    if jobs < 1:
        raise InputError("at least one job", str(jobs), where="jobs")
    if seed < 0:
        raise InputError("a seed from 0 on", str(seed), where="seed")
    out = Path(out)
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            "a folder that can be written", f"{out} ({error.strerror})", where="out"
        ) from None
    claims, wanted = find_registry(registry), _member(Profile, profile, "profile")
    required = frozenset(_member(Kind, kind, "require") for kind in require)
    with nullcontext() if dask is None else _cluster(dask) as workers:
        run = run_claims(
            claims,
            (ids,) if isinstance(ids, str) else tuple(ids),
            profile=wanted,
            seed=seed,
            jobs=jobs,
            out=out,
            require=required,
            use_cache=cache,
            watcher=watcher,
            cluster=workers,
        )
    return replace(run, registry=registry) if isinstance(registry, str) else run


def _cluster(address: str) -> AbstractContextManager[ClusterExecutor]:
    from .cluster.connection import cluster

    return cluster(address)


def check(*paths: str | Path) -> CheckReport:
    """Have the independent checker look at certificates.

    Args:
        paths: run folders, folders of certificates, or certificate files.

    A missing certificate, or a path that is not there, is a result too, and not a valid one.

    Example:
        >>> check("no/such/folder").valid
        False
    """
    from .checker import check_paths

    return CheckReport(tuple(check_paths(paths)))


def find_registry(registry: Registry | str | None) -> Registry:
    """The registry itself, the one that ``"module:function"`` returns, or the suite's.

    Raises:
        InputError: the name leads to no function, or the function returns no registry.
    """
    from .registry import Registry, load

    if registry is None:
        return load()
    if isinstance(registry, Registry):
        return registry
    module, _, function = registry.partition(":")
    if not module or not function:
        raise InputError("module:function", repr(registry), where="registry")
    try:
        found = getattr(import_module(module), function)()
    except (ImportError, AttributeError) as error:
        raise InputError(
            "a function that can be imported", f"{registry} ({error})", where="registry"
        ) from None
    if not isinstance(found, Registry):
        raise InputError("a Registry", type(found).__name__, where=registry)
    return found


def _member(kind: type[_Member], value: str, where: str) -> _Member:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(member.value for member in kind)
        raise InputError(f"one of {known}", repr(value), where=where) from None
