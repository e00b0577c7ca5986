"""A9, tropical.depth, in floats: the cells that a deep network of hard attention is seen to visit.

The network is run forward with a running error bound for every coordinate. An input has a label
(the winning key of every head and the sign of every neuron, layer by layer) if every comparison is
decided by more than its bound; then the exact network takes the same route, on a ball around the
input, and the label is certain to be that of a full-dimensional cell. Inputs are drawn in a box and
segments between inputs of different labels are bisected. What is found is certain and therefore a
lower bound on the number of cells; that all are found is not certain. The affine map of a cell is
composed along the route, again with a bound, and two cells are counted as two pieces only if their
maps differ by more than it.

Cost: O(M) forward runs for M inputs; composing maps O(D^2 (D + m)) a layer and cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import torch
from torch import Tensor

from .rounding import TINY, float64, gamma, outward

Label: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class Layer:
    """x + sum_h value_{j_h(x)}, then y + w2 relu(w1 y + b1) + b2 if there is an ffn.

    Args:
        heads: triples of keys (N, D), biases (N,), values (N, D).
        ffn: w1 (m, D), b1 (m,), w2 (D, m), b2 (D,).
    """

    heads: Sequence[tuple[Tensor, Tensor, Tensor]]
    ffn: tuple[Tensor, Tensor, Tensor, Tensor] | None = None


@dataclass(frozen=True)
class Run:
    """What a network does at M inputs.

    Args:
        output: (M, D).
        error: (M, D), a bound on |output - exact| where decided.
        labels: (M, C) integers, one column for each head and neuron: key or 0/1.
        decided: (M,) bool: every choice is certain.
    """

    output: Tensor
    error: Tensor
    labels: Tensor
    decided: Tensor


def run(layers: Sequence[Layer], points: Tensor) -> Run:
    """Run the network forward with error bounds.

    The float parameters may each be off by one rounding (relative 2^-53) from those that are meant:
    the bounds allow for it, so that 1/3 can be put in.

    Args:
        layers: the network.
        points: (M, D), taken as exact.

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> keys, values = torch.tensor([[-1.0], [1.0]]), torch.tensor([[2.0], [3.0]])
        >>> layer = Layer([(keys, torch.zeros(2), values)])
        >>> found = run([layer], torch.tensor([[-1.0], [0.0], [1.0]]))
        >>> found.output.squeeze(-1).tolist(), found.decided.tolist()
        ([1.0, 2.0, 4.0], [True, False, True])
    """
    x = float64(points, "points")
    if x.dim() != 2:
        raise ValueError(f"expected points (M, D), found {tuple(x.shape)}")
    e = torch.zeros_like(x)
    columns: list[Tensor] = []
    decided = torch.ones(len(x), dtype=torch.bool)
    for layer in layers:
        y, size = x, x.abs()
        for keys, biases, values in layer.heads:
            k, b, v = (float64(t, "head") for t in (keys, biases, values))
            if k.shape[-1] != x.shape[-1] or b.shape != k.shape[:1] or v.shape != k.shape:
                raise ValueError(
                    f"expected keys (N, {x.shape[-1]}), biases (N,) and values of the keys' "
                    f"shape, found {tuple(k.shape)}, {tuple(b.shape)} and {tuple(v.shape)}"
                )
            names = _distinct(k, b)
            score, bound = _affine(k[names], b[names], x, e)  # (M, N)
            best = score.argmax(-1, keepdim=True)
            lead = score.gather(-1, best) - bound.gather(-1, best)
            others = (score + bound).scatter(-1, best, -torch.inf).amax(-1, keepdim=True)
            decided &= (lead > others).squeeze(-1)
            chosen = names[best.squeeze(-1)]
            columns.append(chosen)
            y = y + v[chosen]
            size = size + v[chosen].abs()
        x, e = y, outward(e + gamma(len(layer.heads) + 2) * size + TINY)
        if layer.ffn is not None:
            w1, b1, w2, b2 = (float64(t, "ffn") for t in layer.ffn)
            pre, bound = _affine(w1, b1, x, e)  # (M, m)
            decided &= (pre.abs() > bound).all(-1)
            on = pre > 0
            columns.extend(on.to(torch.int64).unbind(-1))
            active = torch.where(on, pre, 0.0)
            out, rest = _affine(w2, b2, active, torch.where(on, bound, 0.0))
            size = x.abs() + out.abs()
            x, e = x + out, outward(e + rest + gamma(2) * size + TINY)
    table = torch.stack(columns, -1) if columns else torch.zeros(len(x), 0, dtype=torch.int64)
    return Run(x, e, table, decided)


def visited(
    layers: Sequence[Layer],
    dimension: int,
    *,
    lower: float = -1.0,
    upper: float = 2.0,
    inputs: int = 500,
    depth: int = 16,
    most: int = 5000,
    seed: int = 0,
) -> frozenset[Label]:
    """The labels seen in a box and on segments between its points.

    Args:
        layers: the network.
        dimension: D.
        lower: end of the box in every coordinate.
        upper: the other end.
        inputs: how many are drawn.
        depth: how often a segment is bisected at most.
        most: how many segments are kept at each bisection.
        seed: of the inputs.

    Raises:
        ValueError: as for `run`.
    """
    generator = torch.Generator().manual_seed(seed)
    left = torch.rand(inputs, dimension, generator=generator, dtype=torch.float64)
    left = lower + (upper - lower) * left
    right = left[torch.randperm(inputs, generator=generator)]
    a, b = run(layers, left), run(layers, right)
    seen = _set(a)
    one, other = a.labels, b.labels
    for _ in range(depth):
        differ = (one != other).any(-1)
        left, right, one, other = (t[differ][:most] for t in (left, right, one, other))
        if not len(left):
            break
        middle = (left + right) / 2
        found = run(layers, middle)
        seen |= _set(found)
        left, right = torch.cat([left, middle]), torch.cat([middle, right])
        one, other = torch.cat([one, found.labels]), torch.cat([found.labels, other])
    return frozenset(seen)


def pieces(layers: Sequence[Layer], dimension: int, labels: Sequence[Label]) -> int:
    """How many of the cells certainly have different affine maps, at least.

    The map of each label is composed along its route with an error bound, and maps that are
    within their bounds of one already counted are left out.

    Args:
        layers: the network.
        dimension: D.
        labels: of cells.

    Raises:
        ValueError: as for `run`.

    Example:
        >>> head = torch.tensor([[0.0], [1.0]]), torch.zeros(2), torch.tensor([[2.0], [2.0]])
        >>> pieces([Layer([head])], 1, [(0,), (1,)])
        1
    """
    kept: list[tuple[Tensor, Tensor]] = []
    for label in labels:
        A, E = _map(layers, dimension, label)
        if all(bool(((A - B).abs() > E + F).any()) for B, F in kept):
            kept.append((A, E))
    return len(kept)


def _map(layers: Sequence[Layer], dimension: int, label: Label) -> tuple[Tensor, Tensor]:
    """(D, D + 1) affine map of a cell and a bound for each entry."""
    A = torch.eye(dimension, dimension + 1, dtype=torch.float64)
    E = torch.zeros_like(A)
    choices = iter(label)
    for layer in layers:
        size = A.abs()
        for _, _, values in layer.heads:
            v = float64(values, "values")[next(choices)]
            A = torch.cat([A[:, :-1], A[:, -1:] + v.unsqueeze(-1)], -1)
            size = torch.cat([size[:, :-1], size[:, -1:] + v.abs().unsqueeze(-1)], -1)
        E = outward(E + gamma(len(layer.heads) + 2) * size)
        if layer.ffn is not None:
            w1, b1, w2, b2 = (float64(t, "ffn") for t in layer.ffn)
            on = torch.tensor([next(choices) for _ in range(len(w1))], dtype=torch.float64)
            w2 = w2 * on
            one = torch.cat([torch.zeros(len(w1), dimension, dtype=torch.float64),
                             b1.unsqueeze(-1)], -1)  # fmt: skip
            last = torch.cat([torch.zeros(len(b2), dimension, dtype=torch.float64),
                              b2.unsqueeze(-1)], -1)  # fmt: skip
            n = dimension + len(w1) + 6
            inner = w1.abs() @ A.abs() + one.abs()
            size = A.abs() + w2.abs() @ inner + last.abs()
            E = E + w2.abs() @ (w1.abs() @ E)
            A = A + w2 @ (w1 @ A + one) + last
            E = outward(E + gamma(2 * n) * size)
    return A, E


def _affine(w: Tensor, b: Tensor, x: Tensor, e: Tensor) -> tuple[Tensor, Tensor]:
    """(M, N) values <w_j, x> + b_j and bounds: x off by e, w and b by one rounding each."""
    d = w.shape[-1]
    size = (x.abs() + e) @ w.abs().mT + b.abs()
    return x @ w.mT + b, outward(e @ w.abs().mT + gamma(d + 4) * size + (d + 1) * TINY)


def _distinct(keys: Tensor, biases: Tensor) -> Tensor:
    """The lowest index of every distinct lifted key."""
    lifted = torch.cat([keys, biases.unsqueeze(-1)], -1)
    same = (lifted.unsqueeze(0) == lifted.unsqueeze(1)).all(-1)
    lowest = same.to(torch.int64).argmax(-1)
    return (lowest == torch.arange(len(keys))).nonzero().squeeze(-1)


def _set(found: Run) -> set[Label]:
    rows = torch.unique(found.labels[found.decided], dim=0)
    return {tuple(row) for row in rows.tolist()}
