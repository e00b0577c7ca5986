from pathlib import Path

import pytest
import torch

from headproof.numeric.attention_only.text import (
    SYMBOLS,
    encode,
    from_file,
    library_source,
    split,
    windows,
)


def test_every_byte_is_a_symbol_or_nothing() -> None:
    symbols = encode(bytes(range(256)))
    assert len(symbols) == 255  # the carriage return is dropped
    assert int(symbols.max()) == SYMBOLS - 1
    assert encode(b"\t").tolist() == encode(b" ").tolist()
    assert encode(b"\x00").tolist() == encode(b"?").tolist()
    assert len(set(encode(bytes(range(32, 127))).tolist())) == 95


def test_the_last_tenth_is_for_validation() -> None:
    text = split([b"a" * 900, b"b" * 100], ["x", "y"], "made")
    assert (len(text.train), len(text.validation)) == (900, 100)
    assert set(text.validation.tolist()) == set(encode(b"b").tolist())
    assert text.provenance()["files"] == ["x", "y"]


def test_the_library_is_read_in_the_same_order() -> None:
    first, second = library_source(50_000), library_source(50_000)
    assert first.sha256 == second.sha256
    assert first.files == second.files
    assert len(first.train) + len(first.validation) <= 50_000
    assert library_source(40_000).sha256 != first.sha256


def test_a_file_of_the_user(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_bytes(b"hello world\r\n" * 200)
    text = from_file(path)
    assert text.files == ("mine.txt",)
    assert len(text.train) + len(text.validation) == 12 * 200


def test_too_little_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "short.txt"
    path.write_bytes(b"short")
    with pytest.raises(ValueError, match="at least 1000"):
        from_file(path)


def test_windows_come_from_the_text() -> None:
    text = torch.arange(50, dtype=torch.uint8)
    found = windows(text, 10, 200, torch.Generator().manual_seed(0))
    assert bool((found.diff(dim=1) == 1).all())
    assert int(found.min()) == 0
    assert int(found.max()) == 49
    with pytest.raises(ValueError, match="at least 51"):
        windows(text, 51, 1, torch.Generator())
