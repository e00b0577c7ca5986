"""The rank of an integer matrix, from both sides.

From below: elimination modulo a prime near 2^23 on BLAS (`elimination`). A rank modulo p is
a lower bound of the rank: a minor that is not 0 modulo p is not 0. It is the rank unless p divides
all nonzero minors of that size: further primes only help against an unlucky one.

From above: n - r independent integer vectors of the kernel, or a factorisation through r columns.
Both are checked exactly, and neither is found here in general: kernel vectors are proposed from one
prime by rational reconstruction, which finds small ones (numerators and denominators below 2^11);
larger ones must be given by who knows them (for Jacobians: the tangent vectors of the symmetries).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isqrt, lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array

from ..errors import Degenerate, InputError
from .elimination import Elimination, Residues, solve_upper
from .small_fractions import small_fractions

Integers: TypeAlias = npt.NDArray[np.int64]

PRIMES = (8388593, 8388587, 8388581)
"""The largest primes below 2^23 = 8388608."""


@dataclass(frozen=True)
class ModularRank:
    """The rank of a matrix modulo a prime, with a minor that shows it.

    Args:
        rank: the rank modulo p, a lower bound of the rank.
        rows: the rows of a minor that is not 0 modulo p, in the order of the pivots.
        columns: its columns, increasing.
        prime: p.
    """

    rank: int
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    prime: int


@dataclass(frozen=True)
class Rank:
    """A rank that is proved from both sides.

    Args:
        rank: the rank.
        lower: the minor modulo a prime.
        kernel: n - rank independent integer vectors, as rows, that the matrix maps to 0; None if
            the upper side was shown by a factorisation or by the number of rows.
    """

    rank: int
    lower: ModularRank
    kernel: Integers | None


def modular_rank(matrix: Any, prime: int = PRIMES[0]) -> ModularRank:
    """The rank of an integer matrix modulo a prime.

    Args:
        matrix: [m][n] integers of any size.
        prime: a prime below 2^23.

    Raises:
        InputError: the matrix is ragged or no matrix of integers, or prime is none below 2^23.

    Example:
        >>> found = modular_rank([[1, 2, 3], [2, 4, 6], [0, 1, 1]])
        >>> found.rank, found.columns
        (2, (0, 1))
    """
    reduced, _ = _eliminated(matrix, prime)
    return reduced


def certified_rank(
    matrix: Any,
    *,
    kernel: Any = None,
    factors: tuple[Any, Any] | None = None,
    primes: Sequence[int] = PRIMES,
) -> Rank:
    """The rank of an integer matrix, proved from both sides.

    Args:
        matrix: [m][n] integers.
        kernel: integer vectors (rows of length n) that the matrix maps to 0, if known.
        factors: L [m][k], R [k][n] with matrix = L R, if known; shows rank <= k.
        primes: tried one after the other until both sides meet.

    Raises:
        InputError: no integer matrix, or what is given is no kernel or no factorisation.
        Degenerate: the two sides do not meet: no kernel of small numbers was found, or the one
            given is too small.

    Example:
        >>> found = certified_rank([[1, 2, 3], [2, 4, 6], [0, 1, 1]])
        >>> found.rank, found.kernel.tolist()
        (2, [[-1, -1, 1]])
    """
    entries = _integers(matrix)
    columns = entries.shape[1]
    upper = min(entries.shape)
    given: Integers | None = None
    if factors is not None:
        left, right = (_integers(factor) for factor in factors)
        if left.shape[1] != right.shape[0] or not exactly_equal(left, right, entries):
            raise InputError("factors whose product is the matrix", "others", where="factors")
        upper = min(upper, left.shape[1])
    if kernel is not None:
        given = _integers(kernel)
        if given.shape[1] != columns or not exactly_equal(entries, given.T, None):
            raise InputError("vectors that the matrix maps to 0", "others", where="kernel")
    best = -1
    for prime in primes:
        lower, echelon = _eliminated(entries, prime)
        best = max(best, lower.rank)
        if given is not None:
            basis = modular_rank(given, prime)
            if basis.rank == columns - lower.rank:
                return Rank(lower.rank, lower, given[list(basis.rows)])
        if lower.rank == columns:
            return Rank(lower.rank, lower, np.zeros((0, columns), dtype=np.int64))
        if lower.rank == upper:
            return Rank(lower.rank, lower, None)
        if given is not None:
            continue
        if factors is None:
            proposed = _small_kernel(echelon, lower)
            if proposed is not None and exactly_equal(entries, proposed.T, None):
                return Rank(lower.rank, lower, proposed)
    raise Degenerate(
        f"the rank is at least {best}, but no upper bound meets it: give the kernel or factors"
    )


def exactly_equal(left: Integers, right: Integers, product: Integers | None) -> bool:
    """Whether left @ right = product (None: 0), decided without rounding.

    Sparse or on BLAS when no sum of products can reach 2^53, else in integers of any size.
    """
    if not left.size or not right.size:
        return product is None or not bool(product.any())
    most = _largest(left) * _largest(right) * left.shape[1]
    if most < 2**53 and _few(left) and _few(right):
        sparse = (csr_array(left) @ csr_array(right)).toarray()
        return bool((sparse == (0 if product is None else product)).all())
    if most < 2**53:
        found = left.astype(np.float64) @ right.astype(np.float64)
        return bool((found == (0 if product is None else product)).all())
    exact = left.astype(object) @ right.astype(object)
    return bool((exact == (0 if product is None else product)).all())


def _few(matrix: Integers) -> bool:
    return bool(np.count_nonzero(matrix) < matrix.size // 32)


def _largest(matrix: npt.NDArray[Any]) -> int:
    return max(int(matrix.max()), -int(matrix.min()))


def _integers(matrix: Any) -> Integers:
    """The entries as int64, or as Python integers where they are longer."""
    if isinstance(matrix, np.ndarray) and matrix.dtype.kind in "iu" and matrix.ndim == 2:
        return matrix.astype(np.int64, copy=False)
    try:
        rows = [list(row) for row in matrix]
    except TypeError:
        raise InputError("a matrix of integers", repr(matrix)[:60]) from None
    if any(len(row) != len(rows[0]) for row in rows):
        raise InputError("rows of one length", "others", where="matrix")
    for row in rows:
        for entry in row:
            if not isinstance(entry, (int, np.integer)) or isinstance(entry, bool):
                raise InputError("integers", repr(entry)[:60], where="matrix")
    shape = (len(rows), len(rows[0]) if rows else 0)
    if all(-(2**62) < entry < 2**62 for row in rows for entry in row):
        return np.array(rows, dtype=np.int64).reshape(shape)
    return np.array(rows, dtype=object).reshape(shape)


def _eliminated(matrix: Any, prime: int) -> tuple[ModularRank, Residues]:
    if not 2 < prime < 2**23 or any(prime % q == 0 for q in range(2, isqrt(prime) + 1)):
        raise InputError("an odd prime below 2^23", str(prime), where="prime")
    entries = _integers(matrix)
    residues = np.asfortranarray((entries % prime).astype(np.float64))
    residues[residues > prime // 2] -= prime
    order = np.arange(residues.shape[0])
    columns = Elimination(residues, order, prime).panel(0, 0, residues.shape[1])
    found = ModularRank(len(columns), tuple(map(int, order[: len(columns)])), tuple(columns), prime)
    return found, residues


def _small_kernel(echelon: Residues, found: ModularRank) -> Integers | None:
    """Kernel vectors by back substitution modulo p, made rational if they are small."""
    rank, prime, columns = found.rank, found.prime, echelon.shape[1]
    free = sorted(set(range(columns)) - set(found.columns))
    if not free:
        return np.zeros((0, columns), dtype=np.int64)
    upper = echelon[:rank, list(found.columns)]
    right = np.asfortranarray(-echelon[:rank, free])
    solver = Elimination(right, np.arange(rank), prime)
    solve_upper(solver, upper, right)
    numerators, denominators = small_fractions(right, prime)
    if not denominators.all():
        return None
    vectors = np.zeros((len(free), columns), dtype=np.int64)
    for vector, column, p, q in zip(vectors, free, numerators.T, denominators.T, strict=True):
        common = lcm(*set(q.tolist()))
        if common > 2**40:
            return None
        vector[list(found.columns)] = p * (common // q)
        vector[column] = common
    return vectors
