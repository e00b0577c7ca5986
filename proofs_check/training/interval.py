"""Confidence intervals over seeds.

Seeds are independent draws of a whole training. A share of seeds gets the exact binomial interval
of Clopper and Pearson, which covers at least the stated level for every n. A mean gets Student's
interval, exact for normal measurements only: it is a summary, and no criterion rests on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import fmean, stdev

LEVEL = 0.95


def binomial_interval(met: int, n: int, *, level: float = LEVEL) -> tuple[float, float]:
    """The interval of Clopper and Pearson for a share of which ``met`` of ``n`` were found.

    Raises:
        ValueError: not 0 <= met <= n, or n = 0.

    Example:
        >>> low, high = binomial_interval(5, 5)
        >>> f"{low:.4f} {high}"  # low is (1 - level)/2 to the power 1/5
        '0.4782 1.0'
    """
    from scipy.stats import beta

    if n < 1 or not 0 <= met <= n:
        raise ValueError(f"expected 0 <= met <= n and n >= 1, found met = {met}, n = {n}")
    tail = (1 - level) / 2
    low = float(beta.ppf(tail, met, n - met + 1)) if met else 0.0
    high = float(beta.ppf(1 - tail, met + 1, n - met)) if met < n else 1.0
    return low, high


def mean_interval(values: Sequence[float], *, level: float = LEVEL) -> tuple[float, float] | None:
    """Student's interval for the mean; None for fewer than two values.

    Example:
        >>> low, high = mean_interval([1.0, 2.0, 3.0])
        >>> f"{low:.3f} {high:.3f}"
        '-0.484 4.484'
    """
    from scipy.stats import t

    n = len(values)
    if n < 2:
        return None
    half = float(t.ppf((1 + level) / 2, n - 1)) * stdev(values) / math.sqrt(n)
    centre = fmean(values)
    return centre - half, centre + half
