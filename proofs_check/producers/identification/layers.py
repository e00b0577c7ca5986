"""Rank certificates for lists of layers, and certificates that a stated count is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ....symbolic.identification.architecture import parse
from ...certificates.rank import Part, certificate
from ...evidence import Certificate, Finding, Outcome

Row = tuple[Part, Mapping[str, Any], int, int]
"""A part of a layer, the layer, and what is expected: unidentified, total."""


def certified(claim: str, rows: Mapping[str, Row], scope: str) -> Outcome:
    """Certify every row; one whose count is not the expected one violates the statement."""
    certificates: dict[str, Certificate] = {}
    wrong: list[str] = []
    for name, (part, document, unidentified, total) in rows.items():
        found = certificate(claim, parse(document), part)
        certificates[name] = found
        pair = found["data"]["unidentified"], found["data"]["total"]
        if pair != (unidentified, total):
            wrong.append(f"{name}: {pair[0]} of {pair[1]}, expected {unidentified} of {total}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope=scope,
        certificates=certificates,
        numbers={"layers": len(rows)},
        detail="; ".join(wrong),
    )


def refuted(claim: str, part: Part, document: Mapping[str, Any], stated: int) -> Outcome:
    """A layer whose exact count is not the stated one."""
    found = certificate(claim, parse(document), part)
    exact = found["data"]["unidentified"]
    return Outcome(
        Finding.HOLDS if exact == stated else Finding.VIOLATED,
        scope="one layer",
        certificates={"layer": found},
        detail=f"{exact} of {found['data']['total']} parameters, not {stated}",
    )


def layer(d: int, heads: int, groups: int = 0, **more: Any) -> dict[str, Any]:
    """A document with the most frequent keys by position."""
    return {"d_model": d, "heads": heads, **({"kv_heads": groups} if groups else {}), **more}


def product(part: Part, sizes: Sequence[tuple[int, int, int]], **more: Any) -> dict[str, Row]:
    """Rows for (d, H, G) with d_k = d/H, no rotation: one d_k x d_k map a group."""
    return {
        f"d{d}-H{h}-G{g}": (part, layer(d, h, g, **more), g * (d // h) ** 2, d * (d // h) * (h + g))
        for d, h, g in sizes
    }
