"""The zero-temperature skeleton of trained heads on a text (claims A5, A10).

For one head and one text: which keys can win at all (as a function of the query, over all queries
and over the mixtures of a few tokens' queries), how far the best key of each position is ahead, and
at how many positions A10 certifies where the head looks. With Delta the lead of the best score and
N keys, the best key's weight is at least 1/(1 + rho), rho = (N - 1) exp(-Delta): it is at least
1 - eps iff Delta >= log((N - 1)(1 - eps)/eps) suffices. The lead is taken after subtracting what
rounding may have added to it, so a certified position is certain for the float64 data.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log, sqrt

import torch
from torch import Tensor

from .cells import cells
from .rounding import float64, gamma, outward

SHARES = (0.5, 0.1)
"""The eps at which positions are certified: more than half, more than nine tenths of the weight."""

_ITERATIONS = 1000
_TOLERANCE = 1e-6


@dataclass(frozen=True)
class CellShare:
    """How many of the keys of a head win somewhere.

    Args:
        keys: N.
        wins: certain to win at some query.
        never: within the tolerance of the keys that cover them.
        undecided: neither was seen.
    """

    keys: int
    wins: int
    never: int
    undecided: int


@dataclass(frozen=True)
class Skeleton:
    """One head on one text.

    Args:
        everywhere: over all queries of R^d_k.
        mixed: over mixtures of the given tokens' queries.
        unvisited: keys that are the best of no position of the text.
        leads: (n,), the certain lead of each position's best score, in units of the scores after
            the division by sqrt(d_k); 0 where it may be a tie; inf at a position with one key.
        certified: eps -> positions at which one key has weight > 1 - eps for certain.
        heavy: eps -> positions at which the computed weight of the best key is above 1 - eps.
        positions: those with at least two keys.
    """

    everywhere: CellShare
    mixed: CellShare
    unvisited: int
    leads: Tensor
    certified: dict[float, int]
    heavy: dict[float, int]
    positions: int


def skeleton(
    queries: Tensor,
    query_bias: Tensor,
    keys: Tensor,
    *,
    causal: bool = False,
    mixing: Sequence[int] = (),
) -> Skeleton:
    """The skeleton of one head.

    Args:
        queries: (n, d_k), before their bias.
        query_bias: (d_k,).
        keys: (n, d_k), as they are scored.
        causal: whether position i sees keys 0..i only; the cells are those of the last position.
        mixing: the tokens whose queries are mixed; three spread over the text by default.

    Raises:
        ValueError: shapes that do not fit, fewer than two positions, or tokens outside the text.

    Example:
        >>> k = torch.tensor([[-1.0], [0.0], [1.0]])
        >>> skeleton(4 * k, torch.zeros(1), k, mixing=(2,)).everywhere.never
        1
    """
    q, b, k = (
        float64(t, name)
        for t, name in ((queries, "queries"), (query_bias, "query_bias"), (keys, "keys"))
    )
    n = len(k)
    if q.dim() != 2 or q.shape != k.shape or b.shape != k.shape[1:] or n < 2:
        found = f"{tuple(q.shape)}, {tuple(b.shape)}, {tuple(k.shape)}"
        raise ValueError(f"expected (n, d_k), (d_k,), (n, d_k) with n >= 2, found {found}")
    tokens = list(mixing) or sorted({n * i // 4 for i in (1, 2, 3)})
    if not all(0 <= token < n for token in tokens):
        raise ValueError(f"expected tokens from 0 to {n - 1}, found {tokens}")
    biases = k @ b
    best, leads, largest = _leads(q + b, k, causal)
    counts = torch.arange(1, n + 1) if causal else torch.full((n,), n)
    several = counts > 1
    certified, heavy = {}, {}
    for eps in SHARES:
        needed = (counts.clamp(min=2) - 1).to(torch.float64).log() + log((1 - eps) / eps)
        certified[eps] = int((several & (leads > outward(needed.clamp(min=0)))).sum())
        heavy[eps] = int((several & (largest > 1 - eps)).sum())
    return Skeleton(
        _share(k, biases),
        _share(k @ q[tokens].mT, biases),
        n - len(set(best[several].tolist())),
        leads,
        certified,
        heavy,
        int(several.sum()),
    )


def _share(keys: Tensor, biases: Tensor) -> CellShare:
    found = cells(keys, biases, relative_tolerance=_TOLERANCE, iterations=_ITERATIONS)
    wins, never = int(found.wins.sum()), int(found.within.sum())
    return CellShare(len(keys), wins, never, len(keys) - wins - never)


def _leads(q: Tensor, k: Tensor, causal: bool) -> tuple[Tensor, Tensor, Tensor]:
    """The best key of each position, its lead less the rounding of both scores, its weight."""
    n, d_k = k.shape
    scores = q @ k.mT / sqrt(d_k)
    error = outward(gamma(d_k + 4) * (q.abs() @ k.abs().mT) / sqrt(d_k))
    if causal:
        hidden = torch.ones(n, n, dtype=torch.bool).triu(1)
        scores, error = scores.masked_fill(hidden, -torch.inf), error.masked_fill(hidden, 0.0)
    best = scores.argmax(-1)
    own = scores.gather(-1, best.unsqueeze(-1)) - error.gather(-1, best.unsqueeze(-1))
    rivals = (scores + error).scatter(-1, best.unsqueeze(-1), -torch.inf)
    lead = own.squeeze(-1) - rivals.amax(-1)
    rounding = 4 * gamma(1) * (own.squeeze(-1).abs() + scores.abs().nan_to_num(posinf=0).amax(-1))
    return best, (lead - rounding).clamp(min=0), torch.softmax(scores, -1).amax(-1)
