"""The isotypic decomposition of a representation over the reals, exactly.

The projection on the part of a real irreducible chi of dimension n is

    P = n/(dim End |G|) sum_g chi(g^-1) rho(g):

rational if the character is, otherwise with entries in the real subfield of Q(zeta_e), where the
group's irreducibles of one Galois orbit add up to a rational one. Projections cost |G| d^2
products of numbers of the field and are exact; that they are idempotent and add up to the identity
is a test of the character table as well.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from flint import fmpq, fmpq_poly

from ..rational import Rational
from .characters import CharacterTable, RealIrreducible, character_table
from .cyclotomic import CyclotomicField, rational
from .representation import Matrix, Representation


@dataclass(frozen=True)
class IsotypicPart:
    """All copies of one real irreducible.

    Args:
        irreducible: of dimension n, with its endomorphisms R, C or H.
        multiplicity: m > 0: the part has dimension m n.
        projection: (d, d), in Q(zeta_e).
    """

    irreducible: RealIrreducible
    multiplicity: int
    projection: tuple[tuple[fmpq_poly, ...], ...]

    @property
    def rational_projection(self) -> Matrix | None:
        """The projection as rationals; None if it needs a number field."""
        rows = []
        for row in self.projection:
            entries: list[Rational] = []
            for entry in row:
                value = rational(entry)
                if value is None:
                    return None
                entries.append(value)
            rows.append(tuple(entries))
        return tuple(rows)


def isotypic_parts(
    rho: Representation, table: CharacterTable | None = None
) -> tuple[IsotypicPart, ...]:
    """Decompose a representation into its isotypic parts over the reals.

    Args:
        rho: the representation.
        table: of its group; computed if None.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> from headproof.symbolic.equivariance.representation import permutation_representation
        >>> parts = isotypic_parts(permutation_representation(named("C_3").group))
        >>> [(part.irreducible.dimension, part.multiplicity) for part in parts]
        [(1, 1), (2, 1)]
        >>> parts[0].rational_projection[0]
        (Fraction(1, 3), Fraction(1, 3), Fraction(1, 3))
    """
    characters = character_table(rho.group) if table is None else table
    found = []
    for part in characters.real:
        times = characters.multiplicity(rho.character, part)
        if times:
            found.append(IsotypicPart(part, times, _projection(rho, characters, part)))
    return tuple(found)


def _projection(
    rho: Representation, table: CharacterTable, part: RealIrreducible
) -> tuple[tuple[fmpq_poly, ...], ...]:
    group, d = rho.group, rho.dimension
    factor = fmpq(part.dimension, part.endomorphisms * len(group))
    # chi(g^-1) = chi(g) for a real character, and chi is constant on classes.
    sums = []
    for cells in group.classes:
        total = rho.matrices[cells[0]]
        for a in cells[1:]:
            total = total + rho.matrices[a]
        sums.append(total * factor)
    return tuple(
        tuple(
            sum(
                (value * total[i, j] for value, total in zip(part.values, sums, strict=True)),
                fmpq_poly([0]),
            )
            for j in range(d)
        )
        for i in range(d)
    )


def multiply(
    one: tuple[tuple[fmpq_poly, ...], ...],
    other: tuple[tuple[fmpq_poly, ...], ...],
    field: CyclotomicField,
) -> tuple[tuple[fmpq_poly, ...], ...]:
    """The product of two matrices over the field."""
    columns = list(zip(*other, strict=True))
    return tuple(
        tuple(
            sum((a * b for a, b in zip(row, column, strict=True)), fmpq_poly([0])) % field.modulus
            for column in columns
        )
        for row in one
    )


def trace(projection: tuple[tuple[fmpq_poly, ...], ...]) -> Fraction:
    """The trace of a projection: the dimension of the part."""
    value = rational(sum((row[i] for i, row in enumerate(projection)), fmpq_poly([0])))
    assert value is not None
    return Fraction(value)
