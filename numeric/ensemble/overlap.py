"""How much the heads of a layer look at the same things (claims B4, B5).

The projection kernel of two subspaces with frames P, P' is tr(Pi Pi') = |P^T P'|_F^2, the sum of
the squared cosines of their principal angles. The head diversity index (HDI) is one less the mean
of tr(Pi_h Pi_h')/d_k over pairs: our reading, the paper's abstract gives no formula. It is 1 for
orthogonal heads, 0 for aligned ones, and H_eff = H/(1 + (H-1)(1-HDI)) heads average as well.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from .subspaces import Subspaces


def overlaps(subspaces: Subspaces) -> Tensor:
    """tr(Pi_h Pi_h')/d_k for all pairs, (heads, heads); nan in the rows of heads of lower rank.

    Each entry errs by a few d u: it is a sum of d_k^2 squares of inner products of unit vectors.

    Args:
        subspaces: of the heads.

    Example:
        >>> from headproof.numeric.ensemble.subspaces import row_spaces
        >>> eye = torch.eye(4, dtype=torch.float64)
        >>> overlaps(row_spaces([eye[:2], eye[1:3], eye[2:]])).tolist()[0]
        [1.0, 0.5, 0.0]
    """
    frames = subspaces.frames  # (heads, d, d_k)
    count, _, d_k = frames.shape
    kernel = torch.empty(count, count, dtype=torch.float64)
    for h in range(count):
        # One plain product: a batched one would copy the frame for every other head.
        products = frames[h:].mT.flatten(0, 1) @ frames[h]  # ((heads - h) d_k, d_k)
        each = products.square_().sum(-1).reshape(-1, d_k).sum(-1) / d_k
        kernel[h, h:] = kernel[h:, h] = each
    for h in subspaces.deficient:
        kernel[h, :] = kernel[:, h] = torch.nan
    return kernel


def principal_cosines(P: Tensor, other: Tensor) -> Tensor:
    """Cosines of the principal angles of two orthonormal frames, descending, (min(d_k, d_k'),).

    Args:
        P: (d, d_k), orthonormal columns.
        other: (d, d_k').

    Example:
        >>> eye = torch.eye(3, dtype=torch.float64)
        >>> principal_cosines(eye[:, :2], eye[:, 1:]).tolist()
        [1.0, 0.0]
    """
    cosines: Tensor = torch.linalg.svdvals(P.mT @ other)
    return cosines.clamp(max=1)


def pair_cosines(subspaces: Subspaces) -> Tensor:
    """The principal cosines of all pairs h < h' of heads of full rank, (pairs, d_k).

    Args:
        subspaces: of the heads.

    Returns:
        Descending in each row; no row if fewer than two heads are of full rank.
    """
    heads = subspaces.full
    found = [
        principal_cosines(subspaces.frames[h], subspaces.frames[other])
        for n, h in enumerate(heads)
        for other in heads[n + 1 :]
    ]
    return torch.stack(found) if found else torch.empty(0, subspaces.d_k, dtype=torch.float64)


def diversity_index(kernel: Tensor) -> float:
    """HDI = 1 - mean over h < h' of tr(Pi_h Pi_h')/d_k.

    Args:
        kernel: (H, H), H >= 2, of heads of full rank.

    Raises:
        ValueError: fewer than two heads, or an overlap that is no number.

    Example:
        >>> diversity_index(torch.eye(3))
        1.0
    """
    H = _square(kernel)
    pairs = kernel.to(torch.float64)[*torch.triu_indices(H, H, 1)]
    return 1 - float(pairs.mean())


def spectral_index(subspaces: Subspaces) -> float:
    """The same from the mean projector: HDI = H/(H-1) (1 - tr(Pbar^2)/d_k).

    tr(Pbar^2) is |[P_1 .. P_H]^T [P_1 .. P_H]|_F^2 / H^2 = sum of sigma_i^4 / H^2 with sigma_i the
    singular values of the frames side by side: no pair of heads is looked at.

    Args:
        subspaces: of the heads.

    Raises:
        ValueError: fewer than two heads, or one of lower rank.
    """
    H, d, d_k = subspaces.frames.shape
    if H < 2 or subspaces.deficient:
        found = f"{H} heads, of lower rank {list(subspaces.deficient)}"
        raise ValueError(f"expected at least two heads of full rank, found {found}")
    sigma = torch.linalg.svdvals(subspaces.frames.permute(1, 0, 2).reshape(d, H * d_k))
    return H / (H - 1) * (1 - float(sigma.pow(4).sum()) / (H * H * d_k))


def effective_heads(index: float, heads: int) -> float:
    """H_eff = H / (1 + (H-1)(1-HDI)) = d_k/tr(Pbar^2).

    Args:
        index: HDI.
        heads: H.

    Example:
        >>> effective_heads(1.0, 12), effective_heads(0.0, 12)
        (12.0, 1.0)
    """
    return heads / (1 + (heads - 1) * (1 - index))


def attainable_index(heads: int, d_k: int, d: int) -> float:
    """The bound min(1, H/(H-1) (1 - d_k/d)): 1 is out of reach when H d_k > d.

    Args:
        heads: H.
        d_k: the dimension of a head.
        d: the width of the residual stream.

    Raises:
        ValueError: fewer than two heads.

    Example:
        >>> attainable_index(2, 3, 4)
        0.5
    """
    if heads < 2:
        raise ValueError(f"expected at least two heads, found {heads}")
    return min(1.0, heads / (heads - 1) * (1 - d_k / d))


def shared_index(kernel: Tensor, owners: Sequence[int]) -> float:
    """The HDI of query heads that share key/value heads: sharing counts as aligned.

    Args:
        kernel: (G, G), of the key/value heads.
        owners: the key/value head of each query head.

    Example:
        >>> round(shared_index(torch.eye(2), (0, 0, 1, 1)), 4)
        0.6667
    """
    rows = torch.tensor(list(owners))
    return diversity_index(kernel[rows][:, rows])


def _square(kernel: Tensor) -> int:
    H = kernel.shape[0]
    if kernel.shape != (H, H) or H < 2 or bool(torch.isnan(kernel).any()):
        found = f"shape {tuple(kernel.shape)}" + (", nan" if kernel.isnan().any() else "")
        raise ValueError(f"expected the overlaps of at least two heads of full rank, found {found}")
    return H
