import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from headproof.proofs_check.runner.lock import locked
from headproof.symbolic.errors import InputError

HOLDER = """
import sys, time
from pathlib import Path
from headproof.proofs_check.runner.lock import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_held_lock_is_refused_by_naming_its_holder_and_a_dead_one_taken_over(
    tmp_path: Path,
) -> None:
    path = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(InputError, match=f"process {holder.pid}"), locked(path):
            pass
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with locked(path):
        assert path.read_text() == f"{os.getpid()}\n"


def test_a_lock_file_that_nobody_holds_is_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    path.write_text("1\n")
    with locked(path), pytest.raises(InputError), locked(path):
        pass
    with locked(path):
        pass
