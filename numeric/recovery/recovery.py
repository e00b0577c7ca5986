"""E3, recovery.algorithm, in floats: every head of a float64 black box by the same schedule.

Tokens are the rows of orthogonal matrices. F(0) once, 2H copies for each of the d^2 pairs (x_i,
w_j) and of the d^2 - 1 sums that tell which pole belongs to which head: 4 H d^2 - 2H + 1 queries.
Poles are matched by least squares over all orders, one assignment problem a pair. The error grows
with kappa: see `conditioning`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import torch
from scipy.optimize import linear_sum_assignment
from torch import Tensor

from .conditioning import kappa
from .interpolation import Poles, interpolate

Oracle: TypeAlias = Callable[[Tensor], float | Tensor]
"""Answers a sequence of tokens (n, d) with one number."""


@dataclass(frozen=True)
class Found:
    """The heads, in the order in which (x_1, w_1) shows them.

    Args:
        forms: (H, d, d).
        functionals: (H, d).
        error: 2 kappa eps, a bound on the error of every entry in the linear regime, eps being
            the error of the answers and kappa that of the heads found.
        kappa: the condition number.
        queries: how many were asked.
        longest: the longest of them.
    """

    forms: Tensor
    functionals: Tensor
    error: float
    kappa: float
    queries: int
    longest: int


def recover(
    oracle: Oracle,
    dimension: int,
    heads: int,
    *,
    answer_error: float,
    seed: int = 0,
    naming_oracle: Oracle | None = None,
) -> Found:
    """Recover H heads.

    Args:
        oracle: the black box.
        dimension: d.
        heads: H, with distinct W_h and v_h other than 0.
        answer_error: eps, a bound on the error of every answer.
        seed: of the tokens.
        naming_oracle: asked for the pairs that only tell which pole belongs to which head, none of
            whose numbers is used, so that kappa does not cover them; by default the same.

    Raises:
        ValueError: sizes below 1, or answers that H heads do not give or floats do not resolve.

    Example:
        >>> from .attention import value
        >>> W, v = torch.tensor([[[2.0]]]), torch.tensor([[3.0]])
        >>> found = recover(lambda t: value(W, v, t), 1, 1, answer_error=1e-15)
        >>> abs(found.forms - W).max().item() <= found.error < 1e-12, found.queries
        (True, 3)
    """
    if dimension < 1 or heads < 1:
        raise ValueError(f"expected d >= 1 and H >= 1, found {dimension} and {heads}")
    ask = _Pairs(oracle, naming_oracle or oracle, heads, answer_error)
    X, Y = _orthogonal(dimension, 2 * seed), _orthogonal(dimension, 2 * seed + 1)
    start = ask.answer(X[:1])
    first = ask.pair(X[0], Y[0], start)
    row = [(first.scores, first.residues)]
    for j in range(1, dimension):
        single, double = ask.pair(X[0], Y[j], start), ask.naming(X[0], Y[0] + Y[j], start)
        row.append(_named(row[0], single, double, across=False))
    c = torch.stack([residues for _, residues in row], -1)  # (H, d)
    v = c @ torch.linalg.inv(Y).T
    total = v.sum(0)
    rows = [torch.stack([scores for scores, _ in row])]
    for i in range(1, dimension):
        zero, moved = X[i] @ total, (X[0] + X[i]) @ total
        single, double = ask.pair(X[i], Y[0], zero), ask.naming(X[0] + X[i], Y[0], moved)
        left = _named(row[0], single, double, across=True)
        scores = [left[0]]
        for j in range(1, dimension):
            single, double = ask.pair(X[i], Y[j], zero), ask.naming(X[i], Y[0] + Y[j], zero)
            scores.append(_named(left, single, double, across=False)[0])
        rows.append(torch.stack(scores))
    W = torch.einsum("ai,ijh,bj->hab", torch.linalg.inv(X), torch.stack(rows), torch.linalg.inv(Y))
    condition = kappa(W, v, X, Y)
    return Found(W, v, 2 * condition * answer_error, condition, ask.queries, ask.longest)


class _Pairs:
    """Asks, counts, and interpolates."""

    def __init__(self, oracle: Oracle, names: Oracle, heads: int, answer_error: float) -> None:
        self._oracle, self._names = oracle, names
        self._heads, self._error = heads, answer_error
        self.queries = self.longest = 0

    def answer(self, tokens: Tensor, oracle: Oracle | None = None) -> Tensor:
        self.queries += 1
        self.longest = max(self.longest, len(tokens))
        return torch.as_tensor((oracle or self._oracle)(tokens), dtype=torch.float64)

    def naming(self, x: Tensor, w: Tensor, zero: Tensor) -> Poles:
        """A pair of which no number is used, only the order of its poles."""
        if self._names is not self._oracle:
            zero = self.answer(x[None], self._names)
        return self.pair(x, w, zero, self._names)

    def pair(self, x: Tensor, w: Tensor, zero: Tensor, oracle: Oracle | None = None) -> Poles:
        nodes = range(1, 2 * self._heads + 1)
        asked = [torch.cat([(x + w).expand(m, -1), x[None]]) for m in nodes]
        data = [(self.answer(t, oracle) - zero) / m for m, t in zip(nodes, asked, strict=True)]
        return interpolate(torch.stack(data), 2 * self._error)


def _named(
    known: tuple[Tensor, Tensor], single: Poles, double: Poles, *, across: bool
) -> tuple[Tensor, Tensor]:
    """Scores and residues of `single` in the order of the known heads.

    The cost of giving pole a to head h is the squared distance of its sums to the nearest pole of
    the sum of both pairs, residues added, or equal if the sum is one of x.
    """
    scores = known[0][:, None] + single.scores  # (H, H)
    residues = (0 if across else known[1][:, None]) + single.residues
    nearest = (scores[..., None] - double.scores) ** 2 + (
        residues[..., None] - double.residues
    ) ** 2
    cost = nearest.min(-1).values
    if across:
        cost = cost + (known[1][:, None] - single.residues) ** 2
    _, order = linear_sum_assignment(cost.numpy())
    return single.scores[order], single.residues[order]


def _orthogonal(dimension: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    drawn = torch.randn(dimension, dimension, generator=generator, dtype=torch.float64)
    rotation: Tensor = torch.linalg.qr(drawn).Q
    return 2 * rotation
