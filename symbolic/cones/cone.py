"""One exact decision behind all others: does a homogeneous system have a solution?

For rows a_i, some strict (S) and some weak (W), exactly one of these holds (Motzkin):

* there is u with a_i u > 0 for i in S and a_i u >= 0 for i in W;
* there are y >= 0, not all zero on S, with sum y_i a_i = 0.

*Why this algorithm.* Both answers come out of one least-squares problem: minimise
|sum y_i a_i|^2 + (1 - sum_S k_i y_i)^2 over y >= 0, with any k_i > 0. If the minimum is zero, y is
the second answer. Otherwise u = sum y_i a_i is the first: the optimality conditions say
a_i u >= k_i t on S and a_i u >= 0 on W, where t > 0 is the last residual. The active-set method of
Lawson and Hanson (Solving Least Squares Problems, 1974, chapter 23) solves it: the columns of
its passive set stay linearly independent and the residual falls strictly, so in exact arithmetic it
ends on *every* input, degenerate ones included; a simplex method needs a rule against cycling here,
since all right-hand sides but one are zero.

*Cost and exactness.* All arithmetic is on integers and rationals of python-flint; a step solves a
Gram system of at most n + 1 unknowns. Started from the passive set that a float solver found, which
is only a guess and may be wrong in any way, it usually needs no step beyond the check.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from flint import fmpq, fmpz, fmpz_mat

from ..rational import primitive

Rows: TypeAlias = Sequence[Sequence[int]]
"""Integer rows of one length."""


@dataclass(frozen=True)
class Alternative:
    """Which of the two alternatives holds, with its proof; exactly one field is not None.

    Args:
        witness: u, integers without a common divisor.
        multipliers: row index -> y_i > 0, integers without a common divisor.
    """

    witness: tuple[int, ...] | None = None
    multipliers: Mapping[int, int] | None = None


def decide(
    rows: Rows,
    *,
    strict: Sequence[bool] | None = None,
    start: Iterable[int] = (),
    dimension: int | None = None,
) -> Alternative:
    """Decide whether the system has a solution.

    Args:
        rows: (m, n) integers.
        strict: which rows are strict; all of them if None.
        start: rows that a solver proposed for the combination; any set is safe.
        dimension: n, needed when there are no rows.

    Example:
        >>> decide([[1, 1], [1, -2]]).witness
        (4, -1)
        >>> dict(decide([[1, 1], [-2, 1], [0, -3]]).multipliers)
        {0: 2, 1: 1, 2: 1}
    """
    strict = [True] * len(rows) if strict is None else strict
    n = len(rows[0]) if rows else dimension or 0
    sizes = [max((abs(entry) for entry in row), default=0).bit_length() for row in rows]
    for i, size in enumerate(sizes):
        if strict[i] and not size:
            return Alternative(multipliers={i: 1})
    if not any(strict):
        return Alternative(witness=(0,) * n)
    longest = max(sizes)
    # Rows of one size: the metric in which the proposals are made, and it keeps the steps few.
    shifts = [longest - size if size else 0 for size in sizes]
    columns = [
        [entry << shift for entry in row] + [(1 << longest) if is_strict else 0]
        for row, shift, is_strict in zip(rows, shifts, strict, strict=True)
    ]
    search = _ActiveSet(columns)
    search.begin(start)
    while search.step():
        pass
    if search.solved():
        raw = {i: value * (1 << shifts[i]) for i, value in search.values.items()}
        whole = primitive(_integers(raw.values()))
        return Alternative(multipliers=dict(sorted(zip(raw, whole, strict=True))))
    witness = primitive([-int(entry) for entry in search.residual[:-1]])
    return Alternative(witness=shorten(rows, strict, witness))


class _ActiveSet:
    """Lawson and Hanson's method for min |M y - e_last|, y >= 0, in exact arithmetic."""

    def __init__(self, columns: Rows) -> None:
        self.columns = columns
        self.matrix = fmpz_mat([list(column) for column in columns])  # (m, n + 1)
        self.values: dict[int, fmpq] = {}
        self.residual: list[fmpz] = []
        self._measure()

    def begin(self, start: Iterable[int]) -> None:
        """Take over a proposed passive set, less whatever makes it inadmissible."""
        proposed = sorted(set(start))
        wanted = [proposed[k] for k in independent([self.columns[j] for j in proposed])]
        while wanted:
            solution = self._least_squares(wanted)
            kept = [j for j in wanted if solution[j] > 0]
            if len(kept) == len(wanted):
                self.values = solution
                self._measure()
                return
            wanted = kept

    def step(self) -> bool:
        """Let one column in; False if the optimality conditions hold."""
        gains = (self.matrix * fmpz_mat([[entry] for entry in self.residual])).entries()
        best, entering = max((gain, -j) for j, gain in enumerate(gains))
        if best <= 0:
            return False
        self.values[-entering] = fmpq(0)
        while True:
            target = self._least_squares(sorted(self.values))
            falling = [j for j, value in target.items() if value <= 0]
            if not falling:
                self.values = target
                break
            share = min(self.values[j] / (self.values[j] - target[j]) for j in falling)
            moved = {j: v + share * (target[j] - v) for j, v in self.values.items()}
            self.values = {j: value for j, value in moved.items() if value > 0}
        self._measure()
        return True

    def solved(self) -> bool:
        """Whether the minimum is zero."""
        return not any(self.residual)

    def _least_squares(self, passive: Sequence[int]) -> dict[int, fmpq]:
        block = fmpz_mat([list(self.columns[j]) for j in passive])  # (k, n + 1)
        right = fmpz_mat([[self.columns[j][-1]] for j in passive])
        solution = (block * block.transpose()).solve(right)
        return {j: solution[k, 0] for k, j in enumerate(passive)}

    def _measure(self) -> None:
        """The residual e_last - M y, times a positive integer."""
        passive = sorted(self.values)
        whole, common = _common([self.values[j] for j in passive])
        residual = [fmpz(0)] * (len(self.columns[0]) - 1) + [common]
        if passive:
            block = fmpz_mat([list(self.columns[j]) for j in passive])
            image = (fmpz_mat([whole]) * block).entries()
            residual = [r - entry for r, entry in zip(residual, image, strict=True)]
        self.residual = residual


def _common(values: Iterable[fmpq]) -> tuple[list[fmpz], fmpz]:
    """Integers and the denominator that they share."""
    values = list(values)
    common = fmpz(1)
    for value in values:
        common = common.lcm(value.q)
    return [value.p * (common // value.q) for value in values], common


def _integers(values: Iterable[fmpq]) -> list[int]:
    return [int(entry) for entry in _common(values)[0]]


def independent(vectors: Rows) -> list[int]:
    """Indices of a greedy choice of linearly independent vectors.

    Example:
        >>> independent([[1, 0], [2, 0], [0, 3]])
        [0, 2]
    """
    if not vectors or not vectors[0]:
        return []
    reduced, _, rank = fmpz_mat([list(column) for column in zip(*vectors, strict=True)]).rref()
    pivots = []
    for i in range(rank):
        pivots.append(next(j for j in range(len(vectors)) if reduced[i, j]))
    return pivots


def combination(rows: Rows) -> list[int] | None:
    """Positive integers y with sum y_i a_i = 0, if the rows have exactly one linear relation.

    This is the quick way from a proposed set of rows to exact multipliers; None says that the
    set does not serve, and nothing else. Weights of zero are allowed, negative ones are not.

    Example:
        >>> combination([[2, 0], [-1, 3], [0, -3]])
        [1, 2, 2]
        >>> combination([[2, 0], [1, 3]]) is None
        True
    """
    if not rows:
        return None
    kernel, nullity = fmpz_mat([list(column) for column in zip(*rows, strict=True)]).nullspace()
    if nullity != 1:
        return None
    weights = [int(kernel[i, 0]) for i in range(len(rows))]
    if all(weight <= 0 for weight in weights):
        weights = [-weight for weight in weights]
    if any(weight < 0 for weight in weights):
        return None
    return list(primitive(weights))


def shorten(rows: Rows, strict: Sequence[bool], witness: Sequence[int]) -> tuple[int, ...]:
    """Round a witness to as few bits as still satisfy the system.

    Example:
        >>> shorten([[1, 0], [0, 1]], [True, True], [10**40, 10**40 + 1])
        (1, 1)
    """
    size = max((abs(entry) for entry in witness), default=0).bit_length()
    if size <= 8:
        return tuple(witness)
    matrix = fmpz_mat([list(row) for row in rows])
    bits = 8
    while bits < size:
        down, half = size - bits, 1 << (size - bits - 1)
        short = primitive([(entry + half) >> down for entry in witness])
        if satisfies(matrix, strict, short):
            return short
        bits *= 2
    return tuple(witness)


def satisfies(matrix: fmpz_mat, strict: Sequence[bool], witness: Sequence[int]) -> bool:
    """Whether a_i u > 0 on the strict rows and a_i u >= 0 on the others.

    Example:
        >>> satisfies(fmpz_mat([[1, 0], [0, 1]]), [True, False], [1, 0])
        True
        >>> satisfies(fmpz_mat([[1, 0], [0, 1]]), [True, True], [1, 0])
        False
    """
    values = (matrix * fmpz_mat([[entry] for entry in witness])).entries()
    return all(
        value > 0 if is_strict else value >= 0
        for value, is_strict in zip(values, strict, strict=True)
    )
