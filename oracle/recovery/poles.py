"""The poles of a pair from its answers, modulo a prime: scores, and residues modulo the prime.

With base-b softmax the poles of G(m) = sum_h c_h/(m + rho_h) are rho_h = b^-(score), powers of b
modulo the prime that a table turns back into the score. The table grows by doubling, to what the
length of the answers allows; for long scores it stops at 2^16 and is entered by giant steps. A
denominator that does not split into distinct such factors belongs to no model with that many heads;
since a single prime may be unlucky, that is said only after a second prime agreed.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Any, TypeAlias

from flint import fmpq, nmod

from ...symbolic.errors import Degenerate
from ...symbolic.interpolation.modular import ProperField, primes

Modular: TypeAlias = Any
"""A polynomial modulo a prime (flint's nmod_poly)."""

TABLE = 1 << 16
"""The largest score in the table."""


class Foreign(Exception):
    """The answers of a pair are those of no model of the class; carries which pair."""

    def __init__(self, pair: int) -> None:
        super().__init__(pair)
        self.pair = pair


class PoleFinder:
    """Scores and residues at the nodes m = 1..2H, modulo one prime.

    Args:
        base: b.
        count: the number of nodes, 2H.
        prime: the modulus.

    Raises:
        Degenerate: the base is 0 modulo the prime.

    Example:
        >>> finder = PoleFinder(2, 2, next(primes()))
        >>> finder.find([fmpq(0)], [[fmpq(3, 3), fmpq(6, 4)]])  # F(m) = 3 m/(m + 2)
        [{-1: 3}]
    """

    def __init__(self, base: int, count: int, prime: int) -> None:
        self.base = base
        self.prime = prime
        self.count = count
        self._field = ProperField(count, prime)
        self._inverses = [nmod(pow(m, -1, prime), prime) for m in range(1, count + 1)]
        self._table: dict[int, int] = {1: 0}
        self._reach = 0
        if base % prime == 0:
            raise Degenerate("the base is divisible by the prime: draw again")
        self._double()

    def fractions(
        self, zeros: Sequence[fmpq], answers: Sequence[Sequence[fmpq]]
    ) -> list[tuple[Modular, Modular]]:
        """Numerator and denominator of G for every pair.

        Args:
            zeros: F(0) for every pair.
            answers: F(1..2H) for every pair.

        Raises:
            Degenerate: the prime divides a denominator.
        """
        P = self.prime
        try:
            data = [
                (nmod(value, P) - zero) * inverse
                for zero, row in zip((nmod(z, P) for z in zeros), answers, strict=True)
                for value, inverse in zip(row, self._inverses, strict=True)
            ]
        except ZeroDivisionError:
            raise Degenerate("a denominator is divisible by the prime: draw again") from None
        return self._field.fit(data) if data else [(None, None)] * len(answers)

    def find(
        self, zeros: Sequence[fmpq], answers: Sequence[Sequence[fmpq]]
    ) -> list[dict[int, int]]:
        """The residue at every score, for every pair.

        Args:
            zeros: F(0) for every pair.
            answers: F(1..2H) for every pair.

        Raises:
            Foreign: a pair has other poles than distinct powers of the base.
            Degenerate: the prime divides a denominator.
        """
        found: list[dict[int, int]] = []
        for i, (p, q) in enumerate(self.fractions(zeros, answers)):
            if q is None:
                found.append({})
                continue
            degree = q.degree()
            roots = q.roots() if degree else []
            # A fraction that is not strictly proper is no sum of simple poles either.
            if len(roots) < degree or p.degree() >= degree:
                raise Foreign(i)
            slope = q.derivative()
            poles = {}
            for root, _ in roots:
                score = self._score(self.prime - int(root), answers[i])
                if score is None:
                    raise Foreign(i)
                poles[score] = int(p(root) / slope(root))
            found.append(poles)
        return found

    def _score(self, rho: int, answers: Sequence[fmpq]) -> int | None:
        """The score with b^-score = rho; None if the answers are too short for one."""
        rho %= self.prime
        if rho in self._table:
            return self._table[rho]
        most = 2 * max(max(a.p.bit_length(), a.q.bit_length()) for a in answers) + 64
        while self._reach < min(most, TABLE):
            self._double()
            if rho in self._table:
                return self._table[rho]
        # Steps over the whole table in both directions: base^-score base^(k (2 reach + 1)).
        P, step = self.prime, 2 * self._reach + 1
        up, down = pow(self.base, step, P), pow(self.base, -step, P)
        above = below = rho
        for k in range(1, most // step + 2):
            above, below = above * up % P, below * down % P
            if above in self._table:
                return self._table[above] + k * step
            if below in self._table:
                return self._table[below] - k * step
        return None

    def _double(self) -> None:
        P, start = self.prime, self._reach
        self._reach = max(64, 2 * start)
        up, down = pow(self.base, start, P), pow(self.base, -start, P)
        inverse = pow(self.base, -1, P)
        for exponent in range(start + 1, self._reach + 1):
            up, down = up * self.base % P, down * inverse % P
            if up in self._table or down in self._table:
                raise Degenerate("the base has a small order modulo the prime: draw again")
            self._table[down], self._table[up] = exponent, -exponent


def another_prime(attempt: int) -> int:
    """The prime of an attempt, counted from 0; each attempt has two of its own.

    Example:
        >>> another_prime(0) > another_prime(1)
        True
    """
    return next(islice(primes(), 2 * attempt, None))


def is_foreign(base: int, zero: fmpq, answers: Sequence[fmpq], *, prime: int) -> bool:
    """Whether the pair is foreign modulo this prime too.

    Args:
        base: of the exponentials.
        zero: the answer without copies.
        answers: those to 1, 2, ... copies.
        prime: another one than that of the first attempt.

    Example:
        >>> is_foreign(2, fmpq(0), [fmpq(1), fmpq(5)], prime=another_prime(1))
        True
    """
    try:
        PoleFinder(base, len(answers), prime).find([zero], [answers])
    except Foreign:
        return True
    except Degenerate:
        return False
    return False
