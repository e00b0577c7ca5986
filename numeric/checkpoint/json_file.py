"""JSON out of untrusted files: repeated keys, NaN and nesting without end are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NoReturn

from .failure import CheckpointError


def json_object(data: bytes, where: Path | str) -> dict[str, Any]:
    """The object that the bytes hold.

    Args:
        data: JSON in UTF-8.
        where: for messages.

    Raises:
        CheckpointError: they are no UTF-8, no JSON, no object, or a key stands twice.

    Example:
        >>> json_object(b'{"a": 1}', "example")
        {'a': 1}
    """
    try:
        value = json.loads(
            data.decode("utf-8"), object_pairs_hook=_once, parse_constant=_no_constant
        )
    except UnicodeDecodeError as error:
        raise CheckpointError(where, "JSON in UTF-8", f"other bytes at {error.start}") from None
    except json.JSONDecodeError as error:
        found = f"{error.msg.lower()} at character {error.pos}"
        raise CheckpointError(where, "JSON", found) from None
    except ValueError as error:
        raise CheckpointError(where, "JSON", str(error)) from None
    except RecursionError:
        raise CheckpointError(where, "JSON of sensible depth", "endless nesting") from None
    if not isinstance(value, dict):
        raise CheckpointError(where, "a JSON object", type(value).__name__)
    return value


def read_json_object(path: Path) -> dict[str, Any]:
    """The object that a file holds.

    Args:
        path: of the file.

    Raises:
        CheckpointError: the file cannot be read, or see `json_object`.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CheckpointError(path, "a file that can be read", str(error.strerror)) from None
    return json_object(data, path)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"the key {twice[0]!r} twice")
    return value


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name}, which is no number")
