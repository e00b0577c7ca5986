"""Claim C5, identification.architectures: modern layers, latent attention, whole decoders."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....symbolic.errors import Degenerate
from ....symbolic.identification.architecture import Architecture, parse
from ....symbolic.identification.counts import identify_architecture
from ....symbolic.identification.decoder import decoder_count, decoder_unidentified
from ....symbolic.identification.jacobian import unidentified
from ....symbolic.identification.latent_point import latent_jacobian, latent_tangents
from ....symbolic.modular.rank import Rank, certified_rank
from ...certificates.rank import matrix_certificate
from ...claim import Context, Profile
from ...claims.identification.architectures import ID
from ...evidence import Certificate, Finding, Outcome
from .layers import Row, certified, layer, refuted

GAINS = {"qk_norm": True, "qk_norm_gain": True}

LAYER_NORM: dict[str, Any] = {
    "input_norm": "layer",
    "input_norm_gain": True,
    "input_norm_bias": True,
}

ATTEMPTS = 20

LATENT: tuple[dict[str, Any], ...] = (
    {"kv_rank": 2, "nope_dim": 1, "value_dim": 1},
    {"kv_rank": 2, "nope_dim": 2, "value_dim": 2, "q_rank": 3},
    {"kv_rank": 2, "nope_dim": 1, "value_dim": 1, "q_rank": 3, "rope_dim": 2},
    {"kv_rank": 2, "nope_dim": 2, "value_dim": 1, "rope_dim": 4},
)
"""Latent layers of three heads at d = 4."""


def layers(_: Context) -> Outcome:
    """What the checker derives by structure."""
    rows: dict[str, Row] = {
        "alibi": ("qk", layer(12, 3, alibi=True, bias=["q", "k"]), 60, 312),
        "tied": ("qk", layer(12, 3, tied_qk=True), 18, 144),
        "tied-rope": ("qk", layer(12, 3, tied_qk=True, rope="distinct"), 6, 144),
        "tied-equal": ("qk", layer(12, 3, tied_qk=True, rope="equal"), 12, 144),
        "tied-biases": ("qk", layer(12, 3, tied_qk=True, bias=["q", "k"]), 18, 156),
        "sink": ("block", layer(12, 3, sink=True, bias=["q", "k", "v", "o"]), 96, 624),
        "gains": ("qk", layer(12, 3, **GAINS), 10, 296),
        "gains-groups-rope": (
            "qk",
            layer(12, 6, 3, head_dim=4, rope="distinct", **GAINS),
            11,
            440,
        ),
        "input-gains": (
            "block",
            layer(12, 3, input_norm="rms", input_norm_gain=True),
            108,
            588,
        ),
        # W_Q, W_K, W_V lose a row, W_O keeps all: 12 columns each.
        "layer-norm": ("block", layer(12, 3, input_norm="layer"), 96 + 36, 576),
        # b_K and b_V as without the norm, whose 12 gains and 12 biases are absorbed.
        "layer-norm-biases": (
            "block",
            layer(12, 3, bias=["q", "k", "v", "o"], **LAYER_NORM),
            96 + 36 + 24 + 24,
            648,
        ),
        # Nothing but the bias of the norm makes constants: no row is lost, what W_K makes of it is.
        "layer-norm-bias-alone": ("qk", layer(12, 3, **LAYER_NORM), 48 + 12, 288),
    }
    return certified(ID, rows, "layers with d = 12")


def latent(context: Context) -> Outcome:
    """Exact Jacobians modulo a prime, with and without norms and gains."""
    norms: tuple[dict[str, bool], ...] = ({}, {"norm": True}, {"norm": True, "norm_gain": True})
    wrong: list[str] = []
    cases = 0
    for description in LATENT:
        for norm in norms:
            for part in ("qk", "vo", "block"):
                a = parse(_latent(description | norm))
                count = getattr(identify_architecture(a), part).count
                if count is None:
                    continue
                cases += 1
                found = unidentified(a, part, seed=context.seed % 2**32)
                if found != count.unidentified:
                    wrong.append(f"{a.document} {part}: {found}, expected {count}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope="latent layers of d = 4 with three heads",
        numbers={"cases": cases, "seed": context.seed},
        detail="; ".join(wrong),
    )


def _latent(description: Mapping[str, Any]) -> dict[str, Any]:
    rope = "distinct" if description.get("rope_dim") else "none"
    return layer(4, 3, rope=rope, mla=dict(description))


def latent_points(context: Context) -> Outcome:
    """Integer points: the tangent vectors of the symmetries are all of the kernel."""
    certificates: dict[str, Certificate] = {}
    wrong: list[str] = []
    for number, description in enumerate(LATENT):
        a = parse(_latent(description))
        count = identify_architecture(a).block.count
        matrix, rank = _generic_point(a, context.seed % 2**32 + number)
        certificates[f"case{number}"] = matrix_certificate(ID, matrix.tolist(), rank)
        if count is None or matrix.shape[1] - rank.rank != count.unidentified:
            wrong.append(f"{description}: rank {rank.rank} of {matrix.shape[1]}, expected {count}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope="integer points of four latent layers",
        certificates=certificates,
        numbers={"layers": len(LATENT), "seed": context.seed},
        detail="; ".join(wrong),
    )


def _generic_point(a: Architecture, seed: int) -> tuple[Any, Rank]:
    """A small integer point at which the tangents are all of the kernel; some have more of it."""
    for attempt in range(ATTEMPTS):
        matrix, point = latent_jacobian(a, seed=seed + len(LATENT) * attempt)
        try:
            return matrix, certified_rank(matrix, kernel=latent_tangents(a, point))
        except Degenerate:
            continue
    raise Degenerate(f"no point of {a.document} where the kernel is spanned by the symmetries")


def decoders(context: Context) -> Outcome:
    """Exact Jacobians of the logits modulo a prime."""
    cases: list[tuple[dict[str, Any], int, int]] = [
        (layer(2, 2, layers=2), 4, 40),
        (layer(2, 1, layers=2, positions=4), 4, 40),
        (layer(2, 2, layers=2, bias=["q", "k", "v", "o"]), 4, 40),
        (layer(2, 1, layers=2, bias=["q", "k", "o"], rope="distinct"), 4, 40),
        (layer(2, 1, head_dim=1, input_norm="rms"), 5, 60),
        (layer(3, 1, head_dim=2, input_norm="rms", input_norm_gain=True), 5, 80),
        (layer(3, 1, head_dim=1, **LAYER_NORM), 5, 60),
    ]
    if context.profile is not Profile.QUICK:
        cases += [
            (layer(2, 1, layers=2, input_norm="rms", input_norm_gain=True), 6, 60),
            (
                layer(3, 1, head_dim=1, layers=2, input_norm="layer", bias=["q", "k", "v", "o"]),
                6,
                60,
            ),
        ]
    wrong: list[str] = []
    for document, vocabulary, sequences in cases:
        a = parse(document)
        expected = decoder_count(a, vocabulary).count
        seed = context.seed % 2**32
        found = decoder_unidentified(a, vocabulary, sequences=sequences, length=4, seed=seed)
        if expected is None or found != expected.unidentified:
            wrong.append(f"{document}: {found}, expected {expected}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope="decoders of one or two layers, d <= 3, sequences of length 4",
        numbers={"decoders": len(cases), "seed": context.seed},
        detail="; ".join(wrong),
    )


def alibi(_: Context) -> Outcome:
    """60, not 48: a term that depends on the distance alone changes nothing."""
    return refuted(ID, "qk", layer(12, 3, alibi=True, bias=["q", "k"]), 48)


def gains(_: Context) -> Outcome:
    """10, not 24: a scale of every projection and what the gains can exchange."""
    return refuted(ID, "qk", layer(12, 3, **GAINS), 24)
