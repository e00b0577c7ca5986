"""The simpler settings that multi-head recovery is measured against (claim recovery.baselines).

With one head, F(0) = v.x and one copy give everything: F(1) - v.x = c/(1 + rho) with c = v.w known,
so rho, hence x^T W w, needs a single query: d + d^2 in all. The same works for several heads in
known orthogonal subspaces U_h, in the sense that v_h lies in U_h and W_h = W_h P_h: for w in U_h
every other head has v_g.w = 0 and is silent. Neither says anything about heads that overlap, which
is the case that the rational function is for.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from flint import fmpq, fmpq_mat, fmpz_mat

from ...symbolic.errors import InputError, NotInClass
from ...symbolic.rational import Vector, from_fmpq
from ..exact import ExactOracle, exact
from ..model import Head, canonical
from ..protocol import Oracle, Recorder, copies, shown
from .recovery import Attempt, Recovery
from .schedule import Integers, add, draw_fresh


def recover_single_head(oracle: Oracle, *, seed: int = 0) -> Recovery:
    """Recover one head with d^2 + d exact queries of length at most 2.

    Raises:
        NotInClass: not attention with one head; carries the query that shows it.

    Source:
        arXiv 2601.16873, the case of one head.

    Example:
        >>> found = recover_single_head(ExactOracle([Head(((1, 2), (0, 3)), (1, 0))]))
        >>> found.heads, found.queries, found.longest
        ((Head(W=((1, 2), (0, 3)), v=(1, 0)),), 6, 2)
    """
    d = oracle.dimension
    unit = [tuple(int(i == k) for k in range(d)) for i in range(d)]
    return recover_orthogonal(oracle, [unit], seed=seed)


def recover_orthogonal(
    oracle: Oracle, subspaces: Sequence[Sequence[Integers]], *, seed: int = 0
) -> Recovery:
    """Recover heads in known orthogonal subspaces with d + d sum_h dim U_h exact queries.

    Args:
        oracle: answers with exact rationals; its attribute `base` says b (2 if it has none).
        subspaces: for each head an integer basis of U_h; v_h in U_h, W_h zero on its complement.
        seed: of the fresh queries.

    Raises:
        InputError: subspaces that are not orthogonal, or dependent vectors.
        NotInClass: no such model; carries the query that shows it.

    Example:
        >>> heads = [Head(((3, 0), (1, 0)), (2, 0)), Head(((0, 1), (0, 4)), (0, 5))]
        >>> found = recover_orthogonal(ExactOracle(heads), [[(1, 0)], [(0, 1)]])
        >>> found.heads == canonical(heads), found.queries
        (True, 6)
    """
    d, base = oracle.dimension, getattr(oracle, "base", 2)
    _check(subspaces, d)
    ask = Recorder(oracle)
    unit = [tuple(int(i == k) for k in range(d)) for i in range(d)]
    whole = [exact(ask((e,))) for e in unit]
    heads = []
    for basis in subspaces:
        seen = _visible(basis, whole)
        if not seen:
            continue
        columns = []
        for w in seen:
            c = _dot(whole, w)
            scores = []
            for i, x in enumerate(unit):
                query = copies(add(x, w), 1, x)
                answer = exact(ask(query))
                share = (answer - whole[i]) / c
                score = None if share in (0, 1) else _logarithm(share / (1 - share), base)
                if score is None:
                    raise NotInClass(
                        f"the answer to {shown(query)} is not that of one visible head with "
                        f"base-{base} softmax",
                        query=query,
                        answer=answer,
                    )
                scores.append(score)
            columns.append(scores)
        heads.append(_assembled(seen, columns, whole, d))
    found = canonical(heads)
    queries, longest = ask.queries, ask.longest
    model = ExactOracle(found, base=base, dimension=d)
    for query in draw_fresh(d, longest, random=Random(f"baseline {seed}")):
        ask(query)
    for query, answer in ask.asked:
        if not model.agrees(query, exact(answer)):
            raise NotInClass(
                f"the only model of this kind that fits disagrees at {shown(query)}",
                query=query,
                answer=answer,
            )
    fresh = ask.asked[queries:]
    return Recovery(
        heads=found,
        queries=queries,
        longest=longest,
        formula=d + d * sum(map(len, subspaces)),
        attempts=(Attempt(ask.queries, ""),),
        fresh_queries=len(fresh),
        fresh_longest=max(len(query) for query, _ in fresh),
        verified=True,
        arithmetic="exact",
        base=base,
        dimension=d,
        most=len(subspaces),
        asked=tuple(ask.asked[:queries]),
        fresh=tuple(fresh),
    )


def _check(subspaces: Sequence[Sequence[Integers]], d: int) -> None:
    vectors = [list(w) for basis in subspaces for w in basis]
    if not vectors or any(len(w) != d for w in vectors):
        raise InputError(f"vectors of dimension {d}", "others, or none", where="subspaces")
    if fmpz_mat(vectors).rank() < len(vectors):
        raise InputError("linearly independent vectors", "dependent ones", where="subspaces")
    for g, left in enumerate(subspaces):
        for right in subspaces[:g]:
            if any(sum(a * b for a, b in zip(u, w, strict=True)) for u in left for w in right):
                raise InputError("orthogonal subspaces", "two that are not", where="subspaces")


def _visible(basis: Sequence[Integers], whole: Sequence[fmpq]) -> list[Integers]:
    """A basis of the same subspace on which the functional is nowhere zero; none if it is zero."""
    helper = next((w for w in basis if _dot(whole, w) != 0), None)
    if helper is None:
        return []
    return [w if _dot(whole, w) != 0 else add(w, helper) for w in basis]


def _assembled(
    basis: Sequence[Integers], columns: Sequence[Sequence[int]], whole: Sequence[fmpq], d: int
) -> Head:
    """W with W w_j given on a basis of U and zero on its complement, v the part of s in U."""
    B = fmpq_mat(fmpz_mat([list(w) for w in basis]))  # (k, d), the basis as rows
    gram = (B * B.transpose()).inv()
    S = fmpq_mat(fmpz_mat([list(column) for column in columns]).transpose())  # (d, k)
    W = S * gram * B
    v = B.transpose() * gram * B * fmpq_mat(d, 1, list(whole))
    return Head(
        tuple(tuple(from_fmpq(W[i, j]) for j in range(d)) for i in range(d)),
        tuple(from_fmpq(entry) for entry in v.entries()),
    )


def _logarithm(value: fmpq, base: int) -> int | None:
    """The integer e with base^e = value; None if there is none."""
    large, other, sign = (value.p, value.q, 1) if value > 1 else (value.q, value.p, -1)
    if value <= 0 or other != 1:
        return None
    exponent = 0
    if base == 2:
        exponent = int(large).bit_length() - 1
    else:
        while large > base**exponent:
            exponent += 1
    return sign * exponent if large == base**exponent else None


def _dot(whole: Sequence[fmpq], w: Vector) -> fmpq:
    return sum((a * int(b) for a, b in zip(whole, w, strict=True)), fmpq(0))
