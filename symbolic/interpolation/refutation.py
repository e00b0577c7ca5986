"""Proof that data in balls are no sum of H simple poles at negative places, or fewer.

If G(m) = sum_h c_h/(m + rho_h) with at most H poles, all rho_h > 0, then the linearised system for
2H nodes is singular (fewer than H poles), or its one solution has the denominator
prod (m + rho_h): positive coefficients and real roots only. So a system that is certainly regular
with a coefficient that is certainly not positive, or a root that is certainly not real, rules every
such sum out, for all data in the balls. Nothing is said where a ball does not decide.
"""

from __future__ import annotations

from collections.abc import Sequence

from flint import acb_poly, arb, arb_mat

from ..enclosures.ball import precision


def refuted(values: Sequence[arb], zero: arb, *, bits: int) -> bool:
    """Whether no sum of at most H poles at negative places takes these values.

    Args:
        values: F(1..2H), with G(m) = (F(m) - F(0))/m.
        zero: F(0).
        bits: the working precision.

    Example:
        >>> refuted([arb(1), arb(5)], arb(0), bits=100)  # G = 1, 5/2: the pole is at 8/3
        True
        >>> refuted([arb(1) / 2, arb(2) / 3], arb(0), bits=100)  # G = 1/(m + 1)
        False
    """
    H = len(values) // 2
    if not H:
        return False
    with precision(bits):
        rows, right = [], []
        for m, value in enumerate(values, 1):
            g = (value - zero) / m
            powers = [arb(m) ** j for j in range(H + 1)]
            rows.append([*powers[:H], *(-g * power for power in powers[:H])])
            right.append([g * powers[H]])
        try:
            denominator = arb_mat(rows).solve(arb_mat(right)).entries()[H:]
        except ZeroDivisionError:
            return False
        if any(a <= 0 for a in denominator):
            return True
        try:
            roots = acb_poly([*denominator, arb(1)]).roots()
        except ValueError:
            return False
        return any(not root.imag.contains(0) for root in roots)
