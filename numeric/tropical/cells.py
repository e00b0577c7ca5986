"""A5, tropical.cells, in floats: which keys win somewhere.

For every key j at once, the distance from its lifted point p_j = (kappa_j, b_j) to
C_j = conv(other distinct lifted points) - R_+ e_last is enclosed from both sides. Key j has a
full-dimensional cell iff that distance is positive, since it equals
max over unit u, u_last >= 0, of min_i <u, p_j - p_i>.

The upper side is a point of C_j: accelerated projected gradient over the simplex (FISTA with
gradient restarts), with the ray eliminated in closed form. The lower side is the direction from
that point to p_j, turned into a query x at which the scores are computed with their rounding
bound. No LP and no hull: nothing in common with the exact engine. Cost O(N^2 d) per key and
iteration for all N keys of a head together. It fails by not deciding: a key whose distance is
positive but far below the size of the data may need more iterations than allowed, and a distance
of exactly zero is never proved, only bounded.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import torch
from torch import Tensor

from .power_diagram import scores, scores_error
from .rounding import float64, gamma, outward


@dataclass(frozen=True)
class Cells:
    """What floats find out about every key of H heads.

    Args:
        wins: (H, N) bool: at `witness` the key's score exceeds all others (of other lifted
            points) by `margin` after subtracting the rounding bounds: certain.
        within: (H, N) bool: not seen to win, and the lifted point is within `tolerance` of C_j.
        witness: (H, N, d): the query; nan where the key was not seen to win.
        margin: (H, N): certain lead at the witness, inf if there are no other points, else nan.
        distance: (H, N): certain upper bound on the distance to C_j, rounding included; inf if
            there are no other points.
        tolerance: (H,): what `within` was measured against.
    """

    wins: Tensor
    within: Tensor
    witness: Tensor
    margin: Tensor
    distance: Tensor
    tolerance: Tensor

    @property
    def undecided(self) -> Tensor:
        """(H, N) bool: neither seen to win nor within the tolerance."""
        return ~self.wins & ~self.within


def cells(
    keys: Tensor,
    biases: Tensor | None = None,
    *,
    relative_tolerance: float = 1e-9,
    iterations: int = 4000,
) -> Cells:
    """Decide for every key of every head whether it wins somewhere, as far as floats can.

    Args:
        keys: (H, N, d), or (N, d) for one head.
        biases: (H, N) or (N,); 0 if left out.
        relative_tolerance: `within` means a distance of at most this times the largest
            distance of a lifted point from the mean.
        iterations: of the gradient method, at most.

    Raises:
        ValueError: shapes that do not fit, numbers that are not finite, or a tolerance at which
            rounding decides (below 1e-14 N) or iterations below 1.

    Example:
        >>> found = cells(torch.tensor([[-1.0], [0.0], [1.0]]))
        >>> found.wins.tolist(), found.within.tolist()
        ([[True, False, True]], [[False, True, False]])
    """
    k, b = _heads(keys, biases)
    H, N, d = k.shape
    if relative_tolerance < 1e-14 * N or iterations < 1:
        raise ValueError(
            f"expected relative_tolerance >= {1e-14 * N:.1e} and iterations >= 1, "
            f"found {relative_tolerance} and {iterations}"
        )
    lifted = torch.cat([k, b.unsqueeze(-1)], -1)  # (H, N, d + 1)
    points = lifted - lifted.mean(-2, keepdim=True)
    size = points.norm(dim=-1).amax(-1)  # (H,)
    points = points / torch.where(size > 0, size, 1.0)[:, None, None]
    others = (lifted.unsqueeze(-2) != lifted.unsqueeze(-3)).any(-1)  # (H, N, N)

    witness = torch.full((H, N, d), torch.nan, dtype=torch.float64)
    margin = torch.full((H, N), torch.nan, dtype=torch.float64)
    distance = torch.full((H, N), torch.inf, dtype=torch.float64)
    alone = ~others.any(-1)
    witness[alone] = 0.0
    margin[alone] = torch.inf

    for h in range(H):
        rows = (~alone[h]).nonzero().squeeze(-1)
        if len(rows) == 0:
            continue
        descent = _Descent(points[h], rows, others[h][rows])
        for step in range(1, iterations + 1):
            descent.step()
            if step % 20 and step != iterations:
                continue
            u = descent.direction()
            x = _queries(u, k[h], b[h], descent.rows, descent.others)
            lead = _lead(x, k[h], b[h], descent.rows, descent.others)
            bound = _distance_bound(u, N, d)
            now = descent.rows
            distance[h, now] = torch.minimum(distance[h, now], outward(bound * size[h]))
            won = lead > 0
            witness[h, now[won]] = x[won]
            margin[h, now[won]] = lead[won]
            if not descent.keep(~won & (bound > relative_tolerance)):
                break

    wins = margin > 0
    tolerance = relative_tolerance * size
    within = ~wins & (distance <= outward(tolerance).unsqueeze(-1))
    return Cells(wins, within, witness, margin, distance, tolerance)


class _Descent:
    """min over w in the simplex of |w K - kappa_j|^2 + min(0, <w, b> - b_j)^2, for many j."""

    def __init__(self, points: Tensor, rows: Tensor, others: Tensor) -> None:
        self.points = points  # (N, d + 1)
        self.rows = rows  # (A,), the keys that are not decided yet
        self.others = others  # (A, N)
        self._rate: Tensor = 1 / torch.linalg.matrix_norm(points, ord=2).square().clamp(min=1e-300)
        self.weights = others / others.sum(-1, keepdim=True).to(torch.float64)
        self._ahead = self.weights
        self._momentum = torch.ones(len(rows), 1, dtype=torch.float64)

    def _residual(self, weights: Tensor) -> Tensor:
        apart = weights @ self.points - self.points[self.rows]  # (A, d + 1)
        apart[:, -1].clamp_(max=0)  # the ray takes the rest
        return apart

    def direction(self) -> Tensor:
        """From the nearest point found to p_j: (A, d + 1), last coordinate >= 0."""
        return -self._residual(self.weights)

    def step(self) -> None:
        slope = self._residual(self._ahead) @ self.points.mT
        new = _simplex(self._ahead - self._rate * slope, self.others)
        back = ((self._ahead - new) * (new - self.weights)).sum(-1, keepdim=True) > 0
        momentum = torch.where(back, 1.0, (1 + (1 + 4 * self._momentum**2).sqrt()) / 2)
        pace = torch.where(back, 0.0, (self._momentum - 1) / momentum)
        self._ahead = new + pace * (new - self.weights)
        self.weights, self._momentum = new, momentum

    def keep(self, mask: Tensor) -> bool:
        """Go on with these keys only; whether there are any."""
        self.rows, self.others = self.rows[mask], self.others[mask]
        self.weights, self._ahead = self.weights[mask], self._ahead[mask]
        self._momentum = self._momentum[mask]
        return len(self.rows) > 0


def _simplex(values: Tensor, allowed: Tensor) -> Tensor:
    """Euclidean projection of each row on the simplex over its allowed entries, by sorting."""
    open_values = values.masked_fill(~allowed, -torch.inf)
    ordered = open_values.sort(-1, descending=True).values
    finite = ordered.masked_fill(ordered == -torch.inf, 0.0)
    counts = torch.arange(1, values.shape[-1] + 1, dtype=torch.float64)
    shifts = (finite.cumsum(-1) - 1) / counts
    last = (ordered > shifts).sum(-1, keepdim=True) - 1
    return (open_values - shifts.gather(-1, last)).clamp(min=0)


def _queries(u: Tensor, k: Tensor, b: Tensor, rows: Tensor, others: Tensor) -> Tensor:
    """A query x = s u_x along each direction: s in the middle of where key j could lead.

    Key j leads at s u_x iff s a_i > c_i for all i, a_i = <u_x, kappa_j - kappa_i>,
    c_i = b_i - b_j: an interval of s. Empty intervals give a query that does not lead.
    """
    along = u[:, :-1]  # (A, d)
    own = (along * k[rows]).sum(-1, keepdim=True)
    a = own - along @ k.mT  # (A, N)
    c = b - b[rows].unsqueeze(-1)
    ratio = c / a
    low = ratio.masked_fill(~(others & (a > 0)), -torch.inf).amax(-1).clamp(min=0)
    high = ratio.masked_fill(~(others & (a < 0)), torch.inf).amin(-1)
    open_ended = torch.where(low > 0, 2 * low, 1.0)
    middle = torch.where(torch.isfinite(high), (low + high) / 2, open_ended)
    return middle.clamp(min=0, max=2.0**100).unsqueeze(-1) * along


def _lead(x: Tensor, k: Tensor, b: Tensor, rows: Tensor, others: Tensor) -> Tensor:
    """How far key j is ahead at its query for certain; negative if it may not be."""
    value, error = scores(k, b, x), scores_error(k, b, x)  # (A, N), key n at query a
    own = value.gather(-1, rows.unsqueeze(-1)).squeeze(-1)
    own = own - error.gather(-1, rows.unsqueeze(-1)).squeeze(-1)
    rival = (value + error).masked_fill(~others, -torch.inf).amax(-1)
    rounding = 4 * gamma(1) * (own.abs() + rival.abs())  # of the sums and differences here
    return own - rival - rounding


def _distance_bound(u: Tensor, N: int, d: int) -> Tensor:
    """The distance shown by a computed residual, in units in which every point has norm <= 1.

    The weights sum to 1 up to gamma_{N+3}; the product and the difference err by gamma_{N+2} and
    the centring and scaling of both points by a few u each.
    """
    length = (u * u).sum(-1).sqrt()
    return length * (1 + gamma(d + 3)) + 2 * gamma(3 * N + 16) * sqrt(d + 1)


def _heads(keys: Tensor, biases: Tensor | None) -> tuple[Tensor, Tensor]:
    k = float64(keys, "keys")
    k = k.unsqueeze(0) if k.dim() == 2 else k
    b = torch.zeros(k.shape[:-1], dtype=torch.float64)
    if biases is not None:
        b = float64(biases, "biases")
        b = b.unsqueeze(0) if b.dim() == 1 else b
    if k.dim() != 3 or b.shape != k.shape[:-1] or k.numel() == 0:
        raise ValueError(
            f"expected keys (H, N, d) and biases (H, N), found {tuple(k.shape)} and "
            f"{tuple(b.shape)}"
        )
    return k, b
