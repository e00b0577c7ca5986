"""Pictures of the topic attention_only that need no training: what a block costs, and of what.

Every number comes from the exact accounting and matching; only the height of a line is rounded.
"""

from __future__ import annotations

from bisect import bisect
from dataclasses import replace
from fractions import Fraction
from functools import cache

from matplotlib.figure import Figure

from ....symbolic.attention_only.accounting import products
from ....symbolic.attention_only.decoder import Decoder
from ....symbolic.attention_only.matching import match
from ..plot import INK, SERIES, Plot, svg

_LONGEST = 8192
_MATCHED = 2048
"""The context at which operations are matched."""
_LENGTHS = tuple(range(512, _LONGEST + 1, 512))
STANDARD = Decoder(
    d_model=768, layers=12, heads=12, ffn=3072, vocabulary=50_257, context=_LONGEST
)  # fmt: skip
LLAMA = Decoder(
    d_model=4096, layers=32, heads=32, kv_heads=8, ffn=14_336, gated=True, tied=False,
    vocabulary=128_256, context=_LONGEST,
)  # fmt: skip
_MATRICES = {
    "queries": "Q",
    "keys": "K",
    "values": "V",
    "attention output": "O",
    "hidden layer": "feed-forward, in",
    "feed-forward output": "feed-forward, out",
}
"""Product by a matrix of a block -> what its bar is called."""


@cache
def plots() -> tuple[Plot, ...]:
    """The pictures of the topic that are always the same, drawn once."""
    made = decoders()
    by_parameters, by_operations = made["parameter-matched"].layers, made["FLOP-matched"].layers
    return (
        Plot(
            "block-operations",
            "attention_only.matching",
            "What training costs, by context",
            "Operations of a training step for each token in all blocks, divided by the "
            f"{STANDARD.layers} blocks of the standard decoder (width {STANDARD.d_model}, feed-"
            f"forward layers of {STANDARD.ffn:,}); scores that are masked are not counted. "
            "In place, the feed-forward layers are deleted and the depth stays. The decoder with "
            f"as many parameters has {by_parameters} attention-only blocks and costs more at every "
            "length shown, because each block has scores to compute. The one with as many "
            f"operations at n = {_MATCHED:,}, logits included, has {by_operations}; from "
            f"n = {crossing():,} on it costs more than the standard one, at smaller lengths less.",
            svg("block-operations", (5.6, 4.2), _operations),
        ),
        Plot(
            "block-parameters",
            "attention_only.accounting",
            "Where the parameters of a block sit",
            "Entries of the matrices of one block, in units of the squared width: those that make "
            "queries (Q), keys (K), values (V) and the output of attention (O), and those into and "
            "out of the hidden feed-forward layer. Standard: heads of their own keys and values, "
            f"and a feed-forward layer of {STANDARD.ffn // STANDARD.d_model} "
            f"times the width. Llama-shaped: width {LLAMA.d_model:,}, {LLAMA.heads} heads in "
            f"{LLAMA.groups} groups, so that keys and values are small, and a gated feed-forward "
            f"layer of {LLAMA.ffn:,}, whose gate is counted with the matrix in. Attention-only: "
            "the standard block without its feed-forward layer. Norms, less than a thousandth of a "
            "block, are not drawn.",
            svg("block-parameters", (7.2, 2.9), _parameters),
        ),
    )


@cache
def decoders() -> dict[str, Decoder]:
    """The standard decoder and its counterparts without feed-forward layers, free in depth.

    Example:
        >>> {name: made.layers for name, made in decoders().items()}["in place"]
        12
    """
    found = match(STANDARD, tokens=_MATCHED)
    return {
        "standard": STANDARD,
        "in place": found.in_place.decoder,
        "FLOP-matched": found.match("operations").found[0].decoder,
        "parameter-matched": found.match("parameters").found[0].decoder,
    }


def cost(decoder: Decoder, n: int) -> Fraction:
    """Operations of training in all blocks, a token and a block of the standard decoder.

    Example:
        >>> cost(STANDARD, 1) == 3 * (2 * 12 * 768**2 + 4 * 768)
        True
    """
    made = products(replace(decoder, context=n), scores="causal")
    total = sum(p.forward + p.backward for p in made if p.name != "logits")
    return Fraction(total, n * STANDARD.layers)


@cache
def crossing() -> int:
    """The least context at which the FLOP-matched decoder costs more than the standard one.

    Example:
        >>> n, made = crossing(), decoders()["FLOP-matched"]
        >>> [cost(made, m) > cost(STANDARD, m) for m in (n - 1, n)]
        [False, True]
    """
    made = decoders()["FLOP-matched"]
    # Both costs are affine in the context, and the deeper decoder has the greater slope.
    lengths = range(1, _LONGEST + 1)
    return lengths[bisect(lengths, 0, key=lambda n: cost(made, n) > cost(STANDARD, n))]


def weights(decoder: Decoder) -> dict[str, Fraction]:
    """Entries of the matrices of one block, in units of d^2, by the product that they serve.

    Example:
        >>> [str(share) for share in weights(LLAMA).values()]
        ['1', '1/4', '1/4', '1', '7', '7/2']
    """
    return {
        p.name: Fraction(p.inner * p.columns * p.times, decoder.layers * decoder.d_model**2)
        for p in products(decoder)
        if p.name in _MATRICES
    }


def _operations(figure: Figure) -> None:
    axes = figure.subplots()
    lines = ("-", "--", "-.", ":")
    for (name, made), colour, line in zip(decoders().items(), SERIES, lines, strict=False):
        heights = [float(cost(made, n)) / 1e6 for n in _LENGTHS]
        label = f"{name}, {made.layers} blocks"
        axes.plot(_LENGTHS, heights, line, color=colour, label=label)
    axes.axvline(_MATCHED, color=INK, linewidth=0.8, linestyle=(0, (1, 3)))
    axes.annotate("FLOPs matched here", (_MATCHED + 120, 4), fontsize=9)
    axes.set(
        xlabel="context $n$",
        ylabel="training FLOPs per token\nand standard block, in millions",
        xlim=(0, _LONGEST),
        ylim=(0, None),
    )
    axes.set_xticks([0, 2048, 4096, 6144, 8192])
    figure.legend(loc="outside upper center", ncols=2, fontsize=9)


def _parameters(figure: Figure) -> None:
    axes = figure.subplots()
    rows = {
        "standard": STANDARD,
        "Llama-shaped": LLAMA,
        "attention-only": STANDARD.without_ffn(),
    }
    for y, made in enumerate(rows.values()):
        left = 0.0
        for name, share in weights(made).items():
            colour = SERIES[tuple(_MATRICES).index(name)]
            width = float(share)
            axes.barh(y, width, 0.62, left, color=colour, alpha=0.28, linewidth=0)
            axes.barh(y, width, 0.62, left, fill=False, edgecolor=colour, linewidth=1.2)
            size = 9 if width >= 1 else 7
            axes.annotate(
                _MATRICES[name], (left + width / 2, y), ha="center", va="center", fontsize=size
            )
            left += width
        axes.annotate(f"{left:g}", (left + 0.12, y), va="center", fontsize=10)
    axes.set_yticks(range(len(rows)), tuple(rows))
    axes.tick_params(axis="y", length=0)
    axes.invert_yaxis()
    axes.grid(False)
    axes.set(xlabel="entries of the matrices of a block, in units of $d^2$", xlim=(0, 13.8))
