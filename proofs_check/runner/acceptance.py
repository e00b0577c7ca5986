"""Acceptance: what the independent checker says about a certificate file.

The runner asks about the file as it lies on disk, never about the value in memory that it was
written from: what a reviewer will check later is what is checked here.
"""

from __future__ import annotations

from pathlib import Path


def objection(path: Path, claim: str) -> str:
    """Why a certificate file is not accepted as one of a claim; empty if it is.

    Args:
        path: of the file.
        claim: the id that the certificate has to name.
    """
    from ..checker import check_file

    result = check_file(path, claim=claim)
    return "" if result.valid else f"{result.answer}: {result.reason}"
