"""A group's action on tokens and outputs, as a user gives it.

Three ways: permutations of the coordinates; matrices, which generate the group; or permutations as
an abstract group together with the matrices by which it acts. Matrices are multiplied out, exactly,
until their products close up; those of an infinite group never do, so `LARGEST` ends the search.
Cost: (elements) x (generators) products.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flint import fmpq, fmpq_mat

from ..errors import InputError, LimitReached
from ..rational import matrix
from .group import permutation_group
from .representation import (
    Representation,
    from_flint,
    permutation_representation,
    representation,
    to_flint,
)

LARGEST = 500
"""Groups with more elements are refused."""


def read_action(
    d: int,
    p: int,
    *,
    permutations: Sequence[Any] | None = None,
    matrices: Sequence[Any] | None = None,
    out: Sequence[Any] | None = None,
) -> tuple[Representation, Representation]:
    """How a group acts on tokens and on outputs.

    Args:
        d: coordinates of a token.
        p: coordinates of an output.
        permutations: generators, as lists of images of 0..n-1.
        matrices: for every generator its (d, d) matrix.
        out: for every generator its (p, p) matrix; without it as on tokens.

    Raises:
        InputError: shapes that do not fit, no group, or matrices that do not act.
        LimitReached: more than `LARGEST` elements.

    Example:
        >>> rho, acting = read_action(2, 2, matrices=[((0, 1), (-1, 0))])  # a quarter turn
        >>> len(rho.group), rho == acting
        (4, True)
    """
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
