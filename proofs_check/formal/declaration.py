"""Declaration: the producer of formal evidence, named in a claim without loading anything."""

from __future__ import annotations

from ..claim import Producer
from ..deferred import Deferred
from ..evidence import Kind


def formal(statement: str) -> Producer:
    """The producer that hands over the theorems which the manifest lists for a statement.

    Example:
        >>> formal("order").name
        'order-theorem'
    """
    produce = Deferred("headproof.proofs_check.formal.evidence", "theorems")
    name = f"{statement}-theorem"
    return Producer(name, statement, Kind.FORMAL, produce, needs=frozenset({"coqc"}))
