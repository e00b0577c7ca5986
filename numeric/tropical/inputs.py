"""What a head at a temperature is given: rows of scores and positive temperatures, in float64."""

from __future__ import annotations

from torch import Tensor

from .rounding import float64

COLDEST = 2.0**-500
"""The least temperature: quotients by it of numbers up to 2^500 do not overflow."""


def score_rows(scores: Tensor) -> Tensor:
    """The scores, (..., N) with N >= 1.

    Args:
        scores: of any real type.

    Returns:
        The same in float64.

    Raises:
        ValueError: no scores, or numbers that are not finite or beyond 2^500.

    Example:
        >>> import torch
        >>> score_rows(torch.tensor([1, 2])).dtype
        torch.float64
    """
    s = float64(scores, "scores")
    if s.dim() < 1 or s.shape[-1] < 1:
        raise ValueError(f"expected scores of shape (..., N), N >= 1, found {tuple(s.shape)}")
    return s


def temperatures(temperature: Tensor | float) -> Tensor:
    """The temperatures, of any shape.

    Args:
        temperature: tau, a number or a tensor.

    Returns:
        The same in float64.

    Raises:
        ValueError: one is not finite, beyond 2^500 or below 2^-500.

    Example:
        >>> temperatures(0.5).item()
        0.5
    """
    tau = float64(temperature, "temperature")
    if not bool((tau >= COLDEST).all()):
        raise ValueError("temperature: expected numbers > 0, at least 2^-500, found another")
    return tau
