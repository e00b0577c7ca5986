"""Sentences of a Rocq file, its comments and strings told apart from what it says.

A scanner for words that must not occur is only as good as its notion of a comment: comments nest,
strings occur in them and outside, a string may hold ``(*`` and a comment may hold a full stop. So
the text is read once, character by character, as Rocq's own lexer does. An end of file within a
comment or a string is an error and not the end of the last sentence.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...symbolic.errors import InputError


@dataclass(frozen=True)
class Sentence:
    """One sentence, without its full stop.

    Args:
        line: where it begins, from 1.
        text: as written, comments left out, every run of white space one space.
        words: the same with the content of its strings left out.
    """

    line: int
    text: str
    words: str


def sentences(source: str, name: str = "") -> tuple[Sentence, ...]:
    """Split a file into sentences.

    Args:
        source: the content of the file.
        name: of the file, for the message.

    Raises:
        InputError: the file ends within a comment, a string or a sentence, or a comment follows a
            word without white space between.

    Example:
        >>> [s.words for s in sentences('Lemma a (* Qed. (* . *) *) : "x. (*" = b. Qed.')]
        ['Lemma a : "" = b', 'Qed']
    """
    found: list[Sentence] = []
    text: list[str] = []
    words: list[str] = []
    at, line, begun, after = 0, 1, 0, 0
    while at < len(source):
        here = source[at]
        if source.startswith("(*", at):
            if at and at != after and not source[at - 1].isspace():
                where = f"{name}:{line}"
                raise InputError(
                    "white space before a comment", source[at - 1 : at + 2], where=where
                )
            end = after = _comment_end(source, at, name)
            line += source.count("\n", at, end)
            text.append(" ")
            words.append(" ")
            at = end
            continue
        if here == '"':
            end = _string_end(source, at, name)
            line += source.count("\n", at, end)
            text.append(source[at:end])
            words.append('""')
            begun = begun or line
            at = end
            continue
        if here == "." and _ends(source, at):
            found.append(Sentence(begun or line, _squeezed(text), _squeezed(words)))
            text, words, begun = [], [], 0
        else:
            if not here.isspace():
                begun = begun or line
            text.append(here)
            words.append(here)
        line += here == "\n"
        at += 1
    if _squeezed(words):
        raise InputError("a full stop", "the end of the file", where=f"{name}:{begun}")
    return tuple(found)


def _ends(source: str, at: int) -> bool:
    """Whether the full stop ends a sentence: nothing or white space follows it.

    Rocq takes ``..`` for a token of its own, and ``...`` for the end of a proof step.
    """
    after = source[at + 1 : at + 2]
    return not after or after.isspace()


def _squeezed(parts: list[str]) -> str:
    return " ".join("".join(parts).split())


def _string_end(source: str, at: int, name: str) -> int:
    """The place after a string; a doubled quotation mark stands for one within it."""
    start = at
    at += 1
    while at < len(source):
        if source[at] == '"':
            if source.startswith('""', at):
                at += 2
                continue
            return at + 1
        at += 1
    line = source.count("\n", 0, start) + 1
    raise InputError("the end of a string", "the end of the file", where=f"{name}:{line}")


def _comment_end(source: str, at: int, name: str) -> int:
    """The place after a comment, with those that it holds."""
    start, depth = at, 0
    while at < len(source):
        if source.startswith("(*", at):
            depth += 1
            at += 2
        elif source.startswith("*)", at):
            depth -= 1
            at += 2
            if not depth:
                return at
        elif source[at] == '"':
            at = _string_end(source, at, name)
        else:
            at += 1
    line = source.count("\n", 0, start) + 1
    raise InputError("the end of a comment", "the end of the file", where=f"{name}:{line}")
