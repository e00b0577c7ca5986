"""A4, tropical.rational-map, in floats: a head with lifted values against its tropical map.

With v_ji = exp(u_ji/tau) the output of a head is out_i = sum_j p_j v_ji, and tau log out_i misses
max_j (s_j + u_ji) - max_j s_j by the difference of two gaps of `dequantisation`, of s + u and of s.
It is computed as that difference: as written, exp(u/tau) overflows and the maxima cancel. The
high-precision twin takes the other way, the definition of the output term by term.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import mpmath
from torch import Tensor

from .dequantisation import gap, gap_error
from .high_precision import Number, context, exact_row, mpf, mpf_fraction
from .rounding import U, float64, gamma, outward
from .routing_limit import limit


def deviation(scores: Tensor, log_values: Tensor, temperature: Tensor | float) -> Tensor:
    """Tau log out_i - (max_j (s_j + u_ji) - max_j s_j), within tau log N of 0 (claim A4).

    Args:
        scores: (..., N), N >= 1.
        log_values: (..., N, n).
        temperature: tau > 0, a number.

    Returns:
        (..., n), within `deviation_error` of the exact value for the float inputs.

    Raises:
        ValueError: shapes that do not fit, numbers that are not finite or beyond 2^499, tau <= 0.

    Example:
        >>> import torch
        >>> u = torch.tensor([[0.0], [-900.0]])  # one value far below: the output is half the other
        >>> deviation(torch.zeros(2), u, 1.0).item() == -0.6931471805599453
        True
    """
    s, lifted = _lifted(scores, log_values)
    return gap(lifted, temperature) - gap(s, temperature).unsqueeze(-1)


def deviation_error(scores: Tensor, log_values: Tensor, temperature: Tensor | float) -> Tensor:
    """A bound on |`deviation` - exact deviation|, (..., n).

    Both gaps err by their `gap_error`. The lifted scores are rounded, each by u |s_j + u_j|, and a
    gap is a difference of two functions that move by at most as much as its largest argument does:
    2 u max |s + u|, to which (1 + u) is allowed because the rounded sums are at hand. The
    subtraction rounds by u times the result, at most u (A + B).

    Args:
        scores: (..., N), N >= 1.
        log_values: (..., N, n).
        temperature: tau > 0, a number.

    Raises:
        ValueError: as for `deviation`.
    """
    s, lifted = _lifted(scores, log_values)
    above, below = gap(lifted, temperature), gap(s, temperature).unsqueeze(-1)
    moved = 2 * gamma(2) * lifted.abs().amax(-1)
    known = gap_error(lifted, temperature) + gap_error(s, temperature).unsqueeze(-1)
    return outward(known + moved + U * (above + below))


def fixed_value_limit(scores: Tensor, values: Tensor) -> Tensor:
    """The mean value of the winners: the limit at tau = 0 when the values do not change.

    Args:
        scores: (..., N), N >= 1; ties are ties of the float inputs.
        values: (..., N, n).

    Returns:
        (..., n), with an error of at most 2 gamma_{N+1} max |v|.

    Example:
        >>> import torch
        >>> v = torch.tensor([[-1.0], [1.0]])
        >>> [fixed_value_limit(torch.tensor([-x, x]), v).item() for x in (-0.5, 0.0, 0.5)]
        [-1.0, 0.0, 1.0]
    """
    s, v = _head(scores, values)
    return (limit(s).unsqueeze(-2) @ v).squeeze(-2)


def deviation_mp(
    scores: Sequence[Number], log_values: Sequence[Number], temperature: Number, digits: int
) -> Fraction:
    """Tau log out - (max (s + u) - max s) for one component, by mpmath from the definition.

    The output is summed as written, p_j exp(u_j/tau), by floats of unbounded exponent; its
    logarithm is as large as the exponents, whose digits are added to the working precision.

    Args:
        scores: s, N of them.
        log_values: u, N of them: one component.
        temperature: tau > 0.
        digits: correct decimal digits.

    Returns:
        The deviation, to an absolute error of at most tau 10^-digits.

    Raises:
        ValueError: no scores, another number of values, tau <= 0, or digits < 1.

    Example:
        >>> value = deviation_mp([0, 0], [5, 5], 1, 50)
        >>> abs(value) < Fraction(1, 10**50)
        True
    """
    s, tau = exact_row(scores, temperature)
    u = [Fraction(value) for value in log_values]
    if len(s) != len(u):
        raise ValueError(f"expected as many values as scores, found {len(u)} and {len(s)}")
    largest = max(abs(value) for value in (*s, *u)) / tau
    mp = context(digits, extra_bits=2 * (int(largest) + len(s)).bit_length() + 30)

    def power(value: Fraction) -> mpmath.mpf:
        return mp.exp(mpf(mp, value / tau))

    weights = [power(value) for value in s]
    total = mp.fsum(weights)
    out = mp.fsum([w / total * power(value) for w, value in zip(weights, u, strict=True)])
    value = mp.log(out) * tau.numerator / tau.denominator
    return mpf_fraction(value) - (max(a + b for a, b in zip(s, u, strict=True)) - max(s))


def _head(scores: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
    s, v = float64(scores, "scores"), float64(values, "values")
    if s.dim() < 1 or v.dim() < 2 or s.shape[-1] != v.shape[-2] or s.shape[-1] < 1:
        raise ValueError(
            f"expected scores (..., N) and values (..., N, n), found {tuple(s.shape)} and "
            f"{tuple(v.shape)}"
        )
    return s, v


def _lifted(scores: Tensor, log_values: Tensor) -> tuple[Tensor, Tensor]:
    """The scores and (..., n, N) the lifted scores of every component."""
    s, u = _head(scores, log_values)
    return s, (s.unsqueeze(-1) + u).transpose(-1, -2)
