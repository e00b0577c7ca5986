"""Derivations of claims C1, C2 and C4: general, repeatable, and false variants refused."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sympy import Integer, Sum

from headproof.proofs_check.outcomes import derived
from headproof.symbolic.derivations.derivation import Derivation
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.rules.equality import NORMAL_FORM
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import eq
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.identification.proofs import fibre, ratios
from headproof.symbolic.identification.stabiliser import dimension

CONCLUSIONS: dict[Callable[[], Derivation], tuple[tuple[str, ...], str]] = {
    fibre.invisible: (("invisible",), "d, n, m"),
    fibre.exact: (("queries", "keys"), "d, n, m"),
    fibre.commutant: (("unseen", "commutes"), "d, n, m"),
    ratios.heads: (("plain",), "H, n"),
    ratios.one_head: (("half",), "n"),
    ratios.rotated: (("distinct", "equal"), "H, m"),
    ratios.groups: (("plain",), "G, r, n"),
    ratios.rotated_groups: (("rotated",), "G, r, m"),
    ratios.single_group: (("single",), "H, n"),
    ratios.never: (("positive",), "H, n"),
    ratios.finest: (("share", "positive"), "H"),
    ratios.block: (("plain",), "H, n"),
    ratios.rotated_block: (("rotated",), "H, m"),
}


LONG = ("invisible",)
"""Decided by the long tests, and whenever the claim is verified."""


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(make, marks=pytest.mark.long if make.__name__ in LONG else ())
        for make in CONCLUSIONS
    ],
    ids=lambda make: make.__name__,
)
def test_what_is_concluded_for_every_size(make: Callable[[], Derivation]) -> None:
    names, symbols = CONCLUSIONS[make]
    found = make()
    outcome = derived(found, *names)
    assert outcome.general
    assert not outcome.argued
    assert outcome.numbers["symbols"] == symbols
    if len(found.steps) < 12:  # the long ones are decided once; it takes seconds
        replay(found, seed=7)


def test_without_commuting_something_changes() -> None:
    d, n = size("d"), size("n")
    i, j, a, b, c = (index(name) for name in "ijabc")
    A, B, M, X = (family(name) for name in "ABMX")
    ranges = {i: (1, d), j: (1, d), a: (1, n), b: (1, n), c: (1, n)}
    proof = Proof("example", "no commuting", Setting((d, n), ranges, families=(A, B, M, X)))
    inner = (c, 1, n)
    query = Sum(A(i, c) * X(c, a), inner)
    key = -Sum(B(j, c) * X(b, c), inner)
    change = Sum(query * M(a, b) * B(j, b) + A(i, a) * M(a, b) * key, (b, 1, n), (a, 1, n))
    with pytest.raises(DerivationFailed):
        proof.step(eq(change, 0), NORMAL_FORM, why="False unless X and M commute.")
    plain = Sum(query * B(j, a) - A(i, a) * Sum(B(j, c) * X(a, c), inner), (a, 1, n))
    proof.step(eq(plain, 0), NORMAL_FORM, why="True without anything between.")


@pytest.mark.parametrize("factor", [1, 3, 4])
def test_another_share_is_refused(factor: int) -> None:
    H, n = ratios.H, ratios.n
    proof = Proof("example", "wrong share", Setting((H, n), {}))
    left = H * dimension([("real", n)])
    with pytest.raises(DerivationFailed):
        proof.step(eq(Integer(factor) * H * left, 2 * (H * n) ** 2), NORMAL_FORM, why="Not 1/(2H).")
