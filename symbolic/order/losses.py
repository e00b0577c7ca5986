"""Misspecified losses: what a model can reach that may use some of the lags only (claims G1, G3).

The loss is E|y - f|^2 / 2, y the one-hot of the next symbol. Two classes of f for a set S of lags:

* additive, f = sum over l in S of W_l e(x_{t-l}): what attention heads with linear maps can be.
  This is where the plateaus lie. The least loss solves normal equations of |S| V unknowns.
* Bayes, any function of the symbols at the lags in S: never more, and less where the lags interact.

Both are least-squares problems over indicators, so one exact solver serves both. The indicators of
a lag sum to 1, the normal equations are singular for |S| > 1, and a solution is read off their
reduced echelon form; the loss is the same for all solutions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

from flint import fmpq, fmpq_mat

from ..errors import InputError
from .chain import Chain, Window

Feature = Callable[[Window], int]


@dataclass(frozen=True)
class Fit:
    """The best predictor of a class.

    Args:
        loss: its loss, the least of the class.
        maps: ``maps[m][v][u]``: what feature m of value u adds to the prediction of symbol v.
        lags: S, in order.
        additive: whether each lag is a feature of its own; else all of them are one.
    """

    loss: Fraction
    maps: tuple[tuple[tuple[Fraction, ...], ...], ...]
    lags: tuple[int, ...]
    additive: bool


def additive(chain: Chain, lags: Sequence[int]) -> Fit:
    """The best additive predictor that uses the given lags.

    Args:
        chain: the chain.
        lags: S; from 1 to L, distinct, in any order; empty for the constant predictor.

    Raises:
        InputError: a lag is none, or the stationary law is not unique.

    Example:
        >>> from headproof.symbolic.order.chain import permutation_kernel
        >>> kernels = [permutation_kernel(5, m) for m in (1, 2)]
        >>> chain = Chain((Fraction(2, 3), Fraction(1, 3)), (1, 2), kernels)
        >>> additive(chain, ()).loss
        Fraction(2, 5)
    """
    chosen = _chosen(chain, lags)
    features: list[Feature] = [_digit(lag) for lag in chosen] or [_constant]
    sizes = [chain.symbols] * len(chosen) or [1]
    loss, maps = _least_squares(chain, features, sizes)
    return Fit(loss, maps, chosen, additive=True)


def bayes(chain: Chain, lags: Sequence[int]) -> Fit:
    """The best predictor of any form that uses the given lags.

    Raises:
        InputError: a lag is none, or the stationary law is not unique.
    """
    chosen = _chosen(chain, lags)
    V = chain.symbols

    def code(window: Window) -> int:
        value = 0
        for lag in chosen:
            value = value * V + window[lag - 1]
        return value

    loss, maps = _least_squares(chain, [code], [V ** len(chosen)])
    return Fit(loss, maps, chosen, additive=False)


def all_subsets(chain: Chain) -> dict[tuple[int, ...], tuple[Fraction, Fraction]]:
    """For every set of the chain's lags: the additive loss and the Bayes loss."""
    lags = sorted(chain.lags)
    return {
        chosen: (additive(chain, chosen).loss, bayes(chain, chosen).loss)
        for size in range(len(lags) + 1)
        for chosen in combinations(lags, size)
    }


def plateaus(chain: Chain) -> tuple[Fraction, ...]:
    """The additive losses of the 0, 1, ..., K most important lags: L_0 >= L_1 >= ... >= L_K."""
    pairs = zip(chain.importance, chain.lags, strict=True)
    ranked = [lag for _, lag in sorted(pairs, key=lambda pair: -Fraction(pair[0]))]
    return tuple(additive(chain, ranked[:k]).loss for k in range(len(ranked) + 1))


def _digit(lag: int) -> Feature:
    return lambda window: window[lag - 1]


def _constant(window: Window) -> int:
    return 0


def _chosen(chain: Chain, lags: Sequence[int]) -> tuple[int, ...]:
    chosen = tuple(sorted(lags))
    if len(set(chosen)) < len(chosen) or any(not 1 <= lag <= chain.window for lag in chosen):
        raise InputError(f"distinct lags from 1 to {chain.window}", str(tuple(lags)), where="lags")
    return chosen


def _least_squares(
    chain: Chain, features: Sequence[Feature], sizes: Sequence[int]
) -> tuple[Fraction, tuple[tuple[tuple[Fraction, ...], ...], ...]]:
    """The least loss over sums of functions of the features, and such functions."""
    V = chain.symbols
    offsets = [sum(sizes[:m]) for m in range(len(sizes))]
    n = sum(sizes)
    inner = [[Fraction(0)] * n for _ in range(n)]
    cross = [[Fraction(0)] * V for _ in range(n)]
    for window, p in chain.law.items():
        if not p:
            continue
        rows = [offset + f(window) for offset, f in zip(offsets, features, strict=True)]
        law = chain.next_law(window)
        for a, b in product(rows, rows):
            inner[a][b] += p
        for a in rows:
            for v in range(V):
                cross[a][v] += p * law[v]
    augmented = [
        [fmpq(x.numerator, x.denominator) for x in (*row, *right)]
        for row, right in zip(inner, cross, strict=True)
    ]
    reduced, rank = fmpq_mat(n, n + V, [x for row in augmented for x in row]).rref()
    solution = [[Fraction(0)] * V for _ in range(n)]
    for row in range(rank):
        pivot = next(j for j in range(n + V) if reduced[row, j] != 0)
        assert pivot < n, "normal equations are always consistent"
        for v in range(V):
            value = reduced[row, n + v]
            solution[pivot][v] = Fraction(int(value.p), int(value.q))
    # E|y - f|^2 = E|y|^2 - <cross, solution>, and a one-hot has length 1.
    explained = sum((cross[a][v] * solution[a][v] for a in range(n) for v in range(V)), Fraction(0))
    maps = tuple(
        tuple(tuple(solution[offset + u][v] for u in range(size)) for v in range(V))
        for offset, size in zip(offsets, sizes, strict=True)
    )
    return (1 - explained) / 2, maps
