"""Latent attention at an integer point: its Jacobian over Z, and the tangents of its symmetries.

The invariants are the entries of D_q P_h K_h^T D_c^T for every head, of D_q R_h M R^T for the
rotated parts and every M of the algebra between them, and of D_c V_h O_h; small integers keep every
entry below half the prime of `modular.tangent`, so that the residues are the integers. The tangents
are written down from the symmetries alone: they hold at every point.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ..errors import InputError
from ..modular.tangent import PRIME, Tangent
from .architecture import Architecture, Latent
from .isotype import isotypes
from .stabiliser import algebra, commutant

Integers: TypeAlias = npt.NDArray[np.int64]
Point: TypeAlias = dict[str, Integers]
"""Name -> matrix, in the order of the columns of the Jacobian."""

LARGEST = 9
"""Entries of the point, in size."""


def latent_jacobian(architecture: Architecture, *, seed: int = 0) -> tuple[Integers, Point]:
    """The Jacobian of all invariants of a latent block at a small integer point.

    Args:
        architecture: with ``mla`` and without norms.
        seed: of the point.

    Returns:
        [invariants][parameters] integers, and the point.

    Raises:
        InputError: no latent projections, norms, or widths too large for exact residues.

    Example:
        >>> mla = Latent(kv_rank=1, nope_dim=1, value_dim=1)
        >>> rows, point = latent_jacobian(Architecture(d_model=2, heads=1, mla=mla))
        >>> rows.shape, list(point)
        ((8, 8), ['down', 'P0', 'K0', 'V0', 'O0'])
    """
    mla = _mla(architecture)
    widths = mla.kv_rank * max(mla.nope_dim, mla.value_dim, mla.rope_dim, 1) * (mla.q_rank or 1)
    if mla.norm or 2 * widths * LARGEST**4 >= PRIME // 2:
        raise InputError("small latent projections without norms", str(mla))
    random = Random(seed)
    point = {
        name: np.array(
            [random.randint(-LARGEST, LARGEST) for _ in range(rows * columns)], dtype=np.int64
        ).reshape(rows, columns)
        for name, (rows, columns) in _shapes(architecture)
    }
    count = sum(matrix.size for matrix in point.values())
    tangents: dict[str, Tangent] = {}
    start = 0
    for name, matrix in point.items():
        slopes = np.zeros((count, matrix.size), dtype=np.int64)
        slopes[start : start + matrix.size] = np.eye(matrix.size, dtype=np.int64)
        tangents[name] = Tangent(matrix % PRIME, slopes.reshape(count, *matrix.shape))
        start += matrix.size
    rows = np.concatenate([one.jacobian() for one in _invariants(architecture, tangents)])
    return np.where(rows > PRIME // 2, rows - PRIME, rows), point


def _mla(a: Architecture) -> Latent:
    if a.mla is None:
        raise InputError("latent projections", "none", where="mla")
    return a.mla


def _shapes(a: Architecture) -> Iterator[tuple[str, tuple[int, int]]]:
    mla, d = _mla(a), a.d_model
    asked = mla.q_rank or d
    if mla.q_rank:
        yield "before", (d, mla.q_rank)
    yield "down", (d, mla.kv_rank)
    if mla.rope_dim:
        yield "R", (d, mla.rope_dim)
    for h in range(a.heads):
        yield f"P{h}", (asked, mla.nope_dim)
        if mla.rope_dim:
            yield f"T{h}", (asked, mla.rope_dim)
        yield f"K{h}", (mla.kv_rank, mla.nope_dim)
        yield f"V{h}", (mla.kv_rank, mla.value_dim)
        yield f"O{h}", (mla.value_dim, d)


def _middles(a: Architecture) -> list[Integers]:
    """What stands between the rotated parts."""
    size = _mla(a).rope_dim
    parts = [part for part in isotypes(a) if part.field == "complex"]
    return [_dense(entries, size) for entries in algebra(parts)]


def _dense(entries: Any, size: int) -> Integers:
    found = np.zeros((size, size), dtype=np.int64)
    for i, j, value in entries:
        found[i, j] = value
    return found


def _invariants(a: Architecture, at: dict[str, Tangent]) -> Iterator[Tangent]:
    def asked(up: Tangent) -> Tangent:
        return at["before"] @ up if "before" in at else up

    middles = _middles(a)
    for h in range(a.heads):
        yield asked(at[f"P{h}"]) @ (at["down"] @ at[f"K{h}"]).transpose()
        for middle in middles:
            fixed = np.zeros((at["down"].slopes.shape[0], *middle.shape), dtype=np.int64)
            turn = Tangent(middle % PRIME, fixed)
            yield asked(at[f"T{h}"]) @ turn @ at["R"].transpose()
        yield at["down"] @ at[f"V{h}"] @ at[f"O{h}"]


def latent_tangents(architecture: Architecture, point: Point) -> Integers:
    """Tangent vectors of the symmetries at a point, one a row; they span the whole orbit.

    Args:
        architecture: as for `latent_jacobian`.
        point: from there.

    Example:
        >>> mla = Latent(kv_rank=1, nope_dim=1, value_dim=1)
        >>> layer = Architecture(d_model=2, heads=1, mla=mla)
        >>> rows, point = latent_jacobian(layer)
        >>> (rows @ latent_tangents(layer, point).T).any()
        np.False_
    """
    a, mla = architecture, _mla(architecture)
    found: list[Integers] = []

    def add(**changes: Integers) -> None:
        zero = {name: np.zeros_like(matrix) for name, matrix in point.items()}
        found.append(np.concatenate([m.ravel() for m in (zero | changes).values()]))

    heads = range(a.heads)
    for x in _units(mla.q_rank):
        behind = {name: -x @ point[name] for h in heads for name in _asked(mla, h)}
        add(before=point["before"] @ x, **behind)
    for x in _units(mla.kv_rank):
        behind = {f"{name}{h}": -x @ point[f"{name}{h}"] for h in heads for name in "KV"}
        add(down=point["down"] @ x, **behind)
    for h in heads:
        for x in _units(mla.nope_dim):
            add(**{f"P{h}": point[f"P{h}"] @ x, f"K{h}": -point[f"K{h}"] @ x.T})
        for x in _units(mla.value_dim):
            add(**{f"V{h}": point[f"V{h}"] @ x, f"O{h}": -x @ point[f"O{h}"]})
    parts = [part for part in isotypes(a) if part.field == "complex"]
    for entries in commutant(parts):
        x = _dense(entries, mla.rope_dim)
        add(R=-point["R"] @ x.T, **{f"T{h}": point[f"T{h}"] @ x for h in heads})
    return np.array(found)


def _asked(mla: Latent, h: int) -> tuple[str, ...]:
    return (f"P{h}", f"T{h}") if mla.rope_dim else (f"P{h}",)


def _units(size: int) -> Iterator[Integers]:
    for i in range(size):
        for j in range(size):
            found = np.zeros((size, size), dtype=np.int64)
            found[i, j] = 1
            yield found
