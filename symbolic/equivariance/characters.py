"""The character table of a finite group, exactly, and its real irreducible representations.

Dixon's method: the class sums multiply by structure constants, whose common eigenvectors are the
central characters. They are found modulo a prime p = 1 mod e (the exponent), large enough that a
random combination of the class sums separates them, and every value is lifted from the
multiplicities of its eigenvalues, integers below sqrt|G|. The result is verified in Q(zeta_e): the
rows are orthonormal and their degrees squared add up to |G|, so a wrong prime cannot pass.

A real irreducible is a complex one (real type, End = R), the sum of one and its conjugate (complex
type, End = C) or twice one (quaternionic type, End = H); the Frobenius-Schur indicator decides.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import isqrt
from random import Random

from flint import fmpq, fmpq_poly, nmod_mat

from ..errors import Degenerate
from ..rational import Rational
from .cyclotomic import CyclotomicField, rational
from .group import Group

_LARGEST = 1 << 30
_DRAWINGS = 50


@dataclass(frozen=True)
class RealIrreducible:
    """A real irreducible representation, by its character.

    Args:
        dimension: n over the reals.
        endomorphisms: the dimension of its ring of endomorphisms: 1 (R), 2 (C) or 4 (H).
        values: the character on each conjugacy class, in Q(zeta_e).
    """

    dimension: int
    endomorphisms: int
    values: tuple[fmpq_poly, ...]

    @property
    def rational(self) -> bool:
        """Whether every value of the character is rational."""
        return all(rational(value) is not None for value in self.values)


@dataclass(frozen=True)
class CharacterTable:
    """The irreducible characters of a group.

    Args:
        group: the group.
        field: Q(zeta_e) with e the exponent.
        rows: the complex irreducible characters on the conjugacy classes of the group.
    """

    group: Group
    field: CyclotomicField
    rows: tuple[tuple[fmpq_poly, ...], ...]

    def product(self, one: tuple[fmpq_poly, ...], other: tuple[fmpq_poly, ...]) -> fmpq_poly:
        """(1/|G|) sum_g chi(g) conj(psi(g))."""
        total = fmpq_poly([0])
        for cells, a, b in zip(self.group.classes, one, other, strict=True):
            total += len(cells) * a * self.field.conjugate(b)
        return (total % self.field.modulus) * fmpq(1, len(self.group))

    @cached_property
    def _squares(self) -> tuple[int, ...]:
        """The class of g^2 for each class."""
        place = {a: k for k, cells in enumerate(self.group.classes) for a in cells}
        return tuple(place[self.group.table[cells[0]][cells[0]]] for cells in self.group.classes)

    def indicator(self, row: tuple[fmpq_poly, ...]) -> int:
        """The Frobenius-Schur indicator (1/|G|) sum_g chi(g^2): 1, 0 or -1."""
        total = fmpq_poly([0])
        for cells, k in zip(self.group.classes, self._squares, strict=True):
            total += len(cells) * row[k]
        value = rational(total * fmpq(1, len(self.group)))
        assert value in (-1, 0, 1), "an indicator of Frobenius and Schur"
        return int(value)

    @cached_property
    def real(self) -> tuple[RealIrreducible, ...]:
        """The real irreducible representations, by dimension."""
        found: list[RealIrreducible] = []
        done: list[tuple[fmpq_poly, ...]] = []
        for row in self.rows:
            if row in done:
                continue
            degree = rational(row[0])
            assert type(degree) is int
            kind = self.indicator(row)
            if kind == 1:
                found.append(RealIrreducible(degree, 1, row))
            elif kind == -1:
                found.append(RealIrreducible(2 * degree, 4, tuple(2 * v for v in row)))
            else:
                other = tuple(self.field.conjugate(v) for v in row)
                done.append(other)
                total = tuple(a + b for a, b in zip(row, other, strict=True))
                found.append(RealIrreducible(2 * degree, 2, total))
        return tuple(sorted(found, key=lambda each: (each.dimension, each.endomorphisms)))

    def multiplicity(self, character: tuple[Rational, ...], part: RealIrreducible) -> int:
        """How often a real irreducible occurs in a representation with a rational character.

        Args:
            character: the trace of every element, as `Representation.character` has it.
            part: the irreducible.
        """
        total = fmpq_poly([0])
        for cells, value in zip(self.group.classes, part.values, strict=True):
            trace = Fraction(character[cells[0]])
            total += value * fmpq(trace.numerator * len(cells), trace.denominator)
        times = rational(total * fmpq(1, len(self.group) * part.endomorphisms))
        assert type(times) is int, "a multiplicity is an integer"
        return times


def character_table(group: Group) -> CharacterTable:
    """Compute the character table.

    Raises:
        Degenerate: no drawing separated the characters (never seen).

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> table = character_table(named("Q_8").group)
        >>> [(part.dimension, part.endomorphisms) for part in table.real]
        [(1, 1), (1, 1), (1, 1), (1, 1), (4, 4)]
    """
    e = group.exponent
    p = _prime(e, max(2 * isqrt(len(group)) + 1, 1 << 20))
    field = CyclotomicField(e)
    random = Random(len(group))
    for _ in range(_DRAWINGS):
        vectors = _eigenvectors(group, p, random)
        if vectors is not None:
            rows = tuple(sorted((_lifted(group, v, p, field) for v in vectors), key=_order))
            table = CharacterTable(group, field, rows)
            _verify(table)
            return table
    raise Degenerate(f"{_DRAWINGS} combinations of class sums did not separate the characters")


def _verify(table: CharacterTable) -> None:
    for i, one in enumerate(table.rows):
        for j, other in enumerate(table.rows[: i + 1]):
            if rational(table.product(one, other)) != int(i == j):
                raise AssertionError("the characters are not orthonormal")
    degrees = [rational(row[0]) or 0 for row in table.rows]
    if sum(n * n for n in degrees) != len(table.group):
        raise AssertionError("the squares of the degrees do not add up to the order")


def _order(row: tuple[fmpq_poly, ...]) -> tuple[int, list[str]]:
    degree = rational(row[0])
    assert type(degree) is int
    trivial = all(rational(value) == 1 for value in row)
    return (0 if trivial else degree, [str(value) for value in row])


def _eigenvectors(group: Group, p: int, random: Random) -> list[list[int]] | None:
    """The central characters modulo p, omega(1) = 1; None if the drawing does not separate."""
    classes = group.classes
    k = len(classes)
    place = {a: c for c, cells in enumerate(classes) for a in cells}
    combined = [[0] * k for _ in range(k)]
    for cells in classes:
        factor = random.randrange(1, p)
        for t, target in enumerate(classes):
            z = target[0]
            for x in cells:  # x y = z
                s = place[group.table[group.inverses[x]][z]]
                combined[s][t] = (combined[s][t] + factor) % p
    m = nmod_mat(k, k, [entry for row in combined for entry in row], p)
    roots = [int(-factor[0]) % p for factor, _ in m.charpoly().factor()[1] if factor.degree() == 1]
    if len(roots) != k:
        return None
    found = []
    for root in roots:
        shifted = nmod_mat(
            k, k, [(combined[i][j] - root * (i == j)) % p for i in range(k) for j in range(k)], p
        )
        vector = _kernel(shifted, k, p)
        if vector is None or vector[0] == 0:
            return None
        scale = pow(vector[0], -1, p)
        found.append([entry * scale % p for entry in vector])
    return found


def _kernel(m: nmod_mat, k: int, p: int) -> list[int] | None:
    """The vector that spans a kernel of dimension 1, from the reduced echelon form."""
    reduced, rank = m.rref()
    if rank != k - 1:
        return None
    pivots = [next(j for j in range(k) if int(reduced[i, j])) for i in range(rank)]
    free = next(j for j in range(k) if j not in pivots)
    vector = [0] * k
    vector[free] = 1
    for i, j in enumerate(pivots):
        vector[j] = -int(reduced[i, free]) % p
    return vector


def _lifted(
    group: Group, omega: list[int], p: int, field: CyclotomicField
) -> tuple[fmpq_poly, ...]:
    """The character of a central character omega(C) = |C| chi(C)/chi(1)."""
    classes, e = group.classes, field.order
    place = {a: c for c, cells in enumerate(classes) for a in cells}
    inverse = [place[group.inverses[cells[0]]] for cells in classes]
    total = sum(
        omega[c] * omega[inverse[c]] * pow(len(cells), -1, p) for c, cells in enumerate(classes)
    )
    square = len(group) * pow(total % p, -1, p) % p
    degree = next(n for n in range(1, isqrt(len(group)) + 1) if n * n % p == square)
    values = [degree * omega[c] * pow(len(cells), -1, p) % p for c, cells in enumerate(classes)]
    root, back = _root_of_unity(e, p), pow(e, -1, p)
    inverse_powers = [pow(root, -k, p) for k in range(e)]
    rows = []
    for cells in classes:
        powers, a = [], 0
        for _ in range(e):
            powers.append(values[place[a]])
            a = group.table[a][cells[0]]
        multiplicities = [
            sum(v * inverse_powers[k * step % e] for step, v in enumerate(powers)) * back % p
            for k in range(e)
        ]
        if sum(multiplicities) != degree:
            raise AssertionError("the eigenvalues of a character do not add up to its degree")
        rows.append(field.element(multiplicities))
    return tuple(rows)


def _prime(e: int, least: int) -> int:
    """The first prime p = 1 mod e above a bound."""
    p = least - least % e + 1
    while p <= least or any(p % q == 0 for q in range(2, isqrt(p) + 1)):
        p += e
        assert p < _LARGEST
    return p


def _root_of_unity(e: int, p: int) -> int:
    """An element of order e modulo p."""
    factors = [q for q in range(2, e + 1) if e % q == 0 and all(q % r for r in range(2, q))]
    for base in range(2, p):
        root = pow(base, (p - 1) // e, p)
        if all(pow(root, e // q, p) != 1 for q in factors):
            return root
    return 1
