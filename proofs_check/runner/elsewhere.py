"""A claim settled on another machine: what travels there, and what comes back.

Nothing is assumed of its disk. The claim runs in a folder of the worker's own; certificates and
tracebacks come back as text, are written into the run folder and put before the checker again as
they lie there. Seeds of trainings that are finished already travel along, and new ones come back:
a training is worth more than the claim that asked for it.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ...symbolic.errors import InputError
from ..evidence import Kind
from . import sources
from .cache import certificates_stand
from .folder import RunFolder, write_atomically
from .worker import Finished, Task, settle

_FINISHED_SEEDS = ("train-*/seed-*/key.json", "train-*/seed-*/result.json")


@dataclass(frozen=True)
class Order:
    """What a worker elsewhere is told.

    Args:
        task: whose folder and cache it does not use.
        outside: digest of the claim's modules outside the package.
        trainings: relative path -> text of finished seeds.
    """

    task: Task
    outside: str
    trainings: Mapping[str, str]


@dataclass(frozen=True)
class Delivery:
    """What it sends back.

    Args:
        finished: as `settle` returned it.
        files: relative path -> text of certificates and tracebacks.
        trainings: relative path -> text of finished seeds that were not sent along.
        refused: why it did not run, empty if it did.
    """

    finished: Finished | None
    files: Mapping[str, str]
    trainings: Mapping[str, str]
    refused: str = ""


def order(task: Task) -> Order:
    """What to send for a task."""
    trains = any(producer.kind is Kind.TRAINED for producer in task.claim.producers)
    seeds = _finished_seeds(task.folder.parent) if trains else {}
    bare = replace(task, folder=Path(), cache=None, recorded=None)
    return Order(bare, sources.outside_digest(task.claim), seeds)


def settle_elsewhere(order: Order, session: str) -> Delivery:
    """Settle a claim here, in a folder that is removed again.

    Args:
        order: as it came.
        session: whose folder keeps trainings and formal proofs for the claims to come.
    """
    from ..cluster.worker import session_folder

    task = order.task
    if sources.outside_digest(task.claim) != order.outside:
        return Delivery(None, {}, {}, f"{task.claim.id} has other sources there")
    runs = session_folder(session)
    for relative, text in order.trainings.items():
        _write_once(runs / relative, text)
    with tempfile.TemporaryDirectory(prefix="claim-", dir=runs) as place:
        finished = settle(replace(task, folder=Path(place)))
        files = {
            path.relative_to(place).as_posix(): path.read_text(encoding="utf-8")
            for folder in ("certificates", "tracebacks")
            for path in sorted((Path(place) / folder).rglob("*"))
            if path.is_file()
        }
    trainings = _finished_seeds(runs)
    new = {name: text for name, text in trainings.items() if name not in order.trainings}
    return Delivery(finished, files, new)


def receive(task: Task, delivery: Delivery) -> Finished:
    """Write what came back, and have the checker look at it as it lies on this disk.

    Raises:
        InputError: the worker has other sources of the claim.
        ValueError: what came back does not fit what its evidence says.
    """
    if delivery.finished is None:
        raise InputError(
            "workers with the same sources",
            delivery.refused,
            where="dask",
            remedy="install the same everywhere and restart the workers",
        )
    folder, finished = RunFolder(task.folder), delivery.finished
    named = {path for piece in finished.evidence for path in piece.certificates}
    named |= {piece.traceback for piece in finished.evidence if piece.traceback}
    if named - set(delivery.files):
        raise ValueError(f"{task.claim.id}: a worker did not send all that its evidence names")
    for relative in sorted(named):
        folder.write(relative, delivery.files[relative])
    if not certificates_stand(finished.evidence, task.claim.id, folder):
        raise ValueError(f"{task.claim.id}: a certificate is not accepted as it came")
    for relative, text in delivery.trainings.items():
        parts = PurePosixPath(relative).parts
        if len(parts) == 3 and parts[0].startswith("train-") and ".." not in parts:
            _write_once(task.folder.parent / relative, text)
    if sources.digest() != task.source:
        return replace(finished, key="")
    return finished


def _finished_seeds(runs: Path) -> dict[str, str]:
    """The files of seeds that ended, by their paths below the folder of all runs."""
    found = {}
    for pattern in _FINISHED_SEEDS:
        for path in sorted(runs.glob(pattern)):
            if (path.parent / "result.json").is_file():
                found[path.relative_to(runs).as_posix()] = path.read_text(encoding="utf-8")
    return found


def _write_once(path: Path, text: str) -> None:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, text)
