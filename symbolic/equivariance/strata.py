"""Strata of equivariant attention: which are realised, and exact members of each.

The heads of an equivariant function form a G-set (`heads`), and the strata are the isomorphism
classes of G-sets. G/K occurs iff K is the exact stabiliser of some W and Hom_K(rho, rho_out) is not
zero. The first means that no larger subgroup fixes as much: a real vector space is no union of
finitely many proper subspaces, so some W in Fix_K avoids Fix_L for all L > K iff
dim Fix_L < dim Fix_K for all of them, which characters decide. Multiples t W have the same
stabiliser, so an orbit may occur any number of times.

Members are drawn by averaging random integer matrices over K and testing; each test fails only on
a union of proper subspaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from ..errors import Degenerate, InputError
from .heads import MatrixHead, canonical, moved, orbits
from .representation import (
    Matrix,
    Representation,
    fixed_forms,
    from_flint,
    intertwiners,
    to_flint,
)
from .subgroups import Subgroup, SubgroupClasses

DRAWINGS = 200
"""Drawings of a member before giving up."""


def isotropy(classes: SubgroupClasses, rho: Representation) -> tuple[int, ...]:
    """The classes of subgroups that are the exact stabiliser of some W.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> V_4 = named("V_4")
        >>> [V_4.classes.indices[c] for c in isotropy(V_4.classes, V_4.natural)]
        [2, 1]
    """
    sizes = {K: fixed_forms(rho, K) for each in classes.members for K in each}
    return tuple(
        c
        for c, K in enumerate(classes.representatives)
        if all(sizes[L] < sizes[K] for L in sizes if K < L)
    )


def realised(classes: SubgroupClasses, rho: Representation, out: Representation) -> tuple[int, ...]:
    """The classes of K for which heads with stabiliser K exist.

    Args:
        classes: the subgroups.
        rho: how the group acts on tokens.
        out: how it acts on outputs.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> D_4 = named("D_4")
        >>> realised(D_4.classes, D_4.natural, D_4.natural) == isotropy(D_4.classes, D_4.natural)
        True
        >>> realised(D_4.classes, D_4.natural, D_4.irreducibles[0])
        ()
    """
    return tuple(
        c for c in isotropy(classes, rho) if intertwiners(rho, out, classes.representatives[c]) > 0
    )


def averaged(
    rho: Representation, out: Representation, subgroup: Subgroup, head: MatrixHead
) -> MatrixHead:
    """The sum of a head's images under K: a head that K fixes, integral if everything is."""
    images = [moved(head, rho, out, k) for k in sorted(subgroup)]
    return MatrixHead(_total([m.W for m in images]), _total([m.V for m in images]))


def member(
    classes: SubgroupClasses,
    rho: Representation,
    out: Representation,
    stratum: Sequence[int],
    *,
    seed: int = 0,
    reach: int = 2,
) -> tuple[MatrixHead, ...]:
    """Draw exact canonical heads of a stratum.

    Args:
        classes: the subgroups.
        rho: how the group acts on tokens.
        out: how it acts on outputs.
        stratum: the classes of the orbits.
        seed: of the drawings.
        reach: the largest entry before averaging, at least 1.

    Raises:
        InputError: the stratum is not realised.
        Degenerate: no drawing gave distinct heads with the right stabilisers.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> C_2 = named("C_2")
        >>> heads = member(C_2.classes, C_2.natural, C_2.natural, (0,))
        >>> [len(orbit.heads) for orbit in orbits(heads, C_2.natural, C_2.natural)]
        [2]
    """
    possible = realised(classes, rho, out)
    if any(c not in possible for c in stratum):
        raise InputError("orbits of realised classes", f"{tuple(stratum)}", where="stratum")
    random = Random(seed)
    found: list[MatrixHead] = []
    for c in stratum:
        for attempt in range(DRAWINGS):
            orbit = _orbit(classes, rho, out, c, random, reach + attempt // 20)
            merged = canonical([*found, *orbit])
            if len(orbit) == classes.indices[c] and len(merged) == len(found) + len(orbit):
                found = list(merged)
                break
        else:
            raise Degenerate(f"{DRAWINGS} drawings gave no orbit of class {c}: another seed")
    return tuple(found)


def _orbit(
    classes: SubgroupClasses,
    rho: Representation,
    out: Representation,
    c: int,
    random: Random,
    reach: int,
) -> tuple[MatrixHead, ...]:
    """The images of one head that K fixes: |G : K| of them if K is its exact stabiliser."""
    d, p = rho.dimension, out.dimension

    def drawn(rows: int) -> tuple[tuple[int, ...], ...]:
        return tuple(tuple(random.randint(-reach, reach) for _ in range(d)) for _ in range(rows))

    K = classes.representatives[c]
    first = averaged(rho, out, K, MatrixHead(drawn(d), drawn(p)))
    images = {moved(first, rho, out, g) for g in range(len(classes.group))}
    forms = {image.W for image in images}
    whole = all(any(map(any, image.V)) for image in images) and len(forms) == len(images)
    return tuple(sorted(images)) if whole else ()


def stratum_of(
    classes: SubgroupClasses,
    rho: Representation,
    out: Representation,
    heads: Sequence[MatrixHead],
) -> tuple[int, ...]:
    """The classes of the orbits of canonical heads, ascending.

    Args:
        classes: the subgroups.
        rho: how the group acts on tokens.
        out: how it acts on outputs.
        heads: in their canonical form.

    Raises:
        NotInClass: the group does not permute them.
    """
    found = orbits(heads, rho, out)
    return tuple(sorted(classes.class_of(orbit.stabiliser) for orbit in found))


def _total(terms: Sequence[Matrix]) -> Matrix:
    total = to_flint(terms[0])
    for term in terms[1:]:
        total = total + to_flint(term)
    return from_flint(total)
