"""The functionals v_h as fractions, from the residues c_h(w_j) = v_h.w_j modulo primes.

One 61-bit prime determines short fractions; for long ones the same answers are looked at modulo
further primes, where the scores are known already and only the residues are read off. A fraction is
accepted when it is shorter than the modulus by 24 bits, which a random residue is once in 2^24
times; the replay over Q then finds that out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from flint import fmpq, nmod, nmod_mat

from ...symbolic.errors import Degenerate
from ...symbolic.interpolation.modular import primes, reconstruct
from .matching import Contradiction
from .poles import PoleFinder
from .schedule import Integers

MARGIN = 24


def lift_values(
    w: Sequence[Integers],
    row: Sequence[Sequence[tuple[int, int]]],
    zero: fmpq,
    answers: Sequence[Sequence[fmpq]],
    finder: PoleFinder,
) -> list[tuple[int | Fraction, ...]]:
    """The v_h over Q.

    Args:
        w: the independent w_1..w_d.
        row: score and residue of every head at (x_1, w_j), modulo the finder's prime.
        zero: F(0) of x_1.
        answers: F(1..n) at (x_1, w_j).
        finder: whose prime the residues belong to.

    Returns:
        (H, d) rationals.

    Raises:
        Contradiction: the residues belong to no fractions of the answers' length.
        Degenerate: a prime is unlucky.

    Example:
        >>> from .poles import another_prime
        >>> finder = PoleFinder(2, 2, another_prime(0))
        >>> lift_values([(2,)], [[(0, 6)]], fmpq(0), [[fmpq(3), fmpq(4)]], finder)
        [(3,)]
    """
    heads = len(row[0])
    longest = max((max(a.p.bit_length(), a.q.bit_length()) for r in answers for a in r), default=0)
    P = finder.prime
    modulus, residues = P, _solve(w, [[c for _, c in line] for line in row], P)
    further = _further(w, row, zero, answers, finder)
    while True:
        lifted = [reconstruct(residue, modulus) for residue in residues]
        short = [f for f in lifted if f is not None and _bits(f) <= modulus.bit_length() - MARGIN]
        if len(short) == len(residues):
            break
        if modulus.bit_length() > 4 * longest + 256:
            raise Contradiction("the residues of the poles are no fractions of that length")
        prime, more = next(further)
        inverse = pow(modulus, -1, prime)
        residues = [
            a + modulus * ((b - a) * inverse % prime) for a, b in zip(residues, more, strict=True)
        ]
        modulus *= prime
    d = len(w)
    plain = [int(f) if f.denominator == 1 else f for f in short]
    return [tuple(plain[j * heads + h] for j in range(d)) for h in range(heads)]


def _solve(w: Sequence[Integers], residues: Sequence[Sequence[int]], prime: int) -> list[int]:
    """The entries of v_h modulo a prime: (d, H), row by row."""
    d, heads = len(w), len(residues[0])
    rows = nmod_mat(d, d, [e % prime for token in w for e in token], prime)
    try:
        right = nmod_mat(d, heads, [c % prime for line in residues for c in line], prime)
        return [int(v) for v in rows.solve(right).entries()] if heads else []
    except ZeroDivisionError:
        raise Degenerate("the w_j are dependent modulo the prime: draw again") from None


def _further(
    w: Sequence[Integers],
    row: Sequence[Sequence[tuple[int, int]]],
    zero: fmpq,
    answers: Sequence[Sequence[fmpq]],
    finder: PoleFinder,
) -> Iterator[tuple[int, list[int]]]:
    """The entries of v_h modulo one prime after another."""
    for prime in primes(finder.prime):
        other = PoleFinder(finder.base, len(answers[0]), prime)
        residues = []
        fractions = other.fractions([zero] * len(answers), answers)
        for line, (p, q) in zip(row, fractions, strict=True):
            slope = q.derivative()
            places = [nmod(-pow(finder.base, -score, prime) % prime, prime) for score, _ in line]
            residues.append([int(p(at) / slope(at)) if q(at) == 0 else 0 for at in places])
        yield prime, _solve(w, residues, prime)


def _bits(value: Fraction) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
