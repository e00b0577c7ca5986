"""The construction allows what the prefixes of the language allow; without recency it errs."""

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.hierarchy.dyck import Dyck
from headproof.symbolic.hierarchy.generator import Generator
from headproof.symbolic.hierarchy.parse import parse


@pytest.mark.parametrize(("k", "m", "n"), [(1, 1, 6), (1, 3, 8), (2, 2, 6), (3, 3, 4)])
def test_every_beginning(k: int, m: int, n: int) -> None:
    language = Dyck(k, m)
    beginnings = set(language.prefixes(n))
    generator = Generator(language, n)
    for word in beginnings:
        found = generator.after(word)
        if len(word) < n:
            assert set(found.allowed) == {s for s in language.symbols if (*word, s) in beginnings}
        parsed = parse(language, word)
        assert (found.end > 0) == (not word or parsed.depth[-1] == 0)
        if word and parsed.top[-1] is not None:
            assert found.looks_at == parsed.top[-1] + 1


def test_without_recency_two_brackets_are_averaged() -> None:
    language, word = Dyck(2, 2), (0, 2, 1)  # ( ) [
    assert 3 in Generator(language, 3).after(word).allowed
    assert 3 not in Generator(language, 3, recency=False).after(word).allowed


def test_bad_input_is_refused() -> None:
    generator = Generator(Dyck(2, 2), 2)
    with pytest.raises(InputError, match="at most 2 symbols"):
        generator.after((0, 1, 3))
    with pytest.raises(InputError, match="below 4"):
        generator.after((4,))
    with pytest.raises(InputError):
        Generator(Dyck(2, 2), -1)
