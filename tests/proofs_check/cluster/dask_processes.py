"""A Dask cluster of processes: a scheduler, and workers that a nanny starts again."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

TESTS = Path(__file__).parents[1]
FAKES = [str(TESTS / "runner"), str(TESTS / "training")]


def wait_until(condition: Callable[[], object], *, seconds: float = 90) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.05)


@dataclass
class DaskCluster:
    """A scheduler and its workers, in processes of their own.

    Args:
        folder: for the address of the scheduler, the logs, and what the fake claims tell.
    """

    folder: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)
    address: str = ""

    @property
    def log(self) -> Path:
        return self.folder / "log"

    def start(self, *, workers: int, allowed_failures: int = 3) -> None:
        self.log.mkdir()
        file = self.folder / "scheduler.json"
        self._run(
            "distributed.cli.dask_scheduler",
            *("--port", "0", "--scheduler-file", str(file), "--no-dashboard"),
            *("--host", "127.0.0.1"),
            DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES=str(allowed_failures),
        )
        wait_until(lambda: file.is_file() and file.stat().st_size)
        self.address = json.loads(file.read_text())["address"]
        for _ in range(workers):
            self.add_worker()

    def add_worker(self, *options: str, first_on_path: str = "") -> subprocess.Popen[bytes]:
        return self._run(
            "distributed.cli.dask_worker",
            *(self.address, "--nthreads", "2", "--no-dashboard"),
            *("--local-directory", str(self.folder), *options),
            PYTHONPATH=os.pathsep.join(
                filter(None, [first_on_path, *FAKES, os.environ.get("PYTHONPATH")])
            ),
            HEADPROOF_TEST_LOG=str(self.log),
        )

    def stop(self) -> None:
        for process in reversed(self.processes):
            with contextlib.suppress(ProcessLookupError):  # the nannies' workers with them
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def told(self) -> str:
        return (self.folder / "output").read_text()

    def _run(self, module: str, *arguments: str, **environment: str) -> subprocess.Popen[bytes]:
        with (self.folder / "output").open("ab") as output:
            process = subprocess.Popen(
                [sys.executable, "-m", module, *arguments],
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                cwd=self.folder,
                start_new_session=True,
                env={**os.environ, **environment},
            )
        self.processes.append(process)
        return process
