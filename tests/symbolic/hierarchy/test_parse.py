"""The parser: features by hand, and a message that names the first wrong symbol."""

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.hierarchy.dyck import Dyck
from headproof.symbolic.hierarchy.parse import parse


def test_features_by_hand() -> None:
    found = parse(Dyck(2, 3), (1, 0, 0, 2, 2, 0))  # [ ( ( ) ) (
    assert found.depth == (1, 2, 3, 2, 1, 2)
    assert found.top == (0, 1, 2, 1, 0, 5)
    assert found.match == (None, None, None, 2, 1, None)
    assert found.distance == (1, 1, 1, 3, 5, 1)


def test_the_empty_word() -> None:
    assert parse(Dyck(1, 1), ()).balanced().depth == ()


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ((0, 4), r"word\[1\]: expected a symbol from 0 to 3"),
        ((0, True), r"word\[1\]"),
        ((0, 0, 0), r"word\[2\]: expected depth at most 2"),
        ((0, 2, 2), r"word\[2\]: expected an open bracket to close"),
        ((0, 1, 2), r"word\[2\]: expected a bracket of type 1, opened at 1, found type 0"),
    ],
)
def test_the_first_wrong_symbol_is_named(word: tuple[int, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(Dyck(2, 2), word)


def test_an_open_bracket_is_not_balanced() -> None:
    with pytest.raises(InputError, match="1 brackets left open"):
        parse(Dyck(2, 2), (0,)).balanced()
