"""Networks of soft attention in mpmath: a second one beside `symbolic.tropical.soft_network`.

It shares nothing with the intervals and the recursion of claim A12, and its accuracy is not proved:
at 60 digits a few layers of small numbers are right to far more than `ROUNDING`.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath

from ....symbolic.rational import Rational
from ....symbolic.regions.network import Network

_MP = mpmath.mp.clone()
_MP.dps = 60
ROUNDING = Fraction(1, 10**40)


def soft_output(network: Network, point: Sequence[Rational], temperature: Rational) -> list[Any]:
    """The output of the soft network."""
    state = [_real(x) for x in point]
    for layer in network.layers:
        before, state = state, []
        if layer.residual:
            rows = layer.linear
            state = list(before) if rows is None else [_dot(row, before) for row in rows]
        for head in layer.heads:
            scores = [
                (_dot(key, before) + _real(bias)) / _real(temperature)
                for key, bias in zip(head.keys, head.biases, strict=True)
            ]
            weights = [_MP.exp(score - max(scores)) for score in scores]
            mean = [
                _dot(column, weights) / sum(weights) for column in zip(*head.values, strict=True)
            ]
            state = [a + b for a, b in zip(state, mean, strict=True)] if state else mean
        if layer.ffn is not None:
            w1, b1, w2, b2 = layer.ffn.w1, layer.ffn.b1, layer.ffn.w2, layer.ffn.b2
            active = [max(_dot(w, state) + _real(b), 0) for w, b in zip(w1, b1, strict=True)]
            added = [_dot(w, active) + _real(b) for w, b in zip(w2, b2, strict=True)]
            state = [a + b for a, b in zip(state, added, strict=True)]
    return state


def distance(network: Network, point: Sequence[Rational], temperature: Rational) -> Fraction:
    """How far the soft output is from the hard one, which is exact."""
    soft, hard = soft_output(network, point, temperature), network.evaluate(point)
    squares = ((x - _real(y)) ** 2 for x, y in zip(soft, hard, strict=True))
    return Fraction(str(_MP.sqrt(sum(squares, _MP.mpf(0)))))


def _real(value: Rational) -> Any:
    return _MP.mpf(value.numerator) / value.denominator


def _dot(row: Sequence[Rational], numbers: Sequence[Any]) -> Any:
    return sum((_real(x) * y for x, y in zip(row, numbers, strict=True)), _MP.mpf(0))
