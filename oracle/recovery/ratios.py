"""The poles of a pair from floating-point answers: ratio nodes and the projected Loewner pencil.

With m copies of u = x + w and n of x, the answer is F(t) = F(0) + sum_h c_h t/(t + rho_h) at the
ratio t = m/n. Whole m with n = 1 see poles between 1 and 2H only and break down at H = 4 or 5 in
doubles; ratios over 2^-10..2^10 see twenty octaves. For G = (F - F(0))/t the Loewner matrix
(G_i - G_j)/(t_i - t_j) has rank H, and the pencil with the shifted one has the poles as its
eigenvalues (Mayo and Antoulas 2007). Rows are scaled by sqrt(t), which makes every entry of order
one. A pencil on F itself would be ruined by the constant F(0), which is far larger than the rest.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import eig

from ..floats import Array

OCTAVES = 10
NOISE = 1e-15
"""Singular values below this, relative to the largest, are nothing but rounding."""

ROUNDING = 32 * float(np.finfo(float).eps)
"""Where the rank is to be found: relative rounding of an answer, with a margin."""


def ratio_nodes() -> list[tuple[int, int]]:
    """Numbers of copies (m, n) whose ratios cover 2^-10..2^10 twice an octave, in ascending order.

    Example:
        >>> len(ratio_nodes()), ratio_nodes()[0], ratio_nodes()[-1]
        (41, (1, 1024), (1024, 1))
    """
    found = []
    for k in range(-OCTAVES, OCTAVES + 1):
        found.append((1 << max(k, 0), 1 << max(-k, 0)))
        if k < OCTAVES:
            found.append((3 << (k - 1), 1) if k > 0 else (3, 1 << (1 - k)))
    return found


@dataclass(frozen=True)
class Pencil:
    """The poles that the data show.

    Args:
        scores: L_h = -log rho_h, as many as the numerical rank allows.
        residues: c_h, real.
        gap: the least distance of two scores.
    """

    scores: Array
    residues: Array
    gap: float


def pencil(t: Array, F: Array, zero: float, most: int, *, known: bool) -> Pencil:
    """Poles and residues of G = (F - F(0))/t, at most so many.

    Args:
        t: (n,) ratios in ascending order.
        F: (n,) answers.
        zero: F(0).
        most: the largest number of poles.
        known: whether it is the number itself, so that only what is certainly noise is dropped.

    Example:
        >>> t = np.array([m / n for m, n in ratio_nodes()])
        >>> found = pencil(t, 5 + 2 * t / (t + 1) + 3 * t / (t + np.exp(-2)), 5.0, 4, known=False)
        >>> [round(float(a), 6) + 0.0 for a in (*found.scores, *found.residues)]
        [0.0, 2.0, 2.0, 3.0]
    """
    G = (F - zero) / t
    a, b, Ga, Gb = t[::2], t[1::2], G[::2], G[1::2]
    weight = np.sqrt(np.outer(a, b)) / (a[:, None] - b[None, :])
    L = (Ga[:, None] - Gb[None, :]) * weight
    S = ((a * Ga)[:, None] - (b * Gb)[None, :]) * weight
    left, sizes, _ = np.linalg.svd(np.hstack([L, S]), full_matrices=False)
    _, _, right = np.linalg.svd(np.vstack([L, S]), full_matrices=False)
    # G is off by rounding of F over t, and the weights next to the diagonal are about 3.
    rounding = 0.0 if known else ROUNDING * float(np.abs(F).max() / t.min())
    rank = min(most, int((sizes > max(rounding, NOISE * float(sizes[0]))).sum()))
    if not rank:
        return Pencil(np.zeros(0), np.zeros(0), np.inf)
    U, V = left[:, :rank], right[:rank].T
    rho = -eig(U.T @ S @ V, U.T @ L @ V, right=False)
    # Noise may turn a pair of poles that nearly coincide complex: their modulus stands for both.
    rho = np.sort(np.abs(rho[np.isfinite(rho)]))[::-1]
    rho = rho[rho > 0]
    scores = -np.log(rho)
    columns = t[:, None] / (t[:, None] + rho[None, :])
    residues = np.linalg.lstsq(columns, F - zero, rcond=None)[0]
    gap = float(np.diff(scores).min()) if len(scores) > 1 else np.inf
    return Pencil(scores, residues, gap)


def on_copies(W: Array, v: Array, x: Array, u: Array, t: Array) -> tuple[Array, float]:
    """Answers to m copies of u and n of x, and how far they move with the parameters at most.

    Args:
        W: (H, d, d).
        v: (H, d).
        x: (d,), the attending token.
        u: (d,).
        t: the ratios m/n.

    Returns:
        The answers, and a bound on the sum of |derivatives| by W and, in units of v, by v.

    Example:
        >>> one = np.ones(1)
        >>> answers, _ = on_copies(np.zeros((1, 1, 1)), np.ones((1, 1)), 0 * one, one, one)
        >>> answers.tolist()
        [0.5]
    """
    L = np.einsum("i,hij,j->h", x, W, u - x)
    c = v @ (u - x)
    share = t / (t + np.exp(-np.clip(L, -700, 700))[:, None])  # (H, nodes)
    answers = v.sum(axis=0) @ x + (c[:, None] * share).sum(axis=0)
    reach = float(np.abs(x).sum() * np.abs(u - x).sum())
    largest = float(np.abs(v).max()) if len(v) else 0.0
    tokens = len(v) * float(np.abs(x).sum() + np.abs(u).sum())
    return answers, float(np.abs(c).sum() / 4 * reach) + largest * tokens
