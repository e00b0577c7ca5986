"""The cheapest type of heads that covers every stratum (claim equivariance.price).

A type T is a number t_c of orbits G/K_c for each class. By Hall's theorem T covers a stratum S iff
for all sets A of orbits of S at least |A| orbits of T map onto one of A: a linear *cut*

    sum of t_c over the classes c that lie below a class of A  >=  |A|.

So the least |T| = sum |G : K_c| t_c is a small integer program. It starts with one cut for each
class c, from a stratum with the most orbits that lie below c: over all G-sets these are enough,
since a stratum may be filled up with fixed points. The cheapest T for the cuts so far is matched
with every stratum, and each stratum that it misses gives another cut, until none does. HiGHS
proposes T; that nothing smaller satisfies the cuts is proved exactly, by branching on some t_c with
rational multipliers of the cuts at every leaf. The cost is the number of strata times a matching.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import TypeAlias

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from ..errors import InputError, LimitReached
from .gset import Type, count, matching, size, types, violator
from .subgroups import SubgroupClasses

MOST_STRATA = 20_000
"""Strata of one size above which the search is refused."""

_FINEST = 10_000
"""The largest denominator with which multipliers are proposed."""


@dataclass(frozen=True)
class Cut:
    """A stratum and some of its orbits: as many orbits of T must map onto one of them.

    Args:
        stratum: the classes of its orbits.
        orbits: positions in it.
    """

    stratum: Type
    orbits: tuple[int, ...]


@dataclass(frozen=True)
class Leaf:
    """The end of a branch: multipliers >= 0, one per cut, that bound |T| from below."""

    multipliers: tuple[Fraction, ...]


@dataclass(frozen=True)
class Branch:
    """Two cases: at most, or more than, so many orbits of one class."""

    orbit_class: int
    at_most: int
    low: Proof
    high: Proof


Proof: TypeAlias = Leaf | Branch


@dataclass(frozen=True)
class Price:
    """The cheapest covering type, with what proves it.

    Args:
        heads: H, the size of the strata.
        type: the classes of the orbits of T.
        price: |T|.
        strata: all strata, each with the classes of the orbits of T matched with its own.
        cuts: for the lower bound.
        proof: that every T that satisfies the cuts has at least `price` heads.
    """

    heads: int
    type: Type
    price: int
    strata: tuple[tuple[Type, Type], ...]
    cuts: tuple[Cut, ...]
    proof: Proof


def cheapest(
    classes: SubgroupClasses, heads: int, *, realised: Sequence[int] | None = None
) -> Price:
    """Find the least number of heads of a type that covers all strata of H heads.

    Args:
        classes: the subgroups of the group.
        heads: H >= 1.
        realised: the classes of the stabilisers of realised strata; all (the abstract price) if
            None. If none is realised there is no stratum and the empty type covers them all.

    Raises:
        InputError: H < 1.
        LimitReached: there are too many strata.

    Source:
        Claim T1d.

    Example:
        >>> from headproof.symbolic.equivariance.library import named
        >>> [cheapest(named("S_3").classes, H).price for H in (1, 2, 3, 4)]
        [1, 3, 6, 8]
    """
    if type(heads) is not int or heads < 1:
        raise InputError("a number of heads H >= 1", repr(heads), where="heads")
    if (many := count(classes, heads, allowed=realised)) > MOST_STRATA:
        raise LimitReached(f"{many:,} strata of {heads} heads; at most {MOST_STRATA:,}")
    strata = list(types(classes, heads, allowed=realised))
    cuts = _first_cuts(classes, strata)
    while True:
        architecture = _propose(classes, list(cuts.values()))
        missed = [(S, A) for S in strata if (A := violator(classes, architecture, S)) is not None]
        if not missed:
            break
        for S, A in missed:
            reach = _below(classes, S, A)
            if reach not in cuts or len(A) > len(cuts[reach].orbits):
                cuts[reach] = Cut(S, A)
    price = size(classes, architecture)
    chosen = tuple(cuts.values())
    program = _Program.of(classes, chosen)
    width = len(classes)
    proof = program.prove(price, [0] * width, [None] * width)
    used = _used(proof)
    chosen = tuple(cut for cut, needed in zip(chosen, used, strict=True) if needed)
    proof = _restricted(proof, used)
    matched = []
    for S in strata:
        found = matching(classes, architecture, S)
        assert found is not None
        matched.append((S, tuple(architecture[t] for t in found)))
    return Price(heads, architecture, price, tuple(matched), chosen, proof)


def _first_cuts(classes: SubgroupClasses, strata: Sequence[Type]) -> dict[frozenset[int], Cut]:
    """By the classes that count: for each class a stratum with the most orbits below it."""
    cuts: dict[frozenset[int], Cut] = {}
    for c in sorted({c for S in strata for c in S}):
        below = [classes.below(k, c) for k in range(len(classes))]
        S = max(strata, key=lambda S: sum(below[k] for k in S))
        cut = Cut(S, tuple(a for a, k in enumerate(S) if below[k]))
        cuts[_below(classes, S, cut.orbits)] = cut
    return cuts


def _below(classes: SubgroupClasses, S: Type, A: Sequence[int]) -> frozenset[int]:
    """The classes whose orbits map onto an orbit of A."""
    return frozenset(k for k in range(len(classes)) if any(classes.below(k, S[a]) for a in A))


def _used(proof: Proof) -> tuple[bool, ...]:
    """Which cuts have a multiplier other than zero at some leaf."""
    if isinstance(proof, Leaf):
        return tuple(y > 0 for y in proof.multipliers)
    sides = _used(proof.low), _used(proof.high)
    return tuple(a or b for a, b in zip(*sides, strict=True))


def _restricted(proof: Proof, used: Sequence[bool]) -> Proof:
    if isinstance(proof, Leaf):
        return Leaf(tuple(y for y, needed in zip(proof.multipliers, used, strict=True) if needed))
    low, high = _restricted(proof.low, used), _restricted(proof.high, used)
    return Branch(proof.orbit_class, proof.at_most, low, high)


def _propose(classes: SubgroupClasses, cuts: Sequence[Cut]) -> Type:
    """A cheapest type for the cuts, by floats; of equal price, the first with few orbits."""
    if not cuts:
        return ()
    program = _Program.of(classes, cuts)
    # A small extra cost per orbit makes the answer prefer few orbits, and stable.
    tie = 1 / (4 * sum(program.least) * (1 + max(program.costs)))
    found = milp(
        np.array(program.costs) + tie * (1 + np.arange(len(program.costs)) / len(program.costs)),
        constraints=LinearConstraint(np.array(program.rows), np.array(program.least), np.inf),
        integrality=np.ones(len(program.costs)),
        bounds=Bounds(0, np.inf),
    )
    counts = [round(value) for value in found.x]
    return tuple(c for c, t in enumerate(counts) for _ in range(t))


@dataclass(frozen=True)
class _Program:
    """Minimise costs . t subject to rows t >= least."""

    costs: tuple[int, ...]
    rows: tuple[tuple[int, ...], ...]
    least: tuple[int, ...]

    @classmethod
    def of(cls, classes: SubgroupClasses, cuts: Sequence[Cut]) -> _Program:
        reaches = [_below(classes, cut.stratum, cut.orbits) for cut in cuts]
        rows = tuple(tuple(int(k in reach) for k in range(len(classes))) for reach in reaches)
        return cls(classes.indices, rows, tuple(len(cut.orbits) for cut in cuts))

    def prove(self, price: int, low: list[int], high: list[int | None]) -> Proof:
        """A proof that costs . t > price - 1 between the bounds."""
        if not self.rows:
            return Leaf(())
        multipliers, t = self._relaxed(price, low, high)
        bound = self.bound(multipliers, low, high)
        if bound is not None and bound > price - 1:
            return Leaf(multipliers)
        apart = [abs(value - round(value)) for value in t]
        c = int(np.argmax(apart))
        if apart[c] < 1e-6:
            raise AssertionError(f"a type cheaper than {price} satisfies the cuts: {t}")
        at_most = floor(t[c])
        below, above = list(high), list(low)
        below[c], above[c] = at_most, at_most + 1
        return Branch(c, at_most, self.prove(price, low, below), self.prove(price, above, high))

    def bound(
        self, multipliers: Sequence[Fraction], low: Sequence[int], high: Sequence[int | None]
    ) -> Fraction | None:
        """The lower bound that multipliers prove; None if they prove nothing."""
        total = Fraction(0)
        for y, least in zip(multipliers, self.least, strict=True):
            total += y * least
        for c, cost in enumerate(self.costs):
            rest = cost - sum(
                (y for y, row in zip(multipliers, self.rows, strict=True) if row[c]), Fraction(0)
            )
            if rest >= 0:
                total += rest * low[c]
            elif (top := high[c]) is not None:
                total += rest * top
            else:
                return None
        return total

    def _relaxed(
        self, price: int, low: Sequence[int], high: Sequence[int | None]
    ) -> tuple[tuple[Fraction, ...], list[float]]:
        """Multipliers and t of the relaxation, whose cuts may be missed at a high cost.

        So it has a solution even where the bounds leave none, and then the bound is high.
        """
        n, m = len(self.costs), len(self.rows)
        matrix = -np.hstack([np.array(self.rows, dtype=float), np.eye(m)])
        found = linprog(
            [*self.costs, *[10.0 * price] * m],
            A_ub=matrix,
            b_ub=-np.array(self.least, dtype=float),
            bounds=[*zip(low, high, strict=True), *[(0, None)] * m],
            method="highs",
        )
        duals = (-found.ineqlin.marginals).tolist()
        exact = tuple(max(Fraction(0), Fraction(y).limit_denominator(_FINEST)) for y in duals)
        return exact, found.x[:n].tolist()
