"""The commutant against a dense solution over Q, and its dimension as a formula."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from flint import fmpz_mat
from sympy import Symbol

from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.isotype import Isotype, isotypes_of
from headproof.symbolic.identification.stabiliser import (
    Entries,
    Symmetry,
    algebra,
    commutant,
    dimension,
    intertwiners,
)


def dense(entries: Entries, size: int) -> list[list[int]]:
    found = [[0] * size for _ in range(size)]
    for i, j, value in entries:
        assert value
        assert not found[i][j]
        found[i][j] = value
    return found


def nullity(parts: tuple[Isotype, ...], symmetry: Symmetry) -> int:
    """Of all conditions on all size^2 entries together, by flint."""
    size = sum(part.size for part in parts)
    rows: list[list[int]] = []
    for entries in algebra(parts):
        middle = dense(entries, size)
        for i, j in product(range(size), repeat=2):
            row = [0] * size * size
            for k in range(size):
                row[i * size + k] += middle[k][j]
                row[k * size + j] -= middle[i][k]
            rows.append(row)
    for i, j in product(range(size), repeat=2):
        row = [0] * size * size
        if symmetry == "orthogonal":
            row[i * size + j] += 1
            row[j * size + i] += 1
        elif symmetry == "diagonal" and i != j:
            row[i * size + j] = 1
        rows.append(row)
    return size * size - int(fmpz_mat(rows).rank())


CASES = (
    isotypes_of([], 3),
    isotypes_of(["a"], 0),
    isotypes_of(["a", "b"], 1),
    isotypes_of(["a", "a"], 2),
    isotypes_of([Fraction(1, 3), Fraction(2, 3), Fraction(1, 2)], 1),
    isotypes_of([Fraction(0), "a"], 1),
)


@pytest.mark.parametrize("parts", CASES)
@pytest.mark.parametrize("symmetry", ["linear", "orthogonal", "diagonal"])
def test_basis_is_complete_and_independent(parts: tuple[Isotype, ...], symmetry: Symmetry) -> None:
    size = sum(part.size for part in parts)
    basis = [dense(entries, size) for entries in commutant(parts, symmetry)]
    assert len(basis) == nullity(parts, symmetry)
    assert len(basis) == dimension([(p.field, p.multiplicity) for p in parts], symmetry)
    if basis:
        flat = fmpz_mat([[x for row in one for x in row] for one in basis])
        assert flat.rank() == len(basis)
    for one, entries in product(basis, algebra(parts)):
        x, middle = fmpz_mat(one), fmpz_mat(dense(entries, size))
        assert x * middle == middle * x
        if symmetry == "orthogonal":
            assert x.transpose() == -x


def test_which_planes_turn_alike() -> None:
    assert [p.field for p in isotypes_of([Fraction(1, 5), Fraction(6, 5)], 0)] == ["complex"]
    assert len(isotypes_of([Fraction(1, 5), Fraction(2, 5)], 0)) == 2
    half = isotypes_of([Fraction(1, 2)], 2)
    assert [(p.multiplicity, p.trivial) for p in half] == [(2, False), (2, True)]
    assert isotypes_of([], 0) == ()
    with pytest.raises(InputError):
        isotypes_of([], -1)


def test_there_is_nothing_between_different_isotypes() -> None:
    for one, other in product(("real", "complex"), repeat=2):
        assert intertwiners(one, other, False) == ()


def test_formulas() -> None:
    n, m = Symbol("n"), Symbol("m")
    assert dimension([("real", n), ("complex", m)]) == n**2 + 2 * m**2
    assert dimension([("real", n)], "diagonal") == n
    assert dimension([]) == 0
