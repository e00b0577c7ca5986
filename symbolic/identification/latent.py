"""Multi-head latent attention: a chain of three factors, so two commutants a chain.

Queries are x D_q U_h, keys y D_c K_h and (shared by all heads, rotated) y R, values y D_c V_h with
the output O_h. Between D_q and the U_h, and between D_c and the K_h and V_h, stands nothing (all of
GL moves across), or an RMS norm (only rotations do, and the length of D is hidden); gains of that
norm merge into the factors behind. Between U_h and K_h and between V_h and O_h stands nothing;
between the rotated part of the U_h and R stand the rotations: one commutant for all heads.

Behind a LayerNorm what reads x has d - 1 rows that count, and the last is not seen.

The sum is the fibre's dimension when every intermediate space is seen in full: each width is at
most what its two sides can span. Where one is not, `NotCovered` says which.
"""

from __future__ import annotations

from .architecture import Architecture, Latent
from .isotype import Field, isotypes
from .stabiliser import dimension
from .units import NotCovered, dimensions_read


def latent_sources(
    architecture: Architecture, role: str, *, writes: int | None = None
) -> tuple[int, list[tuple[int, str]]]:
    """The number of parameters and the summands of the fibre's dimension.

    Args:
        architecture: a layer with ``mla``.
        role: "qk", "vo" or "block".
        writes: dimensions of the output that are seen; d by default.

    Raises:
        NotCovered: a width exceeds what its neighbours span, or there are biases.

    Example:
        >>> mla = Latent(kv_rank=2, nope_dim=1, value_dim=1, rope_dim=2, q_rank=3)
        >>> layer = Architecture(d_model=4, heads=3, rope="distinct", mla=mla)
        >>> total, sources = latent_sources(layer, "qk")
        >>> total, [dimension for dimension, _ in sources]  # 3^2, 2^2, 3 1^2, 2
        (61, [9, 4, 3, 2])
    """
    a, mla = architecture, architecture.mla
    if mla is None:
        raise ValueError("an architecture without latent projections")
    if a.read_biases or a.sink:
        raise NotCovered("biases or a further logit together with latent projections")
    writes = a.d_model if writes is None else writes
    d, heads, gains = dimensions_read(a), a.heads, mla.norm_gain
    total, empty, sources = 0, mla.kv_rank, []
    if role != "vo":
        reads = mla.q_rank or d
        if mla.q_rank:
            seen = heads * (min(mla.nope_dim, mla.kv_rank) + min(mla.rope_dim, d))
            _fits("q_rank", mla.q_rank, min(d, seen))
            total += d * mla.q_rank + gains * mla.q_rank
            sources += _latent_vector(mla, mla.q_rank, "queries")
        empty += mla.rope_dim + (mla.q_rank or heads * (mla.nope_dim + mla.rope_dim))
        total += heads * (mla.nope_dim + mla.rope_dim) * reads
        total += heads * mla.nope_dim * mla.kv_rank + mla.rope_dim * d
        _fits("nope_dim", mla.nope_dim, min(reads, mla.kv_rank))
    seen = heads * (
        (min(mla.nope_dim, mla.q_rank or d) if role != "vo" else 0)
        + (min(mla.value_dim, writes) if role != "qk" else 0)
    )
    _fits("kv_rank", mla.kv_rank, min(d, seen))
    total += d * mla.kv_rank + gains * mla.kv_rank
    sources += _latent_vector(mla, mla.kv_rank, "keys and values")
    if role != "vo":
        inner = int(dimension([("real", mla.nope_dim)]))
        sources.append((heads * inner, "any invertible map of a head's unrotated part"))
        planes: list[tuple[Field, int]] = [
            (part.field, part.multiplicity) for part in isotypes(a) if part.field == "complex"
        ]
        for _, count in planes:
            _fits("planes of one frequency", count, min(d, mla.q_rank or d))
        rotated = int(dimension(planes))
        sources.append((rotated, "rotations and scales of the planes, shared by all heads"))
    if role != "qk":
        _fits("value_dim", mla.value_dim, min(writes, mla.kv_rank))
        total += heads * mla.value_dim * (mla.kv_rank + a.d_model)
        inner = int(dimension([("real", mla.value_dim)]))
        sources.append((heads * inner, "any invertible map of a head's values"))
    empty *= a.d_model - d
    if empty:
        sources.append((empty, "a direction of all that reads x, which LayerNorm leaves empty"))
    return total + empty, sources


def _latent_vector(mla: Latent, rank: int, whose: str) -> list[tuple[int, str]]:
    if not mla.norm:
        moved = int(dimension([("real", rank)]))
        return [(moved, f"any invertible map of the latent vector of the {whose}")]
    if rank == 1:
        raise NotCovered("a normalised latent vector of one coordinate is a sign")
    moved = int(dimension([("real", rank)], "orthogonal"))
    found = [
        (moved, f"rotations of the latent vector of the {whose}"),
        (1, f"the length of the latent vector of the {whose}, which its norm hides"),
    ]
    if mla.norm_gain:
        found.append((rank, f"the gains of the latent vector of the {whose}, absorbed behind it"))
    return found


def _fits(name: str, value: int, most: int) -> None:
    if value > most:
        raise NotCovered(f"{name} = {value} exceeds {most}, what its neighbours span")
