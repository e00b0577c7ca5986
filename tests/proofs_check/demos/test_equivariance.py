"""The demo of equivariance shows what is true."""

from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.demos import equivariance


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return equivariance.data()


def test_the_smallest_case(shown: dict[str, Any]) -> None:
    assert shown["permutation"] == [1, 0]
    assert shown["stratum"] == [0]
    assert shown["moved"] == shown["mirrored"] != shown["value"]
    assert shown["covered"] == [[True, False], [False, True]]
    assert shown["violators"] == [[0, 1], [0]]
    assert shown["cheapest"] == [0, 1]
    check_certificate(shown["certificate"])


def test_the_value_by_hand(shown: dict[str, Any]) -> None:
    # The last token is (1, 0): scores +-y_2 = +-(2, 1, 0), weights 4, 2, 1 and 1, 2, 4 (over 7).
    # First output: (1 4 - 1 2 + 1)/7 + (1 - 2 + 4)/7 = 6/7; second: (8 + 2)/7 + (2 + 2)/7 = 2.
    assert shown["value"] == ["6/7", 2]
    assert shown["moved"] == ["6/7", -2]


def test_hidden_dimensions_and_prices(shown: dict[str, Any]) -> None:
    assert [each["covers"] for each in shown["hidden"]] == [False, True, False, True]
    assert shown["prices"]["C_2"]["abstract"][:4] == [1, 3, 4, 6]
    for row in shown["prices"].values():
        assert all(a >= b for a, b in zip(row["abstract"], row["realised"], strict=True))


def test_lines_fit_a_terminal(shown: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(equivariance, "data", lambda: shown)
    lines: list[str] = []
    equivariance.run(lines.append)
    assert max(map(len, lines)) <= 80
    assert any("3 heads, and no fewer" in line for line in lines)
