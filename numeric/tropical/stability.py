"""A10 and A11, tropical stability, in floats: soft attention and its derivative by the query.

The derivative is computed as the sum over pairs, (1/tau) sum_{i<j} p_i p_j (v_i - v_j)(k_i - k_j):
every term is small when the weights are, so the result keeps its digits. The covariance form, a
difference of two means, is here to be compared: it loses all digits once the second largest weight
is below u, or when keys or values are large against their differences. Cost O(N^2) against O(N).

The weights are off by a relative error: exp's argument has two roundings, hence 2.2 u |z_j|, exp
and the division add 5 u, the sum gamma_N. A term flushed to zero is wrong by at most 2^-1022.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from .high_precision import Number, context, exact_row, mpf, mpf_fraction
from .inputs import score_rows, temperatures
from .rounding import FUNCTION, TINY, U, float64, gamma, outward


def attention(scores: Tensor, values: Tensor, temperature: Tensor | float) -> Tensor:
    """Soft attention sum_j p_j v_j.

    Args:
        scores: (N,), N >= 1.
        values: (N, n).
        temperature: tau > 0.

    Returns:
        (n,) float64, within `attention_error` of the exact value for the float inputs.

    Raises:
        ValueError: shapes that do not fit, numbers that are not finite, tau <= 0.

    Example:
        >>> v = torch.tensor([[1.0], [-1.0]])
        >>> attention(torch.zeros(2), v, 1.0).item()
        0.0
    """
    p, v, _ = _weights(scores, values, temperature)
    return p @ v


def attention_error(scores: Tensor, values: Tensor, temperature: Tensor | float) -> Tensor:
    """A bound on |`attention` - exact|, (n,).

    Each product p_j v_j is off by the weights' relative error, the sum of N of them by gamma_N.

    Args:
        scores: (N,), N >= 1.
        values: (N, n).
        temperature: tau > 0.

    Raises:
        ValueError: as for `attention`.

    Example:
        >>> v = torch.tensor([[1.0], [-1.0]])
        >>> attention_error(torch.tensor([1.0, -1.0]), v, 1.0).item() < 1e-14
        True
    """
    p, v, relative = _weights(scores, values, temperature)
    N = p.shape[-1]
    return outward((p * (relative + gamma(N + 1))) @ v.abs() + N * TINY * v.abs().amax(0))


def pair_gradient(
    scores: Tensor, values: Tensor, keys: Tensor, temperature: Tensor | float
) -> Tensor:
    """The derivative of soft attention by the query as a sum over pairs (claim A11).

    Args:
        scores: (N,), at the query.
        values: (N, n).
        keys: (N, d), the derivatives of the scores.
        temperature: tau > 0.

    Returns:
        (n, d), within `pair_gradient_error` of the exact value for the float inputs.

    Raises:
        ValueError: as for `attention`.

    Example:
        >>> one = torch.tensor([[1.0], [-1.0]])
        >>> pair_gradient(torch.zeros(2), one, one, 1.0).item()  # the slope of tanh at 0
        1.0
    """
    p, v, _ = _weights(scores, values, temperature)
    k, tau = _rows(keys, p.shape[-1], "keys"), temperatures(temperature)
    i, j = torch.tril_indices(len(p), len(p), -1)
    return ((p[i] * p[j]).unsqueeze(-1) * (v[i] - v[j])).T @ (k[i] - k[j]) / tau


def pair_gradient_error(
    scores: Tensor, values: Tensor, keys: Tensor, temperature: Tensor | float
) -> Tensor:
    """A bound on |`pair_gradient` - exact|, (n, d).

    A term has two weights, two differences (u each) and three products and a quotient: relative
    error r_i + r_j + 7 u, r the weights'; the sum of M = N(N-1)/2 terms adds gamma_M.

    Args:
        scores: (N,), at the query.
        values: (N, n).
        keys: (N, d).
        temperature: tau > 0.

    Raises:
        ValueError: as for `attention`.

    Example:
        >>> one = torch.tensor([[1.0], [-1.0]])
        >>> pair_gradient_error(torch.zeros(2), one, one, 1.0).item() < 1e-14
        True
    """
    p, v, relative = _weights(scores, values, temperature)
    k, tau = _rows(keys, p.shape[-1], "keys"), temperatures(temperature)
    i, j = torch.tril_indices(len(p), len(p), -1)
    each = p[i] * p[j] * (relative[i] + relative[j] + gamma(7 + len(i))) + 3 * TINY
    return outward((each.unsqueeze(-1) * (v[i] - v[j]).abs()).T @ (k[i] - k[j]).abs() / tau)


def covariance_gradient(
    scores: Tensor, values: Tensor, keys: Tensor, temperature: Tensor | float
) -> Tensor:
    """The same derivative as a difference of means, which cancels: no bound of use exists.

    Args:
        scores: (N,), at the query.
        values: (N, n).
        keys: (N, d).
        temperature: tau > 0.

    Returns:
        (n, d).

    Raises:
        ValueError: as for `attention`.

    Example:
        >>> one = torch.tensor([[1.0], [-1.0]])
        >>> s = torch.tensor([20.0, -20.0])  # the slope is 7e-18, of which nothing is left
        >>> pair_gradient(s, one, one, 0.5).item() > 0, covariance_gradient(s, one, one, 0.5).item()
        (True, 0.0)
    """
    p, v, _ = _weights(scores, values, temperature)
    k, tau = _rows(keys, p.shape[-1], "keys"), temperatures(temperature)
    return ((p.unsqueeze(-1) * v).T @ k - torch.outer(p @ v, p @ k)) / tau


def attention_mp(
    scores: Sequence[Number], values: Sequence[Number], temperature: Number, digits: int
) -> Fraction:
    """One component of soft attention by mpmath, the relative error of each term below 10^-digits.

    Args:
        scores: N of them.
        values: N of them: one component.
        temperature: tau > 0.
        digits: correct decimal digits.

    Raises:
        ValueError: no scores, not as many values, tau <= 0, digits < 1.

    Example:
        >>> attention_mp([0, 0], [1, 3], 1, 50)
        Fraction(2, 1)
    """
    s, tau = exact_row(scores, temperature)
    if len(values) != len(s):
        raise ValueError(f"expected {len(s)} values, found {len(values)}")
    depths = [(max(s) - score) / tau for score in s]
    mp = context(digits, extra_bits=int(max(depths)).bit_length() + len(s).bit_length() + 40)
    weights = [mp.exp(-mpf(mp, depth)) for depth in depths]
    products = [weight * mpf(mp, value) for weight, value in zip(weights, values, strict=True)]
    return mpf_fraction(mp.fsum(products) / mp.fsum(weights))


def pair_gradient_mp(
    scores: Sequence[Number],
    values: Sequence[Number],
    keys: Sequence[Number],
    temperature: Number,
    digits: int,
) -> Fraction:
    """One entry of the derivative by mpmath, as a covariance at enough digits to cancel.

    Args:
        scores: N of them.
        values: N of them: one component.
        keys: N of them: one coordinate.
        temperature: tau > 0.
        digits: of the arithmetic.

    Raises:
        ValueError: as for `attention_mp`.

    Example:
        >>> pair_gradient_mp([0, 0], [1, -1], [1, -1], 1, 50)
        Fraction(1, 1)
    """
    s, tau = exact_row(scores, temperature)
    if not len(values) == len(keys) == len(s):
        raise ValueError(f"expected {len(s)} values and keys, found {len(values)}, {len(keys)}")
    depths = [(max(s) - score) / tau for score in s]
    # The covariance is about the second largest weight: as many bits more.
    mp = context(digits, extra_bits=int(3 * max(depths)) + 200)
    w = [mp.exp(-mpf(mp, depth)) for depth in depths]
    v, k = ([mpf(mp, value) for value in row] for row in (values, keys))
    total = mp.fsum(w)
    means = [mp.fsum(a * b for a, b in zip(w, row, strict=True)) / total for row in (v, k)]
    both = mp.fsum(a * b * c for a, b, c in zip(w, v, k, strict=True)) / total
    return mpf_fraction((both - means[0] * means[1]) / mpf(mp, tau))


def _weights(
    scores: Tensor, values: Tensor, temperature: Tensor | float
) -> tuple[Tensor, Tensor, Tensor]:
    """The weights p, the values, and a bound on the relative error of each weight."""
    s, tau = score_rows(scores), temperatures(temperature)
    if s.dim() != 1 or tau.dim() != 0:
        raise ValueError(f"expected scores (N,) and one temperature, found {tuple(s.shape)}")
    v = _rows(values, len(s), "values")
    z = (s - s.max()) / tau
    e = torch.exp(z)
    p = e / e.sum()
    one = 2.2 * U * z.clamp(min=-800).abs() + FUNCTION
    total = (p * one).sum() + gamma(len(s))
    return p, v, (one + total + 2 * U) * (1 + 2.0**-20)


def _rows(rows: Tensor, count: int, name: str) -> Tensor:
    found = float64(rows, name)
    if found.dim() != 2 or len(found) != count:
        raise ValueError(f"expected {name} of shape ({count}, n), found {tuple(found.shape)}")
    return found
