"""Which pole belongs to which head: the assignments along the edges of the spanning tree.

A pair shows its poles without the names of the heads. Two pairs whose scores and residues add up
pin the names down: x^T W_h (w_1 + w_j) = x^T W_h w_1 + x^T W_h w_j, and likewise in x. Both
searches below are depth first and stop at the second solution: none means that no model of the
class answers so, two that this drawing does not tell the heads apart. The heads of a first row have
distinct scores; in later rows they may collide, and then a pole carries the sum of the residues of
its heads, or vanishes if that is zero. Residues are compared modulo a 61-bit prime; a wrong
coincidence is found out by the replay of all answers over Q.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from flint import arb

from ...symbolic.errors import Degenerate, PrecisionExhausted

Poles: TypeAlias = Mapping[int, int]
"""Score x^T W_h w -> residue modulo the prime, for one pair."""

NODES = 2000
"""Partial assignments that a search visits before it gives up."""

SUMS = 1 << 16
"""Sums of residues that are tried before heads are taken to be able to cancel."""


class Contradiction(Exception):
    """No assignment of the poles fits: no model of the class answers so."""


def match_first(
    heads: Sequence[tuple[int, int]], single: Poles, double: Poles, prime: int
) -> list[tuple[int, int]]:
    """Name the poles of (x_1, w_j), by those of (x_1, w_1) and (x_1, w_1 + w_j).

    Args:
        heads: score and residue of every head at (x_1, w_1): distinct scores, residues not 0.
        single: the poles of (x_1, w_j); a head with v_h.w_j = 0 has none.
        double: the poles of (x_1, w_1 + w_j); a head with v_h.(w_1 + w_j) = 0 has none.
        prime: of the residues.

    Returns:
        Score and residue of every head at (x_1, w_j).

    Raises:
        Contradiction: no assignment fits though no pole is missing.
        Degenerate: two assignments fit, or none while a pole is missing.

    Example:
        >>> match_first([(5, 1), (3, 2)], {7: 10, 1: 20}, {12: 11, 4: 22}, 101)
        [(7, 10), (1, 20)]
    """
    options = []
    for score, residue in heads:
        found: list[_Option] = [
            (a, c, a, score + a)
            for a, c in single.items()
            if double.get(score + a) == (residue + c) % prime
        ]
        if len(single) < len(heads):
            found += [(b - score, 0, None, b) for b, c in double.items() if c == residue]
        if len(double) < len(heads):
            found += [(a, c, a, None) for a, c in single.items() if (c + residue) % prime == 0]
        options.append(found)
    solutions = _take(_covers(options, len(single), len(double)))
    if not solutions and len(single) == len(double) == len(heads):
        raise Contradiction("the scores of the heads do not add up")
    if len(solutions) != 1:
        raise Degenerate("the poles of a pair do not tell the heads apart")
    return [(score, residue) for score, residue, _, _ in solutions[0]]


_Option: TypeAlias = tuple[int, int, int | None, int | None]
"""Score, residue, and the poles of both pairs that it uses up."""


def _covers(
    options: Sequence[Sequence[_Option]], singles: int, doubles: int
) -> Iterator[list[_Option] | None]:
    """Choices of one option a head that use every pole of both pairs once; None: gave up."""
    order = sorted(range(len(options)), key=lambda h: len(options[h]))
    chosen: dict[int, _Option] = {}
    used: tuple[set[int], set[int]] = (set(), set())
    visited = 0

    def extend(k: int) -> Iterator[list[_Option] | None]:
        nonlocal visited
        visited += 1
        if visited > NODES:
            yield None
            return
        if k == len(order):
            if len(used[0]) == singles and len(used[1]) == doubles:
                yield [chosen[h] for h in range(len(order))]
            return
        for option in options[order[k]]:
            taken = [
                (pole, side)
                for pole, side in zip(option[2:], used, strict=True)
                if pole is not None
            ]
            if any(pole in side for pole, side in taken):
                continue
            for pole, side in taken:
                side.add(pole)
            chosen[order[k]] = option
            yield from extend(k + 1)
            for pole, side in taken:
                side.remove(pole)

    return extend(0)


def _take(solutions: Iterator[list[_Option] | None]) -> list[list[_Option]]:
    found: list[list[_Option]] = []
    for solution in solutions:
        if solution is None:
            raise Degenerate("the poles of a pair leave too many assignments to try")
        found.append(solution)
        if len(found) == 2:
            break
    return found


def may_cancel(residues: Sequence[int], prime: int) -> bool:
    """Whether some heads' residues sum to 0, so that at a common score they show no pole.

    Args:
        residues: of the heads, modulo the prime; heads without a residue do not count.
        prime: of the residues.

    Returns:
        True also when there are more sums than `SUMS` to try.

    Example:
        >>> may_cancel([5, 3, 96], 101), may_cancel([5, 3, 95], 101)
        (True, False)
    """
    sums: set[int] = set()
    for residue in (c % prime for c in residues):
        if not residue:
            continue
        larger = {(each + residue) % prime for each in sums} | {residue}
        if 0 in larger or len(sums) > SUMS:
            return True
        sums |= larger
    return False


@dataclass
class Shifted:
    """Two pairs of a later row: head h has its pole at p_h in the one, p_h + shift_h in the other.

    Args:
        poles: of the one pair.
        moved: of the other pair.
        shifts: the known difference of the scores, a head.
        residues: the known residue of every head in the one pair.
        moved_residues: the same in the other pair.
        prime: of the residues.

    Example:
        >>> Shifted({4: 3}, {5: 1, 6: 2}, [1, 2], [1, 2], [1, 2], 101).assign()
        [4, 4]
    """

    poles: Poles
    moved: Poles
    shifts: Sequence[int]
    residues: Sequence[int]
    moved_residues: Sequence[int]
    prime: int
    _visited: int = field(default=0, init=False)

    def assign(self) -> list[int]:
        """The score p_h of every head.

        Raises:
            Contradiction: no assignment fits.
            Degenerate: two do, or there are too many to try.
        """
        # First with every head visible in both pairs; poles that cancel are rare.
        for options in (self._visible(), self._any()):
            solutions = []
            for solution in self._solutions(options):
                solutions.append(solution)
                if len(solutions) == 2:
                    raise Degenerate("the poles of two pairs do not tell the heads apart")
            if solutions:
                return solutions[0]
        raise Contradiction("no assignment of the heads to the poles gives the residues")

    def _visible(self) -> list[list[int]]:
        options = []
        for shift, c, moved_c in zip(self.shifts, self.residues, self.moved_residues, strict=True):
            if not c:
                options.append([b - shift for b in self.moved])
            elif not moved_c:
                options.append(list(self.poles))
            else:
                options.append([p for p in self.poles if p + shift in self.moved])
        return options

    def _any(self) -> list[list[int]]:
        return [sorted({*self.poles, *(b - shift for b in self.moved)}) for shift in self.shifts]

    def _solutions(self, options: Sequence[Sequence[int]]) -> Iterator[list[int]]:
        """Assignments in which at every place the residues of its heads sum to what was seen."""
        order = sorted(range(len(options)), key=lambda h: len(options[h]))
        # A place is settled once no head is left that could still stand there.
        waiting: dict[tuple[bool, int], int] = {}
        for h, places in enumerate(options):
            for p in places:
                for place in ((False, p), (True, p + self.shifts[h])):
                    waiting[place] = waiting.get(place, 0) + 1
        wanted = {(False, p): c for p, c in self.poles.items()}
        wanted |= {(True, p): c for p, c in self.moved.items()}
        if any(place not in waiting for place in wanted):
            return
        sums = dict.fromkeys(waiting, 0)
        chosen: dict[int, int] = {}

        def settle(h: int, step: int) -> bool:
            """Take a head out of what waits (-1) or put it back; False if a sum is wrong."""
            right = True
            for p in options[h]:
                for place in ((False, p), (True, p + self.shifts[h])):
                    waiting[place] += step
                    if not waiting[place]:
                        right &= (sums[place] - wanted.get(place, 0)) % self.prime == 0
            return right

        def extend(k: int) -> Iterator[list[int]]:
            self._visited += 1
            if self._visited > NODES:
                raise Degenerate("the poles of two pairs leave too many assignments to try")
            if k == len(order):
                yield [chosen[h] for h in range(len(order))]
                return
            h = order[k]
            for p in options[h]:
                here, there = (False, p), (True, p + self.shifts[h])
                sums[here] += self.residues[h]
                sums[there] += self.moved_residues[h]
                chosen[h] = p
                if settle(h, -1):
                    yield from extend(k + 1)
                settle(h, 1)
                sums[here] -= self.residues[h]
                sums[there] -= self.moved_residues[h]

        yield from extend(0)


def match_overlapping(
    heads: Sequence[tuple[arb, arb]],
    single: Sequence[tuple[arb, arb]],
    double: Sequence[tuple[arb, arb]],
    *,
    across: bool,
) -> list[int] | None:
    """Which pole of `single` belongs to each head, by balls that must overlap.

    Args:
        heads: score and residue of every head in a known pair.
        single: the poles of another pair.
        double: the poles of the pair that is the sum of both.
        across: the sum is one of x, where residues stay equal; else one of w, where they add.

    Returns:
        The positions in `single`; None if no assignment fits.

    Raises:
        PrecisionExhausted: two assignments fit.

    Example:
        >>> heads, single, double = [(arb(1), arb(2))], [(arb(3), arb(4))], [(arb(4), arb(6))]
        >>> match_overlapping(heads, single, double, across=False)
        [0]
    """
    options: list[list[_Option]] = []
    for score, residue in heads:
        found: list[_Option] = []
        for a, (L, c) in enumerate(single):
            if across and not c.overlaps(residue):
                continue
            sums = (score + L, residue if across else residue + c)
            found += [
                (a, 0, a, b)
                for b, (L2, c2) in enumerate(double)
                if L2.overlaps(sums[0]) and c2.overlaps(sums[1])
            ]
        options.append(found)
    solutions = _take(_covers(options, len(single), len(double)))
    if len(solutions) == 2:
        raise PrecisionExhausted("the poles of a pair do not tell the heads apart")
    return [option[0] for option in solutions[0]] if solutions else None
