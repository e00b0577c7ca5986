"""The journal: states and parts, and what it refuses."""

from pathlib import Path

import pytest

from headproof.numeric.experiment import PROFILES, Experiment, NoJournal, settings
from headproof.proofs_check.training.journal import FolderJournal


def test_states_are_kept_once_an_interval(tmp_path: Path) -> None:
    journal = FolderJournal(tmp_path, interval=1000.0)
    journal.advance(1, 2, lambda: {"step": 1})
    assert journal.resume() is None
    eager = FolderJournal(tmp_path, interval=0.0)
    eager.advance(1, 2, lambda: {"step": 1})
    assert eager.resume() == {"step": 1}


def test_a_part_runs_once(tmp_path: Path) -> None:
    calls: list[int] = []

    def run(journal: object) -> list[int]:
        calls.append(1)
        return [len(calls)]

    for _ in range(2):
        assert FolderJournal(tmp_path).part("a", run) == [1]
    assert calls == [1]


def test_parts_within_parts_have_files_of_their_own(tmp_path: Path) -> None:
    def outer(journal: FolderJournal) -> list[int]:
        return [journal.part(name, lambda _: 0) for name in ("x", "y")]

    assert FolderJournal(tmp_path).part("a", outer) == [0, 0]
    names = sorted(path.name for path in (tmp_path / "parts").iterdir())
    assert names == ["a.json", "a.x.json", "a.y.json"]


@pytest.mark.parametrize("damage", [b"", b"garbage", b"PK\x03\x04", b"\x80\x02]q\x00."])
def test_a_damaged_state_is_no_state(tmp_path: Path, damage: bytes) -> None:
    journal = FolderJournal(tmp_path, interval=0.0)
    journal.advance(1, 2, lambda: {"step": 1})
    file = tmp_path / "states" / "run.pt"
    file.write_bytes(damage)
    with pytest.warns(RuntimeWarning, match=r"run\.pt cannot be read; its part begins again"):
        assert journal.resume() is None
    journal.advance(2, 2, lambda: {"step": 2})
    assert journal.resume() == {"step": 2}


@pytest.mark.parametrize("damage", ["", "[1", "NaN]"])
def test_a_damaged_part_runs_again(tmp_path: Path, damage: str) -> None:
    FolderJournal(tmp_path).part("a", lambda _: [1])
    (tmp_path / "parts" / "a.json").write_text(damage)
    with pytest.warns(RuntimeWarning, match=r"a\.json cannot be read"):
        assert FolderJournal(tmp_path).part("a", lambda _: [1]) == [1]
    assert FolderJournal(tmp_path).part("a", lambda _: [2]) == [1]


@pytest.mark.parametrize("name", ["", "../up", "A", "a.b"])
def test_a_name_that_is_none_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="letters, digits and hyphens"):
        FolderJournal(tmp_path).part(name, lambda _: 0)


def test_two_parts_of_one_name_are_refused(tmp_path: Path) -> None:
    journal = FolderJournal(tmp_path)
    journal.part("a", lambda _: 0)
    with pytest.raises(ValueError, match="stands twice"):
        journal.part("a", lambda _: 1)


def test_nan_is_no_measurement(tmp_path: Path) -> None:
    for journal in (FolderJournal(tmp_path), NoJournal()):
        with pytest.raises(ValueError, match="not JSON compliant"):
            journal.part("a", lambda _: float("nan"))


def test_an_experiment_has_every_profile_and_five_seeds() -> None:
    seeds = dict.fromkeys(PROFILES, 5)
    with pytest.raises(ValueError, match="no dataclass"):
        Experiment("x", "", dict.fromkeys(PROFILES, 1), seeds, lambda c, s, j: 0)
    with pytest.raises(ValueError, match="configs for"):
        Experiment("x", "", {"full": 1}, seeds, lambda c, s, j: 0)
    with pytest.raises(ValueError, match="5 under full"):
        Experiment("x", "", dict.fromkeys(PROFILES, 1), seeds | {"full": 4}, lambda c, s, j: 0)
    with pytest.raises(ValueError, match="expected a dataclass"):
        settings(3)
