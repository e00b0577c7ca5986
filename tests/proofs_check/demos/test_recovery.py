"""The demo of recovery shows what is true, and notices when it is not."""

from fractions import Fraction
from typing import Any

import pytest

from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.demos import recovery
from headproof.symbolic.interpolation.interpolant import Interpolant


@pytest.fixture(scope="module")
def shown() -> dict[str, Any]:
    return recovery.data()


def test_the_heads_and_the_count(shown: dict[str, Any]) -> None:
    assert shown["planted"]
    assert shown["library"]
    assert shown["queries"] == shown["formula"] == shown["library_queries"] == 29
    assert shown["longest"] == 5
    check_certificate(shown["certificate"])
    with pytest.raises(Rejected, match="the model's answer is not"):
        check_certificate(shown["falsified"])


def test_the_numbers_by_hand(shown: dict[str, Any]) -> None:
    # x = (1, 1), w = (1, 2): W_1 w = (1, 3), W_2 w = (2, 1), v_1.w = 5, v_2.w = 4.
    pair = shown["pairs"][0]
    assert pair["poles"] == [[3, 4], [4, 5]]
    for m, value in enumerate(pair["values"], start=1):
        by_hand = Fraction(4) / (m + Fraction(1, 8)) + Fraction(5) / (m + Fraction(1, 16))
        assert Fraction(value) == by_hand
    assert len(shown["pairs"]) == 7
    assert {tuple(row) for rows in shown["scores"] for row in rows} == {
        (3, 4), (0, 5), (1, 3), (-1, 3)
    }  # fmt: skip


def test_matching_needs_the_sums() -> None:
    one, other = (0, Fraction(1)), (1, Fraction(1))
    with pytest.raises(ValueError, match="0 orders"):
        recovery.matched([one, other], [one, other], [one, other], across=False)
    alike = [one, one]
    with pytest.raises(ValueError, match="2 orders"):
        recovery.matched(alike, alike, [(0, Fraction(2))] * 2, across=False)


def test_poles_of_a_fraction() -> None:
    half = Interpolant((Fraction(3),), (Fraction(1, 2), Fraction(1)), ())
    assert recovery.poles(half) == [(1, Fraction(3))]
    assert recovery.poles(Interpolant((Fraction(3),), (Fraction(1, 3), Fraction(1)), ())) == []


def test_a_wrong_transcript_would_be_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "falsified", lambda certificate: certificate)
    lines: list[str] = []
    recovery.run(lines.append)
    assert lines[-1].strip() == "valid"
    assert max(map(len, lines)) <= 80
