"""Optimisers that heed what the function cannot see (C7): wrapped around any torch optimiser.

Both hook into the optimiser's own ``step``, so that schedulers, gradient scalers and training loops
need no change, and both undo that with `remove` (or at the end of a ``with`` block).

  `FibreProjected`  takes out of every step its part inside the fibre's tangent: to first order the
                    function moves exactly as it would have, and the factors do not drift along
                    directions that mean nothing.
  `Rebalanced`      lets the step happen and then replaces the factors by balanced ones of the same
                    product, rotated to those before the step: the function is that of the plain
                    step up to rounding.

A factor that is frozen, or kept in a narrower format, cannot be moved along: refused.

Neither claims to train better: the paper does not either. What the optimiser remembers (Adam's
moments) is left alone, and is in the old coordinates after a rebalancing. Cost of a step: for each
group two eigendecompositions of d_k x d_k (projection), or two QR and two SVD (rebalancing).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from .factors import Pair
from .fibre import tangent_part
from .rebalancing import balanced


class _Around(ABC):
    """Hooks before and after the steps of an optimiser."""

    def __init__(self, optimizer: Optimizer, pairs: Sequence[Pair]) -> None:
        if not pairs:
            raise ValueError("expected at least one pair of factors, found none")
        stepped = {one for group in optimizer.param_groups for one in group["params"]}
        for pair in pairs:
            if not stepped.intersection(pair.parameters):
                raise ValueError("expected factors that the optimiser steps, found none of a pair")
            if not all(one.requires_grad for one in pair.parameters):
                raise ValueError("expected factors that are trained, found frozen ones")
            if found := {one.dtype for one in pair.parameters} - {torch.float32, torch.float64}:
                kinds = ", ".join(sorted(str(kind) for kind in found))
                raise ValueError(f"expected factors in float32 or float64, found {kinds}")
        self.optimizer, self.pairs = optimizer, tuple(pairs)
        self._before: dict[nn.Parameter, Tensor] = {}
        self._hooks = [
            optimizer.register_step_pre_hook(self._remember),
            optimizer.register_step_post_hook(self._changed),
        ]

    def remove(self) -> None:
        """Leave the optimiser as it was."""
        for hook in self._hooks:
            hook.remove()
        self._hooks.clear()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()

    @torch.no_grad()
    def _remember(self, *_: object) -> None:
        parameters = {one for pair in self.pairs for one in pair.parameters}
        self._before = {one: one.detach().clone() for one in parameters}

    @torch.no_grad()
    def _changed(self, *_: object) -> None:
        for pair in self.pairs:
            self._change(pair)
        self._before = {}

    @abstractmethod
    def _change(self, pair: Pair) -> None:
        """Change a pair that has just been stepped."""

    def _old(self, parameter: nn.Parameter) -> Tensor:
        return self._before[parameter]

    def _step(self, parameter: nn.Parameter) -> Tensor:
        return parameter.detach() - self._before[parameter]


class FibreProjected(_Around):
    """Takes its part inside the fibre's tangent out of every step of an optimiser.

    Args:
        optimizer: any optimiser of torch.
        pairs: the factors of the layers, `QueryKey` and `ValueOutput`.

    Raises:
        ValueError: no pairs, or factors that are not trained by the optimiser in float32 or
            float64.

    Example:
        >>> from headproof.numeric.identification.attention import Attention
        >>> from headproof.numeric.identification.factors import QueryKey
        >>> layer = Attention(6, 2)
        >>> adam = torch.optim.Adam(layer.parameters())
        >>> projected = FibreProjected(adam, [QueryKey(layer.q_proj, layer.k_proj, heads=2)])
        >>> x = torch.linspace(-1, 1, 30, dtype=torch.float64).reshape(1, 5, 6)
        >>> layer(x).square().sum().backward()
        >>> adam.step()  # as ever
        >>> projected.share > 1e-3  # of the step that Adam would have made
        True
    """

    share: float = 0.0
    """The share of the last step's squared norm, over all pairs, that was inside."""

    @torch.no_grad()
    def _changed(self, *_: object) -> None:
        self._inside = self._whole = 0.0
        super()._changed()
        self.share = self._inside / self._whole if self._whole else 0.0

    def _change(self, pair: Pair) -> None:
        part = tangent_part(*pair.factors(self._old), *pair.factors(self._step), pair.commutant)
        inert = pair.inert(self._step)
        lost = float(inert.square().sum())
        self._inside += part.inside + lost
        self._whole += part.whole + lost
        pair.subtract_inert(inert)
        pair.add(-part.left, -part.right)


class Rebalanced(_Around):
    """Balances the factors after steps of an optimiser, without changing the function.

    Args:
        optimizer: any optimiser of torch.
        pairs: the factors of the layers.
        every: after how many steps.

    Raises:
        ValueError: no pairs, or factors that are not trained by the optimiser in float32 or
            float64, or ``every`` below 1.
    """

    def __init__(self, optimizer: Optimizer, pairs: Sequence[Pair], *, every: int = 1) -> None:
        if every < 1:
            raise ValueError(f"expected every >= 1, found {every}")
        super().__init__(optimizer, pairs)
        self._every, self._steps = every, 0

    @torch.no_grad()
    def _changed(self, *_: object) -> None:
        self._steps += 1
        if self._steps % self._every == 0:
            super()._changed()

    def _change(self, pair: Pair) -> None:
        rebalance(pair, near=pair.factors(self._old))


@torch.no_grad()
def rebalance(pair: Pair, *, near: tuple[Tensor, Tensor] | None = None) -> None:
    """Replace factors by balanced ones of the same product, in place.

    Args:
        pair: the factors.
        near: factors that the new ones are rotated to (Procrustes); the present ones by default.

    Example:
        >>> from headproof.numeric.identification.attention import Attention
        >>> from headproof.numeric.identification.factors import QueryKey
        >>> from headproof.numeric.identification.fibre import relative_imbalance
        >>> layer = Attention(6, 2)
        >>> pair = QueryKey(layer.q_proj, layer.k_proj, heads=2)
        >>> rebalance(pair)
        >>> bool(relative_imbalance(*pair.factors(), pair.commutant).max() < 1e-14)
        True
    """
    left, right = pair.factors()
    new_left, new_right = balanced(
        left, right, pair.commutant, near=(left, right) if near is None else near
    )
    pair.add(new_left - left, new_right - right)
