"""How many parameters of attention the function cannot see, exactly (claims C1 to C5).

Unidentified = dimension of the generic fibre of parameters -> function. It is added up from the
units of a layer (see `units`), each the dimension of a commutant that was solved for; every summand
carries its reason. Nothing depends on the size of a head, so a large model costs as little as a
small one. A case that is not covered has a reason instead of a number.

Generic weights are meant. The scores are seen up to a term that depends on the query alone, unless
there is a further logit; norms have eps = 0; the sequences are as long as the rotations need.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ..errors import InputError
from .architecture import BIASES, Architecture
from .latent import latent_sources
from .units import NotCovered, Unit, query_key_units, value_output_unit


@dataclass(frozen=True)
class Count:
    """A count of parameters.

    Args:
        unidentified: dimension of the fibre.
        total: parameters, biases and gains included.
    """

    unidentified: int
    total: int

    @property
    def ratio(self) -> Fraction:
        """The share of parameters that is unidentified.

        Example:
            >>> Count(384 * 32, 2 * 384**2).ratio
            Fraction(1, 24)
        """
        return Fraction(self.unidentified, self.total)


@dataclass(frozen=True)
class Source:
    """One reason why parameters cannot be seen.

    Args:
        dimension: how many.
        why: the reason, one sentence without a full stop.
    """

    dimension: int
    why: str


@dataclass(frozen=True)
class Answer:
    """A count with its reasons, or the reason why there is none.

    Args:
        count: the count, None if the case is not covered.
        sources: what it is made of; the dimensions add up to ``count.unidentified``.
        reason: why there is no count; empty if there is one.
    """

    count: Count | None
    sources: tuple[Source, ...] = ()
    reason: str = ""


@dataclass(frozen=True)
class Counts:
    """The counts of an architecture.

    Args:
        qk: W_Q, W_K, their biases and gains (MLA: all that makes queries and keys).
        vo: W_V, W_O and their biases (MLA: all that makes values and the output).
        block: both together, and the gains before the projections.
    """

    qk: Answer
    vo: Answer
    block: Answer


def identify_architecture(architecture: Architecture) -> Counts:
    """Count what the function of one attention layer cannot see of its parameters.

    Args:
        architecture: the layer.

    Example:
        >>> found = identify_architecture(Architecture(d_model=12, heads=3, rope="distinct"))
        >>> found.qk.count, found.block.count.ratio  # the latter 1/(4d) + 1/(4H)
        (Count(unidentified=12, total=288), Fraction(5, 48))
        >>> [(source.dimension, source.why) for source in found.qk.sources]
        [(12, 'rotations and scales of the planes of W_Q and W_K, key/value group by group')]
    """
    if architecture.mla is not None:
        return Counts(*(_answer(partial(_latent, architecture, role)) for role in _ROLES))
    qk = _answer(lambda: _query_key(architecture))
    vo = _answer(lambda: _value_output(architecture))
    if qk.count is None or vo.count is None:
        return Counts(qk, vo, Answer(None, reason=qk.reason or vo.reason))
    gains = architecture.d_model if architecture.input_norm_gain else 0
    sources = (*qk.sources, *vo.sources, *_input_gains(gains))
    total = qk.count.total + vo.count.total + gains
    return Counts(qk, vo, _added(sources, total))


_ROLES = ("qk", "vo", "block")


def _answer(work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except NotCovered as uncovered:
        return Answer(None, reason=str(uncovered))


def _added(sources: Collection[Source], total: int) -> Answer:
    kept = tuple(source for source in sources if source.dimension)
    return Answer(Count(sum(source.dimension for source in kept), total), kept)


def _query_key(a: Architecture) -> Answer:
    units = query_key_units(a)
    inert = 0
    if "k" in a.bias and not (a.qk_norm or a.sink or a.tied_qk):
        inert = sum(unit.width * unit.copies for unit in units if _blind(unit, a))
    total = sum(unit.parameters * unit.copies for unit in units) + inert
    sources = [
        Source(unit.copies * dimension, why) for unit in units for dimension, why in _reasons(unit)
    ]
    all_of_it = "b_K" if a.rope == "none" else "the part of b_K that is not rotated"
    sources.append(Source(inert, f"{all_of_it}: it moves all scores of a query alike"))
    return _added(sources, total)


def _blind(unit: Unit, a: Architecture) -> bool:
    """Whether the key bias is no row of this unit because the softmax does not see it."""
    return unit.key_rows == a.d_model


def _reasons(unit: Unit) -> list[tuple[int, str]]:
    names = "W_V and W_O" if unit.role == "vo" else "W_Q and W_K"
    if unit.wide:
        left = unit.parameters - unit.entries
        return [(left, f"{names} are wider than their product, which takes every value")]
    group = "key/value group by group"
    rotated = all(part.field == "complex" for part in unit.parts)
    planes = "rotations and scales of the planes" if rotated else "any invertible map of the heads"
    orthogonal = "rotations of the planes" if rotated else "rotations of the heads"
    if unit.symmetry == "linear":
        return [(unit.moved, f"{planes} of {names}, {group}")]
    scales = (unit.scales, "the length of a projection, which the norm hides")
    if unit.symmetry == "diagonal":
        return [(unit.moved, "what a query gain and a key gain can exchange"), scales]
    return [(unit.moved, f"{orthogonal} of {names}, {group}"), scales]


def _value_output(a: Architecture) -> Answer:
    unit = value_output_unit(a)
    total = unit.parameters * unit.copies
    sources = [Source(unit.copies * n, why) for n, why in _reasons(unit)]
    if "v" in a.bias and not a.sink:
        shared = a.kv_heads * a.head_dim
        total += shared
        if "o" in a.bias:
            sources.append(Source(shared, "b_V: it merges into b_O"))
        else:
            unseen = max(0, shared - a.d_model)
            sources.append(Source(unseen, "b_V: only W_O b_V is seen, d numbers"))
    if "o" in a.bias:
        total += a.d_model
    return _added(sources, total)


def _latent(a: Architecture, role: str) -> Answer:
    total, sources = latent_sources(a, role)
    found = [Source(dimension, why) for dimension, why in sources]
    gains = a.d_model if role == "block" and a.input_norm_gain else 0
    return _added((*found, *_input_gains(gains)), total + gains)


def _input_gains(gains: int) -> tuple[Source, ...]:
    why = "the gains before the projections, which W_Q, W_K and W_V can absorb"
    return (Source(gains, why),) if gains else ()


def query_key_count(
    d: int,
    heads: int,
    kv_heads: int,
    head_dim: int,
    *,
    rotary_dim: int = 0,
    biases: Collection[str] = (),
) -> Count:
    """The count for W_Q, W_K and their biases, by sizes.

    Args:
        d: width of the residual stream.
        heads: H.
        kv_heads: G, a divisor of H.
        head_dim: d_k.
        rotary_dim: r, even: how many of the d_k coordinates are rotated, frequencies distinct.
        biases: those of "q" and "k" are counted.

    Raises:
        InputError: the sizes do not fit.

    Example:
        >>> query_key_count(12, 3, 3, 4).ratio  # 1/(2 H)
        Fraction(1, 6)
        >>> query_key_count(12, 3, 3, 4, rotary_dim=4).ratio  # 1/(2 d)
        Fraction(1, 24)
    """
    architecture = Architecture(
        d_model=d,
        heads=heads,
        kv_heads=_positive(kv_heads),
        head_dim=_positive(head_dim),
        rope="distinct" if rotary_dim else "none",
        rotary_dim=rotary_dim,
        bias=tuple(name for name in BIASES if name in biases and name in "qk"),
    )
    return _number(_query_key(architecture))


def value_output_count(
    d: int, heads: int, kv_heads: int, head_dim: int, *, biases: Collection[str] = ()
) -> Count:
    """The count for W_V, W_O and their biases, by sizes.

    Args:
        d: width of the residual stream.
        heads: H.
        kv_heads: G, a divisor of H.
        head_dim: d_k.
        biases: those of "v" and "o" are counted.

    Raises:
        InputError: the sizes do not fit.

    Example:
        >>> value_output_count(12, 3, 3, 4, biases=("v", "o")).unidentified
        60
    """
    architecture = Architecture(
        d_model=d,
        heads=heads,
        kv_heads=_positive(kv_heads),
        head_dim=_positive(head_dim),
        bias=tuple(name for name in BIASES if name in biases and name in "vo"),
    )
    return _number(_value_output(architecture))


def _positive(size: int) -> int:
    if type(size) is not int or size < 1:
        raise InputError("a positive size", repr(size))
    return size


def _number(answer: Answer) -> Count:
    if answer.count is None:
        raise InputError("a case that is covered", answer.reason)
    return answer.count
