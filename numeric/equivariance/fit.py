"""Two witnesses for the mirror of the plane, and floors under what the other type can do.

The group C_2 acts on the plane by diag(1, -1), on tokens and outputs. Two heads are a free orbit or
two heads that the group fixes each, and each type has a witness:

* *free*: x^T W y = 2 x_1 y_2 and -2 x_1 y_2, V the identity. Fixed heads have diagonal W and V, so
  at a last token (a, 0) their first output depends on the first coordinates alone. Two queries that
  differ in second coordinates only get one and the same first output u, while the witness gives s
  and t, and (u - s)^2 + (u - t)^2 >= (s - t)^2/2, whatever the number of fixed heads.
* *fixed*: x^T W y = 3/2 x.y and -x.y, V the identity and minus the identity. At a last token 0 all
  weights are equal: the witness gives 0, one free orbit the first output c m, with m the mean of
  first coordinates and c = 2 v_11. On tokens (a, 0) both heads of a free orbit have the same
  weights, so its first output is c k with |k| at most the largest |first coordinate| M, while the
  witness gives t. For every c, (c m)^2 + (c k - t)^2 >= t^2 m^2/(m^2 + M^2): the distance of (0, t)
  from the lines through 0 and (m, k) is least at k = M.

Summed over the pairs of the data these are floors under the loss of *every* layer of the other
type; fits are compared with them. Fits are made by L-BFGS on the mean squared error, from a random
start.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from .layer import Action, EquivariantAttention, action

Orbits = tuple[tuple[int, ...], ...]

FREE: Orbits = ((0,),)
"""One orbit of two heads."""

FIXED: Orbits = ((0, 1), (0, 1))
"""Two heads, each fixed by the group."""

COVERING: Orbits = ((0,), (0, 1))
"""The least type that covers both: an orbit of two heads and a fixed one."""


@dataclass(frozen=True)
class Task:
    """What is fitted.

    Args:
        queries: (2 pairs, n, 2), the pairs one after the other.
        targets: (2 pairs, 2), what the witness answers.
        floor: under the mean squared error of every layer of the other type.
    """

    queries: Tensor
    targets: Tensor
    floor: float

    @property
    def scale(self) -> float:
        """The loss of the zero function."""
        return float(self.targets.square().mean())


def mirror() -> Action:
    """C_2 on the plane by diag(1, -1), on tokens and outputs.

    Example:
        >>> mirror().rho[1].tolist()
        [[1.0, 0.0], [0.0, -1.0]]
    """
    images = torch.stack([torch.eye(2), torch.diag(torch.tensor([1.0, -1.0]))])
    return action([[0, 1], [1, 0]], images, images)


def task(kind: str, *, pairs: int, length: int, seed: int) -> Task:
    """Draw queries and let a witness answer them.

    Args:
        kind: of the witness, ``"free"`` or ``"fixed"``.
        pairs: of queries.
        length: tokens of a query.
        seed: of the queries.

    Raises:
        ValueError: another witness, no pairs, or fewer than two tokens.

    Example:
        >>> task("free", pairs=4, length=3, seed=0).queries.shape
        torch.Size([8, 3, 2])
    """
    if kind not in ("free", "fixed"):
        raise ValueError(f"expected the witness free or fixed, found {kind!r}")
    if pairs < 1 or length < 2:
        raise ValueError(f"expected at least one pair and two tokens, found {pairs} and {length}")
    draws = torch.Generator().manual_seed(seed)
    tokens = torch.randn((pairs, 2, length, 2), generator=draws, dtype=torch.float64)
    layer = EquivariantAttention(mirror(), FREE if kind == "free" else FIXED)
    one = torch.eye(2, dtype=torch.float64)
    with torch.no_grad():
        if kind == "free":
            tokens[:, 1, :, 0] = tokens[:, 0, :, 0]  # the same first coordinates
            tokens[:, :, -1, 1] = 0  # the last token is (a, 0)
            layer.W.copy_(torch.tensor([[[0.0, 2.0], [0.0, 0.0]]]))
            layer.V.copy_(one[None])
        else:
            tokens[:, 0, -1] = 0  # a last token 0
            tokens[:, 1, :, 1] = 0  # tokens (a, 0)
            layer.W.copy_(torch.stack([1.5 * one, -one]))
            layer.V.copy_(torch.stack([one, -one]))
        queries = tokens.reshape(-1, length, 2)
        targets = layer(queries)
    floor = free_floor(targets) if kind == "free" else fixed_floor(queries, targets)
    return Task(queries, targets, floor)


def free_floor(targets: Tensor) -> float:
    """The floor under the loss of fixed heads.

    Args:
        targets: (2 pairs, p), the pairs one after the other.

    Example:
        >>> free_floor(torch.tensor([[1.0, 0.0], [3.0, 5.0]]))  # (3 - 1)^2/2 over four numbers
        0.5
    """
    first = targets[:, 0].reshape(-1, 2)
    return float((first[:, 0] - first[:, 1]).square().sum() / 2 / targets.numel())


def fixed_floor(queries: Tensor, targets: Tensor) -> float:
    """The floor under the loss of one free orbit.

    Args:
        queries: (2 pairs, n, 2): the last token 0 and tokens (a, 0) in turn.
        targets: (2 pairs, p), 0 at the first of each pair.

    Raises:
        ValueError: a target that should be 0 is not.

    Example:
        >>> queries = torch.tensor([[[2.0, 1.0], [0.0, 0.0]], [[1.0, 0.0], [-1.0, 0.0]]])
        >>> fixed_floor(queries, torch.tensor([[0.0, 0.0], [2.0, 0.0]]))  # m = M = 1, t = 2
        0.5
    """
    if bool(targets[::2, 0].any()):
        raise ValueError("expected targets 0 where the last token is 0")
    m = queries[::2, :, 0].mean(1).square()
    M = queries[1::2, :, 0].abs().amax(1).square()
    return float((targets[1::2, 0].square() * m / (m + M)).sum() / targets.numel())


def fitted(orbits: Sequence[Sequence[int]], given: Task, *, steps: int, seed: int) -> float:
    """The loss of a layer of some type after a fit from one random start.

    Deterministic on one machine.

    Args:
        orbits: of the layer's heads.
        given: what is fitted.
        steps: of L-BFGS.
        seed: of the start.

    Raises:
        ValueError: no steps.
    """
    if steps < 1:
        raise ValueError(f"expected at least one step, found {steps}")
    layer = EquivariantAttention(mirror(), orbits, seed=seed)
    optimiser = torch.optim.LBFGS(
        layer.parameters(),
        max_iter=steps,
        tolerance_grad=1e-14,
        tolerance_change=0,
        line_search_fn="strong_wolfe",
    )

    def closure() -> Tensor:
        optimiser.zero_grad()
        loss: Tensor = (layer(given.queries) - given.targets).square().mean()
        loss.backward()  # type: ignore[no-untyped-call]
        return loss

    optimiser.step(closure)  # type: ignore[no-untyped-call]
    with torch.no_grad():
        return float((layer(given.queries) - given.targets).square().mean())
