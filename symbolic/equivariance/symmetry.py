"""Everything about a user's group and heads: the symmetry report.

How the group acts is read by `action`; the rest follows from the other modules: whether the
canonical heads are permuted, their orbits and stratum, the image of every W as a representation of
the stabiliser (the hidden representation that the head needs), what a hidden dimension d_k can
cover, and the price of covering every stratum of as many heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..display import facts, listing
from ..errors import InputError
from .action import read_action
from .heads import MatrixHead, canonical, orbits
from .hidden import Classification, classify
from .parts import Part, image_parts, parts
from .price import Price, cheapest
from .representation import Representation
from .strata import realised, stratum_of
from .subgroups import SubgroupClasses, subgroup_classes
from .violation import Violation, violation


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
        LimitReached: more than `action.LARGEST` elements, or too many subgroups or strata.

    Example:
        >>> swap = [MatrixHead(((1, 0), (0, 0)), ((1, 0), (0, 0))),
        ...         MatrixHead(((0, 0), (0, 1)), ((0, 0), (0, 1)))]
        >>> found = symmetry(swap, permutations=[(1, 0)], hidden=1)
        >>> found.equivariant, found.stratum, found.price.price, found.hidden.covers
        (True, (0,), 3, False)
    """
    d, p = _shape(heads)
    rho, acting = read_action(d, p, permutations=permutations, matrices=matrices, out=out)
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
