"""Linear systems over the rationals, decided exactly: a solution, or the multipliers against it.

Two questions. `strict_cones` asks for u with A u > 0 (does a point win somewhere? is a cell open?),
many systems at a time. `feasible` asks for x with any mixture of a x <= b, a x < b and a x = b;
a variable t > 0 makes it homogeneous, and Motzkin's transposition theorem gives the multipliers.

*Why this way.* Floats propose for the whole batch at once (`proposal`), integers decide: a solution
is rounded to integers and multiplied out, in int64 where a bound proves that nothing overflows; for
the multipliers the few rows that the floats point at have one linear relation, and its exact
integer coefficients have one sign. Whatever does not come out so (margins of 10^-40, entries of
10^30, ties) goes to `cone.decide`, an exact method that ends on every input.

*Cost.* For 20 systems of 200 rows in 6 unknowns about 0.2 ms each, multipliers included; the exact
method costs some milliseconds.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError
from ..rational import Rational, Vector, integer_rows, matrix, parse, primitive, vector
from .cone import combination, decide
from .proposal import propose, propose_support

Relation: TypeAlias = Literal["<=", "<", "="]
Condition: TypeAlias = tuple[Sequence[Rational | str], Relation, Rational | str]
"""(a, relation, b) for a x <= b, a x < b or a x = b."""

Words: TypeAlias = NDArray[np.int64]

_ROUNDED_BITS = 30
_ENTRIES = 1 << 22  # doubles in a batch: 32 MB


@dataclass(frozen=True)
class Decision:
    """Whether a system has a solution, with the proof; exactly one of the last two is not None.

    Args:
        feasible: whether there is a solution.
        witness: a solution.
        multipliers: one integer y_i a row, y_i >= 0 except at equations. For A u > 0:
            y != 0 and y A = 0. In general: y A = 0 and y b < 0, or y b = 0 with y_i > 0 at a
            strict row.
    """

    feasible: bool
    witness: Vector | None = None
    multipliers: tuple[int, ...] | None = None


def strict_cone(rows: Any, *, dimension: int | None = None) -> Decision:
    """Decide whether some u has A u > 0 in every row (Gordan's alternative).

    Args:
        rows: A, (m, n) rationals, or a numpy array of integers.
        dimension: n, needed for the witness only if there are no rows.

    Returns:
        An integer u, or integers y >= 0, y != 0, with y A = 0.

    Raises:
        InputError: a float, or rows of different lengths.

    Example:
        >>> strict_cone([[1, 0], [1, 1]]).feasible
        True
        >>> strict_cone([[2, 0], [-1, 1], [0, "-1/2"]]).multipliers
        (1, 2, 4)
    """
    return _cones([rows], ["rows"], dimension)[0]


def strict_cones(systems: Iterable[Any], *, dimension: int | None = None) -> tuple[Decision, ...]:
    """Decide many systems A u > 0 at once; the answers come in the order of the systems.

    Args:
        systems: matrices as `strict_cone` takes them, of any sizes.
        dimension: as for `strict_cone`.

    Raises:
        InputError: a float, or rows of different lengths; names the system.

    Example:
        >>> [answer.feasible for answer in strict_cones([[[1], [2]], [[1], [-2]]])]
        [True, False]
    """
    listed = list(systems)
    return _cones(listed, [f"systems[{k}]" for k in range(len(listed))], dimension)


def _cones(
    systems: Sequence[Any], names: Sequence[str], dimension: int | None
) -> tuple[Decision, ...]:
    answers: dict[int, Decision] = {}
    groups: dict[int, list[tuple[int, Words]]] = {}
    for k, system in enumerate(systems):
        words = _words(system)
        if words is not None and words.shape[1] == (dimension or words.shape[1]):
            groups.setdefault(words.shape[1], []).append((k, words))
            continue
        read = matrix(system, names[k], columns=dimension)
        unknowns = system.shape[1] if isinstance(system, np.ndarray) else dimension
        answers[k] = _exactly(integer_rows(read)[0], (), unknowns)
    for n, members in groups.items():
        members.sort(key=lambda member: len(member[1]))
        while members:
            batch = max(1, _ENTRIES // (len(members[-1][1]) * n))
            answers.update(_decide_words(members[-batch:]))
            del members[-batch:]
    return tuple(answers[k] for k in range(len(answers)))


def _words(system: Any) -> Words | None:
    """The system in int64, if it is a matrix of integers that are far from overflow."""
    if isinstance(system, np.ndarray):
        if system.ndim != 2 or system.dtype.kind not in "iu":
            return None
        words = system
    else:
        if not isinstance(system, (list, tuple)) or set(map(type, system)) - {list, tuple}:
            return None
        if len(set(map(len, system))) != 1:
            return None
        try:
            # Takes whatever is an integer; floats, fractions and long integers raise.
            flat = array("q", list(chain.from_iterable(system)))
        except (OverflowError, TypeError):
            return None
        words = np.frombuffer(flat, dtype=np.int64).reshape(len(system), -1)
        if (words >> 1 == 0).any() and bool in set(map(type, chain.from_iterable(system))):
            return None
    limit = 1 << (62 - _ROUNDED_BITS - int(words.shape[1]).bit_length())
    if not words.size or words.max() >= limit or words.min() <= -limit:
        return None
    return words.astype(np.int64, copy=False)


def _decide_words(members: Sequence[tuple[int, Words]]) -> dict[int, Decision]:
    """Decide a batch of int64 systems in the same number of unknowns."""
    tallest = max(len(words) for _, words in members)
    # Shorter systems are filled up with copies of their first row, which change nothing.
    batch = np.stack(
        [
            words
            if len(words) == tallest
            else words[np.r_[: len(words), [0] * (tallest - len(words))]]
            for _, words in members
        ]
    )
    floats = batch.astype(float)
    length = np.sqrt(np.einsum("bmn,bmn->bm", floats, floats))[:, :, None]
    floats /= np.where(length > 0, length, 1.0)
    guess = propose(floats)
    largest = np.abs(guess.directions).max(axis=1, keepdims=True)
    scale = (1 << _ROUNDED_BITS) / np.where(largest > 0, largest, 1.0)
    rounded = np.nan_to_num(np.rint(guess.directions * scale), nan=0.0, posinf=0.0, neginf=0.0)
    whole = rounded.astype(np.int64)  # |entries| <= 2^30
    # |A u| <= n max|A| 2^30 < 2^62 by the limit in _words: no overflow.
    solved = (batch @ whole[:, :, None])[:, :, 0].min(axis=1) > 0
    answers: dict[int, Decision] = {}
    for b, (k, words) in enumerate(members):
        if solved[b]:
            answers[k] = Decision(True, witness=primitive(whole[b].tolist()))
            continue
        support = [j for j in guess.support(b) if j < len(words)]
        weights = combination(words[support].tolist())
        if weights is not None and any(weights):
            multipliers = [0] * len(words)
            for j, weight in zip(support, weights, strict=True):
                multipliers[j] = weight
            answers[k] = Decision(False, multipliers=tuple(multipliers))
        else:
            answers[k] = _exactly(words.tolist(), support, None)
    return answers


def _exactly(
    rows: Sequence[Sequence[int]], support: Iterable[int], dimension: int | None
) -> Decision:
    found = decide(rows, start=support or _support(rows, [True] * len(rows)), dimension=dimension)
    if found.multipliers is None:
        return Decision(True, witness=found.witness)
    return Decision(False, multipliers=tuple(found.multipliers.get(j, 0) for j in range(len(rows))))


def _support(rows: Sequence[Sequence[int]], strict: Sequence[bool]) -> list[int]:
    """A float proposal for the rows that `cone.decide` starts with."""
    if not rows or not rows[0]:
        return []
    columns = []
    for row, is_strict in zip(rows, strict, strict=True):
        size = max(abs(entry) for entry in row).bit_length()
        columns.append([*(entry / (1 << size) for entry in row), float(is_strict)])
    target = np.zeros(len(columns[0]))
    target[-1] = 1.0
    return propose_support(np.array(columns).T, target)


def feasible(conditions: Iterable[Condition], *, dimension: int | None = None) -> Decision:
    """Decide whether some x satisfies every condition (Motzkin's alternative).

    Args:
        conditions: (a, relation, b) with a in Q^n, relation "<=", "<" or "=", b in Q.
        dimension: n, needed only if there are no conditions.

    Returns:
        A rational x; or integers y, one a condition, y_i >= 0 except at equations, with
        sum y_i a_i = 0 and sum y_i b_i < 0, or = 0 while some y_i > 0 stands at "<".

    Raises:
        InputError: a float, an unknown relation, or conditions in different numbers of unknowns.

    Example:
        >>> feasible([([1], "<", 1), ([-1], "<=", -1)]).multipliers
        (1, 1)
        >>> feasible([([1, 1], "=", 1), ([1, -1], "=", "1/3")]).witness
        (Fraction(2, 3), Fraction(1, 3))
    """
    rows: list[list[int]] = []
    strict: list[bool] = []
    origin: list[tuple[int, int]] = []  # (condition, signed denominator that was cleared)
    count = 0
    for i, condition in enumerate(conditions):
        row, relation, common = _homogeneous(condition, f"conditions[{i}]", dimension)
        dimension = len(row) - 1
        count += 1
        rows.append(row)
        strict.append(relation == "<")
        origin.append((i, common))
        if relation == "=":
            rows.append([-entry for entry in row])
            strict.append(False)
            origin.append((i, -common))
    rows.append([0] * (dimension or 0) + [1])
    strict.append(True)
    found = decide(rows, strict=strict, start=_support(rows, strict))
    if found.witness is not None:
        *point, scale = found.witness
        return Decision(True, witness=tuple(parse(Fraction(entry, scale)) for entry in point))
    assert found.multipliers is not None
    multipliers = [0] * count
    for j, weight in found.multipliers.items():
        if j < len(origin):
            i, common = origin[j]
            multipliers[i] += weight * common
    return Decision(False, multipliers=primitive(multipliers))


def _homogeneous(
    condition: Condition, where: str, dimension: int | None
) -> tuple[list[int], str, int]:
    """The row (-a, b) on (x, t) in integers, the relation, and the denominator cleared."""
    if not isinstance(condition, (list, tuple)) or len(condition) != 3:
        raise InputError("(coefficients, relation, bound)", repr(condition)[:60], where=where)
    coefficients, relation, bound = condition
    if relation not in ("<=", "<", "="):
        raise InputError('"<=", "<" or "="', repr(relation)[:60], where=f"{where}[1]")
    left = vector(coefficients, f"{where}[0]", dimension=dimension)
    right = parse(bound, f"{where}[2]")
    ((*whole, last),), common = integer_rows([(*left, right)])
    return [*(-entry for entry in whole), last], relation, common
