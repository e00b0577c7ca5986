"""Trainings on a real cluster: the same seeds, kept here, whatever happens to a worker."""

from pathlib import Path
from typing import Any

import pytest
from dask_processes import DaskCluster  # type: ignore[import-not-found]

from headproof.proofs_check.training.run import train
from headproof.symbolic.errors import LimitReached

pytestmark = pytest.mark.long


class Listener:
    """Remembers what it was told."""

    def __init__(self) -> None:
        self.steps: set[tuple[int, str]] = set()
        self.ended: list[int] = []

    def begun(self, folder: Path, seeds: Any) -> None:
        pass

    def advanced(self, seed: int, part: str, step: int, of: int) -> None:
        self.steps.add((seed, part))

    def finished(self, result: Any) -> None:
        self.ended.append(result.seed)


def walk(out: Path, **options: Any) -> Any:
    import fake_experiment  # type: ignore[import-not-found]

    return train("walk", out=out, experiment=fake_experiment.ENTRY, **options)


def measured(training: Any) -> list[Any]:
    return [result.measurements for result in training.results]


def test_a_worker_that_dies_changes_nothing(
    dask_cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = walk(tmp_path / "here", seeds=4)
    fuse = tmp_path / "fuse"
    fuse.touch()
    monkeypatch.setenv("FAKE_DEATH", str(fuse))  # for the workers: one of them kills itself, once
    dask_cluster.start(workers=2)
    listener = Listener()
    there = walk(tmp_path / "there", seeds=4, dask=dask_cluster.address, watcher=listener)
    assert not fuse.exists()
    assert measured(there) == measured(here)
    assert sorted(listener.ended) == [0, 1, 2, 3]
    assert {seed for seed, _ in listener.steps} == {0, 1, 2, 3}
    again = walk(tmp_path / "there", seeds=4)
    assert all(result.reused for result in again.results)


def test_a_limit_brings_the_states_back(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    here = walk(tmp_path / "here", seeds=1)
    dask_cluster.start(workers=1)
    with pytest.raises(LimitReached, match="0 of 1 seeds ended; the same command goes on"):
        walk(tmp_path / "there", seeds=1, dask=dask_cluster.address, limit=1e-9)
    states = tmp_path / "there" / "train-walk-quick" / "seed-0" / "states"
    assert [path.name for path in states.iterdir()] == ["main.pt"]
    assert measured(walk(tmp_path / "there", seeds=1)) == measured(here)
