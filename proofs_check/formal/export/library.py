"""Library: the definitions and proofs that a kind needs, cut out of the formal layer's files.

The files of the formal layer are what `headproof formal` compiles and holds against the manifest;
an exported file carries the same text, so that it needs nothing beside Rocq's standard library.
"""

from __future__ import annotations

import re
from pathlib import Path

from ....symbolic.errors import InputError
from ..manifest import FOLDER

STATEMENTS = "StatementsCertificates.v"

_PART = re.compile(r"^\(\* ==== (\w+) ==== \*\)\n", re.MULTILINE)
_OWN = re.compile(r"^From Headproof\S* Require Import [^.]*\.\n", re.MULTILINE)


def definitions(kind: str, folder: Path = FOLDER) -> str:
    """The opening, the common definitions and those of a kind, with what its theorem says.

    Raises:
        InputError: the file has no such part.
    """
    opening, *pieces = _PART.split((folder / STATEMENTS).read_text(encoding="utf-8"))
    parts = dict(zip(pieces[::2], pieces[1::2], strict=True))
    if missing := {"common", kind} - parts.keys():
        raise InputError(f"a part {missing.pop()}", ", ".join(parts), where=STATEMENTS)
    imports = opening[opening.index("From Coq") :]
    return "\n\n".join(part.strip() for part in (imports, parts["common"], parts[kind]))


def proofs(kind: str, folder: Path = FOLDER) -> str:
    """The proofs of a kind and of what is common, without what they require of each other."""
    texts = [
        (folder / "proofs" / f"{name}.v").read_text(encoding="utf-8") for name in ("ordered", kind)
    ]
    return "\n\n".join(_OWN.sub("", text).strip() for text in texts)
