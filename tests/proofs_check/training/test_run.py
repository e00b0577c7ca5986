"""A training: kept, resumed after any death, shared, the same in one process or several."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.training.folder import SeedFolder, SeedResult
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


def test_runs_share_the_seeds(tmp_path: Path) -> None:
    """A seed that another run is at work on comes last, and is waited for."""
    seed = SeedFolder(tmp_path / "train-walk-quick" / "seed-0", "")
    ended: list[int] = []
    with ExitStack() as other:
        other.enter_context(seed.held(None))

        class Watcher:
            def begun(self, folder: Path, seeds: Sequence[int]) -> None:
                assert tuple(seeds) == (0, 1, 2)

            def advanced(self, seed: int, part: str, step: int, of: int) -> None:
                assert seed != 0 or ended == [1, 2]

            def finished(self, result: SeedResult) -> None:
                ended.append(result.seed)
                if ended == [1, 2]:
                    other.close()

        shared = walk(tmp_path, seeds=3, limit=60, watcher=Watcher())
    assert ended == [1, 2, 0]
    assert [result.seed for result in shared.results] == [0, 1, 2]
    assert measured(shared) == measured(walk(tmp_path / "alone", seeds=3))


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


def test_criteria_and_plots_are_those_of_the_beginning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sources change while it trains: what would not load any more is loaded already."""
    loads: list[str] = []
    criteria, digests = Entry.load_criteria, iter(["before", "after", "after"])

    def once(self: Entry) -> Any:
        assert not loads
        loads.append("criteria")
        return criteria(self)

    def changing(self: Entry) -> str:
        assert loads
        return next(digests)

    monkeypatch.setattr(Entry, "load_criteria", once)
    monkeypatch.setattr(Entry, "source_digest", changing)
    found = walk(tmp_path)
    assert [result.kept for result in found.results] == [False, False]
    assert len(found.assessments) == 2
    document = json.loads((tmp_path / "train-walk-quick" / "result.json").read_text())
    assert [one["kept"] for one in document["seeds"]] == [False, False]


@pytest.mark.parametrize("gone", [SyntaxError, FileNotFoundError, ModuleNotFoundError])
def test_sources_that_cannot_be_read_have_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: type[Exception]
) -> None:
    calls: list[int] = []

    def digest(self: Entry) -> str:
        calls.append(1)
        if len(calls) > 1:
            raise gone
        return "before"

    monkeypatch.setattr(Entry, "source_digest", digest)
    assert not walk(tmp_path, seeds=1).results[0].kept


@pytest.mark.parametrize("changed", [False, True])
def test_a_fault_is_laid_to_changed_sources_only_if_they_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: bool
) -> None:
    import fake_experiment

    def fails(*_: Any) -> None:
        if changed:
            monkeypatch.setattr(Entry, "source_digest", lambda self: "after")
        raise AttributeError("no such name")

    monkeypatch.setattr(Entry, "source_digest", lambda self: "before")
    monkeypatch.setattr(fake_experiment, "walk", fails)
    expected = (LimitReached, "sources changed") if changed else (AttributeError, "no such name")
    with pytest.raises(expected[0], match=expected[1]):
        walk(tmp_path, seeds=1)


def test_a_full_disk_is_told_with_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("headproof.proofs_check.training.folder.write_atomically", full)
    with pytest.raises(OSError, match=r"No space left on device: .*train-walk-quick"):
        walk(tmp_path, seeds=1)


@pytest.mark.parametrize("word", ["NaN", "-1", '"x"', "[", "Infinity"])
def test_damaged_seconds_count_as_none(tmp_path: Path, word: str) -> None:
    folder = SeedFolder(tmp_path, "key")
    (tmp_path / "seconds.json").write_text(word)
    assert folder.spent() == 0.0


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
