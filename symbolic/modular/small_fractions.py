"""Fractions p/q of small numbers from their residues modulo a prime, a whole array at a time.

Euclid's algorithm on (prime, residue), stopped at the first remainder that is at most
floor(sqrt(prime / 2)): if a fraction with |p| and q at most that exists, it is the only one and is
found (Wang, Guy and Davenport, 1982). All residues take their steps together, so the cost is one
pass of array operations for each quotient of the longest expansion, about 15 for 23 bits.
"""

from __future__ import annotations

from math import isqrt
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Integers: TypeAlias = npt.NDArray[np.int64]


def small_fractions(residues: npt.NDArray[Any], prime: int) -> tuple[Integers, Integers]:
    """The fractions p/q = residue modulo the prime with |p| and q at most floor(sqrt(prime / 2)).

    Args:
        residues: integers of any shape, whole numbers if the type is a float, below 2^53.
        prime: below 2^31.

    Returns:
        p and q > 0 of the shape of the residues; q = 0 where there is no such fraction.

    Example:
        >>> p, q = small_fractions(np.array([3, 100, 51, 34]), 101)
        >>> p.tolist(), q.tolist()
        ([3, -1, 1, 1], [1, 1, 2, 3])
    """
    bound = isqrt(prime // 2)
    new = np.asarray(residues).astype(np.int64).ravel() % prime
    p, q = new.copy(), np.ones_like(new)
    negative = prime - new <= bound
    p[negative] -= prime
    open_places = np.flatnonzero((new > bound) & ~negative)
    new = new[open_places]
    old, old_q, new_q = np.full_like(new, prime), np.zeros_like(new), np.ones_like(new)
    while open_places.size:
        quotient = old // new
        old, new = new, old - quotient * new
        old_q, new_q = new_q, old_q - quotient * new_q
        ended = new <= bound
        sign = np.where(new_q[ended] < 0, -1, 1)
        p[open_places[ended]] = sign * new[ended]
        q[open_places[ended]] = np.where(abs(new_q[ended]) <= bound, abs(new_q[ended]), 0)
        going = ~ended
        open_places, old, new = open_places[going], old[going], new[going]
        old_q, new_q = old_q[going], new_q[going]
    shape = np.shape(residues)
    return p.reshape(shape), q.reshape(shape)
