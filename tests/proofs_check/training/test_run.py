"""A training: kept, resumed after any death, shared, the same in one process or several."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.training.journal import FolderJournal
from headproof.proofs_check.training.registry import Entry
from headproof.proofs_check.training.run import train
from headproof.symbolic.errors import HeadproofError, InputError, LimitReached

SCRIPT = """
import sys
from headproof.proofs_check.training.run import train
import fake_experiment
if __name__ == "__main__":
    train("walk", out=sys.argv[1], seeds=1, interval=0, experiment=fake_experiment.ENTRY)
"""


def walk(out: Path, **options: Any) -> Any:
    import fake_experiment  # type: ignore[import-not-found]

    return train("walk", out=out, experiment=fake_experiment.ENTRY, **options)


def measured(training: Any) -> list[Any]:
    return [result.measurements for result in training.results]


def test_finished_seeds_are_found_again(tmp_path: Path) -> None:
    first, second = walk(tmp_path), walk(tmp_path, seeds=3)
    assert [result.reused for result in first.results] == [False, False]
    assert [result.reused for result in second.results] == [True, True, False]
    assert measured(second)[:2] == measured(first)
    document = json.loads((tmp_path / "train-walk-quick" / "result.json").read_text())
    assert document["complete"]
    assert [one["seed"] for one in document["seeds"]] == [0, 1, 2]


def test_a_death_in_the_middle_changes_nothing(tmp_path: Path) -> None:
    """kill -9 in the second part: the first is kept, the second goes on from its last state."""
    fuse = tmp_path / "fuse"
    fuse.touch()
    environment = {**os.environ, "FAKE_DEATH": str(fuse)}
    command = [sys.executable, "-c", SCRIPT, str(tmp_path / "killed")]
    died = subprocess.run(command, env=environment, check=False, capture_output=True, timeout=120)
    assert died.returncode == -9, died.stderr.decode()
    seed = tmp_path / "killed" / "train-walk-quick" / "seed-0"
    assert sorted(p.name for p in (seed / "parts").iterdir()) == ["main.json"]
    state = FolderJournal(seed, part="large").resume()
    assert state is not None
    assert state["step"] == 20
    resumed, whole = walk(tmp_path / "killed", seeds=1), walk(tmp_path / "whole", seeds=1)
    assert measured(resumed) == measured(whole)
    assert not (seed / "states").exists()


def test_a_limit_stops_at_an_interval_and_the_rest_follows(tmp_path: Path) -> None:
    with pytest.raises(LimitReached, match="0 of 2 seeds ended; the same command goes on"):
        walk(tmp_path, limit=1e-9)
    assert FolderJournal(tmp_path / "train-walk-quick" / "seed-0", part="main").resume()
    assert measured(walk(tmp_path)) == measured(walk(tmp_path / "whole"))


@pytest.mark.long
def test_processes_do_not_change_the_result(tmp_path: Path) -> None:
    assert measured(walk(tmp_path / "two", jobs=2)) == measured(walk(tmp_path / "one"))


def test_the_death_of_a_worker_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fuse = tmp_path / "fuse"
    fuse.touch()
    monkeypatch.setenv("FAKE_DEATH", str(fuse))
    with pytest.raises(HeadproofError, match="was killed by SIGKILL"):
        walk(tmp_path, jobs=2)
    assert len(walk(tmp_path).results) == 2


def test_files_of_another_key_are_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    walk(tmp_path, seeds=1)
    monkeypatch.setattr(Entry, "source_digest", lambda self: "changed")
    assert not walk(tmp_path, seeds=1).results[0].reused


def test_a_source_that_changes_meanwhile_spoils_the_seed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = iter(["before", "after", "after", "after"])
    monkeypatch.setattr(Entry, "source_digest", lambda self: next(digests))
    assert not walk(tmp_path, seeds=1).results[0].kept
    again = walk(tmp_path, seeds=1).results[0]
    assert again.kept
    assert not again.reused


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "huge"}, "expected one of smoke, quick, full, paper"),
        ({"seeds": 0}, "expected a number from 1 on"),
        ({"seed": -1}, "expected a number from 0 on"),
        ({"jobs": 0}, "expected a number from 1 on"),
        ({"limit": -1.0}, "expected a positive number of seconds"),
        ({"limit": float("nan")}, "expected a positive number of seconds"),
    ],
)
def test_bad_requests_are_refused(tmp_path: Path, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        walk(tmp_path, **options)


def test_an_unknown_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did you mean order"):
        train("ordr", out=tmp_path)
