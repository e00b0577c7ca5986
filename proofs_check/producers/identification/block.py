"""Claim C4, identification.block: W_V, W_O, and the whole block."""

from __future__ import annotations

from ....symbolic.identification.architecture import parse
from ....symbolic.identification.decoder import decoder_count, decoder_unidentified
from ....symbolic.identification.proofs import ratios
from ...claim import Context
from ...claims.identification.block import ID
from ...evidence import Finding, Outcome
from ...outcomes import derived
from .layers import Row, certified, layer, product, refuted


def plain_derivation(_: Context) -> Outcome:
    """1/(2H)."""
    return derived(ratios.block(), "plain")


def rotated_derivation(_: Context) -> Outcome:
    """1/(4d) + 1/(4H)."""
    return derived(ratios.rotated_block(), "rotated")


def grid(_: Context) -> Outcome:
    """V and O alone, and blocks with rotations, groups and biases."""
    sizes = [(d, h, g) for d in (4, 6) for h in (1, 2) for g in (1, 2) if h % g == 0]
    rows = product("vo", sizes)
    rows |= {
        "mha": ("block", layer(12, 3), 96, 576),
        "rope": ("block", layer(12, 3, rope="distinct"), 60, 576),
        "gqa-rope": ("block", layer(12, 6, 3, rope="distinct"), 18, 432),
        "biases": ("block", layer(12, 3, bias=["q", "k", "v", "o"]), 120, 624),
        "value-bias-alone": ("vo", layer(3, 2, head_dim=2, bias=["v"]), 9, 28),
        "wide": ("block", layer(6, 2, head_dim=8), 240, 384),
    }
    return certified(ID, rows, "layers with d <= 12")


def real_layers(_: Context) -> Outcome:
    """By structure."""
    biases = ["q", "k", "v", "o"]
    rows: dict[str, Row] = {
        "gpt2": ("block", layer(768, 12, bias=biases), 2 * 49152 + 2 * 768, 2362368),
        "llama": ("block", layer(4096, 32, 8, rope="distinct"), 1024 + 131072, 41943040),
    }
    return certified(ID, rows, "768/12 with biases, 4096/32/8 with RoPE")


def rope(_: Context) -> Outcome:
    """60 of 576."""
    return refuted(ID, "block", layer(12, 3, rope="distinct"), 96)


def outputs(context: Context) -> Outcome:
    """One layer between embedding and unembedding: exact Jacobians of the logits."""
    documents = (
        layer(2, 1),
        layer(2, 2),
        layer(2, 2, 1),
        layer(2, 1, rope="distinct"),
        layer(2, 1, head_dim=3),
        layer(2, 2, bias=["k", "v"]),
    )
    wrong: list[str] = []
    for document in documents:
        a = parse(document)
        expected = decoder_count(a, 4).count
        found = decoder_unidentified(a, 4, sequences=40, length=4, seed=context.seed % 2**32)
        if expected is None or found != expected.unidentified:
            wrong.append(f"{document}: {found}, expected {expected}")
    return Outcome(
        Finding.VIOLATED if wrong else Finding.HOLDS,
        scope=f"{len(documents)} layers of d = 2, 4 tokens, 40 sequences of length 4",
        numbers={"layers": len(documents), "seed": context.seed},
        detail="; ".join(wrong),
    )
