"""Fitting a witness with the right and with a wrong type of heads (claim equivariance.strata).

The group C_2 acts on the plane by diag(1, -1). The witness has a free orbit of two heads, with
x^T W y = 2 x_1 y_2 and -2 x_1 y_2 and V the identity; the wrong type has two heads that the group
fixes each, so W and V are diagonal. Then the first output at a last token (a, 0) depends on the
first coordinates alone: two queries that differ in second coordinates only get one and the same
first output u, while the witness gives s and t, and

    (u - s)^2 + (u - t)^2 >= (s - t)^2 / 2.

Summed over the pairs of the data this is a floor under the loss of *every* layer of the wrong type,
whatever the number of its heads; the criterion compares the fits with it. Both types are fitted in
the same way: L-BFGS on the mean squared error from a few random starts.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from .layer import Action, EquivariantAttention, action

FREE: tuple[tuple[int, ...], ...] = ((0,),)
"""One orbit of two heads."""

FIXED: tuple[tuple[int, ...], ...] = ((0, 1), (0, 1))
"""Two heads, each fixed by the group."""


@dataclass(frozen=True)
class Configuration:
    """What is fitted.

    Args:
        pairs: of queries.
        length: tokens of a query.
        starts: random starts of each fit.
        steps: of L-BFGS from each start.
    """

    pairs: int = 16
    length: int = 3
    starts: int = 3
    steps: int = 80


@dataclass(frozen=True)
class Fit:
    """How well the types fit.

    Args:
        floor: under the loss of every layer of the wrong type.
        right: the least loss found with the right type.
        wrong: the least loss found with the wrong type.
        scale: the loss of the zero function.
    """

    floor: float
    right: float
    wrong: float
    scale: float


def mirror() -> Action:
    """C_2 on the plane by diag(1, -1), on tokens and outputs.

    Example:
        >>> mirror().rho[1].tolist()
        [[1.0, 0.0], [0.0, -1.0]]
    """
    images = torch.stack([torch.eye(2), torch.diag(torch.tensor([1.0, -1.0]))])
    return action([[0, 1], [1, 0]], images, images)


def fit(configuration: Configuration, seed: int) -> Fit:
    """Fit the witness with both types.

    Deterministic on one machine for one seed.

    Raises:
        ValueError: no pairs, starts or steps, or queries of fewer than two tokens.
    """
    c = configuration
    if min(c.pairs, c.starts, c.steps) < 1 or c.length < 2:
        raise ValueError(f"expected at least one pair, start and step and two tokens, found {c}")
    group = mirror()
    witness = EquivariantAttention(group, FREE)
    with torch.no_grad():
        witness.W.copy_(torch.tensor([[[0.0, 2.0], [0.0, 0.0]]]))
        witness.V.copy_(torch.eye(2)[None])
    queries = _pairs(c, seed)  # (2 pairs, n, 2)
    with torch.no_grad():
        targets = witness(queries)
    starts = [seed + k for k in range(c.starts)]
    losses = {
        name: min(_loss(group, orbits, queries, targets, c.steps, start) for start in starts)
        for name, orbits in (("right", FREE), ("wrong", FIXED))
    }
    return Fit(floor(targets), losses["right"], losses["wrong"], float(targets.square().mean()))


def floor(targets: Tensor) -> float:
    """The floor under the mean squared error of the wrong type.

    Args:
        targets: (2 pairs, p), the pairs one after the other.

    Example:
        >>> floor(torch.tensor([[1.0, 0.0], [3.0, 5.0]]))  # (3 - 1)^2/2 over four numbers
        0.5
    """
    first = targets[:, 0].reshape(-1, 2)
    return float((first[:, 0] - first[:, 1]).square().sum() / 2 / targets.numel())


def _pairs(c: Configuration, seed: int) -> Tensor:
    draws = torch.Generator().manual_seed(seed)
    shape = (c.pairs, 2, c.length, 2)
    tokens = torch.randn(shape, generator=draws, dtype=torch.float64)
    tokens[:, 1, :, 0] = tokens[:, 0, :, 0]  # the same first coordinates
    tokens[:, :, -1, 1] = 0  # the last token is (a, 0)
    return tokens.reshape(-1, c.length, 2)


def _loss(
    group: Action,
    orbits: tuple[tuple[int, ...], ...],
    queries: Tensor,
    targets: Tensor,
    steps: int,
    seed: int,
) -> float:
    """The loss after a fit from one start."""
    layer = EquivariantAttention(group, orbits, seed=seed)
    optimiser = torch.optim.LBFGS(
        layer.parameters(),
        max_iter=steps,
        tolerance_grad=1e-14,
        tolerance_change=0,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimiser.zero_grad()
        loss: Tensor = (layer(queries) - targets).square().mean()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        return float((layer(queries) - targets).square().mean())
