"""A query that shows that a function is not equivariant.

If the canonical heads are not permuted, f(rho(g) X) and rho_out(g) f(X) differ as functions for
some generator g (claim recovery.uniqueness), so queries of small random integer tokens, scaled
until every score is an integer, differ after a few drawings. Both sides are computed exactly. Where
every such query has a score above `HIGHEST` (W with entries of thousands, or with large and
unrelated denominators) there is an answer, but no query that shows it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random

from ..errors import Degenerate
from ..rational import Rational
from .heads import MatrixHead, act, canonical, evaluate, permutation
from .representation import Representation

DRAWINGS = 400
"""Queries before giving up."""

HIGHEST = 4096
"""The largest score of a query, so that its weights stay short."""


@dataclass(frozen=True)
class Violation:
    """A query at which equivariance fails, with base-2 softmax.

    Args:
        generator: the number of the generator g.
        query: X, the last token attends.
        moved: f(rho(g) X).
        expected: rho_out(g) f(X).
    """

    generator: int
    query: tuple[tuple[Rational, ...], ...]
    moved: tuple[Rational, ...]
    expected: tuple[Rational, ...]


def violation(
    heads: Sequence[MatrixHead], rho: Representation, out: Representation, *, seed: int = 0
) -> Violation | None:
    """Find a query that shows it; None if the group permutes the canonical heads.

    Args:
        heads: of one shape.
        rho: how the group acts on tokens.
        out: how it acts on outputs.
        seed: of the drawings.

    Raises:
        Degenerate: no drawing showed a violation, or the scores became too long.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> rho = named("C_2").natural
        >>> head = MatrixHead(((0, 1), (0, 0)), ((1, 0), (0, 1)))
        >>> found = violation([head], rho, rho)
        >>> found.moved != found.expected
        True
    """
    merged = canonical(heads)
    broken = [
        s
        for s, g in enumerate(rho.group.generator_numbers)
        if permutation(merged, rho, out, g) is None
    ]
    if not broken:
        return None
    random = Random(seed)
    numbers = [e for head in merged for row in head.W for e in row]
    numbers += [e for image in rho.images for row in image for e in row]
    scale = lcm(*(e.denominator for e in numbers))
    for attempt in range(DRAWINGS):
        s = broken[attempt % len(broken)]
        reach = 1 + attempt // 50
        query = tuple(
            tuple(scale * random.randint(-reach, reach) for _ in range(rho.dimension))
            for _ in range(2 + attempt % 3)
        )
        turned = act(rho.images[s], query)
        if max(_highest(merged, query), _highest(merged, turned)) > HIGHEST:
            continue
        moved = evaluate(merged, turned)
        expected = act(out.images[s], [evaluate(merged, query)])[0]
        if moved != expected:
            return Violation(s, query, moved, expected)
    raise Degenerate(
        f"generator {broken[0]} does not permute the heads, so the function is not equivariant, "
        f"but none of {DRAWINGS} queries with scores up to {HIGHEST:,} shows it: another seed, or "
        "heads with smaller W"
    )


def _highest(heads: Sequence[MatrixHead], query: Sequence[Sequence[Rational]]) -> Fraction:
    """A bound on the absolute value of every score."""
    size = max(abs(Fraction(x)) for token in query for x in token)
    weights = [
        sum((abs(Fraction(e)) for row in head.W for e in row), Fraction(0)) for head in heads
    ]
    return max(weights) * size * size
