"""Real text with provenance: the running Python's own library, or a file of the user's.

Nothing is copied into the project: the sources of the library are read when a training begins, in
an order given by the digests of their names, so that packages mix and the last tenth, kept for
validation, is of the same kind as the rest. Its files are not trained on, but for one: the cut goes
by symbols and falls inside a file, whose beginning is trained on and whose end is validation. A
file of the user's is cut in the same way. The list of files and the digest of the text go into the
result, which says what another Python would have to offer to repeat it.

Symbols are characters: newline and the 95 printable ones of ASCII. A tab becomes a space, a
carriage return nothing, every other byte a question mark.
"""

from __future__ import annotations

import hashlib
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor

SYMBOLS = 96
"""Newline is 0, the printable characters are 1 to 95."""

_PRINTABLE = range(32, 127)
_TABLE = bytes(
    0 if byte == 10 else byte - 31 if byte in _PRINTABLE else 1 if byte == 9 else ord("?") - 31
    for byte in range(256)
)
_LEFT_OUT = frozenset(
    {"site-packages", "dist-packages", "test", "tests", "idle_test", "__pycache__", "lib2to3"}
)


@dataclass(frozen=True, eq=False)
class Text:
    """A text in two parts.

    Args:
        train: symbols to train on, ``(m,)`` bytes.
        validation: symbols to measure on.
        files: the names of what it was read from, in order.
        sha256: of all bytes read, before they became symbols.
        source: in words.
    """

    train: Tensor
    validation: Tensor
    files: tuple[str, ...]
    sha256: str
    source: str

    def provenance(self) -> dict[str, object]:
        """Where it is from, as JSON."""
        return {
            "source": self.source,
            "sha256": self.sha256,
            "symbols": len(self.train) + len(self.validation),
            "validation": len(self.validation),
            "files": list(self.files),
        }


def encode(text: bytes) -> Tensor:
    r"""Bytes as symbols.

    Args:
        text: of any bytes.

    Returns:
        ``(m,)`` of uint8; carriage returns are gone.

    Example:
        >>> encode(b"\n ~").tolist()
        [0, 1, 95]
    """
    symbols = text.translate(_TABLE, delete=b"\r")
    return torch.from_numpy(np.frombuffer(symbols, dtype=np.uint8).copy())


def split(parts: Sequence[bytes], names: Sequence[str], source: str) -> Text:
    """A text whose last tenth is for validation.

    Args:
        parts: of the text, in order.
        names: of what they were read from.
        source: in words.

    Raises:
        ValueError: it has fewer than 1000 symbols.
    """
    whole = b"".join(parts)
    symbols = encode(whole)
    if len(symbols) < 1000:
        raise ValueError(f"expected at least 1000 symbols of text, found {len(symbols)}")
    cut = len(symbols) - len(symbols) // 10
    digest = hashlib.sha256(whole).hexdigest()
    return Text(symbols[:cut], symbols[cut:], tuple(names), digest, source)


def from_file(path: str | Path) -> Text:
    """The text of a file.

    Args:
        path: of the file.

    Raises:
        OSError: it cannot be read.
        ValueError: it is too short.
    """
    path = Path(path)
    return split([path.read_bytes()], [path.name], "a file")


def library_source(size: int) -> Text:
    """The source code of the running Python's library, at most ``size`` bytes.

    Args:
        size: of the whole; the last file is cut off at it.

    Raises:
        ValueError: no sources are there, as in some packaged programs: use a file.
    """
    root = Path(sysconfig.get_paths()["stdlib"])
    found = (
        path.relative_to(root).as_posix()
        for path in root.rglob("*.py")
        if not _LEFT_OUT.intersection(path.relative_to(root).parts)
    )
    ordered = sorted(found, key=lambda name: hashlib.sha256(name.encode()).digest())
    parts: list[bytes] = []
    names: list[str] = []
    left = size
    for name in ordered:
        if left <= 0:
            break
        parts.append((root / name).read_bytes()[:left])
        names.append(name)
        left -= len(parts[-1])
    version = ".".join(map(str, sys.version_info[:3]))
    return split(parts, names, f"library sources of {sys.implementation.name} {version}")


def windows(symbols: Tensor, length: int, count: int, generator: torch.Generator) -> Tensor:
    """Windows drawn at random, ``(count, length)`` of int64.

    Args:
        symbols: ``(m,)``.
        length: of a window, at most m.
        count: how many.
        generator: of the draw.

    Raises:
        ValueError: the text is shorter than a window.
    """
    if len(symbols) < length:
        raise ValueError(f"expected at least {length} symbols, found {len(symbols)}")
    starts = torch.randint(len(symbols) - length + 1, (count, 1), generator=generator)
    return symbols[starts + torch.arange(length)].long()
