"""Claims A1 and A4 over whole boxes of parameters.

Soft and hard maximum differ by a function of the gaps below it, tau log(1 + sum exp(-g/tau)),
so a box of gaps stands for all score vectors whose others lie in it, and the bounds, which are
attained at its corners, are certified without allowance.
"""

from __future__ import annotations

from fractions import Fraction

from ...certificates.boxes import Box, prove
from ...certificates.formula import at, exp, length, log, max_over, sum_over, var
from ...claim import Context, Profile
from ...claims.tropical.dequantisation import ID as DEQUANTISATION
from ...claims.tropical.rational_map import ID as RATIONAL_MAP
from ...evidence import Finding, Outcome

TAU, N = var("tau"), length("s")
SCORE = at("s", var("j"))
GAP = TAU * log(sum_over("j", N, exp(SCORE / TAU))) - max_over("j", N, SCORE)


def soft_maximum(context: Context) -> Outcome:
    """A1: both bounds over boxes of gaps below the maximum, and of scores."""
    lost = at("g", var("j"))
    mass = 1 + sum_over("j", length("g"), exp(-lost / TAU))
    cold = (Fraction(1, 8), Fraction(2))
    largest = 5 if context.profile is Profile.QUICK else 12
    made = []
    for n in range(1, largest + 1):
        sides = {"g": [(0, 4)] * n, "tau": cold}
        made.append(Box(f"lower-N{n + 1}", TAU * log(mass), sides, lower=0))
        ratio = TAU * log(mass / (1 + length("g")))
        made.append(Box(f"upper-N{n + 1}", ratio, sides, upper=0))
    square = {"s": [(-1, 1)] * 2, "tau": (Fraction(1, 2), Fraction(1))}
    made.append(Box("scores-N2", GAP - TAU * log(N), square, upper=Fraction(1, 20)))
    certificates, numbers = prove(DEQUANTISATION, tuple(made))
    return Outcome(
        Finding.HOLDS,
        scope=f"gaps in [0, 4]^(N-1), tau in [1/8, 2], N <= {largest + 1}; scores in [-1, 1]^2",
        certificates=certificates,
        numbers=numbers,
        detail="the soft maximum depends on the gaps only; for scores up to 1/20",
    )


def log_values(context: Context) -> Outcome:
    """A4: the bound over whole boxes: both maxima are exceeded by gaps, and the gaps are free."""
    above, below = (
        1 + sum_over("j", length(name), exp(-at(name, var("j")) / TAU)) for name in "ab"
    )
    largest = 5 if context.profile is Profile.QUICK else 12
    made = []
    for n in range(1, largest + 1):
        sides = {
            "a": [(0, 4)] * n,
            "b": [(0, 4)] * n,
            "tau": (Fraction(1, 8), Fraction(2)),
        }
        count = 1 + length("a")
        upper, lower = (TAU * log(part / count) for part in (above / below, below / above))
        made += [
            Box(f"upper-N{n + 1}", upper, sides, upper=0),
            Box(f"lower-N{n + 1}", lower, sides, upper=0),
        ]
    certificates, numbers = prove(RATIONAL_MAP, tuple(made))
    return Outcome(
        Finding.HOLDS,
        scope=f"gaps of s + u and of s in [0, 4]^(N-1), tau in [1/8, 2], N <= {largest + 1}",
        certificates=certificates,
        numbers=numbers,
    )
