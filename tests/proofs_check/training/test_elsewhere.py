"""What travels with a seed lands in its folder, and nowhere else."""

from pathlib import Path

import pytest

from headproof.proofs_check.training.elsewhere import travelling, write_travelling
from headproof.proofs_check.training.folder import SeedFolder


def test_parts_and_states_arrive_as_they_left(tmp_path: Path) -> None:
    here, there = SeedFolder(tmp_path / "here", ""), SeedFolder(tmp_path / "there", "")
    files = {"parts/fit.json": b"{}", "states/fit.pt": b"\x00\x01"}
    write_travelling(here, files)
    (here.path / "key.json").write_text("{}", encoding="utf-8")
    assert travelling(here) == files
    write_travelling(there, travelling(here))
    assert travelling(there) == files


@pytest.mark.parametrize(
    "name",
    [
        "key.json",
        "parts/fit.pt",
        "../parts/fit.json",
        "a/parts/fit.json",
        "{elsewhere}/parts/fit.json",
    ],
)
def test_nothing_else_is_written(name: str, tmp_path: Path) -> None:
    folder = SeedFolder(tmp_path / "seed", "")
    relative = name.format(elsewhere=tmp_path / "elsewhere")
    with pytest.raises(ValueError, match="neither a part nor a state"):
        write_travelling(folder, {relative: b""})
    assert list(tmp_path.iterdir()) == []
