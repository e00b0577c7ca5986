import io
import json
from pathlib import Path

import pytest

from headproof.proofs_check.cli import main
from headproof.symbolic.cones.hull import Hull


def feed(monkeypatch: pytest.MonkeyPatch, text: bytes) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text)))


def test_vertices_and_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b'{"points": [[0, 0], [2, 0], ["1/2", 1], [1, 0], [0, 0]]}')
    certificate = str(tmp_path / "hull.json")
    assert main(["hull", "-", "-o", certificate, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document == {
        "format": "headproof-hull/1",
        "vertices": [0, 1, 2],
        "count": 3,
        "certificate": certificate,
    }
    assert main(["check", certificate]) == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"points": [[0.5]]}', "float"),
        (b'{"points": [[0], [1, 2]]}', "points"),
        (b'{"points": []}', "points"),
        (b'{"points": 7}', "list"),
        (b'{"points": [[true]]}', "points"),
        (b'{"points": [[0]], "limit": 3}', "found 'limit'"),
        (b'{"points": [[0]], "points": [[1]]}', "stands twice: points"),
        (b'{"points": [[NaN]]}', "NaN"),
        (b"{}", "the key 'points'"),
        (b"[1]", "a JSON object"),
        (b'{"points": [[0]', "expected JSON"),
        (b"\xff", "UTF-8"),
        (b"[" * 200_000, "nesting"),
        (b'{"points": [[' + b"9" * 5000 + b"]]}", "write those of more than 4,000"),
    ],
)
def test_bad_input_is_refused_with_a_reason(
    text: bytes,
    message: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    feed(monkeypatch, text)
    assert main(["hull", "-"]) == 2
    told = capsys.readouterr().err
    assert message in told
    assert told.count("\n") == 1


def test_an_answer_that_the_checker_does_not_accept_is_not_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    honest = Hull.certificate

    def false(hull: Hull, claim: str = "") -> dict[str, object]:
        certificate = honest(hull, claim)
        certificate["data"]["count"] += 1
        return certificate

    monkeypatch.setattr(Hull, "certificate", false)
    feed(monkeypatch, b'{"points": [[0], [1]]}')
    output = tmp_path / "hull.json"
    assert main(["hull", "-", "-o", str(output)]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "not accepted by the checker" in told.err
    assert not output.exists()


def test_a_byte_order_mark_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b'\xef\xbb\xbf{"points": [[0], [1]]}\r\n')
    assert main(["hull", "-"]) == 0
    assert "2 vertices" in capsys.readouterr().out


@pytest.mark.parametrize("output", [".", "no/such/folder/hull.json"])
def test_an_output_that_is_no_file(
    output: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b'{"points": [[0], [1]]}')
    assert main(["hull", "-", "-o", output]) == 2
    assert capsys.readouterr().err.startswith(f"headproof: {output}: expected a file that can be")


def test_the_command_that_is_shown_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    feed(monkeypatch, b'{"points": [[0], [1]]}')
    output = str(tmp_path / "my hull.json")
    assert main(["hull", "-", "-o", output]) == 0
    assert f"headproof check '{output}'" in capsys.readouterr().out
