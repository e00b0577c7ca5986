"""The real irreducibles in a representation, and in the image of an invariant form.

Multiplicities are inner products of characters, which are rational, so nothing is approximated. The
image of a form becomes a representation by an exact basis of columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from flint import fmpq_mat

from ..errors import InputError
from .characters import character_table
from .group import Group, permutation_group
from .representation import Matrix, Representation, from_flint, representation, to_flint
from .subgroups import Subgroup

ENDOMORPHISMS = {1: "R", 2: "C", 4: "H"}
"""The ring of endomorphisms of a real irreducible, by its dimension."""


@dataclass(frozen=True)
class Part:
    """Copies of one real irreducible.

    Args:
        dimension: n.
        endomorphisms: "R", "C" or "H".
        multiplicity: how many copies, at least 1.
    """

    dimension: int
    endomorphisms: str
    multiplicity: int


def parts(rho: Representation) -> tuple[Part, ...]:
    """The real irreducibles in a representation.

    Args:
        rho: of degree d.

    Returns:
        Those that occur; the products of dimension and multiplicity add up to d.

    Example:
        >>> from headproof.symbolic.equivariance.group import permutation_group
        >>> from headproof.symbolic.equivariance.representation import permutation_representation
        >>> rotations = permutation_representation(permutation_group([(1, 2, 0)]))
        >>> [(part.dimension, part.endomorphisms) for part in parts(rotations)]
        [(1, 'R'), (2, 'C')]
    """
    table = character_table(rho.group)
    counted = ((part, table.multiplicity(rho.character, part)) for part in table.real)
    return tuple(
        Part(part.dimension, ENDOMORPHISMS[part.endomorphisms], times)
        for part, times in counted
        if times
    )


def image_parts(rho: Representation, subgroup: Subgroup, W: Matrix) -> tuple[Part, ...]:
    """The image of a W that K fixes, as a representation of K.

    rho^T W rho = W says that B^-1 W commutes with rho(k), for B = sum_g rho(g)^T rho(g), the inner
    product that rho preserves (B = |G| I if rho is orthogonal); its columns span the image.

    Args:
        rho: of degree d.
        subgroup: K, by the numbers of its elements.
        W: (d, d).

    Raises:
        InputError: K does not fix W.
    """
    d = rho.dimension
    B = fmpq_mat(d, d)
    for m in rho.matrices:
        B += m.transpose() * m
    form = to_flint(W)
    for k in subgroup:
        if rho.matrices[k].transpose() * form * rho.matrices[k] != form:
            raise InputError("a form that the subgroup fixes", "another", where="W")
    basis = _column_basis(B.inv() * form)
    if basis.ncols() == 0:
        return ()
    group, numbers = _as_group(rho.group, subgroup)
    left = (basis.transpose() * basis).inv() * basis.transpose()
    # The generators suffice: `Representation` multiplies them out.
    images = [from_flint(left * rho.matrices[number] * basis) for number in numbers]
    return parts(representation(group, images))


def _as_group(group: Group, subgroup: Subgroup) -> tuple[Group, list[int]]:
    """A subgroup as a group by itself, and the numbers of its generators in the whole one."""
    chosen: list[int] = []
    reached: Subgroup = frozenset([0])
    while len(reached) < len(subgroup):
        chosen.append(min(subgroup - reached))
        reached = group.closure(chosen)
    numbers = chosen or [0]
    return permutation_group([group.elements[a] for a in numbers]), numbers


def _column_basis(m: fmpq_mat) -> fmpq_mat:
    """Columns of a matrix that span its image: those of the pivots."""
    reduced, rank = m.rref()
    pivots = [next(j for j in range(m.ncols()) if reduced[i, j] != 0) for i in range(rank)]
    entries = [m[i, j] for i in range(m.nrows()) for j in pivots]
    return fmpq_mat(m.nrows(), rank, entries)
