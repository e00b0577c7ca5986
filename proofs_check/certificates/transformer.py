"""Builder of kind transformer: at which position a head of a transformer looks."""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic.certificate import envelope
from ...symbolic.hierarchy.dyck import Dyck, Word
from ...symbolic.hierarchy.parse import parse
from ...symbolic.hierarchy.transformer import EPS, Document, looks
from ...symbolic.rational import write
from ..evidence import Json

PRECISION = 80
"""Bits after the point; weights have far fewer, and a network of two layers loses about twenty."""


def certificate(
    claim: str,
    network: Document,
    head: tuple[int, int],
    language: Dyck,
    *,
    length: int | None = None,
    words: Sequence[Word] | None = None,
    precision: int = PRECISION,
) -> dict[str, Json]:
    """Write where a head looks after the beginnings of Dyck words.

    Args:
        claim: the claim's id.
        network: weights as integers in units of 2^-bits (`numeric.hierarchy.small.network`).
        head: its layer and its place in it.
        language: Dyck-(k, m).
        length: after all beginnings of 1 to so many symbols; or
        words: after these.
        precision: of the checker's fixed point.

    Raises:
        PrecisionExhausted: two scores that seem to tie exactly.
    """
    family: dict[str, Json] = {"types": language.types, "depth": language.depth}
    if words is None:
        assert length is not None
        family["length"] = length
        chosen = [word for word in language.prefixes(length) if word]
    else:
        family["words"] = [list(word) for word in words]
        chosen = list(words)
    found = list(looks(network, head, chosen))
    behind = [
        (look, top)
        for look in found
        if (top := parse(language, look.word).top[-1]) is not None and top + 1 < len(look.word)
    ]
    right = [look for look, top in behind if look.key == top + 1]
    return envelope(
        "transformer",
        claim,
        {
            "network": {**network, "eps": write(EPS)},
            "precision": precision,
            "head": list(head),
            "family": family,
            "looks": [look.key for look in found],
            "count": len(found),
            "behind": len(behind),
            "top": len(right),
            "most": sum(look.majority for look in right),
        },
    )
