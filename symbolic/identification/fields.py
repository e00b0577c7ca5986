"""Fields of a description of attention, each checked at the border."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..errors import InputError

BIASES = ("q", "k", "v", "o")
"""The projections that may have a bias."""

LARGEST = 2**20
"""No size is larger; the planes of a head are listed one by one."""


def keys(
    document: object, where: str, required: tuple[str, ...], optional: tuple[str, ...]
) -> Mapping[str, Any]:
    """An object with the required keys, and of others the optional ones only.

    Raises:
        InputError: it is no object, a key is missing or unknown.
    """
    if not isinstance(document, Mapping):
        raise InputError("an object", type(document).__name__, where=where)
    for key in document:
        if key not in required and key not in optional:
            known = ", ".join((*required, *optional))
            raise InputError(f"only the keys {known}", repr(key), where=where)
    for key in required:
        if key not in document:
            raise InputError(f"the key {key!r}", "none", where=where)
    return document


def size(value: object, where: str, least: int) -> None:
    """Refuse what is no integer from ``least`` to `LARGEST`.

    Raises:
        InputError: it is refused.
    """
    if type(value) is not int or value < least:
        raise InputError(f"an integer of at least {least}", repr(value), where=where)
    if value > LARGEST:
        found = repr(value) if value < 10**30 else f"one of {value.bit_length()} bits"
        raise InputError(f"an integer up to {LARGEST}", found, where=where)


def flag(value: object, where: str) -> None:
    """Refuse what is neither true nor false.

    Raises:
        InputError: it is refused.
    """
    if type(value) is not bool:
        raise InputError("true or false", repr(value), where=where)


def word(value: object, words: tuple[str, ...], where: str) -> None:
    """Refuse what is none of the words.

    Raises:
        InputError: it is refused.
    """
    if not isinstance(value, str) or value not in words:
        raise InputError(f"one of {', '.join(words)}", repr(value), where=where)


def letters(value: object) -> tuple[str, ...]:
    """The letters of projections, each at most once, in their usual order.

    Raises:
        InputError: no list of letters, another letter, or one twice.
    """
    if isinstance(value, str) or not isinstance(value, (tuple, list, set, frozenset)):
        raise InputError("a tuple of letters", repr(value), where="bias")
    for name in value:
        if name not in BIASES:
            raise InputError("letters among q, k, v, o", repr(name), where="bias")
    if len(set(value)) != len(value):
        raise InputError("each letter once", repr(value), where="bias")
    return tuple(name for name in BIASES if name in value)
