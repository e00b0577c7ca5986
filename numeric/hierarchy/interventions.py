"""Interventions by plain hooks, on the models here and on the user's own (claim F5).

`mask_attention` and `harden` hook the module that computes the softmax of an attention layer (an
``nn.Softmax``, or whatever maps scores to weights of the same shape); `project_out` hooks any
module that returns a residual stream. Each returns a handle; ``handle.remove()`` undoes it,
`applied` undoes all of several.

    from headproof.numeric.hierarchy.interventions import applied, mask_attention, softmaxes

    layer = softmaxes(model)[-1]
    with applied(mask_attention(layer, mask, when="before")):
        logits = model(tokens)

Before the softmax a masked key has score -inf and the others share its weight; after it the weight
is set to 0 and the head loses it. They differ: the second also makes the head's output shorter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.utils.hooks import RemovableHandle


def softmaxes(model: nn.Module) -> list[nn.Module]:
    """The ``nn.Softmax`` modules of a model, in the order in which they are declared.

    Args:
        model: any module.

    Raises:
        ValueError: it has none; its attention has to be written with one to be hooked.
    """
    found: list[nn.Module] = [m for m in model.modules() if isinstance(m, nn.Softmax)]
    if not found:
        raise ValueError("expected a model whose attention has an nn.Softmax module, found none")
    return found


def mask_attention(
    softmax: nn.Module,
    mask: Tensor,
    *,
    when: Literal["before", "after"],
    heads: Sequence[int] | None = None,
) -> RemovableHandle:
    """Take keys away from queries.

    Args:
        softmax: maps scores ``(B, H, T, T)`` to weights.
        mask: Boolean, ``(B, T, T)``: true where query i may not look at key j.
        when: before the softmax (the others share the weight) or after it (the weight is lost).
        heads: in which heads; in all by default.

    Returns:
        The handle that undoes it.

    Raises:
        ValueError: another ``when``, a mask that is no ``(B, T, T)`` of Booleans; or, when the
            model runs, scores that do not fit, or a query that is left without any key.

    Example:
        >>> layer, mask = nn.Softmax(dim=-1), torch.tensor([[[True, False, False]] * 3])
        >>> with applied(mask_attention(layer, mask, when="before")):
        ...     layer(torch.zeros(1, 1, 3, 3))[0, 0, 0].tolist()
        [0.0, 0.5, 0.5]
    """
    if when not in ("before", "after"):
        raise ValueError(f"expected when = 'before' or 'after', found {when!r}")
    if mask.dim() != 3 or mask.dtype != torch.bool or mask.shape[1] != mask.shape[2]:
        raise ValueError(f"expected Booleans (B, T, T), found {mask.dtype} {tuple(mask.shape)}")

    def whole(values: Tensor) -> Tensor:
        fits = values.dim() == 4 and values.shape[-2:] == mask.shape[-2:]
        if not fits or values.shape[0] != mask.shape[0]:
            raise ValueError(
                f"expected scores (B, H, T, T) for a mask of {tuple(mask.shape)}, found "
                f"{tuple(values.shape)}"
            )
        chosen = torch.zeros(values.shape[1], dtype=torch.bool, device=values.device)
        chosen[list(range(values.shape[1])) if heads is None else list(heads)] = True
        return mask.to(values.device)[:, None] & chosen[:, None, None]

    def before(_: nn.Module, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        scores = arguments[0].masked_fill(whole(arguments[0]), -torch.inf)
        if torch.isneginf(scores).all(dim=-1).any():
            raise ValueError("expected a mask that leaves every query a key, found one without")
        return (scores, *arguments[1:])

    def after(_: nn.Module, __: tuple[Any, ...], weights: Tensor) -> Tensor:
        return weights.masked_fill(whole(weights), 0.0)

    if when == "before":
        return softmax.register_forward_pre_hook(before)
    return softmax.register_forward_hook(after)


def harden(softmax: nn.Module) -> RemovableHandle:
    """Replace the weights by their zero-temperature limit: uniform on the largest (claim A3).

    Args:
        softmax: maps scores to weights of the same shape.

    Returns:
        The handle that undoes it.

    Example:
        >>> layer = nn.Softmax(dim=-1)
        >>> with applied(harden(layer)):
        ...     layer(torch.tensor([1.0, 3.0, 3.0])).tolist()
        [0.0, 0.5, 0.5]
    """

    def hard(_: nn.Module, __: tuple[Any, ...], weights: Tensor) -> Tensor:
        best = (weights == weights.amax(dim=-1, keepdim=True)).to(weights.dtype)
        return best / best.sum(dim=-1, keepdim=True)

    return softmax.register_forward_hook(hard)


def project_out(module: nn.Module, basis: Tensor, *, mean: Tensor | None = None) -> RemovableHandle:
    """Remove a subspace from what a module returns.

    Args:
        module: returns ``(..., d)``, or a tuple that begins with it.
        basis: ``(r, d)``, orthonormal rows; r = 0 changes nothing.
        mean: ``(d,)``, to which the removed component is set; 0 by default.

    Returns:
        The handle that undoes it.

    Raises:
        ValueError: rows that are not orthonormal.

    Example:
        >>> with applied(project_out(layer := nn.Identity(), torch.tensor([[1.0, 0.0]]))):
        ...     layer(torch.tensor([3.0, 4.0])).tolist()
        [0.0, 4.0]
    """
    r = basis.shape[0] if basis.dim() == 2 else -1
    # Orthonormalised in float64 and kept in float32: every product errs by less than d 2^-23.
    bound = max(basis.shape[-1], 1) * 2.0**-22
    if r < 0 or (r and not (basis @ basis.T - torch.eye(r).to(basis)).abs().max() <= bound):
        raise ValueError(f"expected orthonormal rows (r, d), found {tuple(basis.shape)}")

    def without(_: nn.Module, __: tuple[Any, ...], found: Any) -> Any:
        x: Tensor = found[0] if isinstance(found, tuple) else found
        rows = basis.to(x)
        off = x if mean is None else x - mean.to(x)
        x = x - (off @ rows.T) @ rows
        return (x, *found[1:]) if isinstance(found, tuple) else x

    return module.register_forward_hook(without)


@contextmanager
def applied(*handles: RemovableHandle) -> Iterator[None]:
    """Keep interventions for a block of code."""
    try:
        yield
    finally:
        for handle in handles:
            handle.remove()


@contextmanager
def watched(*modules: nn.Module) -> Iterator[list[Tensor]]:
    """Collect what modules return: afterwards one tensor each, in the order of the modules.

    Example:
        >>> with watched(layer := nn.Softmax(dim=-1)) as seen:
        ...     _ = layer(torch.zeros(2))
        >>> seen[0].tolist()
        [0.5, 0.5]
    """
    seen: dict[int, Tensor] = {}
    found: list[Tensor] = []

    def keep(place: int, output: Any) -> None:
        seen[place] = (output[0] if isinstance(output, tuple) else output).detach()

    handles = [
        module.register_forward_hook(lambda _, __, output, place=place: keep(place, output))
        for place, module in enumerate(modules)
    ]
    try:
        yield found
    finally:
        for handle in handles:
            handle.remove()
        found.extend(seen[place] for place in sorted(seen))
