"""Equivariant attention layers in torch, one for each type of heads.

An orbit G/K of heads has one free pair (W, V), averaged over K and then moved over the cosets:
head g is (rho(g)^T W rho(g), rho_out(g)^-1 V rho(g)), the same for all g of a coset K g. Whatever
the parameters are, the function is equivariant up to rounding. An ordinary `torch.nn.Module`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from ..tropical.rounding import FUNCTION, TINY, U, float64, gamma, outward


@dataclass(frozen=True)
class Action:
    """A finite group that acts on tokens and outputs.

    Args:
        table: (|G|, |G|), the number of the product a b; element 0 is the identity.
        rho: (|G|, d, d).
        out: (|G|, p, p).
    """

    table: Tensor
    rho: Tensor
    out: Tensor

    @property
    def inverses(self) -> Tensor:
        """The number of each inverse, (|G|,)."""
        return (self.table == 0).int().argmax(1)

    def transversal(self, subgroup: Sequence[int]) -> list[int]:
        """One element of each coset K g, the least.

        Args:
            subgroup: numbers of the elements of K.
        """
        K = torch.tensor(sorted(subgroup))
        cosets = self.table[K].min(0).values  # the least element of K g, for each g
        return sorted(set(cosets.tolist()))


def action(table: object, rho: object, out: object) -> Action:
    """Read an action.

    Args:
        table: (|G|, |G|) integers.
        rho: (|G|, d, d) numbers.
        out: (|G|, p, p) numbers.

    Raises:
        ValueError: shapes that do not fit, or matrices that do not multiply as the table says, by
            more than rounding.

    Example:
        >>> sign = [[[1.0]], [[-1.0]]]
        >>> action([[0, 1], [1, 0]], sign, sign).inverses.tolist()
        [0, 1]
    """
    products = torch.as_tensor(table, dtype=torch.int64)
    n = len(products)
    if products.shape != (n, n) or n == 0:
        raise ValueError(f"expected a square table, found shape {tuple(products.shape)}")
    found = []
    for name, given in (("rho", rho), ("out", out)):
        m = float64(given, name)
        if m.ndim != 3 or len(m) != n or m.shape[1] != m.shape[2]:
            raise ValueError(f"{name}: expected {n} square matrices, found {tuple(m.shape)}")
        d = m.shape[1]
        apart = (m[:, None] @ m[None] - m[products]).abs()
        allowed = gamma(d + 8) * (m.abs()[:, None] @ m.abs()[None]) + 8 * U * m[products].abs()
        if bool((apart > allowed + 8 * U).any()):
            raise ValueError(f"{name}: expected matrices that multiply as the table says")
        found.append(m)
    return Action(products, found[0], found[1])


class EquivariantAttention(nn.Module):
    """f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) V_h x_j with heads of a given type.

    Args:
        group: how the group acts.
        orbits: for each orbit G/K the elements of K.
        seed: of the initial parameters.

    Raises:
        ValueError: an orbit without the identity, or K that is no subgroup.

    Example:
        >>> group = action([[0, 1], [1, 0]], [[[1.0]], [[-1.0]]], [[[1.0]], [[-1.0]]])
        >>> layer = EquivariantAttention(group, [[0], [0, 1]])
        >>> layer.heads()[0].shape
        torch.Size([3, 1, 1])
    """

    def __init__(self, group: Action, orbits: Sequence[Sequence[int]], *, seed: int = 0) -> None:
        """Draw parameters."""
        super().__init__()
        self.group = group
        d, p = group.rho.shape[1], group.out.shape[1]
        self.orbits = [sorted(set(K)) for K in orbits]
        for k, K in enumerate(self.orbits):
            if not K or set(group.table[K][:, K].flatten().tolist()) != set(K):
                raise ValueError(f"orbits[{k}]: expected the elements of a subgroup, found {K}")
        draws = torch.Generator().manual_seed(seed)
        count = len(self.orbits)
        self.W = nn.Parameter(torch.randn(count, d, d, generator=draws, dtype=torch.float64))
        self.V = nn.Parameter(torch.randn(count, p, d, generator=draws, dtype=torch.float64))
        self.transversals = [group.transversal(K) for K in self.orbits]

    def heads(self) -> tuple[Tensor, Tensor]:
        """All heads: W, (H, d, d), and V, (H, p, d)."""
        forms, values = [], []
        for k, (K, cosets) in enumerate(zip(self.orbits, self.transversals, strict=True)):
            W, V = self._moved(self.W[k], self.V[k], K)
            each = self._moved(W.mean(0), V.mean(0), cosets)
            forms.append(each[0])
            values.append(each[1])
        return torch.cat(forms), torch.cat(values)

    def _moved(self, W: Tensor, V: Tensor, elements: Sequence[int]) -> tuple[Tensor, Tensor]:
        R = self.group.rho[elements]  # (k, d, d)
        back = self.group.out[self.group.inverses[elements]]  # (k, p, p)
        return R.mT @ W @ R, back @ V @ R

    def forward(self, tokens: Tensor) -> Tensor:
        """The outputs.

        Args:
            tokens: (..., n, d); the last one attends.

        Returns:
            (..., p).
        """
        W, V = self.heads()
        # (..., H, n): x_n^T W_h x_j
        scores = torch.einsum("...a,hab,...nb->...hn", tokens[..., -1, :], W, tokens)
        means = torch.softmax(scores, -1) @ tokens  # (..., H, d)
        output: Tensor = torch.einsum("hpd,...hd->...p", V, means)
        return output

    @torch.no_grad()
    def defect(self, tokens: Tensor, element: int) -> Tensor:
        """The largest |f(rho(g) X) - rho_out(g) f(X)|, ().

        Args:
            tokens: (n, d), one query.
            element: the number of g.
        """
        turned = tokens @ self.group.rho[element].mT
        moved = self(turned)
        expected = self(tokens) @ self.group.out[element].mT
        apart: Tensor = (moved - expected).abs().max()
        return apart

    @torch.no_grad()
    def rounding_bound(self, tokens: Tensor, element: int) -> Tensor:
        """A bound on `defect` if the matrices of the group are exact.

        Derivation. Let |W|, |V| be what `heads` gives with absolute values throughout: the
        computed heads err by at most gamma_m times these, m = 4 d + 2 p + |G| + 8 roundings. On
        either side the tokens are X or rho(g) X, bounded by T = max(|X|, |rho(g)| |X|) and off by
        gamma_(d+1) T. A score errs by at most e = gamma_(m + 6 d + 8) |x_n|^T |W| T, so a weight
        by the factor exp(2 e) and the rounding of softmax, as in `recovery.attention.value_error`;
        everything else is a relative error of the majorant sum_h |V_h| max_j T_j of the output.
        The outputs of both sides are off by that, the second times |rho_out(g)|.

        Args:
            tokens: (n, d), one query.
            element: the number of g.
        """
        d, p = self.group.rho.shape[1], self.group.out.shape[1]
        n, order = tokens.shape[-2], len(self.group.table)
        W, V = self._majorants()
        H = len(W)
        R, S = self.group.rho[element].abs(), self.group.out[element].abs()
        T = torch.maximum(tokens.abs(), tokens.abs() @ R.mT)  # (n, d)
        m = 4 * d + 2 * p + order + 8
        sizes = torch.einsum("a,hab,nb->hn", T[-1], W, T).amax(-1)  # (H,)
        moved = 2 * gamma(m + 6 * d + 8) * sizes + 4 * U * (2 * sizes)
        relative = 2 * torch.expm1(moved + 2 * FUNCTION) + gamma(2 * n + m + 6 * d + p + H + 16)
        majorant = torch.einsum("hpd,d->hp", V, T.amax(0))  # (H, p)
        side = (relative[:, None] * majorant).sum(0)  # (p,)
        underflow = n * H * TINY * (1 + majorant.sum())
        ends = gamma(p + 2) * (S @ majorant.sum(0))
        return outward((side + S @ side + ends).max() + 2 * underflow)

    def _majorants(self) -> tuple[Tensor, Tensor]:
        """Absolute values of everything that `heads` adds and multiplies."""
        forms, values = [], []
        rho, out = self.group.rho.abs(), self.group.out.abs()
        for k, (K, cosets) in enumerate(zip(self.orbits, self.transversals, strict=True)):
            W, V = self.W[k].abs(), self.V[k].abs()
            for elements in (K, cosets):
                R, back = rho[elements], out[self.group.inverses[elements]]
                W, V = R.mT @ W @ R, back @ V @ R
                if elements is K:
                    W, V = W.mean(0), V.mean(0)
            forms.append(W)
            values.append(V)
        return torch.cat(forms), torch.cat(values)
