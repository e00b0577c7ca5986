"""Canonical heads (W_h, V_h) with matrix values, and how a group acts on and permutes them.

f(x_1..x_n) = sum_h sum_j softmax_j(x_n^T W_h x_j) V_h x_j with V_h of shape (p, d). By recovery.
uniqueness the function determines the canonical heads (distinct W_h, nonzero V_h); since
f(rho(g) X) has the heads (rho(g)^T W_h rho(g), V_h rho(g)), it equals rho_out(g) f(X) iff

    (rho(g)^T W_h rho(g), rho_out(g)^-1 V_h rho(g)) = (W_{pi_g h}, V_{pi_g h})

for a permutation pi_g. It acts from the right: pi_{gk} = pi_k pi_g.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..errors import InputError, NotInClass
from ..rational import Rational, matrix, plain
from .representation import Matrix, Representation, from_flint, to_flint


@dataclass(frozen=True, order=True)
class MatrixHead:
    """One head.

    Args:
        W: (d, d), the bilinear form of the scores.
        V: (p, d), what becomes of the mean token.
    """

    W: Matrix
    V: Matrix


@dataclass(frozen=True)
class Orbit:
    """Heads that the group permutes among themselves.

    Args:
        heads: their numbers, ascending.
        stabiliser: the elements that fix the first of them.
    """

    heads: tuple[int, ...]
    stabiliser: frozenset[int]


def matrix_head(W: Any, V: Any, where: str = "head") -> MatrixHead:
    """Read a head and check its shape.

    Raises:
        InputError: numbers that are not exact, or shapes that do not fit.

    Example:
        >>> matrix_head([[1]], [["1/2"], [0]])
        MatrixHead(W=((1,),), V=((Fraction(1, 2),), (0,)))
    """
    form = matrix(W, f"{where}.W", least_rows=1)
    d = len(form)
    if len(form[0]) != d:
        raise InputError(f"a square matrix of {d} rows", f"{len(form[0])} columns", where=where)
    return MatrixHead(form, matrix(V, f"{where}.V", columns=d, least_rows=1))


def canonical(heads: Iterable[MatrixHead]) -> tuple[MatrixHead, ...]:
    """Merge heads with equal W, drop those whose V is zero, sort.

    Example:
        >>> one, two = MatrixHead(((1,),), ((2,),)), MatrixHead(((1,),), ((3,),))
        >>> canonical([one, two])
        (MatrixHead(W=((1,),), V=((5,),)),)
    """
    merged: dict[Matrix, Matrix] = {}
    for each in heads:
        W = _plain(each.W)
        before = merged.get(W)
        rows = each.V if before is None else _sum(before, each.V)
        merged[W] = _plain(rows)
    found = (MatrixHead(W, V) for W, V in merged.items() if any(map(any, V)))
    return tuple(sorted(found))


def moved(head: MatrixHead, rho: Representation, out: Representation, g: int) -> MatrixHead:
    """The head (rho(g)^T W rho(g), rho_out(g)^-1 V rho(g)): of rho_out(g)^-1 f(rho(g) X)."""
    R, back = rho.matrices[g], out.matrices[out.group.inverses[g]]
    W = R.transpose() * to_flint(head.W) * R
    return MatrixHead(from_flint(W), from_flint(back * to_flint(head.V) * R))


def permutation(
    heads: Sequence[MatrixHead], rho: Representation, out: Representation, g: int
) -> tuple[int, ...] | None:
    """pi_g: where each canonical head goes; None if the group does not permute them."""
    place = {head: h for h, head in enumerate(heads)}
    images = [place.get(moved(head, rho, out, g)) for head in heads]
    return None if None in images else tuple(h for h in images if h is not None)


def orbits(
    heads: Sequence[MatrixHead], rho: Representation, out: Representation
) -> tuple[Orbit, ...]:
    """The orbits of canonical heads under a group that permutes them.

    Args:
        heads: in their canonical form.
        rho: how the group acts on tokens.
        out: how it acts on outputs.

    Raises:
        NotInClass: it does not; carries the generator and the head whose image is no head.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> rho = named("C_2").natural
        >>> W, V = ((0, 1), (0, 0)), ((1, 0), (0, 1))
        >>> pair = canonical([MatrixHead(W, V), MatrixHead(((0, -1), (0, 0)), V)])
        >>> orbits(pair, rho, rho)
        (Orbit(heads=(0, 1), stabiliser=frozenset({0})),)
    """
    place = {head: h for h, head in enumerate(heads)}
    for s, g in enumerate(rho.group.generator_numbers):
        for h, head in enumerate(heads):
            if moved(head, rho, out, g) not in place:
                raise NotInClass(
                    f"generator {s} takes head {h} of the canonical form to no head of it: the "
                    "function is not equivariant",
                    query=(g, h),
                )
    found: list[Orbit] = []
    seen: set[int] = set()
    for h, head in enumerate(heads):
        if h in seen:
            continue
        images = [place[moved(head, rho, out, g)] for g in range(len(rho.group))]
        seen.update(images)
        fixing = frozenset(g for g, image in enumerate(images) if image == h)
        found.append(Orbit(tuple(sorted(set(images))), fixing))
    return tuple(found)


def evaluate(
    heads: Sequence[MatrixHead], query: Sequence[Sequence[Rational]], *, base: int = 2
) -> tuple[Rational, ...]:
    """f(x_1..x_n) with base-b softmax, exactly.

    Args:
        heads: at least one.
        query: tokens; the last one attends. Scores x_n^T W x_j must be integers.
        base: b.

    Raises:
        InputError: a score that is no integer, so that the weight is not rational.

    Example:
        >>> evaluate([MatrixHead(((1,),), ((3,),))], [(2,), (1,)])
        (5,)
    """
    last = query[-1]
    total: list[Rational] = [0] * len(heads[0].V)
    for head in heads:
        row = [
            sum(x * w for x, w in zip(last, column, strict=True))
            for column in zip(*head.W, strict=True)
        ]
        scores = [sum(r * y for r, y in zip(row, token, strict=True)) for token in query]
        if any(Fraction(s).denominator != 1 for s in scores):
            raise InputError("integer scores", "a fraction", where="query")
        top = max(scores)
        weights = [Fraction(1, base ** int(top - s)) for s in scores]
        mass = sum(weights, Fraction(0))
        mean = [
            sum((w * y for w, y in zip(weights, column, strict=True)), Fraction(0)) / mass
            for column in zip(*query, strict=True)
        ]
        for r, functional in enumerate(head.V):
            total[r] += sum((v * m for v, m in zip(functional, mean, strict=True)), Fraction(0))
    return tuple(int(t) if Fraction(t).denominator == 1 else t for t in total)


def act(m: Matrix, query: Sequence[Sequence[Rational]]) -> tuple[tuple[Rational, ...], ...]:
    """A matrix applied to every token.

    Example:
        >>> act(((0, 1), (1, 0)), [(1, 2)])
        ((2, 1),)
    """
    return tuple(
        tuple(plain(sum(a * x for a, x in zip(row, token, strict=True))) for row in m)
        for token in query
    )


def _plain(rows: Matrix) -> Matrix:
    return tuple(tuple(plain(entry) for entry in row) for row in rows)


def _sum(one: Matrix, other: Matrix) -> Matrix:
    return tuple(
        tuple(a + b for a, b in zip(r, s, strict=True)) for r, s in zip(one, other, strict=True)
    )
