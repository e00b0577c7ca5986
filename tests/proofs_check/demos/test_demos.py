"""The demos show what is true, at 80 columns, the same every time."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest

from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.demos import DEMOS, cells, oracle, power_diagram, routing_limit
from headproof.symbolic.tropical.power_diagram import winners


@pytest.mark.parametrize("name", list(DEMOS))
def test_lines_and_data(name: str) -> None:
    demo = DEMOS[name]
    first: list[str] = []
    second: list[str] = []
    demo.run(first.append)
    demo.run(second.append)
    assert demo.name == name
    assert first == second
    assert len(first) > 10
    for line in first:
        assert len(line) <= 80
        assert line == line.rstrip()
        assert line.isascii()
    data = demo.data()
    assert data == json.loads(json.dumps(data))
    assert not [value for value in _leaves(data) if isinstance(value, float)]


def _leaves(value: object) -> list[object]:
    if isinstance(value, dict):
        return [leaf for member in value.values() for leaf in _leaves(member)]
    if isinstance(value, list):
        return [leaf for member in value for leaf in _leaves(member)]
    return [value]


def test_routing_limit() -> None:
    shown = routing_limit.data()
    assert all(row["within"] for row in shown["rows"])
    assert shown["attained"]["equal"]
    for row in shown["rows"]:
        k = row["inverse_temperature"]
        powers = [2 ** (k * s) for s in routing_limit.SCORES]
        assert [Fraction(p) for p in row["weights"]] == [Fraction(p, sum(powers)) for p in powers]
        assert Fraction(row["distance_to_one_member"]) > Fraction(1, 2)


def test_power_diagram_picture_is_the_argmax(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = power_diagram.picture()
    assert {len(row) for row in rows} == {power_diagram.WIDTH}
    assert len(rows) == power_diagram.HEIGHT
    assert set("".join(rows)) == set("abcde+ABCDE")
    # The middle of the bottom row: x = 0, y = -6.
    best = winners(power_diagram.KEYS, power_diagram.BIASES, (0, -6))
    assert rows[-1][30] == power_diagram.LETTERS[min(best)]
    assert all(sample["argmax"] == sample["argmin"] for sample in power_diagram.data()["samples"])
    # Without the |kappa|^2 term of the weights the two sides differ, and the demo says so.
    monkeypatch.setattr(
        power_diagram, "power_weights", lambda keys, biases: [2 * b for b in biases]
    )
    lines: list[str] = []
    power_diagram.run(lines.append)
    assert any("DIFFERENT" in line for line in lines)


def test_cells_certificates() -> None:
    shown = cells.data()
    check_certificate(shown["certificate"])
    with pytest.raises(Rejected):
        check_certificate(shown["falsified"])
    assert shown["checker"] == "valid"
    assert shown["checker_on_falsified"].startswith("invalid: ")
    assert sorted(map(int, [*shown["winning"], *shown["never"], *shown["same_as"]])) == list(
        range(len(cells.KEYS))
    )


def test_oracle_learns_what_was_planted() -> None:
    shown = oracle.data()
    winning = [0, 1, 2, 3, 4]
    assert [piece["slope"] for piece in shown["pieces"]] == [
        oracle.SLOPES[j] - oracle.SLOPES[0] for j in winning
    ]
    assert [piece["value"] for piece in shown["pieces"]] == [oracle.VALUES[j] for j in winning]
    assert shown["hidden_keys"]
    assert "softmax leaves every key some weight" in shown["refusal"]


def test_demos_load_no_torch() -> None:
    code = "import sys, headproof.proofs_check.demos; print('torch' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
