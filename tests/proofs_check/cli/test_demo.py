import json

import pytest

from headproof.proofs_check.cli import main
from headproof.proofs_check.demos import DEMOS


def test_without_a_name_the_demos_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == list(DEMOS)
    assert main(["demo", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [demo["name"] for demo in document["demos"]] == names


@pytest.mark.parametrize("name", DEMOS)
def test_every_demo_prints_and_is_a_document(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", name]) == 0
    assert len(capsys.readouterr().out.splitlines()) > 3
    assert main(["demo", name, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-demo/1"
    assert document["name"] == name
    assert document["data"]


def test_an_unknown_demo_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "cell"]) == 2
    assert "did you mean cells?" in capsys.readouterr().err
