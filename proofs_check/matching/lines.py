"""Matched decoders as lines for a terminal."""

from __future__ import annotations

from fractions import Fraction

from ...symbolic.attention_only.matching import Counted, Match
from .matching import Report

_HEADER = ("", "L", "d", "H", "G", "parameters", "", "operations", "")
_BY = {"parameters": "parameter-matched", "operations": "FLOP-matched"}


def matching_lines(found: Report) -> list[str]:
    """The table, the exact residuals, and the notes."""
    m = found.matching
    rows = [_HEADER, _row("standard", m.standard, m.standard)]
    rows.append(_row("depth-matched", m.in_place, m.standard))
    for match in m.matches:
        rows += [_row(_BY[match.by], counted, m.standard) for counted in match.found]
    widths = [max(len(row[k]) for row in rows) for k in range(len(_HEADER))]
    lines = [
        "  ".join(
            cell.ljust(width) if k == 0 else cell.rjust(width)
            for k, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    lines.append("")
    lines += [_residual(match) for match in m.matches]
    free = {"depth": "the depth", "width": "the width", "both": "depth and width"}[m.vary]
    length = f"{m.tokens:,} token{'' if m.tokens == 1 else 's'}"
    lines.append(f"Free: {free}. Operations: a training step on {length}, {m.scores} scores.")
    return lines + [f"Note: {note}" for note in found.notes]


def _row(name: str, counted: Counted, standard: Counted) -> tuple[str, ...]:
    c = counted.decoder
    sizes = (c.layers, c.d_model, c.heads, c.groups, counted.parameters)
    return (
        name,
        *(f"{size:,}" for size in sizes),
        _percent(counted.parameters, standard.parameters),
        f"{counted.operations:,}",
        _percent(counted.operations, standard.operations),
    )


def _percent(value: int, target: int) -> str:
    share = Fraction(100 * (value - target), target)
    return "" if value == target else f"{float(share):+.4g}%"


def _residual(match: Match) -> str:
    told = " or ".join(
        f"{counted.cost(match.by) - match.target:+,} ({match.residual(k)})"
        for k, counted in enumerate(match.found)
    )
    exact = "exact" if match.mismatch == 0 else f"residual {told} of {match.target:,}"
    tie = " (a tie)" if len(match.found) > 1 else ""
    return f"{_BY[match.by]}: {exact}{tie}; no member of the family is closer"
