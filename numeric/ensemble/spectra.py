"""Singular values of the QK and OV products of a head, and heads with the same products.

A product A^T B of two (d_k, d) factors is d x d of rank d_k. With A^T = Q_1 R_1 and B^T = Q_2 R_2
its nonzero singular values are those of R_1 R_2^T, d_k x d_k: O(d d_k^2), and the d x d matrix is
never formed. Likewise <A^T B, A'^T B'>_F = <A A'^T, B B'^T>_F. The factor 1/sqrt(d_k) of the scores
is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

REPEATED = 1e-10
"""Neighbouring singular values closer than this times the largest count as one repeated value."""


@dataclass(frozen=True)
class Spectrum:
    """The singular values of a product.

    Args:
        values: descending, d_k of them.
        stable_rank: |M|_F^2 / |M|_2^2; 0 for the zero matrix.
        effective_rank: exp of the entropy of values / sum of values; 0 for the zero matrix.
        repeated: the sets of indices, from 0, of repeated nonzero singular values: their singular
            vectors are determined up to a rotation among themselves.
    """

    values: tuple[float, ...]
    stable_rank: float
    effective_rank: float
    repeated: tuple[tuple[int, ...], ...]


def product_spectrum(A: Tensor, B: Tensor, *, relative_gap: float = REPEATED) -> Spectrum:
    """The spectrum of A^T B.

    Args:
        A: (d_k, d).
        B: (d_k, d).
        relative_gap: see `REPEATED`.

    Raises:
        ValueError: shapes that differ.

    Example:
        >>> eye = torch.eye(3, 5, dtype=torch.float64)
        >>> found = product_spectrum(torch.diag(torch.tensor([3.0, 1, 1])) @ eye.float(), eye)
        >>> found.values, found.repeated
        ((3.0, 1.0, 1.0), ((1, 2),))
    """
    if A.dim() != 2 or A.shape != B.shape:
        raise ValueError(f"expected two (d_k, d), found {tuple(A.shape)}, {tuple(B.shape)}")
    R = [torch.linalg.qr(W.to(torch.float64).mT, mode="r").R for W in (A, B)]
    s = torch.linalg.svdvals(R[0] @ R[1].mT)
    top = float(s[0])
    if top == 0:
        return Spectrum(tuple(s.tolist()), 0.0, 0.0, ())
    p = s / s.sum()
    entropy = -float(torch.special.xlogy(p, p).sum())
    stable = float((s / top).square().sum())
    effective = float(torch.exp(torch.tensor(entropy, dtype=torch.float64)))
    return Spectrum(tuple(s.tolist()), stable, effective, _repeated(s.tolist(), relative_gap))


def _repeated(values: Sequence[float], gap: float) -> tuple[tuple[int, ...], ...]:
    groups: list[list[int]] = []
    floor = len(values) * torch.finfo(torch.float64).eps * values[0]
    for n, value in enumerate(values):
        if value <= floor:
            break  # zeros repeat without saying anything
        if groups and values[groups[-1][-1]] - value <= gap * values[0]:
            groups[-1].append(n)
        else:
            groups.append([n])
    return tuple(tuple(group) for group in groups if len(group) > 1)


def product_cosines(A: Tensor, B: Tensor, owners: Sequence[int]) -> Tensor:
    """<M_h, M_h'>_F / (|M_h|_F |M_h'|_F) for the products M_h = A_h^T B_g(h), (H, H).

    Args:
        A: (H, d_k, d).
        B: (G, d_k, d).
        owners: g(h) for each of the H heads.

    Returns:
        1 where two heads have the same product up to a positive factor; nan for a zero product.
    """
    rows = torch.tensor(list(owners))
    inner = torch.empty(len(A), len(A), dtype=torch.float64)
    d_k = A.shape[1]
    flat_A, flat_B = A.flatten(0, 1), B.flatten(0, 1)
    for h in range(len(A)):
        left = (A[h] @ flat_A.mT).reshape(d_k, len(A), d_k)
        right = (B[owners[h]] @ flat_B.mT).reshape(d_k, len(B), d_k)[:, rows]
        inner[h] = (left * right).sum((0, 2))
    norms = inner.diagonal().clamp(min=0).sqrt()
    return inner / norms.unsqueeze(0) / norms.unsqueeze(1)
