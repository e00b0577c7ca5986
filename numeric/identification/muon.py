"""Muon: momentum, orthogonalised by Newton-Schulz iteration, for matrices.

The step of a matrix is the polar factor of its momentum, approximately: every singular value of it
is brought near 1 by five iterations of an odd quintic polynomial, s -> a s + b s^3 + c s^5 with
(a, b, c) = (3.4445, -4.7750, 2.0315), which raises small values fast and leaves large ones between
about 0.7 and 1.2 (Jordan and others, 2024). The polar factor of a gradient is not orthogonal to the
fibre, which is why it is here: the table of C6 has a row for it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import Tensor, nn

_QUINTIC = (3.4445, -4.7750, 2.0315)


def orthogonalised(matrix: Tensor, *, iterations: int = 5) -> Tensor:
    """The matrix with all its singular values near 1.

    Args:
        matrix: (rows, columns).
        iterations: of the quintic.

    Example:
        >>> near = orthogonalised(torch.diag(torch.tensor([3.0, 1.0])))
        >>> bool((torch.linalg.svdvals(near) - 1).abs().max() < 0.35)
        True
    """
    a, b, c = _QUINTIC
    tall = matrix.shape[0] > matrix.shape[1]
    x = matrix.mT if tall else matrix
    norm = x.square().sum().sqrt()
    x = x / norm.where(norm > 0, 1)
    for _ in range(iterations):
        square = x @ x.mT
        x = a * x + (b * square + c * square @ square) @ x
    return x.mT if tall else x


class Muon(torch.optim.Optimizer):
    """Orthogonalised momentum for matrices; plain momentum for everything else.

    Args:
        params: parameters.
        lr: the length of a step: of each singular value of a matrix.
        momentum: of the running sum of gradients, with Nesterov's look ahead.
        weight_decay: times lr, subtracted from the weights (decoupled).

    Raises:
        ValueError: a rate that is negative, or a momentum outside [0, 1).

    Example:
        >>> weight = nn.Parameter(torch.eye(2))
        >>> optimizer = Muon([weight], lr=0.1)
        >>> weight.sum().backward()
        >>> optimizer.step()
    """

    def __init__(
        self,
        params: Iterable[nn.Parameter],
        *,
        lr: float = 0.02,
        momentum: float = 0.95,
        weight_decay: float = 0.0,
    ) -> None:
        if lr < 0 or weight_decay < 0 or not 0 <= momentum < 1:
            found = f"{lr}, {weight_decay} and {momentum}"
            raise ValueError(f"expected rates >= 0 and a momentum in [0, 1), found {found}")
        super().__init__(params, {"lr": lr, "momentum": momentum, "weight_decay": weight_decay})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step along the gradients; the loss if there is a closure.

        Args:
            closure: computes the loss and its gradients anew.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            lr, beta = group["lr"], group["momentum"]
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                state = self.state[parameter]
                if not state:
                    state["momentum"] = torch.zeros_like(parameter)
                state["momentum"].mul_(beta).add_(parameter.grad)
                ahead = parameter.grad + beta * state["momentum"]
                if parameter.dim() == 2:
                    ahead = orthogonalised(ahead)
                parameter.mul_(1 - lr * group["weight_decay"]).sub_(ahead, alpha=lr)
        return loss
