"""Claim C2, identification.never-identified: something is left, except when W_Q = W_K."""

from __future__ import annotations

from ....symbolic.identification.proofs import ratios
from ...claim import Context
from ...claims.identification.never_identified import ID
from ...evidence import Outcome
from ...outcomes import derived
from .layers import Row, certified, layer, refuted


def positive_derivation(_: Context) -> Outcome:
    """H d_k^2 > 0."""
    return derived(ratios.never(), "positive")


def finest_derivation(_: Context) -> Outcome:
    """1/(2d) at H = d."""
    return derived(ratios.finest(), "share", "positive")


def one_dimension(_: Context) -> Outcome:
    """H = d, and more heads than dimensions."""
    rows: dict[str, Row] = {f"d{d}": ("qk", layer(d, d), d, 2 * d * d) for d in range(1, 9)}
    rows |= {
        f"d{d}-H{h}": ("qk", layer(d, h, head_dim=1), h, 2 * d * h) for d in (1, 2) for h in (3, 5)
    }
    return certified(ID, rows, "H = d up to 8; H > d")


def any_layer(_: Context) -> Outcome:
    """The least that is left."""
    gains = {"qk_norm": True, "qk_norm_gain": True}
    rows: dict[str, Row] = {
        "rope": ("qk", layer(8, 4, rope="distinct"), 8, 128),
        "one-group": ("qk", layer(4, 4, 1), 1, 20),
        "norm": ("qk", layer(8, 4, qk_norm=True, rope="distinct"), 12, 128),
        "gains-rope": ("qk", layer(8, 4, 1, rope="distinct", **gains), 6, 84),
        "biases-sink": ("qk", layer(4, 4, bias=["q", "k"], sink=True), 4, 40),
    }
    return certified(ID, rows, "rotations, one group, norms, gains, biases that are all seen")


def tied(_: Context) -> Outcome:
    """d_k = 1 and W_Q = W_K: only signs are left, dimension 0."""
    return refuted(ID, "qk", layer(4, 4, tied_qk=True), 4)
