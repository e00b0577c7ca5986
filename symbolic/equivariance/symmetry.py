"""Everything about a user's group and heads: the symmetry report.

Three ways to give the group: permutations of the coordinates; matrices, which generate it; or
permutations as an abstract group together with the matrices by which it acts. The rest follows from
the other modules: whether the canonical heads are permuted, their orbits and stratum, the image of
every W as a representation of the stabiliser (the hidden representation that the head needs), what
a hidden dimension d_k can cover, and the price of covering every stratum of as many heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from flint import fmpq, fmpq_mat

from ..display import facts, listing
from ..errors import InputError, LimitReached
from ..rational import matrix
from .characters import character_table
from .group import Group, permutation_group
from .heads import MatrixHead, canonical, orbits
from .hidden import Classification, classify
from .price import Price, cheapest
from .representation import (
    Matrix,
    Representation,
    from_flint,
    permutation_representation,
    representation,
    to_flint,
)
from .strata import realised, stratum_of
from .subgroups import Subgroup, SubgroupClasses, subgroup_classes
from .violation import Violation, violation

LARGEST = 500
"""Groups with more elements are refused."""

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


@dataclass(frozen=True)
class HeadOrbit:
    """Heads that the group permutes among themselves.

    Args:
        heads: numbers in the canonical form.
        stabiliser: the order of the stabiliser K of the first one.
        orbit_class: the number of K's class: the orbit is G/K.
        hidden: the image of W as a representation of K.
    """

    heads: tuple[int, ...]
    stabiliser: int
    orbit_class: int
    hidden: tuple[Part, ...]

    @property
    def rank(self) -> int:
        """The rank of W."""
        return sum(part.dimension * part.multiplicity for part in self.hidden)


@dataclass(frozen=True)
class Symmetry:
    """What a group does to heads.

    Args:
        rho: how it acts on tokens.
        out: how it acts on outputs.
        classes: its subgroups.
        heads: the canonical heads.
        violation: a query that shows that the function is not equivariant; None if it is.
        orbits: of the heads; empty if they are not permuted.
        stratum: the classes of the orbits; None if the heads are not permuted.
        realised: the classes that heads can have.
        irreducibles: the real irreducibles in rho.
        hidden: what the hidden dimension that was asked for can cover; None if none was.
        abstract: the price of covering all G-sets of as many heads; None without heads.
        price: the price of covering all realised strata of as many heads; None without heads.
    """

    rho: Representation
    out: Representation
    classes: SubgroupClasses
    heads: tuple[MatrixHead, ...]
    violation: Violation | None
    orbits: tuple[HeadOrbit, ...]
    stratum: tuple[int, ...] | None
    realised: tuple[int, ...]
    irreducibles: tuple[Part, ...]
    hidden: Classification | None
    abstract: Price | None
    price: Price | None

    def _repr_html_(self) -> str:
        """The orbits of the heads, as a notebook shows them."""
        told = facts(
            "Symmetry of heads",
            [
                ("heads", len(self.heads)),
                ("equivariant", self.equivariant),
                ("subgroup classes", len(self.classes)),
            ],
        )
        rows = ((orbit.heads, orbit.stabiliser, orbit.rank) for orbit in self.orbits)
        headings = ("orbit of heads", "order of the stabiliser", "rank of W")
        return told + listing(headings, rows, count=len(self.orbits))

    @property
    def equivariant(self) -> bool:
        """Whether the function is equivariant."""
        return self.violation is None


def symmetry(
    heads: Sequence[MatrixHead],
    *,
    permutations: Sequence[Any] | None = None,
    matrices: Sequence[Any] | None = None,
    out: Sequence[Any] | None = None,
    hidden: int | None = None,
    seed: int = 0,
) -> Symmetry:
    """Find out what a finite group does to heads.

    Args:
        heads: of one shape, W (d, d) and V (p, d).
        permutations: generators, as lists of images of 0..n-1; they permute the d coordinates
            unless matrices are given.
        matrices: for every generator its (d, d) matrix; without permutations they generate the
            group, together with `out`.
        out: for every generator its (p, p) matrix on outputs; as on tokens if p = d.
        hidden: d_k, for the classification of hidden representations.
        seed: of the search for a query that shows a violation.

    Raises:
        InputError: shapes that do not fit, no group, or matrices that do not act.
        LimitReached: more than `LARGEST` elements, or too many subgroups or strata.

    Example:
        >>> swap = [MatrixHead(((1, 0), (0, 0)), ((1, 0), (0, 0))),
        ...         MatrixHead(((0, 0), (0, 1)), ((0, 0), (0, 1)))]
        >>> found = symmetry(swap, permutations=[(1, 0)], hidden=1)
        >>> found.equivariant, found.stratum, found.price.price, found.hidden.covers
        (True, (0,), 3, False)
    """
    d, p = _shape(heads)
    rho, acting = _action(d, p, permutations, matrices, out)
    classes = subgroup_classes(rho.group)
    merged = canonical(heads)
    shown = violation(merged, rho, acting, seed=seed) if merged else None
    found: list[HeadOrbit] = []
    if shown is None:
        for orbit in orbits(merged, rho, acting):
            image = image_parts(rho, orbit.stabiliser, merged[orbit.heads[0]].W)
            c = classes.class_of(orbit.stabiliser)
            found.append(HeadOrbit(orbit.heads, len(orbit.stabiliser), c, image))
    possible = realised(classes, rho, acting)
    irreducibles = parts(rho)
    classified = None
    if hidden is not None:
        classified = classify(
            [part.dimension for part in irreducibles],
            [part.multiplicity for part in irreducibles],
            hidden,
        )
    return Symmetry(
        rho,
        acting,
        classes,
        merged,
        shown,
        tuple(found),
        stratum_of(classes, rho, acting, merged) if shown is None else None,
        possible,
        irreducibles,
        classified,
        cheapest(classes, len(merged)) if merged else None,
        cheapest(classes, len(merged), realised=possible) if merged else None,
    )


def parts(rho: Representation) -> tuple[Part, ...]:
    """The real irreducibles in a representation."""
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


def _shape(heads: Sequence[MatrixHead]) -> tuple[int, int]:
    if not heads:
        raise InputError("at least one head", "none", where="heads")
    d, p = len(heads[0].W), len(heads[0].V)
    for h, head in enumerate(heads):
        if len(head.W) != d or len(head.V) != p:
            raise InputError(
                f"W of {d} and V of {p} rows",
                f"{len(head.W)} and {len(head.V)}",
                where=f"heads[{h}]",
            )
    return d, p


def _action(
    d: int,
    p: int,
    permutations: Sequence[Any] | None,
    matrices: Sequence[Any] | None,
    out: Sequence[Any] | None,
) -> tuple[Representation, Representation]:
    if out is None and p != d:
        raise InputError(
            "out, how the group acts on outputs",
            f"none, and V has {p} rows while tokens have {d} coordinates",
        )
    if permutations is not None:
        group = permutation_group(permutations, limit=LARGEST)
        if matrices is not None:
            rho = representation(group, matrices, "matrices")
        else:
            rho = permutation_representation(group)
    elif matrices is not None:
        rho, acting = _generated(matrices, matrices if out is None else out)
        return _fitting(rho, d, "matrices"), _fitting(acting, p, "out")
    else:
        raise InputError("permutations or matrices that generate the group", "neither")
    rho = _fitting(rho, d, "permutations" if matrices is None else "matrices")
    acting = rho if out is None else representation(group, out, "out")
    return rho, _fitting(acting, p, "out")


def _fitting(rho: Representation, size: int, where: str) -> Representation:
    if rho.dimension != size:
        raise InputError(f"{size} coordinates, as the heads have", f"{rho.dimension}", where=where)
    return rho


def _generated(
    matrices: Sequence[Any], out: Sequence[Any]
) -> tuple[Representation, Representation]:
    """The group that pairs of matrices generate, by its regular action."""
    if not matrices or len(matrices) != len(out):
        raise InputError(
            "at least one matrix, and as many on outputs", f"{len(matrices)} and {len(out)}"
        )
    given: list[list[fmpq_mat]] = []
    for name, images in (("matrices", matrices), ("out", out)):
        read: list[fmpq_mat] = []
        for k, image in enumerate(images):
            rows = matrix(image, f"{name}[{k}]", least_rows=1)
            if len(rows) != len(rows[0]) or (read and len(rows) != read[0].nrows()):
                raise InputError("square matrices of one size", "others", where=f"{name}[{k}]")
            m = to_flint(rows)
            if m.det() == 0:
                raise InputError("an invertible matrix", "one that is not", where=f"{name}[{k}]")
            read.append(m)
        given.append(read)
    pairs = list(zip(*given, strict=True))

    def key(pair: tuple[fmpq_mat, fmpq_mat]) -> str:
        return f"{pair[0].tolist()}{pair[1].tolist()}"

    identity = tuple(_identity(m.nrows()) for m in pairs[0])
    elements = [(identity[0], identity[1])]
    number = {key(elements[0]): 0}
    steps: list[list[int]] = []
    for a, b in elements:
        row = []
        for s, t in pairs:
            product = (s * a, t * b)
            place = number.setdefault(key(product), len(elements))
            if place == len(elements):
                if place >= LARGEST:
                    raise LimitReached(
                        f"the matrices generate more than {LARGEST} elements, or no finite group"
                    )
                elements.append(product)
            row.append(place)
        steps.append(row)
    group = permutation_group(list(zip(*steps, strict=True)), limit=LARGEST)
    return (
        representation(group, [from_flint(s) for s, _ in pairs], "matrices"),
        representation(group, [from_flint(t) for _, t in pairs], "out"),
    )


def _identity(d: int) -> fmpq_mat:
    return fmpq_mat(d, d, [fmpq(i == j) for i in range(d) for j in range(d)])
