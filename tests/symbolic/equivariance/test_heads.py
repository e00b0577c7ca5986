"""Canonical heads under a group: permutations, strata, members, queries that show a violation."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from headproof.symbolic.equivariance.gset import types
from headproof.symbolic.equivariance.heads import (
    MatrixHead,
    act,
    canonical,
    evaluate,
    matrix_head,
    moved,
    orbits,
    permutation,
)
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.representation import direct_sum, representation
from headproof.symbolic.equivariance.strata import (
    averaged,
    isotropy,
    member,
    realised,
    stratum_of,
)
from headproof.symbolic.equivariance.violation import violation
from headproof.symbolic.errors import InputError, NotInClass

C_2 = named("C_2")


def query(random: Random, d: int) -> Any:
    return [tuple(random.randint(-1, 1) for _ in range(d)) for _ in range(random.randint(1, 4))]


@pytest.mark.parametrize("name", NAMES)
def test_members_are_of_their_stratum_and_equivariant(name: str) -> None:
    G, random = named(name), Random(7)
    rho = G.natural
    possible = realised(G.classes, rho, rho)
    for H in (1, 2, 4):
        for stratum in list(types(G.classes, H, allowed=possible))[:4]:
            heads = member(G.classes, rho, rho, stratum, seed=H)
            assert heads == canonical(heads)
            assert stratum_of(G.classes, rho, rho, heads) == stratum
            assert violation(heads, rho, rho) is None
            for g in range(len(G.group)):
                X = query(random, rho.dimension)
                turned = evaluate(heads, act(rho.matrix(g), X))
                assert turned == act(rho.matrix(g), [evaluate(heads, X)])[0]


@pytest.mark.parametrize("name", NAMES)
def test_the_criterion_agrees_with_random_forms(name: str) -> None:
    """The exact stabilisers of random averages are those that characters predict, all of them."""
    G, random = named(name), Random(3)
    rho, d = G.natural, G.natural.dimension
    seen = set()
    for K in G.classes.representatives:
        for _ in range(12):
            W = tuple(tuple(random.randint(-9, 9) for _ in range(d)) for _ in range(d))
            head = averaged(rho, rho, K, MatrixHead(W, W))
            fixing = frozenset(
                g for g in range(len(G.group)) if moved(head, rho, rho, g).W == head.W
            )
            seen.add(G.classes.class_of(fixing))
    assert seen == set(isotropy(G.classes, rho))


def test_conditions_of_realised_strata() -> None:
    V_4, D_4 = named("V_4"), named("D_4")
    assert len(isotropy(V_4.classes, V_4.natural)) == 2
    minus = direct_sum(C_2.irreducibles[1], C_2.irreducibles[1])
    assert isotropy(C_2.classes, minus) == (1,)  # -I fixes every form: no free orbit
    # -I on tokens and I on outputs leaves no V.
    assert realised(C_2.classes, minus, C_2.irreducibles[0]) == ()
    assert realised(D_4.classes, D_4.natural, D_4.natural) == isotropy(D_4.classes, D_4.natural)
    with pytest.raises(InputError, match="realised classes"):
        member(C_2.classes, minus, minus, (0,))


def test_permutations_act_from_the_right() -> None:
    S_3 = named("S_3")
    rho = S_3.natural
    heads = member(S_3.classes, rho, rho, (0,))
    found = [permutation(heads, rho, rho, g) for g in range(6)]
    table = S_3.group.table
    wrong = 0
    for g, p in enumerate(found):
        for k, q in enumerate(found):
            assert p is not None
            assert q is not None
            assert found[table[g][k]] == tuple(q[h] for h in p)
            wrong += found[table[g][k]] != tuple(p[h] for h in q)
    assert wrong  # the other order is another permutation


def test_rational_matrices_that_are_not_orthogonal() -> None:
    rho = representation(C_2.group, [[[1, Fraction(1, 2)], [0, -1]]])
    heads = member(C_2.classes, rho, rho, (0, 1))
    assert stratum_of(C_2.classes, rho, rho, heads) == (0, 1)
    (pair,) = (orbit.heads for orbit in orbits(heads, rho, rho) if len(orbit.heads) == 2)
    shown = violation([head for h, head in enumerate(heads) if h != pair[0]], rho, rho)
    assert shown is not None
    assert shown.moved != shown.expected


def test_a_violation_is_one() -> None:
    heads = [MatrixHead(((0, 1), (0, 0)), ((1, 0), (0, 1)))]
    rho = C_2.natural
    shown = violation(heads, rho, rho, seed=4)
    assert shown is not None
    assert evaluate(heads, act(rho.images[0], shown.query)) == shown.moved
    assert act(rho.images[0], [evaluate(heads, shown.query)])[0] == shown.expected
    with pytest.raises(NotInClass, match="generator 0 takes head 0"):
        orbits(heads, rho, rho)


def test_heads_that_merge_and_cancel() -> None:
    W = ((1,),)
    one, other = MatrixHead(W, ((1,), (2,))), MatrixHead(W, ((-1,), (-2,)))
    assert canonical([one, other]) == ()
    assert canonical([one, one]) == (MatrixHead(W, ((2,), (4,))),)
    assert canonical([MatrixHead(((Fraction(2, 2),),), ((1,), (2,)))]) == canonical([one])


@pytest.mark.parametrize(
    ("W", "V", "message"),
    [
        ([[1, 2]], [[1]], "a square matrix"),
        ([[1]], [[1, 2]], "1"),
        ([[0.5]], [[1]], "the float"),
        ([], [[1]], "row"),
        ([[1]], [], "row"),
    ],
)
def test_bad_heads_are_refused(W: Any, V: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        matrix_head(W, V)


def test_scores_must_be_whole() -> None:
    with pytest.raises(InputError, match="integer scores"):
        evaluate([MatrixHead(((Fraction(1, 2),),), ((1,),))], [(1,), (1,)])
