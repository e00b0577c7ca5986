"""The envelope of a certificate: what all kinds have in common.

The exact engine writes its own certificates (a hull with a reason for every point), and the
builders of `proofs_check` write the others; both use this envelope. The checker knows the format by
itself, since it shares no code with what it checks.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

FORMAT = "headproof-certificate/1"


def envelope(kind: str, claim: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """A certificate of a kind with its data, plain JSON.

    Args:
        kind: as CERTIFICATES.md names it.
        claim: id of the claim that the certificate belongs to; may be empty.
        data: what the kind asks for.

    Example:
        >>> envelope("hull", "tropical.cells", {})["format"]
        'headproof-certificate/1'
    """
    return {"format": FORMAT, "kind": kind, "claim": claim, "data": dict(data)}
