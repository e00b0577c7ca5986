"""Which invariant W a fixed hidden representation covers (claim equivariance.hidden).

A G-invariant W of rank at most d_k (rho orthogonal) factors through its image, a subrepresentation
of rho of dimension at most d_k, and through a fixed sigma iff the image embeds in sigma. With real
irreducibles of dimension n_i that occur m_i times in rho the images are all vectors of
multiplicities k with k_i <= m_i and sum n_i k_i <= d_k. So sigma covers every W iff it contains
min(m_i, floor(d_k/n_i)) copies of each, and one of dimension d_k does iff

    sum_i n_i min(m_i, floor(d_k/n_i)) <= d_k.

The classification lists the maximal images, and for every sigma which of them it covers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ..errors import InputError, LimitReached

Multiplicities: TypeAlias = tuple[int, ...]
"""How often each irreducible occurs."""

MOST = 100_000
"""Vectors of multiplicities above which a list is refused."""


@dataclass(frozen=True)
class Classification:
    """All images of invariant W of rank at most d_k, and what is needed to cover them.

    Args:
        dimensions: n_i.
        multiplicities: m_i in rho.
        hidden: d_k.
        needed: min(m_i, floor(d_k/n_i)).
    """

    dimensions: Multiplicities
    multiplicities: Multiplicities
    hidden: int
    needed: Multiplicities

    @property
    def least(self) -> int:
        """The least dimension of a sigma that covers every W of rank at most d_k."""
        return _dimension(self.dimensions, self.needed)

    @property
    def covers(self) -> bool:
        """Whether some sigma of dimension d_k covers every W."""
        return self.least <= self.hidden

    def images(self) -> tuple[Multiplicities, ...]:
        """The images, by multiplicities.

        Raises:
            LimitReached: more than `MOST`.
        """
        return tuple(_vectors(self.dimensions, self.multiplicities, self.hidden))

    def maximal_images(self) -> tuple[Multiplicities, ...]:
        """The images that are part of no larger one."""
        images = self.images()
        return tuple(k for k in images if not any(k != o and embeds(k, o) for o in images))


def classify(
    dimensions: Sequence[int], multiplicities: Sequence[int], hidden: int
) -> Classification:
    """Decide whether one hidden representation covers all invariant W of rank at most d_k.

    Args:
        dimensions: n_i >= 1 of the real irreducibles.
        multiplicities: m_i >= 0 in rho.
        hidden: d_k >= 1.

    Raises:
        InputError: numbers that are none of these.

    Source:
        Claim T1c.

    Example:
        >>> classify([1, 1], [1, 1], 1).covers  # C_2 on the plane by diag(1, -1)
        False
        >>> classify([1, 2], [1, 2], 3).needed  # C_3 on 1 + V + V is covered by 1 + V
        (1, 1)
        >>> classify([1, 2], [1, 2], 3).covers
        True
    """
    if len(dimensions) != len(multiplicities):
        raise InputError("as many multiplicities as dimensions", f"{len(multiplicities)}")
    for name, values, least in (
        ("dimensions", dimensions, 1),
        ("multiplicities", multiplicities, 0),
        ("hidden", (hidden,), 1),
    ):
        for value in values:
            if type(value) is not int or value < least:
                raise InputError(f"integers of at least {least}", repr(value), where=name)
    needed = tuple(min(m, hidden // n) for n, m in zip(dimensions, multiplicities, strict=True))
    return Classification(tuple(dimensions), tuple(multiplicities), hidden, needed)


def embeds(image: Sequence[int], sigma: Sequence[int]) -> bool:
    """Whether a representation is part of another."""
    return all(k <= s for k, s in zip(image, sigma, strict=True))


def _dimension(dimensions: Sequence[int], copies: Sequence[int]) -> int:
    return sum(n * k for n, k in zip(dimensions, copies, strict=True))


def _vectors(dimensions: Sequence[int], most: Sequence[int], room: int) -> Iterator[Multiplicities]:
    found: list[Multiplicities] = [()]
    for i, (n, m) in enumerate(zip(dimensions, most, strict=True)):
        longer = []
        for vector in found:
            left = room - _dimension(dimensions[:i], vector)
            longer += [(*vector, k) for k in range(min(m, left // n) + 1)]
        if len(longer) > MOST:
            raise LimitReached(f"more than {MOST:,} images")
        found = longer
    yield from found
