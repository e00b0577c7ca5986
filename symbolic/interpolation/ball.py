r"""Rational interpolation in rigorous balls: G(m) = sum_h c_h/(m + e^-L_h) from 2H nodes.

The answers F(m), m = 1..2H, and F(0) are balls; G(m) = (F(m) - F(0))/m. First an approximation at
the midpoints: Thiele's continued fraction, then the roots of the denominator. Then a
proof: let y = (c, L), J the Jacobian of the model at the approximation, an exact point. J is a
confluent Cauchy matrix, and its inverse Y is known in closed form, so that it is enclosed at the
cost of O(H^2) operations and

    T(y) = y + Y (G - model(y)) = approximation + Y (G - model(approximation)) + Y (remainder)

with Y J = 1 exactly. If T maps a box into itself, it has a fixed point there (Brouwer), which is
a solution for the data G, whichever G of the balls it is; and a solution with H distinct poles and
nonzero residues is unique up to order (claim recovery.uniqueness). This is Krawczyk's operator with
the exact inverse of the Jacobian. About 2^(8H) to 2^(10H) of the data's precision is lost in each
of c and L, and the test needs twice that.

The error of F(0) is common to all nodes. It enters through Y (1/k)_k, contracted before it meets
the radius: entry by entry it would be amplified by the whole loss, and a second time in later rows,
whose F(0) is itself a result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from flint import acb_poly, arb, arb_poly

from ..enclosures.ball import precision
from ..errors import PrecisionExhausted

STEPS = 4
"""Newton steps for all parameters, if the first approximation is not good enough."""


@dataclass(frozen=True)
class Poles:
    """Enclosures of the parameters.

    Args:
        residues: c_h.
        scores: L_h, in ascending order.
        total: sum_h c_h, narrower than the sum of the enclosures.
    """

    residues: tuple[arb, ...]
    scores: tuple[arb, ...]
    total: arb


def interpolate(values: Sequence[arb], zero: arb, *, bits: int) -> Poles:
    """Enclose the poles and residues of G from balls around F(1..2H) and F(0).

    Args:
        values: F(1..2H).
        zero: F(0).
        bits: the working precision.

    Raises:
        PrecisionExhausted: the balls do not determine H poles; with H too large none will.

    Example:
        >>> values = [arb(m) / (m + 1) + 2 * arb(m) / (m + arb(3).exp()) for m in (1, 2, 3, 4)]
        >>> found = interpolate(values, arb(0), bits=53)
        >>> [L.contains(k) for L, k in zip(found.scores, (-3, 0))]
        [True, True]
        >>> found.residues[0].contains(2), found.total.contains(3)
        (True, True)
    """
    H = len(values) // 2
    if not H:
        return Poles((), (), arb(0))
    with precision(2 * bits):
        middle = [(f.mid() - zero.mid()) / m for m, f in enumerate(values, 1)]
        start = _approximate(middle, bits)
    with precision(bits):
        c, L = start
        for _ in range(STEPS):
            point = _Point(c, L)
            try:
                return point.prove(values, zero)
            except PrecisionExhausted as reason:
                failure = reason
            steps = point.solve([g - f for g, f in zip(middle, point.values, strict=True)])
            c = [(a + b).mid() for a, b in zip(c, steps[0], strict=True)]
            L = [(a + b).mid() for a, b in zip(L, steps[1], strict=True)]
            if not all(a.is_finite() for a in (*c, *L)):
                break
        raise failure


@dataclass(frozen=True)
class Sensitivity:
    """Derivatives of the parameters with respect to the answers, enclosed.

    Args:
        residues: (H, 2H), dc_h/dF(m).
        scores: (H, 2H), dL_h/dF(m).
    """

    residues: tuple[tuple[arb, ...], ...]
    scores: tuple[tuple[arb, ...], ...]


def sensitivity(residues: Sequence[arb], scores: Sequence[arb], *, bits: int) -> Sensitivity:
    """How the parameters of G move with F(1..2H); with F(0) they move by minus the row sums.

    Args:
        residues: c_h, exact.
        scores: L_h, exact and distinct.
        bits: the working precision.

    Example:
        >>> moves = sensitivity([arb(2)], [arb(0)], bits=100)  # F(m) = 2m/(m + 1)
        >>> # Scaling all answers scales c: dc = sum_m dc/dF(m) F(m) = c.
        >>> (moves.residues[0][0] * 1 + moves.residues[0][1] * 4 / 3).contains(2)
        True
    """
    with precision(bits):
        point = _Point(residues, scores)

        def over_m(rows: Sequence[Sequence[arb]]) -> tuple[tuple[arb, ...], ...]:
            return tuple(tuple(y / m for m, y in enumerate(row, 1)) for row in rows)

        return Sensitivity(over_m(point.for_c), over_m(point.for_L))


def _approximate(G: Sequence[arb], bits: int) -> tuple[list[arb], list[arb]]:
    """Residues and scores near the midpoints."""
    p, q = _thiele(G)
    slope = q.derivative()
    roots = _real_roots(q, slope, bits)
    found = sorted(((-(-z).log()).mid(), (p(z) / slope(z)).mid()) for z in roots)
    return [c for _, c in found], [L for L, _ in found]


def _thiele(G: Sequence[arb]) -> tuple[arb_poly, arb_poly]:
    """Numerator and denominator of G, from the continued fraction of 1/G at the nodes 1..2H.

    1/G = a_0 + (m - 1)/(a_1 + (m - 2)/(a_2 + ...)), of type (H, H - 1): O(H^2) operations. It loses
    more bits than solving the linearised system, which is why it runs at twice the precision.
    """
    row = [1 / g for g in G]
    quotients = []
    for _ in G:
        quotients.append(row[0].mid())
        row = [(arb(j) / (a - quotients[-1])).mid() for j, a in enumerate(row[1:], 1)]
    if not all(a.is_finite() for a in quotients):
        raise PrecisionExhausted("the poles are not separated at this precision")
    upper, lower = arb_poly([quotients[-1]]), arb_poly([1])
    for k in range(len(G) - 1, 0, -1):
        upper, lower = _middle(upper * quotients[k - 1] + arb_poly([-k, 1]) * lower), upper
    return lower, upper


def _middle(p: arb_poly) -> arb_poly:
    return arb_poly([a.mid() for a in p.coeffs()])


def _real_roots(q: arb_poly, slope: arb_poly, bits: int) -> list[arb]:
    """The roots, all of which must be negative: isolated roughly, then by Newton's method."""
    with precision(bits):
        try:
            roots = acb_poly(q).roots()
        except ValueError:
            raise PrecisionExhausted("the poles are not separated at this precision") from None
    if len(roots) < q.degree() or not all(z.real < 0 for z in roots):
        raise PrecisionExhausted("the denominator has roots that are not negative")
    found = []
    for z in (root.real.mid() for root in roots):
        for _ in range(bits.bit_length()):
            step = (q(z) / slope(z)).mid()
            z = (z - step).mid()
            if not abs(step) > abs(z) * arb(2) ** (-bits // 2):
                break
        if not z < 0:
            raise PrecisionExhausted("the denominator has roots that are not negative")
        found.append(z)
    return found


class _Point:
    """An exact point (c, L), the model there, and the inverse of its Jacobian, enclosed."""

    def __init__(self, c: Sequence[arb], L: Sequence[arb]) -> None:
        self.c, self.L = c, L
        H = len(c)
        self.rho = rho = [(-score).exp() for score in L]
        n = 2 * H
        # t[h][k-1] = 1/(k + rho_h)
        self.t = [[1 / (r + k) for k in range(1, n + 1)] for r in rho]
        self.values = [
            sum((a * row[k] for a, row in zip(c, self.t, strict=True)), arb(0)) for k in range(n)
        ]
        weights = []  # q(k)^2 / M'(k) with M = prod (z - k)
        for k in range(1, n + 1):
            q = arb(1)
            for r in rho:
                q *= r + k
            slope = _factorial(k - 1) * _factorial(n - k)
            weights.append(q * q / (slope if (n - k) % 2 == 0 else -slope))
        # Y in two blocks of H rows: for c and for L.
        self.for_c: list[list[arb]] = []
        self.for_L: list[list[arb]] = []
        for h, (r, row) in enumerate(zip(rho, self.t, strict=True)):
            M = arb(1)
            for k in range(1, n + 1):
                M *= -(r + k)
            g, slope = arb(1), arb(0)
            for other, s in enumerate(rho):
                if other != h:
                    g *= s - r
                    slope += 1 / (s - r)
            B = -M / (g * g)
            common = -sum(row, arb(0)) - 2 * slope
            double = [w * t * B for w, t in zip(weights, row, strict=True)]
            self.for_c.append([y * (common + t) for y, t in zip(double, row, strict=True)])
            scale = 1 / (c[h] * r)
            self.for_L.append([y * scale for y in double])

    def solve(self, right: Sequence[arb]) -> tuple[list[arb], list[arb]]:
        """Y times a vector over the nodes."""
        return (
            [_dot(row, right) for row in self.for_c],
            [_dot(row, right) for row in self.for_L],
        )

    def prove(self, values: Sequence[arb], zero: arb) -> Poles:
        """The enclosures, if T maps a box around the point into itself.

        Raises:
            PrecisionExhausted: no such box was found.
        """
        H = len(self.c)
        middle, spread = zero.mid(), arb(0, zero.rad())
        right = [
            (f - middle) / k - g
            for k, (f, g) in enumerate(zip(values, self.values, strict=True), 1)
        ]
        shift = [arb(-1) / k for k in range(1, 2 * H + 1)]
        first = [
            a + b * spread
            for block, moved in zip(self.solve(right), self.solve(shift), strict=True)
            for a, b in zip(block, moved, strict=True)
        ]
        eta = [a.abs_upper() for a in first]
        R = [2 * a for a in eta]
        remainder = self._remainder(R[:H], R[H:])
        curved = [
            sum((y.abs_upper() * e for y, e in zip(row, remainder, strict=True)), arb(0))
            for row in (*self.for_c, *self.for_L)
        ]
        if not all(a + e <= r for a, e, r in zip(eta, curved, R, strict=True)):
            raise PrecisionExhausted("the balls are too wide to determine the poles")
        box = [
            a + b + arb(0, e.upper())
            for a, b, e in zip((*self.c, *self.L), first, curved, strict=True)
        ]
        c, L = box[:H], box[H:]
        if any(a.contains(0) for a in c) or any(a.overlaps(b) for a, b in pairwise(L)):
            raise PrecisionExhausted("the poles are not separated at this precision")
        columns = [sum(column, arb(0)) for column in zip(*self.for_c, strict=True)]
        total = sum(self.c, arb(0)) + _dot(columns, right) + _dot(columns, shift) * spread
        total += arb(
            0,
            sum(
                (y.abs_upper() * e for y, e in zip(columns, remainder, strict=True)), arb(0)
            ).upper(),
        )
        return Poles(tuple(c), tuple(L), total)

    def _remainder(self, Rc: Sequence[arb], RL: Sequence[arb]) -> list[arb]:
        """Bounds of |model(y) - model - J (y - point)| at each node, for y in the box.

        With u = rho/(k + rho)^2 the second derivatives of c/(k + rho) are u (once in c and L) and
        at most |c| u (twice in L).
        """
        bounds = []
        for k in range(1, 2 * len(self.c) + 1):
            total = arb(0)
            for c, rho, a, b in zip(self.c, self.rho, Rc, RL, strict=True):
                high, low = rho * b.exp(), rho * (-b).exp()
                u = high / ((low + k) * (low + k))
                total += u * (a * b + (c.abs_upper() + a) * b * b / 2)
            bounds.append(total.abs_upper())
        return bounds


def _dot(left: Sequence[arb], right: Sequence[arb]) -> arb:
    return sum((a * b for a, b in zip(left, right, strict=True)), arb(0))


def _factorial(n: int) -> arb:
    return arb.fac_ui(n)
