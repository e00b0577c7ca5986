"""A1, tropical.dequantisation, in floats: tau log sum exp(s_j/tau) - max s.

Computed as tau log1p(sum over the others of exp((s_j - max s)/tau)), which does not cancel: the
difference of the two terms as written would lose every digit as soon as the gap is below
u |max s|. Cost O(N) a row. The error bound is a posteriori: it is evaluated with the terms that
were computed, so that rows far from overflow and underflow get the sharp one.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from .high_precision import Number, context, exact_row, mpf, mpf_fraction
from .inputs import score_rows, temperatures
from .rounding import FUNCTION, TINY, U, gamma, outward

DEEPEST = 10**6
"""How many temperatures below the maximum the high-precision twins still look."""


def gap(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """The gap between the soft and the hard maximum.

    gap(s, tau) = tau log sum_j exp(s_j/tau) - max_j s_j, in [0, tau log N] (claim A1).

    Args:
        scores: (..., N) float64 (other types are converted), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Returns:
        (...) float64, within `gap_error` of the exact value for the float inputs.

    Raises:
        ValueError: no scores, values that are not finite or beyond 2^500, or tau <= 0.

    Example:
        >>> gap(torch.tensor([0.0, 0.0]), 0.5).item() == 0.5 * 0.6931471805599453
        True
    """
    _, terms, tau = _terms(scores, temperature)
    return tau * torch.log1p(terms.sum(-1))


def gap_error(scores: Tensor, temperature: Tensor | float) -> Tensor:
    """A bound on |`gap` - exact gap|, of the shape of `gap`.

    Derivation. The argument z_j = (s_j - m)/tau has two roundings, so it is off by at most
    2.1 u |z_j| and exp(z_j) by the factor 1 + 2.2 u |z_j| (|z_j| <= 745, else the term is flushed);
    with exp's own error the computed term e_j is off by at most (2.2 u |z_j| + 4 u) e_j, or by
    2^-1022. The sum S of N - 1 terms adds gamma_N S. As log1p is concave with derivative 1/(1 + S),
    an error E in S moves log1p(S) by at most E/(1 + S - E), and by at most E. log1p itself adds
    4 u log1p(S), the product with tau u more.

    Args:
        scores: (..., N), N >= 1.
        temperature: tau > 0, a number or broadcastable to (...).

    Raises:
        ValueError: as for `gap`.

    Example:
        >>> s = torch.tensor([0.0, 0.0], dtype=torch.float64)
        >>> (Fraction(gap(s, 1.0).item()) - gap_mp([0, 0], 1, 50)) <= gap_error(s, 1.0).item()
        True
    """
    depths, terms, tau = _terms(scores, temperature)
    N = terms.shape[-1]
    total = terms.sum(-1)
    slack = (terms * (2.2 * U * depths.clamp(min=-800).abs() + FUNCTION)).sum(-1)
    slack = slack + gamma(N) * total + N * TINY
    moved = slack / (1 + (total - slack).clamp(min=0))
    return outward(tau * (moved + (FUNCTION + 2 * U) * torch.log1p(total)))


def gap_limit(count: int, temperature: Tensor | float) -> Tensor:
    """The bound tau log N of claim A1, in float64 (relative error at most 5 u).

    Args:
        count: N.
        temperature: tau, of any shape.

    Raises:
        ValueError: N < 1 or tau <= 0.

    Example:
        >>> gap_limit(1, 3.0).item()
        0.0
    """
    if count < 1:
        raise ValueError(f"expected at least one score, found {count}")
    return temperatures(temperature) * torch.log(torch.tensor(float(count), dtype=torch.float64))


def gap_mp(scores: Sequence[Number], temperature: Number, digits: int) -> Fraction:
    """The gap by mpmath as a fraction, to a relative error of 10^-digits.

    Scores more than 10^6 temperatures below the maximum are left out: a fraction has no room for
    them. That adds an absolute error of less than N tau 10^-434294.

    The differences s_j - max s are taken over the rationals, so nothing cancels; the working
    precision covers the size of the exponents. A context of its own: mpmath.mp is not touched.

    Args:
        scores: s_1..s_N, exact rationals or floats (each float is the rational that it is).
        temperature: tau > 0.
        digits: correct decimal digits.

    Raises:
        ValueError: no scores, tau <= 0, or digits < 1.

    Example:
        >>> abs(gap_mp([0, 0], 1, 50) - Fraction("0.6931471805599453")) < Fraction(1, 10**16)
        True
    """
    values, tau = exact_row(scores, temperature)
    top = max(values)
    first = values.index(top)
    depths = ((top - s) / tau for j, s in enumerate(values) if j != first)
    near = [z for z in depths if z <= DEEPEST]
    deepest = int(max(near, default=0)) + 1
    mp = context(digits, extra_bits=deepest.bit_length() + len(values).bit_length() + 20)
    if not near:
        return Fraction(0)
    terms = [mp.exp(-mpf(mp, z)) for z in near]
    value = mp.log1p(mp.fsum(terms)) * tau.numerator / tau.denominator
    return mpf_fraction(value)


def _terms(scores: Tensor, temperature: Tensor | float) -> tuple[Tensor, Tensor, Tensor]:
    """(s_j - max s)/tau, its exponential with one maximum left out, and tau."""
    s = score_rows(scores)
    tau = temperatures(temperature)
    top, where = s.max(-1, keepdim=True)  # (..., 1)
    depths = (s - top) / tau.unsqueeze(-1)
    terms = torch.exp(depths).scatter(-1, where.expand(*depths.shape[:-1], 1), 0.0)
    return depths, terms, tau
