"""Sentences: the grammar re-read from the words alone, and agreement."""

from typing import Any

import numpy as np
import pytest

from headproof.numeric.hierarchy.sentences import NOUNS, PAD, VERBS, Sentences, spelling


def read(words: list[str]) -> list[tuple[int, int]]:
    """Parse a sentence by descent; pairs of the positions of a verb and of its subject."""
    pairs: list[tuple[int, int]] = []

    def expect(at: int, *wanted: str) -> int:
        assert words[at] in wanted, (words, at)
        return at + 1

    plural = {f"{n}s" for n in NOUNS}

    def noun(at: int) -> int:
        return expect(at, *NOUNS, *plural)

    def verb(at: int, subject: int) -> int:
        pairs.append((at, subject))
        if words[subject] in plural:
            return expect(at, *VERBS)
        return expect(at, *(f"{v}s" for v in VERBS))

    def phrase(at: int) -> tuple[int, int]:
        at = expect(at, "the")
        subject, at = at, noun(at)
        if words[at] == "that":
            at += 1
            if words[at] == "the":
                at, inner = phrase(at)
                at = verb(at, inner)
            else:
                at = verb(at, subject)
                at = noun(expect(at, "the"))
        return at, subject

    at, subject = phrase(0)
    at = verb(at, subject)
    assert words[at:] == ["."]
    return pairs


def test_sentences_parse_and_agree() -> None:
    language = Sentences(depth=4, word=24)
    batch = language.sample(300, np.random.default_rng(0))
    deepest = 0
    for row in range(300):
        words = language.text(batch.tokens[row]).split()
        pairs = dict(read(words))
        deepest = max(deepest, int(batch.depth[row].max()))
        closers = np.flatnonzero(batch.closes_next[row])
        # Words stand one later than in the sentence: position 0 is the beginning.
        assert [int(i) for i in closers] == sorted(pairs)
        for i in closers:
            assert batch.top[row, i] == pairs[int(i)] + 1
            number = batch.kind[row, i + 1]
            assert batch.wanted[row, i] == number
    assert deepest == 4


def test_closers_are_the_verbs() -> None:
    language = Sentences()
    table = language.closers()
    words = [[spelling(int(s)) for s in row.nonzero()] for row in table]
    assert words == [[f"{v}s" for v in VERBS], list(VERBS)]
    assert PAD < language.symbols == len({spelling(s) for s in range(language.symbols)})


def test_bad_settings_are_refused() -> None:
    for bad in ({"depth": 0}, {"word": 3}, {"nesting": 1.0}, {"objects": 1.5}):
        settings: dict[str, Any] = dict(bad)
        with pytest.raises(ValueError, match="expected"):
            Sentences(**settings)
