"""What was found, as lines: columns that grep can read, and a sentence for every exception."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...numeric.checkpoint import ROLES, Architecture, Role
from ...numeric.ensemble.diversity import LayerDiversity
from ...numeric.ensemble.null_law import NullLaw
from ...numeric.tropical.skeleton import Skeleton
from .diversity import Diversity
from .inspection import Inspection, Unidentified
from .on_text import INERT, TextInspection

_NAMED = 8
"""As many exceptions are named; the JSON has them all."""


def model_line(found: Diversity) -> str:
    """The architecture in one line."""
    model = found.checkpoint.model
    biased = [role for role in ROLES if found.checkpoint.biased(role)]
    parts = [
        f"{model.model_type}: {_count(model.layers, 'layer')}, d {model.d}, {_heads(model)} of "
        f"{model.head_dim}",
        f"{model.positions} positions",
        f"biases: {', '.join(biased) or 'none'}",
    ]
    if 0 < model.rotary_dim < model.head_dim:
        parts[1] += f" ({model.rotary_dim} of {model.head_dim} coordinates)"
    if found.checkpoint.layout.qk_norm:
        parts.append("queries and keys normalised")
    return "; ".join(parts)


def diversity_lines(found: Diversity) -> list[str]:
    """HDI of every layer and projection beside the null law, and all exceptions by name."""
    header = ["layer", *(f"HDI {role}" for role in ROLES), *(f"H_eff {role}" for role in ROLES)]
    rows = [
        [
            str(layer.layer),
            *(_index(layer, role) for role in ROLES),
            *(_number(layer.role(role).effective, 2) for role in ROLES),
        ]
        for layer in found.layers
    ]
    lines = _table(header, rows)
    for law in (found.laws[count] for count in sorted(found.laws)):
        lines.append(null_line(law, len(found.laws) > 1))
    return [*lines, *_exceptions(found.layers)]


def null_line(law: NullLaw, named: bool) -> str:
    """The null law in one line."""
    which = f" of {law.heads} random subspaces" if named else ""
    line = f"null{which}: HDI {law.index_mean:.5f}, standard deviation {law.index_deviation:.5f}"
    if law.index_quantiles:
        low, high = law.index_quantiles[0.025], law.index_quantiles[0.975]
        line += f"; 95 % in {low:.5f} to {high:.5f} ({law.index_draws} draws, seed {law.seed})"
    low, high = law.overlap_quantiles[0.025], law.overlap_quantiles[0.975]
    return (
        f"{line}; overlap of a pair {law.overlap_mean:.5f}, 95 % in {low:.5f} to {high:.5f} "
        f"({law.draws} draws)"
    )


def spectrum_lines(found: Diversity) -> list[str]:
    """The ranks of the products, layer by layer: least, median and largest head."""
    header = ["layer", "QK stable rank", "QK effective rank", "OV stable rank", "OV effective rank"]
    rows = [
        [
            str(layer.layer),
            *(
                _range([getattr(spectrum, name) for spectrum in spectra])
                for spectra in (layer.qk, layer.ov)
                for name in ("stable_rank", "effective_rank")
            ),
        ]
        for layer in found.layers
    ]
    return _table(header, rows)


def inspection_lines(found: Inspection) -> list[str]:
    """Biases, identification and what the model does on a text."""
    biased = [role for role in ROLES if found.checkpoint.biased(role)]
    lines = []
    if biased:
        header = ["layer", *(f"|b_{role[0].upper()}|" for role in biased)]
        rows = [
            [str(layer.layer), *(f"{norms[role].whole:.4f}" for role in biased)]
            for layer, norms in zip(found.layers, found.biases, strict=True)
        ]
        lines += [*_table(header, rows), ""]
    lines.append("parameters that the function cannot see, by formula, for every layer")
    lines.append(f"  W_Q, W_K: {_identified(found.query_key)}")
    lines.append(f"  W_V, W_O: {_identified(found.value_output)}")
    lines += ["", *balance_lines(found), ""]
    if found.text is None:
        return [*lines, f"the model was not run: {found.not_run}"]
    return [*lines, *text_lines(found.text)]


def balance_lines(found: Inspection) -> list[str]:
    """How far the factors are from balanced, layer by layer: least, median and largest group."""
    header = ["layer", "W_Q, W_K", "W_O, W_V"]
    rows = [
        [
            str(layer.layer),
            *(_shares(values) if values else "normalised" for values in (one.qk, one.vo)),
        ]
        for layer, one in zip(found.layers, found.balance, strict=True)
    ]
    told = "imbalance of the factors, relative, by key/value head (least / median / largest):"
    meant = "  0 balanced, 1 one factor is all; gradient flow conserves it, weight decay lowers it"
    return [told, meant, *_table(header, rows)]


def text_lines(text: TextInspection) -> list[str]:
    """What zeroed biases change, and where the heads look."""
    lines = [f"on a text of {text.tokens} tokens, in float64"]
    for test in text.biases:
        told = "unchanged to rounding" if test.inert else "changed"
        surprise = "" if test.as_expected in (True, None) else "  NOT as the theory says"
        lines.append(
            f"  b_{test.role[0].upper()} = 0 in all layers: outputs {told}, by {test.change:.1e} "
            f"of the largest (unchanged: at most {INERT:.0e}){surprise}"
        )
    if text.key_bias:
        within = sum(one.within for one in text.key_bias)
        largest = max(one.change for one in text.key_bias)
        bound = max(one.bound for one in text.key_bias)
        lines.append(
            f"  attention weights with and without b_K: within their rounding bound in {within} of "
            f"{_count(len(text.key_bias), 'layer')} (largest change {largest:.1e}, largest bound "
            f"{bound:.1e})"
        )
    if text.heads:
        lines += ["", *_skeleton_lines(text)]
    else:
        lines.append("  no skeleton: positions enter the scores")
    return lines


def _skeleton_lines(text: TextInspection) -> list[str]:
    header = [
        "layer",
        "never win",
        "never win, mixed",
        "best for no token",
        "median lead",
        "certified > 1/2",
        "weight > 1/2",
    ]
    rows = [
        [
            str(number),
            _share(sum(h.everywhere.never for h in heads), sum(h.everywhere.keys for h in heads)),
            _share(sum(h.mixed.never for h in heads), sum(h.mixed.keys for h in heads)),
            _share(sum(h.unvisited for h in heads), sum(h.everywhere.keys for h in heads)),
            _number(_median([float(h.leads.median()) for h in heads]), 2),
            _share(sum(h.certified[0.5] for h in heads), sum(h.positions for h in heads)),
            _share(sum(h.heavy[0.5] for h in heads), sum(h.positions for h in heads)),
        ]
        for number, heads in enumerate(text.heads)
    ]
    undecided = sum(_undecided(h) for heads in text.heads for h in heads)
    lines = _table(header, rows)
    lines.append(
        "never win: keys that no query lets win alone; mixed: no mixture of three tokens' queries; "
        "certified: positions where the lead alone proves a weight above 1/2 (A10)"
    )
    if undecided:
        lines.append(f"{_count(undecided, 'key')} undecided, counted as winning")
    return lines


def _undecided(head: Skeleton) -> int:
    return head.everywhere.undecided + head.mixed.undecided


def _exceptions(layers: Sequence[LayerDiversity]) -> list[str]:
    deficient = [
        f"layer {layer.layer} {entry.role} head {h} (rank {entry.ranks[h]} of {entry.d_k})"
        for layer in layers
        for entry in layer.roles
        for h in entry.deficient
    ]
    same = [
        f"layer {layer.layer} {entry.role} heads {h} and {g}"
        for layer in layers
        for entry in layer.roles
        for h, g in entry.same
    ]
    duplicates = [
        f"layer {layer.layer} heads {h} and {g}" for layer in layers for h, g in layer.duplicates
    ]
    repeated = [
        f"layer {layer.layer} {name} head {h}"
        for layer in layers
        for name, spectra in (("QK", layer.qk), ("OV", layer.ov))
        for h, spectrum in enumerate(spectra)
        if spectrum.repeated
    ]
    return [
        *_named("rank-deficient (marked *, left out of HDI)", deficient),
        *_named("same subspace", same),
        *_named("duplicates: QK and OV products equal up to scale", duplicates),
        *_named("repeated singular values", repeated),
    ]


def _named(what: str, places: Sequence[str]) -> list[str]:
    if not places:
        return []
    more = len(places) - _NAMED
    tail = [f"and {more} more (--json has them all)"] if more > 0 else []
    return [f"{what}: {'; '.join([*places[:_NAMED], *tail])}"]


def _index(layer: LayerDiversity, role: Role) -> str:
    entry = layer.role(role)
    return _number(entry.index, 5) + ("*" if entry.deficient else "")


def _identified(found: Unidentified) -> str:
    if found.count is None:
        return found.reason
    count = found.count
    share = 100 * float(count.ratio)
    return f"{count.unidentified:,} of {count.total:,} (ratio {count.ratio}, {share:.3g} %)"


def _heads(model: Architecture) -> str:
    if model.kv_heads == model.heads:
        return _count(model.heads, "head")
    return f"{model.heads} query and {_count(model.kv_heads, 'key/value head')}"


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Columns aligned on the right."""
    whole = [header, *rows]
    widths = [max(len(row[n]) for row in whole) for n in range(len(header))]
    return [
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in whole
    ]


def _number(value: float | None, digits: int) -> str:
    return "none" if value is None else f"{value:.{digits}f}"


def _range(values: Sequence[float]) -> str:
    return f"{min(values):.1f} / {_median(values):.1f} / {max(values):.1f}"


def _shares(values: Sequence[float]) -> str:
    return f"{min(values):.3f} / {_median(values):.3f} / {max(values):.3f}"


def _median(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
