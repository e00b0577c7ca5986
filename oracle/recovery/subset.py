"""Which of some vectors sum to a target: 2^(K/2) sums by meeting in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def subset(steps: Sequence[Sequence[Fraction]], target: Sequence[Fraction]) -> set[int] | None:
    """The positions of vectors that sum to a target; None if no subset does.

    Args:
        steps: K vectors.
        target: their wanted sum.

    Example:
        >>> subset([[Fraction(1)], [Fraction(5)], [Fraction(7)]], [Fraction(8)])
        {0, 2}
    """
    half = len(steps) // 2

    def sums(part: Sequence[tuple[int, Sequence[Fraction]]]) -> dict[tuple[Fraction, ...], int]:
        found = {(Fraction(0),) * len(target): 0}
        for k, step in part:
            found |= {
                tuple(a + b for a, b in zip(total, step, strict=True)): mask | 1 << k
                for total, mask in found.items()
            }
        return found

    numbered = list(enumerate(steps))
    right = sums(numbered[half:])
    for total, mask in sums(numbered[:half]).items():
        rest = tuple(t - a for t, a in zip(target, total, strict=True))
        if rest in right:
            both = mask | right[rest]
            return {k for k in range(len(steps)) if both >> k & 1}
    return None
