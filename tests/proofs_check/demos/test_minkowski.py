"""The demo of overlays shows what is true, and notices when it is not."""

import pytest

from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.demos import minkowski
from headproof.symbolic.tropical.power_diagram import winners


def test_pictures_show_the_winners() -> None:
    shown = minkowski.data()
    by_letter = {cell["letter"]: tuple(cell["label"]) for cell in shown["cells"]}
    for line in range(minkowski.HEIGHT):
        for column in range(minkowski.WIDTH):
            x = (column - minkowski.WIDTH // 2) * minkowski.STEP
            y = (minkowski.HEIGHT // 2 - line) * 2 * minkowski.STEP
            best = [winners(*head, (x, y)) for head in minkowski.HEADS]
            symbol = shown["overlay"][line][column]
            if symbol == "+":
                assert max(map(len, best)) > 1
            else:
                assert [set(found) for found in best] == [{j} for j in by_letter[symbol]]


def test_counts_and_certificates() -> None:
    shown = minkowski.data()
    assert shown["query"]["best_sum"] == sum(shown["query"]["best"])
    assert len(shown["cells"]) < shown["vertices"] < shown["sums"] <= shown["bound"]
    check_certificate(shown["certificate"])
    with pytest.raises(Rejected):
        check_certificate(shown["falsified"])
    assert shown["checker"] == "valid"
    assert shown["checker_on_falsified"].startswith("invalid: ")
    newton = "".join(shown["newton"])
    assert {cell["letter"] for cell in shown["cells"]} == set(newton) - {" ", "."}


def test_a_wrong_certificate_would_be_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minkowski, "falsified", lambda certificate: certificate)
    lines: list[str] = []
    minkowski.run(lines.append)
    assert lines[-1].strip() == "valid"
