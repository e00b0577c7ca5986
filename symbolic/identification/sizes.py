"""Counts by sizes alone, for layers without norms and further logits."""

from __future__ import annotations

from collections.abc import Collection

from ..errors import InputError
from .architecture import Architecture
from .counts import Answer, Count, query_key_answer, value_output_answer
from .fields import BIASES


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
    return _number(query_key_answer(architecture))


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
    return _number(value_output_answer(architecture, d))


def _positive(size: int) -> int:
    if type(size) is not int or size < 1:
        raise InputError("a positive size", repr(size))
    return size


def _number(answer: Answer) -> Count:
    if answer.count is None:
        raise InputError("a case that is covered", answer.reason)
    return answer.count
