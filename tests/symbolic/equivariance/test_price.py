"""The cheapest covering type: known values, brute force, and proofs that branch."""

from fractions import Fraction
from typing import Any

import pytest

from headproof.symbolic.equivariance import price as module
from headproof.symbolic.equivariance.gset import matching, types
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.price import Branch, Leaf, cheapest
from headproof.symbolic.errors import InputError, LimitReached

ABSTRACT = {
    "C_2": [1, 3, 4, 6],
    "C_3": [1, 2, 5, 6],
    "V_4": [1, 5, 6, 10],
    "S_3": [1, 3, 6, 8],
}


@pytest.mark.parametrize("name", ABSTRACT)
def test_known_prices(name: str) -> None:
    classes = named(name).classes
    assert [cheapest(classes, H).price for H in range(1, 5)] == ABSTRACT[name]


@pytest.mark.parametrize(("name", "p"), [("C_2", 2), ("C_3", 3)])
def test_a_cyclic_group_of_prime_order(name: str, p: int) -> None:
    for H in range(1, 9):  # floor(H/p) free orbits, and H orbits in all
        assert cheapest(named(name).classes, H).price == p * (H // p) + H - H // p


@pytest.mark.parametrize("name", ["C_2", "C_4", "V_4", "S_3", "A_4"])
@pytest.mark.parametrize("H", [1, 2, 3, 4])
def test_no_smaller_type_covers(name: str, H: int) -> None:
    classes = named(name).classes
    strata = list(types(classes, H))
    found = cheapest(classes, H)

    def covers(T: Any) -> bool:
        return all(matching(classes, T, S) is not None for S in strata)

    assert covers(found.type)
    for points in range(found.price):
        assert not any(covers(T) for T in types(classes, points))


@pytest.mark.parametrize("name", NAMES)
def test_matched_orbits_are_those_of_the_type(name: str) -> None:
    classes = named(name).classes
    found = cheapest(classes, 4)
    for S, T in found.strata:
        assert all(classes.below(k, c) for k, c in zip(T, S, strict=True))
        assert all(T.count(k) <= found.type.count(k) for k in T)


def test_principal_down_sets_give_the_same_program() -> None:
    """Abstractly t(below c) >= floor(H/index) for every class c is all that Hall's theorem asks."""
    for name in NAMES:
        classes = named(name).classes
        for H in (3, 5):
            found = cheapest(classes, H)
            for c, index in enumerate(classes.indices):
                above = sum(classes.below(k, c) for k in found.type)
                assert above >= H // index


def test_a_proof_that_has_to_branch() -> None:
    # Two triangles: every edge needs one of its ends; the relaxation says 3, the truth is 4.
    edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (3, 5)]
    rows = tuple(tuple(int(v in edge) for v in range(6)) for edge in edges)
    program = module._Program((1,) * 6, rows, (1,) * 6)
    proof = program.prove(4, [0] * 6, [None] * 6)
    assert isinstance(proof, Branch)
    leaves = []

    def walk(node: Any, low: list[int], high: list[Any]) -> None:
        if isinstance(node, Leaf):
            leaves.append(program.bound(node.multipliers, low, high))
            return
        below, above = list(high), list(low)
        below[node.orbit_class], above[node.orbit_class] = node.at_most, node.at_most + 1
        walk(node.low, low, below)
        walk(node.high, above, high)

    walk(proof, [0] * 6, [None] * 6)
    assert len(leaves) > 1
    assert all(bound is not None and bound > 3 for bound in leaves)
    with pytest.raises(AssertionError, match="cheaper than 5"):
        program.prove(5, [0] * 6, [None] * 6)


def test_multipliers_that_prove_nothing() -> None:
    program = module._Program((1, 1), ((1, 1),), (1,))
    assert program.bound([Fraction(2)], [0, 0], [None, None]) is None
    assert program.bound([Fraction(1)], [0, 0], [None, None]) == 1
    assert program.bound([Fraction(2)], [0, 0], [1, 1]) == 0


def test_no_stratum_and_bad_numbers() -> None:
    classes = named("C_2").classes
    assert (cheapest(classes, 3, realised=()).price, cheapest(classes, 3, realised=()).type) == (
        0,
        (),
    )
    for heads in (0, -1, True, 1.0):
        with pytest.raises(InputError, match="H >= 1"):
            cheapest(classes, heads)  # type: ignore[arg-type]
    with pytest.raises(LimitReached, match="strata"):
        cheapest(named("D_4").classes, 60)
