"""Float64 rounding: the model of arithmetic that the error bounds of this folder are derived from.

Standard model (Higham, Accuracy and Stability of Numerical Algorithms, ch. 2 and 3), u = 2^-53:
fl(a op b) = (a op b)(1 + delta), |delta| <= u, for + - * /, plus an absolute error of at most
2^-1075 where the result is subnormal (products and quotients only). A sum of n products errs by
at most gamma_n sum |a_i b_i|, gamma_n = n u/(1 - n u), in whatever order, fused or not.

exp, log1p and log are not correctly rounded: torch computes them with SLEEF or MKL, both of which
state at most 1 ulp (relative 2 u). The bounds allow 2 ulp (relative 4 u), and a term below the
least normal number 2^-1022 may be flushed to zero.

A bound is itself computed in floats. It is a sum of nonnegative terms, so its own rounding is a
relative one, far below 2^-10 for any size that fits into memory: `outward` adds that much.
"""

from __future__ import annotations

import torch
from torch import Tensor

U = 2.0**-53
"""Unit roundoff of float64."""

FUNCTION = 4 * U
"""Relative error allowed to exp, log and log1p."""

TINY = 2.0**-1022
"""Least normal number: what a flushed or subnormal result may be wrong by."""

LARGEST = 2.0**500
"""Inputs up to this size: neither products nor differences of them overflow."""


def gamma(n: int) -> float:
    """gamma_n = n u/(1 - n u), the relative error of n roundings.

    Args:
        n: how many.

    Raises:
        ValueError: n is negative or at least 2^40.

    Example:
        >>> gamma(3) > 3 * U
        True
    """
    if not 0 <= n < 2**40:
        raise ValueError(f"expected a count of operations below 2^40, found {n}")
    return n * U / (1 - n * U)


def outward(bound: Tensor) -> Tensor:
    """The bound enlarged by more than its own rounding."""
    return bound * (1 + 2.0**-10) + TINY


def float64(values: object, name: str) -> Tensor:
    """The values as a float64 tensor.

    Args:
        values: a tensor, or what torch makes one of.
        name: for messages.

    Raises:
        ValueError: they are not real, not finite, larger than 2^500, or integers beyond 2^53, which
            float64 may round.
    """
    # A bare number would become a float32 by torch's default.
    tensor = values if isinstance(values, Tensor) else torch.as_tensor(values, dtype=torch.float64)
    if tensor.is_complex() or tensor.dtype == torch.bool:
        raise ValueError(f"{name}: expected real numbers, found {tensor.dtype}")
    if not tensor.is_floating_point() and bool((tensor.abs() > 2**53).any()):
        raise ValueError(f"{name}: expected integers of at most 2^53, found a larger one")
    exact = tensor.to(torch.float64)
    if not bool((exact.abs() <= LARGEST).all()):  # also false for nan
        raise ValueError(f"{name}: expected finite numbers of at most 2^500, found another")
    return exact
