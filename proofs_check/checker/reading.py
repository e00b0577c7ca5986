"""From a path to a JSON value, for files that may be hostile.

The length is bounded before a byte is parsed, then the nesting and the number of values, by scans
that build no tree, so that ``json`` can exhaust neither the stack nor the memory.
"""

from __future__ import annotations

import codecs
import json
import os
import re
import stat
from itertools import accumulate
from pathlib import Path
from typing import NoReturn

from .errors import Unreadable, show
from .fields import Json
from .rationals import parse_decimal

BYTES = 64 * 2**20
VALUES = 4_000_000
DEPTH = 128

_ESCAPED = re.compile(rb"\\.", re.DOTALL)
_STRING = re.compile(rb'"[^"]*"?')
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_OTHERS = bytes(set(range(256)) - set(_STEPS))


def read(path: Path, *, follow: bool = True) -> bytes:
    """The content of a regular file.

    Args:
        path: the file.
        follow: whether it may be a symbolic link.

    Raises:
        Unreadable: it is no regular file, too long, or cannot be read.
    """
    # Opening a pipe for reading would wait for a writer; O_NONBLOCK does not.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    if not follow:
        if path.is_symlink():
            raise Unreadable("is a symbolic link, expected a file")
        flags |= getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(path, flags)
    except (OSError, ValueError) as error:
        raise Unreadable(f"cannot be opened: {_reason(error)}") from None
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise Unreadable("is not a regular file")
        try:
            content = file.read(BYTES + 1)
        except OSError as error:
            raise Unreadable(f"cannot be read: {_reason(error)}") from None
    if len(content) > BYTES:
        raise Unreadable(f"too large: more than {BYTES // 2**20} MiB")
    return content


def _reason(error: OSError | ValueError) -> str:
    return error.strerror or "error" if isinstance(error, OSError) else str(error)


def parse_json(content: bytes, *, encoding: str = "ascii", floats: bool = False) -> Json:
    """The JSON value in a file, within the limits.

    Args:
        content: the bytes.
        encoding: certificates are ASCII; the lines of a run's results may be UTF-8.
        floats: whether floats are read (times in results; never in a certificate).

    Raises:
        Unreadable: it is no JSON, too deep, too large, has a float or a key twice.
    """
    if not content.strip():
        raise Unreadable("the file is empty")
    _measure(content)
    if content.startswith(codecs.BOM_UTF8):
        raise Unreadable("expected plain text without a byte order mark")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        name = "ASCII" if encoding == "ascii" else encoding.upper()
        raise Unreadable(f"expected {name} text, byte {error.start} is not") from None
    try:
        return json.loads(
            text,
            parse_int=parse_decimal,
            parse_float=float if floats else _refuse_float,
            parse_constant=_refuse_float,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise Unreadable(
            f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
        ) from None


def _measure(content: bytes) -> None:
    values = sum(content.count(sign) for sign in (b",", b"[", b"{"))
    if values > VALUES or content.count(b'"') > 2 * VALUES or content.count(b"\\") > VALUES // 4:
        raise Unreadable(f"too large: more than {VALUES:,} values")
    # Without escapes a string ends at the next quotation mark; outside strings a backslash is
    # no JSON, so that removing escapes everywhere hides nothing that json would accept.
    bare = _ESCAPED.sub(b"", content) if b"\\" in content else content
    brackets = _STRING.sub(b"", bare).translate(None, _OTHERS)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > DEPTH:
        raise Unreadable(f"nested more than {DEPTH} deep")


def _refuse_float(text: str) -> NoReturn:
    raise Unreadable(f"expected integers and fractions, found the number {show(text)}")


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    result = dict(pairs)
    if len(result) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise Unreadable(f"key {show(key)} stands twice in an object")
            seen.add(key)
    return result
