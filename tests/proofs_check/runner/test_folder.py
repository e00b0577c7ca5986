import os
from pathlib import Path

import pytest

from headproof.proofs_check.claim import Profile
from headproof.proofs_check.runner.folder import RunFolder, folder_name, write_atomically
from headproof.proofs_check.runner.record import ClaimResult


def result(claim: str, seconds: float = 0.0) -> ClaimResult:
    return ClaimResult(claim, "key", seconds, (), ())


def test_the_same_selection_has_the_same_name_in_any_order() -> None:
    one = folder_name(Profile.QUICK, 3, ["t.a", "t.b"], everything=False)
    assert one == folder_name(Profile.QUICK, 3, ["t.b", "t.a"], everything=False)
    assert one != folder_name(Profile.QUICK, 3, ["t.a"], everything=False)
    assert one.startswith("quick-3-")
    assert folder_name(Profile.FULL, 0, ["t.a"], everything=True) == "full-0"


@pytest.mark.parametrize("torn", ['{"format": "headproof-res', "{}\n", "\xff\n", "null\n"])
def test_a_torn_line_costs_only_itself(tmp_path: Path, torn: str) -> None:
    folder = RunFolder(tmp_path)
    folder.append(result("t.a"))
    with folder.results_file.open("ab") as file:
        file.write(torn.encode("latin-1"))
    assert [r.claim for r in folder.results()] == ["t.a"]


def test_the_last_line_about_a_claim_counts(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    for seconds in (1.0, 2.0):
        folder.append(result("t.a", seconds))
    assert [r.seconds for r in folder.results()] == [2.0]


@pytest.mark.parametrize("name", ["../x", "a/b", "", ".hidden", "a b", "a\n"])
def test_a_certificate_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(ValueError, match="certificate name"):
        RunFolder(tmp_path).certificate("t.a", "search", name)


def test_forgetting_a_claim_spares_the_others(tmp_path: Path) -> None:
    folder = RunFolder(tmp_path)
    kept = ["certificates/t.ab/p.c.json", "tracebacks/t.ab.p.txt"]
    for relative in ["certificates/t.a/p.c.json", "tracebacks/t.a.p.txt", *kept]:
        folder.write(relative, "")
    folder.forget("t.a")
    left = [p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()]
    assert sorted(left) == kept


@pytest.mark.skipif(not os.path.exists("/dev/null"), reason="the system has no null device")
def test_what_is_no_file_stays_what_it_is(tmp_path: Path) -> None:
    """As root, a certificate sent to /dev/stdout would otherwise take the place of the device."""
    (tmp_path / "device").symlink_to("/dev/null")
    write_atomically(tmp_path / "device", "text")
    assert (tmp_path / "device").is_symlink()
    assert [path.name for path in tmp_path.iterdir()] == ["device"]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere" / "file")
    for text in ("first", "second"):
        write_atomically(tmp_path / "link", text)
        assert (tmp_path / "link").is_symlink()
        assert (tmp_path / "elsewhere" / "file").read_text() == text
    assert sorted(path.name for path in tmp_path.iterdir()) == ["elsewhere", "link"]


def test_a_failure_leaves_no_part(tmp_path: Path) -> None:
    (tmp_path / "taken").mkdir()
    with pytest.raises(IsADirectoryError):
        write_atomically(tmp_path / "taken", "text")
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
