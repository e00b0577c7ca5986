"""Documents: JSON in and out.

Out goes exactly one document, by ``json.dumps`` and not through rich, which folds long lines. In
comes what a user wrote: repeated keys, unknown keys, NaN and nesting without end are refused with a
line that says where.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Mapping
from pathlib import Path

from ...symbolic.errors import CertificateInvalid, InputError
from ..evidence import Json

DIGITS = 4000
"""Python may be set to refuse integers of a few digits more."""


def emit(name: str, document: dict[str, Json]) -> None:
    """Write one document of format ``headproof-<name>/1`` to stdout."""
    text = json.dumps({"format": f"headproof-{name}/1", **document}, indent=1, allow_nan=False)
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def emit_error(kind: str, message: str) -> None:
    """Write the document of a failure to stdout."""
    emit("error", {"error": {"type": kind, "message": message}})


def read(source: str, *, keys: Collection[str] | None) -> dict[str, Json]:
    """Read a JSON object from a file, or from stdin if the name is ``-``.

    Args:
        source: the file's name, or ``-``.
        keys: those that the object may have; None if the caller looks at them.

    Raises:
        InputError: it cannot be read, is no JSON object, or has other keys.
    """
    where = "stdin" if source == "-" else source
    try:
        data = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except OSError as error:
        raise InputError("a file that can be read", str(error.strerror), where=where) from None
    try:
        value = json.loads(
            data.decode("utf-8-sig"),  # editors on Windows write a byte order mark
            parse_int=_short,
            object_pairs_hook=_without_repetition,
            parse_constant=_no_constant,
        )
    except UnicodeDecodeError:
        raise InputError("JSON in UTF-8", "other bytes", where=where) from None
    except json.JSONDecodeError as error:
        place = f"{where}, line {error.lineno}, column {error.colno}"
        found = "nothing"
        if data.strip():
            word = error.msg[0].lower() + error.msg[1:]
            found = "no value" if word == "expecting value" else f"something else ({word})"
        raise InputError("JSON", found, where=place) from None
    except ValueError as error:
        raise InputError("JSON", str(error), where=where) from None
    except RecursionError:
        raise InputError("JSON of sensible depth", "endless nesting", where=where) from None
    if not isinstance(value, dict):
        raise InputError("a JSON object", type(value).__name__, where=where)
    if keys is None:
        return value
    allowed = ", ".join(sorted(keys))
    if unknown := sorted(set(value) - set(keys)):
        raise InputError(f"keys {allowed}", ", ".join(map(repr, unknown)), where=where)
    return value


def _without_repetition(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = sorted({name for name in names if names.count(name) > 1})
        raise ValueError(f"a key that stands twice: {', '.join(twice)}")
    return value


def _short(digits: str) -> int:
    if len(digits.lstrip("-")) > DIGITS:
        raise ValueError(
            f"an integer of {len(digits):,} digits; write those of more than {DIGITS:,} "
            'as a hexadecimal string "0x.."'
        )
    return int(digits)


def _no_constant(name: str) -> Json:
    raise ValueError(f"{name}, which is no number")


def save_certificate(certificate: Mapping[str, Json], output: str | None) -> None:
    """Put a certificate before the independent checker, and write it if a file is named.

    Raises:
        CertificateInvalid: the checker does not accept it.
        InputError: the file cannot be written.
    """
    from ..checker import Rejected, Unreadable, check_certificate

    text = json.dumps(certificate, allow_nan=False) + "\n"
    try:
        check_certificate(json.loads(text))
    except (Rejected, Unreadable) as error:
        raise CertificateInvalid(f"the answer was not accepted by the checker: {error}") from None
    if output:
        save(text, output)


def save(text: str, output: str) -> None:
    """Write a file that the user named.

    Raises:
        InputError: it cannot be written.
    """
    from ..runner.folder import write_atomically

    try:
        write_atomically(Path(output), text)
    except (OSError, ValueError) as error:  # ValueError: a folder such as "." has no file name
        found = error.strerror if isinstance(error, OSError) else "no file name"
        raise InputError("a file that can be written", str(found), where=output) from None
