"""Claims on a real cluster: the same results as here, whatever happens to its workers."""

import json
import os
import signal
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dask_processes import DaskCluster, wait_until  # type: ignore[import-not-found]

import headproof
from headproof.proofs_check.evidence import Status
from headproof.symbolic.errors import LimitReached

pytestmark = pytest.mark.long


def verify(out: Path, registry: str, **options: Any) -> Any:
    return headproof.verify(out=out, registry=registry, cache=False, **options)


def timeless(run: Any) -> list[Any]:
    """The results without what a clock said."""
    return [
        replace(
            result,
            seconds=0.0,
            evidence=tuple(replace(piece, seconds=0.0) for piece in result.evidence),
        )
        for result in run.results
    ]


def files(run: Any) -> dict[str, bytes]:
    folder = run.folder / "certificates"
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_cluster_finds_what_one_process_finds(
    dask_cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratch))  # of the workers
    dask_cluster.start(workers=2)
    for registry in ("fake_claims:good", "fake_claims:raising"):
        name = registry.partition(":")[2]
        here = verify(tmp_path / f"here-{name}", registry)
        there = verify(tmp_path / f"there-{name}", registry, dask=dask_cluster.address)
        assert timeless(there) == timeless(here)
        assert files(there) == files(here)
        assert there.as_expected == here.as_expected
    (piece,) = there.results[0].evidence
    assert "ZeroDivisionError" in (there.folder / piece.traceback).read_text()
    told = json.loads((there.folder / "run.json").read_text())
    assert told["complete"]
    assert not list(scratch.glob("headproof-*/claim-*"))


def test_real_claims_have_the_same_certificates(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    dask_cluster.start(workers=2)
    names = ["tropical.dequantisation"]
    here = headproof.verify(names, out=tmp_path / "here", cache=False)
    there = headproof.verify(names, out=tmp_path / "there", cache=False, dask=dask_cluster.address)
    assert timeless(there) == timeless(here)
    assert files(there) == files(here)
    assert files(here)
    assert there.as_expected
    assert headproof.check(there.folder).valid


def test_a_killed_worker_loses_nothing(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    dask_cluster.start(workers=2)
    waits = dask_cluster.log / "fake.c-waits"

    def kill() -> None:
        wait_until(lambda: waits.is_file() and waits.read_text().endswith("\n"))
        os.kill(int(waits.read_text().split()[-1]), signal.SIGKILL)
        wait_until(lambda: len(waits.read_text().splitlines()) > 1)
        (dask_cluster.log / "go").touch()

    killer = threading.Thread(target=kill)
    killer.start()
    run = verify(tmp_path, "fake_claims:waiting", dask=dask_cluster.address)
    killer.join()
    assert run.complete
    assert run.as_expected
    first, second = (line.split()[-1] for line in waits.read_text().splitlines())
    assert first != second


def test_a_claim_that_kills_its_workers_costs_itself(
    dask_cluster: DaskCluster, tmp_path: Path
) -> None:
    dask_cluster.start(workers=2, allowed_failures=0)
    run = verify(tmp_path, "fake_claims:deadly", dask=dask_cluster.address)
    status = {result.claim[5:]: result.evidence[0].status for result in run.results}
    dead = {name for name, found in status.items() if found is Status.RAISED}
    assert dead == {"b-dies", "c-killed"}
    assert set(status) == {"a", "b-dies", "c-killed", "d", "e"}
    assert "again and again" in run.results[1].evidence[0].reason


def test_a_lost_cluster_is_told_and_the_same_call_resumes(
    dask_cluster: DaskCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from headproof.proofs_check.cluster import connection

    original = connection.cluster.__wrapped__  # type: ignore[attr-defined]
    monkeypatch.setitem(original.__kwdefaults__, "patience", 2.0)
    dask_cluster.start(workers=1)
    waits = dask_cluster.log / "fake.c-waits"

    def stop() -> None:
        wait_until(waits.is_file)
        os.killpg(dask_cluster.processes[-1].pid, signal.SIGKILL)

    stopper = threading.Thread(target=stop)
    stopper.start()
    with pytest.raises(LimitReached, match=r"no workers left; .* the same command resumes"):
        verify(tmp_path, "fake_claims:waiting", dask=dask_cluster.address)
    stopper.join()
    (dask_cluster.log / "go").touch()
    monkeypatch.setenv("HEADPROOF_TEST_LOG", str(dask_cluster.log))
    run = verify(tmp_path, "fake_claims:waiting")
    assert run.as_expected
    assert len((dask_cluster.log / "fake.a").read_text().splitlines()) == 1
