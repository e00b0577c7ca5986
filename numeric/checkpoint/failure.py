"""What is wrong with a checkpoint, in one line that names the file and what was found."""

from __future__ import annotations

from pathlib import Path


class CheckpointError(ValueError):
    """A checkpoint that cannot be read as what it claims to be.

    Args:
        where: the file or folder, and the tensor or key if there is one.
        expected: what was expected, as a noun phrase.
        found: what was found.

    Example:
        >>> str(CheckpointError("config.json", "a JSON object", "a list"))
        'config.json: expected a JSON object, found a list'
    """

    def __init__(self, where: Path | str, expected: str, found: str) -> None:
        super().__init__(f"{where}: expected {expected}, found {found}")
        self.where = str(where)
        self.expected = expected
        self.found = found
