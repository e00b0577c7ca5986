"""The error of heads as a function of their dimension: the letters of B7, ensemble.budget.

F(x) = A exp(-alpha x) + B exp(g x) x with g = log C > 0 and B = sigma^2/(n D). Instances need an M
whose minimiser is rational; it is computed from the minimiser, in a context of its own.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import mpmath
from sympy import Symbol, exp

from ...derivations.setting import size

CLAIM = "ensemble.budget"

n, D = size("n"), size("D")
A, alpha, g, v = (Symbol(name, positive=True) for name in ("A", "alpha", "g", "v"))
x = Symbol("x", nonnegative=True)
_MP = mpmath.MPContext()
_MP.dps = 100

B = v / (n * D)
M = alpha * A * n * D / v
MEANING = {
    "n": "the number of training points",
    "D": "the budget H d_k",
    "A": "the squared bias at d_k = 0",
    "alpha": "the rate at which it decays in d_k",
    "g": "log C, C > 1 the factor by which each coordinate raises the variance",
    "v": "sigma^2",
}


def error(x: Any) -> Any:
    """The mean squared error of heads of dimension x."""
    return A * exp(-alpha * x) + B * exp(g * x) * x


def slope(x: Any) -> Any:
    """Its derivative."""
    return -alpha * A * exp(-alpha * x) + B * exp(g * x) * (1 + g * x)


def minimised(rate: Fraction, log_c: Fraction, best: Fraction) -> Fraction:
    """M of a given minimiser, (1 + g x) exp((alpha + g) x), to 80 decimal places."""
    exponent = (rate + log_c) * best
    grown = _MP.exp(_MP.mpf(exponent.numerator) / exponent.denominator)
    return Fraction(int(grown * 10**80), 10**80) * (1 + log_c * best)
