"""How many parameters of attention the function cannot see, exactly (claims C1 to C5).

Unidentified = dimension of the generic fibre of parameters -> function. It is added up from the
units of a layer (see `units`), each the dimension of a commutant that was solved for; every summand
carries its reason. Nothing depends on the size of a head, so a large model costs as little as a
small one. A case that is not covered has a reason instead of a number.

Generic weights are meant. The scores are seen up to a term that depends on the query alone, unless
there is a further logit; norms have eps = 0; the sequences are as long as the rotations need.

A LayerNorm before the projections leaves d - 1 dimensions. What the function sees is the layer on
those, with a constant where a projection or the norm has a bias; the parameters map onto its
parameters with full rank, so all that they are more is unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from .architecture import Architecture
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
        block: both together, and the gains and biases of the norm before the projections.
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
        d = architecture.d_model
        return Counts(*(_answer(partial(_latent, architecture, role, d)) for role in _ROLES))
    qk = _answer(lambda: query_key_answer(architecture))
    vo = _answer(lambda: value_output_answer(architecture, architecture.d_model))
    return Counts(qk, vo, _together(architecture, qk, vo))


def model_count(architecture: Architecture) -> Answer:
    """Count what a model's function cannot see of the attention of all its layers.

    Every layer is added to what it reads, and what it adds is read through norms like its own, a
    last one included: LayerNorm removes the mean of what is written, too. Everything else in the
    model is held fixed. Without norms a vector that one layer's output bias adds can be taken back
    behind the next layers' biases, as long as nothing but attention reads it in between.

    Args:
        architecture: of every layer, with ``layers``.

    Example:
        >>> model_count(Architecture(d_model=6, heads=2, input_norm="layer", layers=2)).count
        Count(unidentified=120, total=288)
    """
    a = architecture
    writes = a.reads
    if a.mla is not None:
        one = _answer(partial(_latent, a, "block", writes))
    else:
        vo = _answer(lambda: value_output_answer(a, writes))
        one = _together(a, _answer(lambda: query_key_answer(a)), vo)
    if one.count is None:
        return one
    sources = [Source(a.layers * source.dimension, source.why) for source in one.sources]
    if a.input_norm == "none" and translated(a):
        sources.append(Source((a.layers - 1) * a.d_model, TRANSLATION))
    return _added(sources, a.layers * one.count.total)


TRANSLATION = "a vector added to the residual stream before a layer, which its biases take back"


def translated(a: Architecture) -> bool:
    """Whether the biases of a layer can undo a translation of what it reads, and of what it adds.

    b_Q and b_K follow it; without rotation and further logit b_K need not, and what the values add
    is a constant then, as weights sum to one.
    """
    needed = {"q", "o"}
    if a.rope != "none" or a.sink or a.qk_norm:
        needed.add("k")
    if a.sink:
        needed.add("v")
    return needed <= set(a.bias)


def _together(a: Architecture, qk: Answer, vo: Answer) -> Answer:
    if qk.count is None or vo.count is None:
        return Answer(None, reason=qk.reason or vo.reason)
    own = _input_norm(a)
    total = qk.count.total + vo.count.total + sum(source.dimension for source in own)
    return _added((*qk.sources, *vo.sources, *own), total)


_ROLES = ("qk", "vo", "block")


def _answer(work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except NotCovered as uncovered:
        return Answer(None, reason=str(uncovered))


def _added(sources: Collection[Source], total: int) -> Answer:
    kept = tuple(source for source in sources if source.dimension)
    return Answer(Count(sum(source.dimension for source in kept), total), kept)


def query_key_answer(a: Architecture) -> Answer:
    """W_Q, W_K, their biases and gains.

    Raises:
        NotCovered: no count is proved.
    """
    units = query_key_units(a)
    inert = 0
    if "k" in a.read_biases and not (a.qk_norm or a.sink or a.tied_qk):
        inert = sum(unit.width * unit.copies for unit in units if _blind(unit, a))
    seen = sum(unit.parameters * unit.copies for unit in units) + inert
    projections = {"k": a.kv_heads} if a.tied_qk else {"q": a.heads, "k": a.kv_heads}
    rows = sum(count * (a.d_model + (name in a.bias)) for name, count in projections.items())
    total = a.head_dim * (rows + 2 * a.qk_norm_gain)
    sources = [
        Source(unit.copies * dimension, why) for unit in units for dimension, why in _reasons(unit)
    ]
    name = "b_K" if "k" in a.bias else "what W_K makes of the norm's bias"
    all_of_it = name if a.rope == "none" else f"the part of {name} that is not rotated"
    sources.append(Source(inert, f"{all_of_it}: it moves all scores of a query alike"))
    sources.append(Source(total - seen, _MEAN.format("W_Q and W_K")))
    return _added(sources, total)


_MEAN = "a direction of every row of {}, which LayerNorm leaves empty or constant"
_WRITTEN = "the mean of what is written, which every LayerNorm that reads it removes"


def _blind(unit: Unit, a: Architecture) -> bool:
    """Whether the key bias is no row of this unit because the softmax does not see it."""
    return unit.key_rows == a.reads


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


def value_output_answer(a: Architecture, writes: int) -> Answer:
    """W_V, W_O and their biases, ``writes`` dimensions of the output seen.

    Raises:
        NotCovered: no count is proved.
    """
    unit = value_output_unit(a, writes=writes)
    shared = a.kv_heads * a.head_dim
    total = shared * (a.d_model + ("v" in a.bias)) + a.heads * a.head_dim * a.d_model
    seen = unit.parameters * unit.copies
    sources = [Source(unit.copies * n, why) for n, why in _reasons(unit)]
    if "v" in a.read_biases and not a.sink:
        seen += shared
        name = "b_V" if "v" in a.bias else "what W_V makes of the norm's bias"
        if "o" in a.bias:
            sources.append(Source(shared, f"{name}: it merges into b_O"))
        else:
            numbers = "d" if writes == a.d_model else "d - 1"
            why = f"{name}: only what W_O makes of it is seen, {numbers} numbers"
            sources.append(Source(max(0, shared - writes), why))
    if "o" in a.bias:
        total, seen = total + a.d_model, seen + writes
    written = (a.d_model - writes) * (a.heads * a.head_dim + ("o" in a.bias))
    sources.append(Source(written, _WRITTEN))
    sources.append(Source(total - seen - written, _MEAN.format("W_V")))
    return _added(sources, total)


def _latent(a: Architecture, role: str, writes: int) -> Answer:
    total, sources = latent_sources(a, role, writes=writes)
    found = [Source(dimension, why) for dimension, why in sources]
    if a.mla is not None and role != "qk":
        found.append(Source((a.d_model - writes) * a.heads * a.mla.value_dim, _WRITTEN))
    own = _input_norm(a) if role == "block" else ()
    return _added((*found, *own), total + sum(source.dimension for source in own))


def _input_norm(a: Architecture) -> tuple[Source, ...]:
    """The parameters of the norm before the projections, all of them absorbed."""
    d = a.d_model
    gains = Source(d, "the gains before the projections, which W_Q, W_K and W_V can absorb")
    biases = Source(d, "the biases of the norm before the projections, which they can absorb")
    return (*((gains,) if a.input_norm_gain else ()), *((biases,) if a.input_norm_bias else ()))
