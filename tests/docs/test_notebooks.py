"""The notebooks: executed anew they say what they carry, and they carry nothing of a machine."""

import base64
import json
import re
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[2] / "docs" / "notebooks").glob("*.ipynb"))
MACHINE = re.compile(r"/(home|root|tmp|usr|opt|work|Users|private|var)/|[A-Z]:\\\\|0x[0-9a-f]{8,}")


def outputs(notebook: Any) -> list[list[dict[str, Any]]]:
    """What every code cell shows, but for pictures: these depend on the fonts."""
    shown = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            shown.append(
                [
                    {"text": "".join(out["text"])}
                    if out["output_type"] == "stream"
                    else {
                        kind: "a picture" if kind == "image/png" else "".join(value)
                        for kind, value in out["data"].items()
                    }
                    for out in cell["outputs"]
                ]
            )
    return shown


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_there_are_two() -> None:
    assert [path.stem for path in NOTEBOOKS] == ["geometry", "recovery"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_outputs_are_there_and_name_no_machine(path: Path) -> None:
    notebook = read(path)
    texts = [text for cell in outputs(notebook) for out in cell for text in out.values()]
    assert len(texts) >= 8
    assert not [text for text in texts if MACHINE.search(text)]
    assert set(notebook["metadata"]) == {"kernelspec", "language_info"}
    assert any("a picture" in text for text in texts)
    for cell in notebook["cells"]:
        for out in cell.get("outputs", []):
            assert out["output_type"] != "error"
            picture = out.get("data", {}).get("image/png")
            if picture:
                assert not MACHINE.search(base64.b64decode(picture).decode("latin-1"))


def test_a_path_would_be_seen() -> None:
    assert MACHINE.search("saved in /home/someone/run")
    assert MACHINE.search("<object at 0x7f237aa7c5e0>")


@pytest.mark.long
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_executed_anew_they_say_the_same(path: Path, tmp_path: Path) -> None:
    nbformat = pytest.importorskip("nbformat", reason="needs the extra docs")
    nbclient = pytest.importorskip("nbclient", reason="needs the extra docs")
    notebook = nbformat.read(path, 4)
    carried = outputs(notebook)
    where = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(notebook, timeout=600, resources=where).execute()
    assert outputs(notebook) == carried
    assert not list(tmp_path.iterdir())
