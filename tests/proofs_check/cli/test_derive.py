import json

import pytest

from headproof.proofs_check.cli import main
from headproof.symbolic import catalogue
from headproof.symbolic.errors import DerivationFailed


@pytest.mark.parametrize(
    ("written", "mark"),
    [("text", "Concluded"), ("latex", "\\begin{document}"), ("html", "<math")],
)
def test_a_derivation_in_every_format(
    written: str, mark: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["derive", "tropical.dequantisation", "--format", written]) == 0
    text = capsys.readouterr().out
    assert mark in text
    assert text.isascii(), "the shell may write another encoding than the page says"


def test_a_derivation_as_a_document(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "tropical.dequantisation", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["format"] == "headproof-derivation/1"
    (derivation,) = document["derivations"]
    assert derivation["claim"] == "tropical.dequantisation"
    assert derivation["sizes"] == ["N"]
    assert derivation["steps"][0]["number"] == 1


def test_an_unknown_name_and_a_bad_format(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["derive", "tropical.dequantization"]) == 2
    assert "did you mean tropical.dequantisation" in capsys.readouterr().err
    assert main(["derive", "xyz"]) == 2
    told = capsys.readouterr().err
    assert "there are derivations of attention_only, " in told
    assert "tropical.overlay" in told
    assert main(["derive", "tropical", "--format", "pdf"]) == 2


def test_a_step_that_is_not_decided_ends_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise DerivationFailed(3, "x", "y", rule="normal form")

    monkeypatch.setattr(catalogue, "MAKERS", {"tropical.x": (fail,)})
    assert main(["derive", "tropical.x"]) == 1
    told = capsys.readouterr()
    assert told.out == ""
    assert "step 3 (normal form) was not decided" in told.err
