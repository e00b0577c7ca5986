"""Representations, characters and isotypic parts, against linear algebra and known tables."""

from fractions import Fraction
from typing import Any

import pytest
from flint import fmpq, fmpq_mat, fmpq_poly

from headproof.symbolic.equivariance.characters import character_table
from headproof.symbolic.equivariance.cyclotomic import CyclotomicField, rational
from headproof.symbolic.equivariance.group import permutation_group
from headproof.symbolic.equivariance.isotypic import isotypic_parts, multiply, trace
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.representation import (
    Representation,
    direct_sum,
    fixed_forms,
    intertwiners,
    permutation_representation,
    representation,
)
from headproof.symbolic.errors import InputError

# Real irreducibles: (dimension, dimension of the ring of endomorphisms), from the literature.
REAL: dict[str, tuple[Any, Any, bool]] = {
    "C_5": ([(1, 2, 3, 4, 0)], [(1, 1), (2, 2), (2, 2)], False),
    "C_8": ([(1, 2, 3, 4, 5, 6, 7, 0)], [(1, 1), (1, 1), (2, 2), (2, 2), (2, 2)], False),
    "D_5": ([(1, 2, 3, 4, 0), (4, 3, 2, 1, 0)], [(1, 1), (1, 1), (2, 1), (2, 1)], False),
    "A_5": (
        [(1, 2, 0, 3, 4), (1, 2, 3, 4, 0)],
        [(1, 1), (3, 1), (3, 1), (4, 1), (5, 1)],
        False,
    ),
    "S_5": (
        [(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)],
        [(1, 1), (1, 1), (4, 1), (4, 1), (5, 1), (5, 1), (6, 1)],
        True,
    ),
    "GL(3,2)": (
        [(1, 2, 3, 4, 5, 6, 0), (0, 2, 1, 6, 4, 5, 3)],
        [(1, 1), (6, 1), (6, 2), (7, 1), (8, 1)],
        True,
    ),
    "trivial": ([(0,)], [(1, 1)], True),
}


def commutant(rho: Representation, out: Representation, subgroup: Any) -> int:
    """The dimension of Hom_K(rho, rho_out) by solving out X = X rho."""
    d, p = rho.dimension, out.dimension
    rows = []
    for k in subgroup:
        R, S = rho.matrices[k], out.matrices[k]
        for i in range(p):
            for j in range(d):
                row = [fmpq(0)] * (p * d)
                for a in range(p):
                    row[a * d + j] += S[i, a]
                for a in range(d):
                    row[i * d + a] -= R[a, j]
                rows.append(row)
    return int(p * d - fmpq_mat(rows).rank())


@pytest.mark.parametrize("name", NAMES)
def test_the_library_has_every_real_irreducible(name: str) -> None:
    G = named(name)
    table = character_table(G.group)
    norms = [intertwiners(r, r, range(len(G.group))) for r in G.irreducibles]
    assert sorted((r.dimension, n) for r, n in zip(G.irreducibles, norms, strict=True)) == sorted(
        (part.dimension, part.endomorphisms) for part in table.real
    )
    for r in G.irreducibles:
        assert sum(table.multiplicity(r.character, part) for part in table.real) == 1
    squares = [Fraction(r.dimension**2, n) for r, n in zip(G.irreducibles, norms, strict=True)]
    assert sum(squares) == len(G.group)


@pytest.mark.parametrize("name", ["C_3", "V_4", "S_3", "D_4", "Q_8", "A_4"])
def test_dimensions_by_linear_algebra(name: str) -> None:
    G = named(name)
    dual = representation(
        G.group,
        [[list(row) for row in zip(*_inverse(image), strict=True)] for image in G.natural.images],
    )
    for K in G.classes.representatives:
        assert intertwiners(G.natural, G.natural, K) == commutant(G.natural, G.natural, K)
        # W with rho^T W rho = W intertwines rho and its dual.
        assert fixed_forms(G.natural, K) == commutant(G.natural, dual, K)
        for r in G.irreducibles:
            assert intertwiners(G.natural, r, K) == commutant(G.natural, r, K)


def _inverse(image: Any) -> Any:
    d = len(image)
    inverse = fmpq_mat(d, d, [fmpq(x) for row in image for x in row]).inv()
    return [
        [Fraction(int(inverse[i, j].p), int(inverse[i, j].q)) for j in range(d)] for i in range(d)
    ]


@pytest.mark.parametrize("name", REAL)
def test_character_tables(name: str) -> None:
    generators, real, all_rational = REAL[name]
    group = permutation_group(generators)
    table = character_table(group)
    assert [(part.dimension, part.endomorphisms) for part in table.real] == real
    assert all(part.rational for part in table.real) is all_rational
    assert len(table.rows) == len(group.classes)


def test_golden_values_of_the_pentagon() -> None:
    table = character_table(permutation_group(REAL["D_5"][0]))
    values = {str(v) for part in table.real if part.dimension == 2 for v in part.values}
    # 2 cos(2 pi/5) is a root of x^2 + x - 1 and no rational number.
    roots = [v for part in table.real if part.dimension == 2 for v in part.values]
    golden = [
        v
        for v in roots
        if rational((v * v + v - 1) % table.field.modulus) == 0 and rational(v) is None
    ]
    assert len(golden) == 4
    assert len(values) > 3
    assert all(table.field.conjugate(v) == v for v in golden)


@pytest.mark.parametrize("name", ["C_5", "D_5", "C_8", "A_5"])
def test_isotypic_parts_over_a_number_field(name: str) -> None:
    group = permutation_group(REAL[name][0])
    _check_parts(permutation_representation(group))


@pytest.mark.parametrize("name", NAMES)
def test_isotypic_parts_over_the_rationals(name: str) -> None:
    G = named(name)
    rho = direct_sum(*G.irreducibles, G.irreducibles[-1])
    parts = _check_parts(rho)
    assert all(part.rational_projection is not None for part in parts)
    assert sum(part.multiplicity for part in parts) == len(G.irreducibles) + 1


def _check_parts(rho: Representation) -> Any:
    table = character_table(rho.group)
    parts = isotypic_parts(rho, table)
    d, field = rho.dimension, table.field
    total = [[fmpq_poly([0])] * d for _ in range(d)]
    for part in parts:
        P = part.projection
        assert multiply(P, P, field) == P
        assert trace(P) == part.multiplicity * part.irreducible.dimension
        for g in rho.group.generator_numbers:
            R = tuple(tuple(fmpq_poly([rho.matrices[g][i, j]]) for j in range(d)) for i in range(d))
            assert multiply(P, R, field) == multiply(R, P, field)
        total = [[a + b for a, b in zip(r, s, strict=True)] for r, s in zip(total, P, strict=True)]
    assert all(rational(total[i][j]) == int(i == j) for i in range(d) for j in range(d))
    return parts


def test_the_field() -> None:
    field = CyclotomicField(5)
    zeta = field.element([0, 1])
    assert rational(field.element([1, 1, 1, 1, 1])) == 0
    assert field.conjugate(zeta) == field.element([0, 0, 0, 0, 1])
    assert rational(CyclotomicField(1).element([7])) == 7


@pytest.mark.parametrize(
    ("images", "message"),
    [
        ([], "1 matrices"),
        ([[[1, 0]]], "a square matrix"),
        ([[[2]]], "multiply as the permutations do"),
        ([[[0]]], "multiply as the permutations do"),
        ([[[1.0]]], "the float"),
        ([[]], "row"),
    ],
)
def test_what_is_no_representation_is_refused(images: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        representation(named("C_2").group, images)
