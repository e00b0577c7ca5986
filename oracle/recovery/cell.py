"""What F = sum_k s_k relu(sum_h g_kh . o_h) is on single tokens and near them.

On a sequence of one token, or of copies of one, every o_h is the token: F is positively homogeneous
there, whatever its parameters. Near a token that lies on no kink F is one linear functional of
(o_1..o_H); the o_h of short sequences around a large multiple of the token are known once the W_h
are, so the functional is a linear system. It is solved modulo primes, where no power is long, and
believed after further queries of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil
from random import Random

from flint import fmpq, nmod, nmod_mat

from ...symbolic.errors import Degenerate, NotInClass
from ...symbolic.interpolation.modular import primes, reconstruct
from ..exact import exact
from ..ffn import Form
from ..protocol import Oracle, Query, shown
from .schedule import Integers

EXTRA = 3
"""Queries beyond the unknowns."""

GROWTH = 8
"""Doublings of the distance from the origin, until a cell's sequences stay inside it."""

PRIMES = 40
"""Primes before the functional counts as no short vector of fractions."""


class Cell:
    """Finds local functionals from sequences of two tokens.

    Args:
        ask: the black box.
        forms: the W_h, each of which shows in F.
        base: b.
        random: the source of the sequences.
    """

    def __init__(self, ask: Oracle, forms: Sequence[Form], base: int, random: Random) -> None:
        self._ask = ask
        self._forms = tuple(forms)
        self._base = base
        self._random = random

    def functional(self, x: Integers, room: Fraction) -> list[Fraction]:
        """The linear functional of (o_1..o_H) near the token x: H d rationals.

        Args:
            x: a token of the cell.
            room: about how far the walls of the cell are from it, not 0.

        Raises:
            Degenerate: no neighbourhood was small enough, or the fractions are too long.
        """
        start = ceil(2 * len(self._forms) / room)
        for growth in range(GROWTH):
            around = tuple(start * e << growth for e in x)
            queries = [self._near(around) for _ in range(len(self._forms) * len(x) + EXTRA)]
            answers = [exact(self._ask(query)) for query in queries]
            modulus, residues = 1, [0] * (len(self._forms) * len(x))
            for prime, _ in zip(primes(), range(PRIMES), strict=False):
                solution = self._solve(queries, answers, prime)
                if solution is None:
                    break
                inverse = pow(modulus, -1, prime)
                residues = [
                    a + modulus * ((b - a) * inverse % prime)
                    for a, b in zip(residues, solution, strict=True)
                ]
                modulus *= prime
                lifted = [reconstruct(residue, modulus) for residue in residues]
                found = [entry for entry in lifted if entry is not None]
                if len(found) == len(lifted) and self._fits(queries[-1], answers[-1], found):
                    return found
            else:
                raise Degenerate("the functional of a cell has no short fractions")
        raise Degenerate("no neighbourhood of a cell's token lies in one linear region")

    def _near(self, around: Integers) -> Query:
        return tuple(tuple(e + self._random.randint(-1, 1) for e in around) for _ in range(2))

    def _solve(
        self, queries: Sequence[Query], answers: Sequence[fmpq], prime: int
    ) -> list[int] | None:
        """The functional modulo a prime; None if no functional gives all the answers."""
        size = len(queries) - EXTRA
        rows = [self._outputs(query, prime) for query in queries]
        try:
            values = [nmod(answer, prime) for answer in answers]
            A = nmod_mat(size, size, [e for row in rows[:size] for e in row], prime)
            solution = A.solve(nmod_mat(size, 1, values[:size], prime)).entries()
        except ZeroDivisionError:
            return None
        for row, value in zip(rows[size:], values[size:], strict=True):
            if sum((a * b for a, b in zip(row, solution, strict=True)), nmod(0, prime)) != value:
                return None
        return [int(e) for e in solution]

    def _fits(self, query: Query, answer: fmpq, functional: Sequence[Fraction]) -> bool:
        """Whether lifted fractions give an answer modulo a prime that was not used."""
        prime = next(primes(1 << 60))
        try:
            terms = [
                output * nmod(entry.numerator, prime) / entry.denominator
                for output, entry in zip(self._outputs(query, prime), functional, strict=True)
            ]
            return bool(sum(terms, nmod(0, prime)) == nmod(answer, prime))
        except ZeroDivisionError:
            return False

    def _outputs(self, query: Query, prime: int) -> list[nmod]:
        """The o_h of a query modulo a prime."""
        X = [[int(e) for e in token] for token in query]
        found = []
        for W in self._forms:
            row = [
                sum(a * int(e) for a, e in zip(X[-1], column, strict=True))
                for column in zip(*W, strict=True)
            ]
            scores = [sum(a * b for a, b in zip(row, token, strict=True)) for token in X]
            weights = [pow(self._base, score - scores[-1], prime) for score in scores]
            inverse = pow(sum(weights), -1, prime)
            found += [
                nmod(
                    inverse * sum(w * token[i] for w, token in zip(weights, X, strict=True)), prime
                )
                for i in range(len(X[0]))
            ]
        return found


def check_single_tokens(ask: Oracle, random: Random) -> None:
    """Check what holds for every F of the class: F(x, x) = F(x), F(0) = 0 and F(3x) = 3 F(x).

    Raises:
        NotInClass: it does not hold.

    Example:
        >>> from ..ffn import FfnOracle, Neuron
        >>> check_single_tokens(FfnOracle([((0,),)], [Neuron(1, ((2,),))]), Random(0))
    """
    for sign in (1, -1):
        x = tuple(sign * random.randint(1, 9) for _ in range(ask.dimension))
        value = exact(ask((x,)))
        for query, wanted in (
            ((x, x), value),
            ((tuple(3 * e for e in x),), 3 * value),
            (((0,) * len(x),), fmpq(0)),
        ):
            answer = exact(ask(query))
            if answer != wanted:
                raise NotInClass(
                    f"the answer to {shown((x,))} is {value} and that to {shown(query)} is "
                    f"{answer}: attention and a ReLU layer without biases give {wanted}",
                    query=query,
                    answer=answer,
                )
