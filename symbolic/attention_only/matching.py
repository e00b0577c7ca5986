"""Attention-only decoders matched with a standard one: in parameters, operations or depth (D2).

The family: the options, the head dimension and the ratio of heads to groups are those of the
standard decoder. A unit of width is one group: w groups, w H/G heads, and a stream of width w d/G.
Either the depth is free, or the width, or both. What is matched is the number of parameters or of
operations of a training step; the residual mismatch is exact.

*Why the answer is optimal.* Both costs grow strictly with the depth and with the width. For one
width the best depth is therefore one of the two around the target, found by solving a linear
equation; widths are tried in ascending order and end where even the smallest depth costs more than
the target by at least the best mismatch so far. The bracket (`Match.below`, `Match.above`) is what
was excluded: every member of the family has at most the size of one in ``below`` or at least that
of one in ``above`` in both coordinates, and all of these miss the target by the mismatch or more.
The cost is one evaluation of a polynomial a width, some hundreds for billions of parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal, TypeAlias, get_args

from ..errors import InputError
from .accounting import SCORES, Scores, operations, parameters
from .decoder import Decoder, Size

Cost = Literal["parameters", "operations"]
COSTS: tuple[Cost, ...] = get_args(Cost)
Vary = Literal["depth", "width", "both"]
VARY: tuple[Vary, ...] = get_args(Vary)
Member: TypeAlias = tuple[int, int]
"""(w, L): groups of heads and depth."""

WIDEST = 20_000
"""Most widths that are tried: a bound on the time, far beyond any decoder."""


@dataclass(frozen=True)
class Counted:
    """A decoder with its costs.

    Args:
        decoder: sizes and options.
        parameters: numbers that are learned.
        operations: of a training step on one sequence.
    """

    decoder: Decoder
    parameters: int
    operations: int

    def cost(self, of: Cost) -> int:
        """One of both."""
        return self.parameters if of == "parameters" else self.operations


@dataclass(frozen=True)
class Match:
    """The closest members of the family.

    Args:
        by: what is matched.
        target: its value for the standard decoder.
        mismatch: the least |cost - target| over the family.
        members: every member that attains it, as (groups, depth), ascending.
        found: these members, counted.
        below: members whose cost is at most target - mismatch.
        above: members whose cost is at least target + mismatch; with ``below`` they cover the
            family (see the module).
    """

    by: Cost
    target: int
    mismatch: int
    members: tuple[Member, ...]
    found: tuple[Counted, ...]
    below: tuple[Member, ...]
    above: tuple[Member, ...]

    def residual(self, k: int = 0) -> Fraction:
        """(cost - target)/target of the k-th member found."""
        return Fraction(self.found[k].cost(self.by) - self.target, self.target)


@dataclass(frozen=True)
class Matching:
    """A standard decoder and its attention-only counterparts.

    Args:
        standard: the decoder that was given.
        tokens: the length of the sequence.
        scores: how scores are counted.
        vary: what is free.
        in_place: the same decoder without its feed-forward layers: matched in depth.
        matches: by parameters and by operations.
    """

    standard: Counted
    tokens: int
    scores: Scores
    vary: Vary
    in_place: Counted
    matches: tuple[Match, Match]

    def match(self, by: Cost) -> Match:
        """The match by one cost."""
        return self.matches[COSTS.index(by)]


def match(
    decoder: Decoder,
    *,
    tokens: int | None = None,
    scores: Scores = "causal",
    vary: Vary = "depth",
) -> Matching:
    """Find the attention-only decoders closest to a standard one.

    Args:
        decoder: with feed-forward layers and integers for sizes.
        tokens: length of a sequence, for the operations; the context by default.
        scores: ``causal``: half of the scores, as a fused kernel computes them; ``dense``: all.
        vary: free is the ``depth``, the ``width`` (the depth stays), or ``both``.

    Raises:
        InputError: no feed-forward layer, symbols for sizes, a width that is no multiple of the
            number of groups although the width is free, or an option that does not exist.

    Example:
        >>> made = Decoder(d_model=64, layers=4, heads=4, ffn=256, vocabulary=96, context=128)
        >>> found = match(made)
        >>> [(m.by, m.members, m.residual()) for m in found.matches]
        [('parameters', ((4, 12),), Fraction(4, 3177)), ('operations', ((4, 9),), \
Fraction(-41, 1228))]
    """
    _require(decoder, scores, vary)
    n = decoder.context if tokens is None else tokens

    def counted(made: Decoder) -> Counted:
        step = operations(made, tokens=n, scores=scores).training
        return Counted(made, parameters(made), step)

    standard = counted(decoder)
    family = _Family(decoder, vary)

    def closest(by: Cost) -> Match:
        def cost(member: Member) -> int:
            made = family.decoder(member)
            if by == "parameters":
                return int(parameters(made))
            return int(operations(made, tokens=n, scores=scores).training)

        target = standard.cost(by)
        mismatch, members, below, above = _closest(family, cost, target)
        shown = tuple(counted(family.decoder(member)) for member in members)
        return Match(by, target, mismatch, members, shown, below, above)

    matches = (closest("parameters"), closest("operations"))
    return Matching(standard, n, scores, vary, counted(decoder.without_ffn()), matches)


def family_member(standard: Decoder, vary: Vary, w: Size, L: Size) -> Decoder:
    """The attention-only decoder with w groups of heads and L layers; both may be symbols.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> family_member(made, "both", 3, 5).d_model
        12
    """
    c = standard
    width = c.d_model if vary == "depth" else w * (c.d_model // c.groups)
    heads = w * (c.heads // c.groups)
    made = replace(c, d_model=width, heads=heads, kv_heads=w, head_dim=c.d_k)
    return made.without_ffn(layers=L)


@dataclass(frozen=True)
class _Family:
    standard: Decoder
    vary: Vary

    def decoder(self, member: Member) -> Decoder:
        """The member with w groups and L layers."""
        return family_member(self.standard, self.vary, *member)

    def widths(self) -> Iterator[int]:
        """All that are free, ascending."""
        own = int(self.standard.groups)
        return iter((own,) if self.vary == "depth" else range(1, WIDEST + 1))

    @property
    def depth(self) -> int | None:
        """The depth, unless it is free."""
        return int(self.standard.layers) if self.vary == "width" else None


def _closest(
    family: _Family, cost: Callable[[Member], int], target: int
) -> tuple[int, tuple[Member, ...], tuple[Member, ...], tuple[Member, ...]]:
    """The least mismatch, who attains it, and the brackets."""
    tried: list[tuple[int, Member]] = []  # (cost, member), two around the target for each width
    best: int | None = None
    least = family.depth or 1
    for w in family.widths():
        smallest = cost((w, least))
        around = [(smallest, (w, least))]
        if not family.depth:
            around = _around(w, cost, target, smallest)
        tried += around
        best = min([abs(c - target) for c, _ in around] + ([] if best is None else [best]))
        if smallest >= target + best and family.vary != "depth":
            break
    else:
        if family.vary != "depth":
            expected = f"a cost that fewer than {WIDEST:,} groups of heads reach"
            raise InputError(expected, f"{target:,}", where="vary", remedy="vary the depth")
    assert best is not None
    found = tuple(sorted(m for c, m in tried if abs(c - target) == best))
    below = tuple(m for c, m in tried if c <= target - best)
    above = tuple(m for c, m in tried if c >= target + best)
    return best, found, below, above


def _around(
    w: int, cost: Callable[[Member], int], target: int, first: int
) -> list[tuple[int, Member]]:
    """The depths around the target at one width: cost is affine in the depth."""
    if first >= target:
        return [(first, (w, 1))]
    slope = cost((w, 2)) - first
    L = 1 + (target - first) // slope
    below = first + (L - 1) * slope
    return [(below, (w, L)), (below + slope, (w, L + 1))]


def _require(decoder: Decoder, scores: str, vary: str) -> None:
    sizes = (decoder.d_model, decoder.layers, decoder.heads, decoder.groups, decoder.d_k)
    if not all(isinstance(s, int) for s in (*sizes, decoder.ffn, decoder.vocabulary)):
        raise InputError("integers for sizes", "symbols", where="decoder")
    if decoder.attention_only:
        raise InputError("a decoder with feed-forward layers", "ffn = 0", where="ffn")
    if scores not in SCORES:
        raise InputError(" or ".join(SCORES), repr(scores), where="scores")
    if vary not in VARY:
        raise InputError(", ".join(VARY[:-1]) + f" or {VARY[-1]}", repr(vary), where="vary")
    if vary != "depth" and decoder.d_model % decoder.groups:
        raise InputError(
            f"a width that is a multiple of the {decoder.groups} groups",
            str(decoder.d_model),
            where="d_model",
            remedy="vary the depth",
        )
