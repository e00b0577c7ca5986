"""Builder of kind rank: what attention cannot see of its parameters, or the rank of a matrix.

The point is the simplest: identity factors, and gains that all differ. Its equations are sparse,
and full rank there is a proof for almost every other point. What can be moved is the explicit basis
of the commutant. Nothing here decides anything: a case in which both sides do not meet at this
point is a certificate that the checker rejects.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from ...symbolic.certificate import envelope
from ...symbolic.errors import InputError
from ...symbolic.identification.architecture import FLAGS, Architecture
from ...symbolic.identification.counts import identify_architecture
from ...symbolic.identification.stabiliser import commutant
from ...symbolic.identification.units import Unit, query_key_units, value_output_unit
from ...symbolic.modular.rank import PRIMES, Rank
from ..evidence import Json

Part = Literal["qk", "vo", "block"]

LARGEST = 10**6
"""Moves and entries of a point: more are refused before they are written."""


def certificate(claim: str, architecture: Architecture, part: Part = "block") -> dict[str, Json]:
    """Write the certificate of the number of unidentified parameters of a part of a layer.

    Args:
        claim: the claim's id, or empty.
        architecture: the layer, without latent projections.
        part: which parameters.

    Raises:
        InputError: the case has no count, or no certificate (latent projections), or it would be
            too large.

    Example:
        >>> c = certificate("", Architecture(d_model=12, heads=3, rope="distinct"), "qk")
        >>> c["data"]["unidentified"], c["data"]["total"], len(c["data"]["units"])
        (12, 288, 1)
    """
    if architecture.mla is not None:
        raise InputError("a layer without latent projections, which have no certificate", "mla")
    answer = getattr(identify_architecture(architecture), part)
    if answer.count is None:
        raise InputError("a case that is covered", answer.reason)
    units: list[Unit] = []
    if part != "vo":
        units += query_key_units(architecture)
    if part != "qk":
        units.append(value_output_unit(architecture))
    size = sum(unit.queries * unit.width + (0 if unit.wide else unit.moved) for unit in units)
    if size > LARGEST:
        raise InputError(f"a certificate of at most {LARGEST} matrices and entries", str(size))
    data = {
        "architecture": _document(architecture),
        "part": part,
        "prime": PRIMES[0],
        "units": [_unit(unit) for unit in units],
        "unidentified": answer.count.unidentified,
        "total": answer.count.total,
    }
    return envelope("rank", claim, data)


def matrix_certificate(claim: str, matrix: Sequence[Sequence[int]], rank: Rank) -> dict[str, Json]:
    """Write the certificate of the rank of an integer matrix.

    Args:
        claim: the claim's id, or empty.
        matrix: [m][n] integers, n >= 1.
        rank: as `certified_rank` proved it, with a kernel.

    Raises:
        InputError: the rank was proved without a kernel.

    Example:
        >>> from headproof.symbolic.modular.rank import certified_rank
        >>> rows = [[1, 2], [2, 4]]
        >>> matrix_certificate("", rows, certified_rank(rows))["data"]["kernel"]
        [[-2, 1]]
    """
    if rank.kernel is None:
        raise InputError("a rank with a kernel", "none")
    kernel = [[int(x) for x in vector] for vector in rank.kernel]
    data = {
        "columns": len(matrix[0]),
        "rows": [[[j, int(x)] for j, x in enumerate(row) if x] for row in matrix],
        "prime": rank.lower.prime,
        "kernel": kernel,
        "rank": rank.rank,
    }
    return envelope("rank", claim, data)


def _document(a: Architecture) -> dict[str, Any]:
    document: dict[str, Any] = {
        "d_model": a.d_model,
        "heads": a.heads,
        "kv_heads": a.kv_heads,
        "head_dim": a.head_dim,
        "rope": a.rope,
        "rotary_dim": a.rotary_dim,
    }
    if a.bias:
        document["bias"] = list(a.bias)
    if a.input_norm != "none":
        document["input_norm"] = a.input_norm
    for name in FLAGS:
        if getattr(a, name):
            document[name] = True
    return document


def _unit(unit: Unit) -> dict[str, Any]:
    width, rows = unit.width, (unit.query_rows, unit.key_rows)
    step = unit.parts[0].degree
    if width <= (rows[1] - unit.shifted if unit.tied else min(rows)):
        rows, step = (width, width), 1
    found: dict[str, Any] = {}
    if not unit.tied:
        found["queries"] = [_ones(rows[0], width, step, h) for h in range(unit.queries)]
    found["key"] = _ones(rows[1], width, step, 0)
    if unit.gains != "none":
        found["gains"] = [list(range(2, width + 2)), [k * k + 1 for k in range(2, width + 2)]]
    if not unit.wide:
        moves = () if unit.gains == "fixed" else commutant(unit.parts, unit.symmetry)
        found["moves"] = [[list(entry) for entry in sorted(move)] for move in moves]
    return found


def _ones(rows: int, columns: int, step: int, shift: int) -> list[list[int]]:
    """Ones on a diagonal of every step-th column (a plane is one complex coordinate).

    Shifted, so that several factors with few rows still span all columns.
    """
    inner = columns // step
    places = ((i, step * ((i + shift * rows) % inner)) for i in range(min(rows, inner)))
    return [[i, j, 1] for i, j in sorted(places)]
