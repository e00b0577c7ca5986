"""E1, recovery.identity, in floats: the answers of multi-head attention to value queries.

The model is f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) v_h^T x_j. Tokens are taken one by
one, copies included, so that nothing of the formula for copies is used here. Scores are shifted by
their maximum; the error bound follows the computation, and a twin in mpmath has as many digits as
are asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import torch
from torch import Tensor

from ..tropical.high_precision import Number, context, mpf, mpf_fraction
from ..tropical.rounding import FUNCTION, TINY, U, float64, gamma, outward


def value(forms: Tensor, functionals: Tensor, tokens: Tensor) -> Tensor:
    """The answer at the last token.

    Args:
        forms: (H, d, d), W_h.
        functionals: (H, d), v_h.
        tokens: (n, d), n >= 1.

    Returns:
        () float64, within `value_error` of the exact value for the float inputs.

    Raises:
        ValueError: shapes that do not fit, or numbers that are not finite.

    Example:
        >>> W, v = torch.zeros(1, 1, 1), torch.tensor([[3.0]])
        >>> value(W, v, torch.tensor([[1.0], [2.0]])).item()  # equal weights: the mean of 3 and 6
        4.5
    """
    W, v, t = _checked(forms, functionals, tokens)
    scores = torch.einsum("a,hab,nb->hn", t[-1], W, t)  # (H, n)
    return (torch.softmax(scores, -1) * (v @ t.T)).sum()


def value_error(forms: Tensor, functionals: Tensor, tokens: Tensor) -> Tensor:
    """A bound on |`value` - exact value|.

    Derivation. A score errs by at most e = gamma_(2d+2) |x|^T |W| |t|, so the exponent of a weight
    by 2 max e + u |z|, z its depth below the maximum, and the weight by the factor exp of that and
    exp's own error; the normalised weight by twice as much and gamma_n. A value errs by
    gamma_d |v|.|t|, the sums over tokens and heads by gamma_(n H). All of it is in proportion to
    sum_j p_j |v|.|t_j|; a weight that underflows adds 2^-1022.

    Args:
        forms: (H, d, d), W_h.
        functionals: (H, d), v_h.
        tokens: (n, d), n >= 1.

    Returns:
        () float64.

    Raises:
        ValueError: as for `value`.

    Example:
        >>> W, v, t = torch.ones(1, 1, 1), torch.ones(1, 1), torch.tensor([[1.0], [0.5]])
        >>> exact = value_mp([[[1]]], [[1]], [[1], [0.5]], 50)
        >>> abs(Fraction(value(W, v, t).item()) - exact) <= value_error(W, v, t).item()
        True
    """
    W, v, t = _checked(forms, functionals, tokens)
    (H, d), n = v.shape, len(t)
    scores = torch.einsum("a,hab,nb->hn", t[-1], W, t)
    sizes = torch.einsum("a,hab,nb->hn", t[-1].abs(), W.abs(), t.abs())
    depths = (scores.max(-1, keepdim=True).values - scores).clamp(max=800)
    moved = 2 * gamma(2 * d + 2) * sizes.max(-1).values + 2 * U * depths.max(-1).values  # (H,)
    relative = 2 * torch.expm1(moved + 2 * FUNCTION) + gamma(2 * n + d + H + 8)
    share = torch.softmax(scores, -1) * (v.abs() @ t.abs().T)  # (H, n)
    total = (share.sum(-1) * relative).sum()
    return outward(2 * total + n * H * TINY * (1 + (v.abs() @ t.abs().T).max()))


def value_mp(
    forms: Sequence[Sequence[Sequence[Number]]],
    functionals: Sequence[Sequence[Number]],
    tokens: Sequence[Sequence[Number]],
    digits: int,
) -> Fraction:
    """The answer by mpmath, to about 10^-digits of the largest value; scores are exact.

    Args:
        forms: (H, d, d) rationals, or floats (each is the rational that it is).
        functionals: (H, d).
        tokens: (n, d), n >= 1.
        digits: correct decimal digits.

    Example:
        >>> value_mp([[[0]]], [[3]], [[1], [2]], 30) == Fraction(9, 2)
        True
    """
    t = [[Fraction(entry) for entry in token] for token in tokens]
    mp = context(digits, extra_bits=len(t).bit_length() + 30)
    total = mp.mpf(0)
    for W, v in zip(forms, functionals, strict=True):
        row = [
            sum((a * Fraction(e) for a, e in zip(t[-1], column, strict=True)), Fraction(0))
            for column in zip(*W, strict=True)
        ]
        scores = [sum((a * b for a, b in zip(row, u, strict=True)), Fraction(0)) for u in t]
        values = [sum((Fraction(a) * b for a, b in zip(v, u, strict=True)), Fraction(0)) for u in t]
        top = max(scores)
        # The exponents are differences of rationals: rounding them loses their size in digits.
        wide = context(digits, extra_bits=40 + int(top - min(scores)).bit_length() + len(t))
        weights = [wide.exp(mpf(wide, s - top)) for s in scores]
        parts = [w * mpf(wide, y) for w, y in zip(weights, values, strict=True)]
        total += mp.mpf(wide.fsum(parts) / wide.fsum(weights))
    return mpf_fraction(total)


def _checked(forms: Tensor, functionals: Tensor, tokens: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    W, v = float64(forms, "forms"), float64(functionals, "functionals")
    t = float64(tokens, "tokens")
    d = v.shape[-1] if v.dim() == 2 else 0
    if not d or W.shape != (len(v), d, d) or t.dim() != 2 or t.shape[1] != d or not len(t):
        raise ValueError(
            f"expected forms (H, d, d), functionals (H, d) and tokens (n, d), found "
            f"{tuple(W.shape)}, {tuple(v.shape)} and {tuple(t.shape)}"
        )
    return W, v, t
