"""The identification of an architecture as lines for a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from ...symbolic.identification.architecture import Architecture
from ...symbolic.identification.counts import Answer
from .identification import Identification, merged

WIDTH = 100
_NAMES = {"qk": "Q, K", "vo": "V, O", "block": "layer", "model": "model"}


def identification_lines(found: Identification) -> list[str]:
    """The table, the reasons, what a change would buy, and the notes."""
    rows = [
        [_NAMES[name], *_cells(answer)]
        for name, answer in found.parts.items()
        if name != "model" or found.architecture.layers > 1
    ]
    lines = [*shape_lines(found), ""]
    lines += _table(["", "parameters", "not seen", "ratio", "share"], rows)
    for name, answer in found.parts.items():
        if answer.count is None and name != "model":
            lines += ["", *_wrapped(f"{_NAMES[name]}: no count: {answer.reason}")]
    lines += _reasons(found)
    lines += _changes(found)
    for note in found.notes:
        lines += ["", *_wrapped(f"Note: {note}")]
    return lines


def shape_lines(found: Identification) -> list[str]:
    """The sizes, and what stands between the projections and the scores."""
    a = found.architecture
    layers = f", {a.layers} layers" if a.layers > 1 else ""
    sizes = f"{found.name}: d = {a.d_model:,}, {_heads(a)}, d_k = {a.head_dim}{layers}"
    return [*_wrapped(sizes), *_wrapped("; ".join(_details(a)))]


def _heads(a: Architecture) -> str:
    shared = "" if a.kv_heads == a.heads else f", {a.kv_heads} key/value heads"
    return f"{a.heads} {'head' if a.heads == 1 else 'heads'}{shared}"


def _details(a: Architecture) -> list[str]:
    found = []
    if a.mla is not None:
        queries = f"queries {a.mla.q_rank:,}" if a.mla.q_rank else "queries direct"
        found.append(f"latent projections: {queries}, keys and values {a.mla.kv_rank:,}")
    if a.rope == "none":
        found.append("distance biases (ALiBi)" if a.alibi else "no rotations")
    else:
        frequencies = "" if a.rope == "distinct" else ", all frequencies equal"
        found.append(f"{a.rotary_dim} of {a.head_dim} coordinates rotated{frequencies}")
    if a.qk_norm:
        found.append("QK-norm with gains" if a.qk_norm_gain else "QK-norm")
    if a.tied_qk:
        found.append("W_Q = W_K")
    if a.sink:
        found.append("a further logit in the softmax")
    if a.bias:
        found.append("biases " + ", ".join(f"b_{name.upper()}" for name in a.bias))
    if a.input_norm != "none":
        norm = {"rms": "RMSNorm", "layer": "LayerNorm"}[a.input_norm]
        own = " and ".join(
            name
            for name, there in (("gains", a.input_norm_gain), ("biases", a.input_norm_bias))
            if there
        )
        found.append(f"{norm} before the projections" + (f", with {own}" if own else ""))
    return found


def _reasons(found: Identification) -> list[str]:
    sources = merged(found.counts.block)
    if not sources:
        return []
    width = max(len(f"{source.dimension:,}") for source in sources)
    lines = ["", "Why, in each layer:"]
    for source in sources:
        first, *rest = wrap(source.why, WIDTH - width - 4)
        lines.append(f"  {source.dimension:>{width},}  {first}")
        lines += [" " * (width + 4) + line for line in rest]
    return lines


def _changes(found: Identification) -> list[str]:
    rows = []
    for variant in found.variants:
        qk, block = variant.counts.qk, variant.counts.block
        rows.append([variant.name, *_cells(qk), *_cells(block)[:1], *_cells(block)[3:]])
    if len(rows) < 2:
        return []
    header = ["", "Q, K", "not seen", "ratio", "share", "layer", "share"]
    return ["", "What a change would do:", *_table(header, rows)]


def _cells(answer: Answer) -> list[str]:
    """Parameters, unidentified, ratio and share."""
    if answer.count is None:
        return ["", "no count", "", ""]
    ratio = answer.count.ratio
    return [
        f"{answer.count.total:,}",
        f"{answer.count.unidentified:,}",
        str(ratio),
        percent(float(ratio)),
    ]


def percent(share: float) -> str:
    """A share with two significant digits.

    Example:
        >>> percent(1 / 20480), percent(0.125), percent(0), percent(0.5)
        ('0.0049%', '12%', '0%', '50%')
    """
    if share <= 0:
        return "0%"
    digits = max(0, 1 - _exponent(100 * share))
    return f"{100 * share:.{digits}f}%"


def _exponent(value: float) -> int:
    return int(f"{value:.1e}".partition("e")[2])


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    lines = []
    for row in (header, *rows):
        cells = [row[0].ljust(widths[0])]
        cells += [cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)]
        lines.append("  " + "  ".join(cells).rstrip())
    return lines


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ")
