"""Representations by rational matrices, their characters and spaces of intertwiners.

A real representation with an invariant rational form is given by one rational matrix per generator;
an orthogonal basis is not needed, since the theorems only use how matrices act on W and V. That
the matrices define a homomorphism is checked on every product of an element with a generator.
Characters are rational, so every dimension is an exact average over the group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

from flint import fmpq, fmpq_mat

from ..errors import InputError
from ..rational import Rational, Vector, from_fmpq, matrix
from .group import Group

Matrix: TypeAlias = tuple[Vector, ...]
"""Rows of exact rationals."""


@dataclass(frozen=True)
class Representation:
    """A homomorphism from a group to invertible rational matrices.

    Args:
        group: the group.
        images: the matrix of each of its generators, (d, d).
    """

    group: Group
    images: tuple[Matrix, ...]

    @property
    def dimension(self) -> int:
        """The dimension d."""
        return len(self.images[0])

    @cached_property
    def matrices(self) -> tuple[fmpq_mat, ...]:
        """The matrix of each element."""
        found: list[Any] = [None] * len(self.group)
        d = self.dimension
        found[0] = fmpq_mat(d, d, [fmpq(i == j) for i in range(d) for j in range(d)])
        given = [to_flint(image) for image in self.images]
        for a, s in self.group.words:
            found[self.group.table[a][self.group.generator_numbers[s]]] = found[a] * given[s]
        return tuple(found)

    def matrix(self, a: int) -> Matrix:
        """The matrix of one element."""
        return from_flint(self.matrices[a])

    @cached_property
    def character(self) -> tuple[Rational, ...]:
        """The trace of each element's matrix."""
        return tuple(
            from_fmpq(sum((image[i, i] for i in range(self.dimension)), fmpq(0)))
            for image in self.matrices
        )


def representation(group: Group, images: Sequence[Any], where: str = "images") -> Representation:
    """Read a representation and check that it is one.

    Args:
        group: the group.
        images: for every generator a (d, d) matrix of exact numbers.
        where: the place, for messages.

    Raises:
        InputError: shapes that do not fit, or matrices that do not multiply as the group does.

    Example:
        >>> from headproof.symbolic.equivariance.group import permutation_group
        >>> rho = representation(permutation_group([(1, 0)]), [[[1, 0], [0, -1]]])
        >>> rho.character
        (2, 0)
    """
    if len(images) != len(group.generators):
        raise InputError(f"{len(group.generators)} matrices", f"{len(images)}", where=where)
    read: list[Matrix] = []
    for k, image in enumerate(images):
        rows = matrix(image, f"{where}[{k}]", least_rows=1)
        d = len(read[0]) if read else len(rows)
        if len(rows) != d or any(len(row) != d for row in rows):
            raise InputError(f"a square matrix of {d} rows", "another shape", where=f"{where}[{k}]")
        read.append(rows)
    found = Representation(group, tuple(read))
    given = [to_flint(image) for image in read]
    for a in range(len(group)):
        for s, g in enumerate(group.generator_numbers):
            if found.matrices[a] * given[s] != found.matrices[group.table[a][g]]:
                raise InputError(
                    "matrices that multiply as the permutations do",
                    f"a product with generator {s} that differs",
                    where=where,
                )
    return found


def permutation_representation(group: Group) -> Representation:
    """The group permutes the basis vectors: e_i goes to e_{g(i)}."""
    return Representation(group, tuple(permutation_matrix(g) for g in group.generators))


def permutation_matrix(g: Sequence[int]) -> Matrix:
    """The matrix that sends e_i to e_{g(i)}.

    Example:
        >>> permutation_matrix((1, 2, 0))
        ((0, 0, 1), (1, 0, 0), (0, 1, 0))
    """
    return tuple(tuple(int(g[j] == i) for j in range(len(g))) for i in range(len(g)))


def direct_sum(*summands: Representation) -> Representation:
    """The direct sum, block by block."""
    images = []
    for parts in zip(*(each.images for each in summands), strict=True):
        d = sum(map(len, parts))
        rows, before = [], 0
        for part in parts:
            for row in part:
                rows.append((*(0,) * before, *row, *(0,) * (d - before - len(row))))
            before += len(part)
        images.append(tuple(rows))
    return Representation(summands[0].group, tuple(images))


def intertwiners(rho: Representation, out: Representation, subgroup: Iterable[int]) -> int:
    """The dimension of Hom_K(rho, rho_out) over the reals.

    (1/|K|) sum_k chi(k) chi_out(k^-1): right for irreducibles of real, complex and quaternionic
    type alike, since both sides count the dimension of all intertwiners.

    Args:
        rho: the representation from which they map.
        out: that to which they map, of the same group.
        subgroup: K, by the numbers of its elements.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> Q_8 = named("Q_8")
        >>> intertwiners(Q_8.natural, Q_8.natural, range(8))
        4
    """
    inverse = rho.group.inverses
    K = list(subgroup)
    total = sum((Fraction(rho.character[k] * out.character[inverse[k]]) for k in K), Fraction(0))
    return _whole(total / len(K))


def fixed_forms(rho: Representation, subgroup: Iterable[int]) -> int:
    """The dimension of the space of W with rho(k)^T W rho(k) = W for all k in K."""
    K = list(subgroup)
    total = sum((Fraction(rho.character[k]) ** 2 for k in K), Fraction(0))
    return _whole(total / len(K))


def _whole(value: Fraction) -> int:
    assert value.denominator == 1, "the average of a character is a dimension"
    return value.numerator


def to_flint(rows: Sequence[Sequence[Rational]]) -> fmpq_mat:
    """A matrix for python-flint."""
    entries = [fmpq(e.numerator, e.denominator) for row in rows for e in row]
    return fmpq_mat(len(rows), len(rows[0]) if rows else 0, entries)


def from_flint(m: fmpq_mat) -> Matrix:
    """A matrix as rows of ints and Fractions."""
    return tuple(tuple(from_fmpq(m[i, j]) for j in range(m.ncols())) for i in range(m.nrows()))
