"""Builder of kind recovery: the transcript of a recovery from value queries."""

from __future__ import annotations

from collections.abc import Mapping

from ...symbolic.certificate import envelope
from ..evidence import Json


def certificate(claim: str, transcript: Mapping[str, Json]) -> dict[str, Json]:
    """Write a recovery certificate.

    Args:
        claim: the claim's id; empty if the model belongs to none.
        transcript: as ``Recovery.transcript()`` returns it.

    Example:
        >>> from ...oracle.exact import ExactOracle
        >>> from ...oracle.model import Head
        >>> from ...oracle.recovery.recover import recover
        >>> found = recover(ExactOracle([Head(((2,),), (3,))]), heads=1)
        >>> certificate("recovery.algorithm", found.transcript())["kind"]
        'recovery'
    """
    return envelope("recovery", claim, transcript)
