"""Decoders for the searches: drawn sizes and options, as formulas and as torch models."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from ....numeric.attention_only.model import Decoder as Model
from ....numeric.attention_only.model import DecoderConfig
from ....symbolic.attention_only.accounting import Scores
from ....symbolic.attention_only.decoder import Decoder

PROJECTIONS = ("q", "k", "v", "o")


@dataclass(frozen=True)
class Case:
    """A decoder, a batch and a length.

    Args:
        decoder: sizes and options that the torch model has too.
        batch: B.
        tokens: n, at most the context.
    """

    decoder: Decoder
    batch: int
    tokens: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Small decoders with every option; heads that do not fill the width, or overfill it."""
    groups = draw(st.integers(1, 3))
    hidden = draw(st.integers(0, 9))
    context = draw(st.integers(1, 7))
    biases = draw(st.booleans())
    made = Decoder(
        d_model=draw(st.integers(1, 9)),
        layers=draw(st.integers(1, 3)),
        heads=groups * draw(st.integers(1, 3)),
        kv_heads=groups,
        head_dim=2 * draw(st.integers(1, 3)),
        ffn=hidden,
        gated=hidden > 0 and draw(st.booleans()),
        vocabulary=draw(st.integers(1, 11)),
        context=context,
        bias=(*PROJECTIONS, *(("ffn",) if hidden else ())) if biases else (),
        qk_norm=draw(st.booleans()),
        residual_gates=draw(st.booleans()),
        tied=draw(st.booleans()),
    )
    return Case(made, draw(st.integers(1, 3)), draw(st.integers(1, context)))


@st.composite
def standard_decoders(draw: st.DrawFn) -> Decoder:
    """Standard decoders whose width is a multiple of the number of groups."""
    made = draw(cases()).decoder
    hidden = draw(st.integers(1, 12))
    width = made.groups * draw(st.integers(1, 4))
    return replace(made, d_model=width, ffn=hidden)


def model(decoder: Decoder) -> Model:
    """The torch model of a decoder.

    Raises:
        ValueError: an option that the torch model does not have.
    """
    every = {*PROJECTIONS, *(() if decoder.attention_only else ("ffn",))}
    if set(decoder.bias) not in (set(), every) or decoder.norm != "rms":
        raise ValueError(f"no such torch model: {decoder}")
    config = DecoderConfig(
        vocabulary=decoder.vocabulary,
        context=decoder.context,
        width=decoder.d_model,
        layers=decoder.layers,
        heads=decoder.heads,
        head_width=decoder.d_k,
        kv_heads=decoder.groups,
        ffn_width=decoder.ffn,
        gated=decoder.gated,
        tied=decoder.tied,
        biases=bool(decoder.bias),
        qk_norm=decoder.qk_norm,
        residual_gates=decoder.residual_gates,
    )
    return Model(config, generator=torch.Generator().manual_seed(0))


def learned(made: torch.nn.Module) -> int:
    """Numbers that are learned; tied weights count once."""
    return sum(parameter.numel() for parameter in made.parameters())


def counted(made: Model, batch: int, tokens: int, scores: Scores) -> tuple[int, int]:
    """Operations forward and backward, by torch's counter, of explicit products."""
    symbols = torch.zeros(batch, tokens, dtype=torch.long)
    with FlopCounterMode(display=False) as forward:
        logits = made(symbols, products=scores)
    with FlopCounterMode(display=False) as backward:
        logits.sum().backward()
    return forward.get_total_flops(), backward.get_total_flops()
