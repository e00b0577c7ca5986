"""Sign descent: every coordinate moves by the same amount, against the sign of its gradient.

What Adam's first step is when its epsilon is 0, without memory.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import torch
from torch import nn


class SignDescent(torch.optim.Optimizer):
    """Subtracts ``lr * sign(gradient)``.

    Args:
        params: parameters.
        lr: the length of a step, of each coordinate.

    Raises:
        ValueError: a negative rate.

    Example:
        >>> weight = nn.Parameter(torch.tensor([1.0, 1.0]))
        >>> (weight * torch.tensor([5.0, -0.1])).sum().backward()
        >>> SignDescent([weight], lr=0.5).step()
        >>> weight.tolist()
        [0.5, 1.5]
    """

    def __init__(self, params: Iterable[nn.Parameter], *, lr: float = 1e-3) -> None:
        if lr < 0:
            raise ValueError(f"expected a rate >= 0, found {lr}")
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step against the signs; the loss if there is a closure.

        Args:
            closure: computes the loss and its gradients anew.
        """
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.sub_(parameter.grad.sign(), alpha=group["lr"])
        return loss
