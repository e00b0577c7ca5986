"""A safetensors file: its header is believed only after every byte of the file is accounted for.

Why not the safetensors library: its errors say little ("Error while deserializing header"), and it
maps a file whole, so that all pages that were ever read count as memory of the process. Here the
header is checked against the file when it is opened, and each read maps the rows that it wants and
lets them go: at any time the process holds one slice. Nothing is written.

The format: 8 bytes, little endian, the length n of the header; n bytes of JSON, tensor name ->
{"dtype", "shape", "data_offsets"}, perhaps padded with spaces; then the data, row-major, without
gaps. Offsets count from the end of the header. Conversion to float64 is exact for every dtype that
is read (float64, float32, float16, bfloat16).
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from .failure import CheckpointError
from .json_file import json_object

HEADER_LIMIT = 100_000_000
"""Longest header in bytes; the format's own limit."""

WIDTHS: Mapping[str, int] = {
    "BOOL": 1, "U8": 1, "I8": 1, "F8_E4M3": 1, "F8_E5M2": 1, "F8_E8M0": 1,
    "I16": 2, "U16": 2, "F16": 2, "BF16": 2,
    "I32": 4, "U32": 4, "F32": 4,
    "I64": 8, "U64": 8, "F64": 8,
}  # fmt: skip
"""Bytes of an entry of each dtype of the format."""

ROUNDOFF: Mapping[str, float] = {
    "F64": 2.0**-53,
    "F32": 2.0**-24,
    "F16": 2.0**-11,
    "BF16": 2.0**-8,
}
"""Unit roundoff of each dtype that is read."""

_READABLE: Mapping[str, Any] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype("<u2"),
}
_KEYS = {"dtype", "shape", "data_offsets"}


@dataclass(frozen=True)
class Entry:
    """A tensor as the header describes it.

    Args:
        dtype: the format's name of it.
        shape: as stored.
        begin: offset of its first byte in the file.
        size: in bytes.
    """

    dtype: str
    shape: tuple[int, ...]
    begin: int
    size: int


@dataclass(frozen=True)
class TensorFile:
    """A safetensors file whose header agrees with the file.

    Args:
        path: of the file.
        entries: name -> what the header says.
    """

    path: Path
    entries: Mapping[str, Entry]

    def read(self, name: str, rows: slice | None = None, columns: slice | None = None) -> Tensor:
        """A tensor, or some of its rows and columns, in float64.

        Args:
            name: of the tensor.
            rows: of the first axis; all by default.
            columns: of the second axis; all by default.

        Raises:
            CheckpointError: the dtype is not one of the floats, or an entry is not finite.
        """
        entry = self.entries[name]
        where = f"{self.path}, tensor {name}"
        if entry.dtype not in _READABLE:
            found = f"{entry.dtype}; quantised weights are not read"
            raise CheckpointError(where, f"one of {', '.join(_READABLE)}", found)
        span = range(entry.shape[0] if entry.shape else 1)[rows or slice(None)]
        width = prod(entry.shape[1:]) * WIDTHS[entry.dtype]  # of a row, in bytes
        raw = self._bytes(entry.begin + span.start * width, len(span) * width)
        stored = np.frombuffer(raw, _READABLE[entry.dtype]).reshape(
            (len(span), *entry.shape[1:]) if entry.shape else ()
        )
        if columns is not None:
            stored = stored[:, columns]
        values = torch.from_numpy(_float64(stored, entry.dtype))
        _require_finite(values, where, span.start, columns.start or 0 if columns else 0)
        return values

    def _bytes(self, begin: int, size: int) -> bytearray:
        """A copy of a stretch of the file; the pages are mapped for as long as it takes."""
        if size == 0:
            return bytearray()
        aligned = begin - begin % mmap.ALLOCATIONGRANULARITY
        try:
            with (
                self.path.open("rb") as file,
                mmap.mmap(
                    file.fileno(), begin - aligned + size, access=mmap.ACCESS_READ, offset=aligned
                ) as pages,
                memoryview(pages) as view,
                view[begin - aligned :] as part,
            ):
                return bytearray(part)
        except (OSError, ValueError) as error:  # it shrank since it was opened
            raise CheckpointError(
                self.path, "the file as it was when it was opened", str(error)
            ) from None


def open_tensor_file(path: Path) -> TensorFile:
    """Read and check the header of a safetensors file; no data are read.

    Args:
        path: of the file.

    Raises:
        CheckpointError: the file cannot be read, or header and file do not agree.
    """
    try:
        with path.open("rb") as file:
            total = os.fstat(file.fileno()).st_size
            start = file.read(8)
            length = _header_length(path, start, total)
            header = file.read(length)
    except OSError as error:
        raise CheckpointError(path, "a file that can be read", str(error.strerror)) from None
    if header[:1] != b"{":
        raise CheckpointError(path, "a header that begins with '{'", repr(bytes(header[:1])))
    described = json_object(header, f"{path}, header")
    _check_metadata(path, described.pop("__metadata__", {}))
    data = total - 8 - length
    entries = {
        name: _entry(f"{path}, tensor {name}", value, data, 8 + length)
        for name, value in described.items()
    }
    _require_complete(path, entries, 8 + length, total)
    return TensorFile(path, entries)


def _header_length(path: Path, start: bytes, total: int) -> int:
    if total == 0:
        raise CheckpointError(path, "a safetensors file", "an empty file")
    if start.startswith(b"version "):
        found = "a Git LFS pointer: the weights themselves were not downloaded"
        raise CheckpointError(path, "a safetensors file", found)
    if start.startswith(b"PK\x03\x04") or start[:2] in (b"\x80\x02", b"\x80\x04"):
        raise CheckpointError(path, "a safetensors file", "a pickle of PyTorch: convert it first")
    if start.lstrip()[:1] == b"<":
        raise CheckpointError(path, "a safetensors file", "what looks like a web page")
    if len(start) < 8:
        raise CheckpointError(path, "8 bytes that give the header's length", f"{total} bytes")
    length = int.from_bytes(start, "little")
    if length > HEADER_LIMIT:
        limit = f"a header of at most {HEADER_LIMIT:,} bytes"
        raise CheckpointError(path, limit, f"a length of {length:,}; is it a safetensors file?")
    if 8 + length > total:
        found = f"a file of {total:,} bytes: truncated within the header"
        raise CheckpointError(path, f"a header of {length:,} bytes", found)
    if length < 2:
        raise CheckpointError(path, "a header of at least 2 bytes", f"a length of {length}")
    return length


def _check_metadata(path: Path, metadata: Any) -> None:
    good = isinstance(metadata, dict) and all(isinstance(v, str) for v in metadata.values())
    if not good:
        raise CheckpointError(f"{path}, __metadata__", "strings by name", repr(metadata)[:60])


def _entry(where: str, value: Any, data: int, offset: int) -> Entry:
    if not isinstance(value, dict) or set(value) != _KEYS:
        found = ", ".join(sorted(value)) if isinstance(value, dict) else type(value).__name__
        raise CheckpointError(where, "dtype, shape and data_offsets", found or "nothing")
    dtype, shape, offsets = value["dtype"], value["shape"], value["data_offsets"]
    if not isinstance(dtype, str) or dtype not in WIDTHS:
        raise CheckpointError(where, f"a dtype among {', '.join(WIDTHS)}", repr(dtype))
    if not isinstance(shape, list) or not all(map(_is_count, shape)):
        raise CheckpointError(where, "a shape of integers >= 0", repr(shape))
    if not isinstance(offsets, list) or len(offsets) != 2 or not all(map(_is_count, offsets)):
        raise CheckpointError(where, "two data_offsets, integers >= 0", repr(offsets))
    begin, end = offsets
    if begin > end:
        raise CheckpointError(where, "data_offsets in order", f"[{begin}, {end}]")
    needed = prod(shape) * WIDTHS[dtype]
    if end - begin != needed:
        described = f"{needed:,} bytes for shape {shape} of {dtype}"
        raise CheckpointError(where, described, f"data_offsets of {end - begin:,}")
    if end > data:
        found = f"a file with {data:,} bytes of data: truncated"
        raise CheckpointError(where, f"data up to byte {end:,}", found)
    return Entry(dtype, tuple(shape), offset + begin, needed)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _require_complete(path: Path, entries: Mapping[str, Entry], begin: int, total: int) -> None:
    """Refuse overlaps, gaps and bytes that belong to no tensor."""
    reached, last = begin, "the header"
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].begin, item[1].size)):
        if entry.begin < reached:
            found = f"it begins {reached - entry.begin:,} bytes before the end of {last}"
            raise CheckpointError(f"{path}, tensor {name}", "data of its own", f"overlap: {found}")
        if entry.begin > reached:
            found = f"a gap of {entry.begin - reached:,} bytes after {last}"
            raise CheckpointError(f"{path}, tensor {name}", "data without gaps", found)
        reached, last = entry.begin + entry.size, name
    if reached < total:
        raise CheckpointError(path, f"data that end with {last}", f"{total - reached:,} bytes more")


def _float64(stored: Any, dtype: str) -> Any:
    if dtype != "BF16":
        return stored.astype(np.float64)
    wide = stored.astype(np.uint32)  # a bfloat16 is the upper half of a float32
    np.left_shift(wide, 16, out=wide)
    return wide.view(np.float32).astype(np.float64)


def _require_finite(values: Tensor, where: str, row: int, column: int) -> None:
    if bool(torch.isfinite(values).all()):
        return
    bad = (~torch.isfinite(values)).nonzero()
    first = [int(n) for n in bad[0]]
    value = float(values[tuple(first)])
    place = [n + start for n, start in zip(first, (row, column, 0, 0), strict=False)]
    raise CheckpointError(where, "finite numbers", f"{value} at {place}")
