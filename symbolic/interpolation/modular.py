"""Rational interpolation modulo 61-bit primes, lifted to Q and verified there.

Modulo a prime no coefficient grows, so a problem with 2H nodes costs H short steps of Euclid's
algorithm whatever the length of the data. `interpolate` repeats that modulo as many primes as the
coefficients need, reconstructs them and accepts only what fits the data over Q; by the uniqueness
of the linearised solution that is a proof. `ProperField` is the part that recovery uses on
thousands of problems at the nodes 1..n: one inverse Vandermonde matrix serves all of them.

A prime is unlucky when it divides a denominator (noticed at once) or when the degrees drop modulo
it (noticed by the verification, or by another prime with larger degrees).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import isqrt

from flint import fmpq, fmpq_poly, fmpz, nmod, nmod_mat, nmod_poly

from ..errors import PrecisionExhausted
from ..rational import Rational, Vector, vector
from .interpolant import Interpolant, check_problem, minimal_solution, reduced

FIRST_PRIME = (1 << 61) - 31
"""The first prime tried; 2 generates a large subgroup modulo it (unlike modulo 2^61 - 1)."""


def primes(below: int = FIRST_PRIME + 1) -> Iterator[int]:
    """Primes of 61 bits in descending order.

    Example:
        >>> next(primes())
        2305843009213693921
    """
    candidate = below - 1
    while True:
        if fmpz(candidate).is_prime():
            yield candidate
        candidate -= 1


def reconstruct(residue: int, modulus: int) -> Fraction | None:
    """The fraction n/q = residue mod modulus with |n|, q <= sqrt(modulus/2); None if there is none.

    Example:
        >>> reconstruct(pow(7, -1, 10**9 + 7) * 3, 10**9 + 7)
        Fraction(3, 7)
    """
    bound = isqrt(modulus // 2)
    before, rest = modulus, residue % modulus
    q_before, q = 0, 1
    while rest > bound:
        quotient = before // rest
        before, rest = rest, before - quotient * rest
        q_before, q = q, q_before - quotient * q
    if q == 0 or abs(q) > bound:
        return None
    found = Fraction(rest, q)
    return found if found.denominator == abs(q) else None


class ProperField:
    """Interpolation of type (H-1, H) at the nodes 1..2H modulo a prime, many problems at once.

    Args:
        count: the number of nodes, 2H.
        prime: the modulus, larger than the nodes.

    Example:
        >>> field = ProperField(2, 101)
        >>> (p, q), = field.fit([fmpq(1, 3), fmpq(1, 4)])  # 1/(m + 2) at m = 1, 2
        >>> p, q
        (1, x + 2)
    """

    def __init__(self, count: int, prime: int) -> None:
        self.count = count
        self.prime = prime
        vandermonde = [pow(m, k, prime) for m in range(1, count + 1) for k in range(count)]
        self._inverse = nmod_mat(count, count, vandermonde, prime).inv().transpose()
        self._modulus = nmod_poly([1], prime)
        for m in range(1, count + 1):
            self._modulus *= nmod_poly([prime - m, 1], prime)

    def fit(self, values: Sequence[fmpq | nmod]) -> list[tuple[nmod_poly, nmod_poly]]:
        """Numerator and monic denominator, coprime, for each run of 2H values.

        Raises:
            ZeroDivisionError: the prime divides a denominator: take another.
        """
        n = self.count
        if not n:
            return []
        lagrange = nmod_mat(len(values) // n, n, values, self.prime) * self._inverse
        found = []
        for row in lagrange.tolist():
            r, t = minimal_solution(self._modulus, nmod_poly(row, self.prime), n // 2)
            p, q, _ = reduced(r, t)
            found.append((p, q))
        return found


def interpolate(
    nodes: Sequence[Rational], values: Sequence[Rational], *, terms: int
) -> Interpolant:
    """The fraction r/t with deg r < k and deg t <= n - k through n points, found modulo primes.

    Args:
        nodes: n distinct rationals.
        values: n rationals.
        terms: k, the number of terms of the numerator.

    Raises:
        InputError: repeated nodes, or numbers that do not fit.

    Example:
        >>> f = interpolate([1, 2, 3, 4], [Fraction(1, m) + Fraction(2, m + 3) for m in
        ...                                (1, 2, 3, 4)], terms=2)
        >>> f.numerator == (3, 3), f.denominator == (0, 3, 1)
        (True, True)
    """
    x, y = vector(nodes, "nodes"), vector(values, "values")
    check_problem(x, len(y), terms)
    shape, residues, modulus = (-1, -1), [0], 1
    # Coefficients are minors of a matrix of powers of the nodes times values: far below this.
    most = 64 + 8 * len(x) * sum(_bits(a) * len(x) + _bits(b) for a, b in zip(x, y, strict=True))
    for prime in primes():
        image = _modulo(x, y, terms, prime)
        if image is None or image[0] < shape:
            continue
        if image[0] > shape:
            shape, residues, modulus = image[0], image[1], prime
        else:
            residues = [
                _chinese(a, modulus, b, prime) for a, b in zip(residues, image[1], strict=True)
            ]
            modulus *= prime
        fractions = _lifted(residues, modulus)
        if fractions is not None:
            split = shape[1]
            found = _verified(x, y, terms, fractions[:split], fractions[split:])
            if found is not None:
                return found
        if modulus.bit_length() > most:
            break
    raise PrecisionExhausted("no prime gave a fraction that fits the data: report this")


def _lifted(residues: Sequence[int], modulus: int) -> tuple[Fraction, ...] | None:
    """All coefficients as fractions; None as soon as one of them is none."""
    found = []
    for residue in residues:
        fraction = reconstruct(residue, modulus)
        if fraction is None:
            return None
        found.append(fraction)
    return tuple(found)


def _modulo(
    x: Vector, y: Vector, terms: int, prime: int
) -> tuple[tuple[int, int], list[int]] | None:
    """Degrees of q and p, and the coefficients of p and q; None modulo an unlucky prime."""
    try:
        points = [int(a.numerator * pow(a.denominator, -1, prime)) % prime for a in x]
        data = [int(b.numerator * pow(b.denominator, -1, prime)) % prime for b in y]
    except ValueError:
        return None
    if len(set(points)) < len(points):
        return None
    n = len(points)
    powers = nmod_mat(n, n, [pow(a, k, prime) for a in points for k in range(n)], prime)
    lagrange = powers.solve(nmod_mat(n, 1, data, prime)).entries()
    modulus = nmod_poly([1], prime)
    for a in points:
        modulus *= nmod_poly([-a % prime, 1], prime)
    p, q, _ = reduced(*minimal_solution(modulus, nmod_poly(lagrange, prime), terms))
    numerator = [int(c) for c in p.coeffs()] or [0]
    return (q.degree(), len(numerator)), numerator + [int(c) for c in q.coeffs()]


def _verified(
    x: Vector,
    y: Vector,
    terms: int,
    numerator: tuple[Fraction, ...],
    denominator: tuple[Fraction, ...],
) -> Interpolant | None:
    """The interpolant if p and q times the missed linear factors solve the linearised problem."""
    p, q = (fmpq_poly([_fmpq(c) for c in each]) for each in (numerator, denominator))
    missed = []
    for i, (a, b) in enumerate(zip(map(_fmpq, x), map(_fmpq, y), strict=True)):
        below = q(a)
        if not below or p(a) != b * below:
            missed.append(i)
    zero = len(numerator) == 1 and not numerator[0]
    fits = zero or len(missed) + len(numerator) <= terms
    if fits and len(missed) + len(denominator) - 1 <= len(x) - terms:
        return Interpolant(numerator, denominator, tuple(missed))
    return None


def _fmpq(value: Rational) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def _chinese(a: int, modulus: int, b: int, prime: int) -> int:
    return a + modulus * ((b - a) * pow(modulus, -1, prime) % prime)


def _bits(value: Rational) -> int:
    return value.numerator.bit_length() + value.denominator.bit_length()
