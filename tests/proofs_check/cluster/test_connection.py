"""What is refused before or while a cluster is used: one line each, in bounded time."""

import asyncio
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from dask_processes import DaskCluster, wait_until  # type: ignore[import-not-found]

import headproof
from headproof.proofs_check.cluster import connection
from headproof.proofs_check.cluster.connection import cluster
from headproof.symbolic.errors import InputError


def refused(address: str, **options: Any) -> str:
    begun = time.monotonic()
    with pytest.raises(InputError) as caught, cluster(address, **options):
        pass
    assert time.monotonic() - begun < 60
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_dask_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "dask", None)
    told = refused("tcp://127.0.0.1:8786")
    assert told == ("dask: expected dask, found none installed; pip install 'headproof[cluster]'")


@pytest.mark.parametrize("scheme", ["tcp", "nonsense", ""])
def test_no_scheduler_answers(scheme: str) -> None:
    pytest.importorskip("distributed", reason="needs the extra cluster")
    with socket.socket() as listening:  # it accepts and says nothing
        listening.bind(("127.0.0.1", 0))
        listening.listen()
        place = f"127.0.0.1:{listening.getsockname()[1]}"
        told = refused(f"{scheme}://{place}" if scheme else place, timeout=0.5)
    assert "expected the address of a Dask scheduler" in told
    assert place in told


@pytest.mark.parametrize("address", ["nope", "nonsense://host:1", ""])
def test_no_address_ends_at_once_and_in_silence(address: str) -> None:
    """A client of Dask that was half made would keep the process for twice its timeout."""
    pytest.importorskip("distributed", reason="needs the extra cluster")
    line = f"import headproof\nwith headproof.cluster({address!r}, timeout=300): pass"
    done = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1
    assert "InputError: dask: expected the address of a Dask scheduler" in done.stderr
    assert "Exception ignored" not in done.stderr


def test_what_a_client_cancels_in_itself_is_not_told(caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("distributed.client")

    def log() -> list[str]:
        caplog.clear()
        for error in (asyncio.CancelledError(), ValueError("news")):
            try:
                raise error
            except type(error):
                logger.exception(type(error).__name__)
        return caplog.messages

    with connection._without_the_end_of_its_coroutines():
        assert log() == ["ValueError"]
    assert log() == ["CancelledError", "ValueError"]


@pytest.mark.long
def test_a_scheduler_that_dies_is_told_without_a_traceback(dask_cluster: DaskCluster) -> None:
    dask_cluster.start(workers=1)
    line = (
        "import headproof, time\n"
        f"with headproof.cluster({dask_cluster.address!r}) as executor:\n"
        "    answer = executor.submit(time.sleep, 600)\n"
        "    print('asked', flush=True)\n"
        "    print(answer.exception())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", line], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stdout
        assert asking.stdout.readline() == "asked\n"
        os.killpg(dask_cluster.processes[0].pid, signal.SIGKILL)
        told, noise = asking.communicate(timeout=120)
    assert told == "the scheduler is gone\n"
    assert "Traceback" not in noise


@pytest.mark.long
def test_a_cluster_without_workers(dask_cluster: DaskCluster) -> None:
    dask_cluster.start(workers=0)
    told = refused(dask_cluster.address, timeout=1)
    assert f"found none at {dask_cluster.address} within 1 s; start some: dask worker" in told


def copied(folder: Path) -> Path:
    """The package's sources, copied below a folder."""
    root = Path(headproof.__file__).parent
    target = folder / "headproof"
    for part in ("symbolic", "numeric", "oracle", "proofs_check"):
        shutil.copytree(root / part, target / part, ignore=shutil.ignore_patterns("__pycache__"))
    for path in root.glob("*.py"):
        shutil.copy(path, target)
    return target


@pytest.mark.long
def test_workers_of_other_sources(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    """Before a session, by what they answer; later, by what they say to their first task."""
    changed = copied(tmp_path) / "symbolic" / "errors.py"
    changed.write_text(changed.read_text() + "# another version\n")
    dask_cluster.start(workers=1)
    with cluster(dask_cluster.address) as executor:
        dask_cluster.add_worker(first_on_path=str(tmp_path))
        wait_until(lambda: executor.workers == 2)
        answers = [executor.submit(len, [n]) for n in range(40)]
        with pytest.raises(InputError, match="one that does not fit: it began with other sources"):
            [answer.result() for answer in answers]
    told = refused(dask_cluster.address)
    assert "found other sources of headproof at tcp://" in told
    assert "restart the workers" in told


@pytest.mark.long
def test_workers_without_headproof(dask_cluster: DaskCluster, tmp_path: Path) -> None:
    (tmp_path / "headproof.py").write_text("")
    dask_cluster.start(workers=0)
    dask_cluster.add_worker(first_on_path=str(tmp_path))
    told = refused(dask_cluster.address, timeout=60)
    assert "found no headproof that fits" in told
    assert "ModuleNotFoundError" in told
