"""The symmetry report of a user's group and heads."""

from typing import Any

import pytest

from headproof.symbolic.equivariance.heads import MatrixHead
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.parts import Part
from headproof.symbolic.equivariance.price import cheapest
from headproof.symbolic.equivariance.strata import member, realised
from headproof.symbolic.equivariance.symmetry import symmetry
from headproof.symbolic.errors import Degenerate, InputError, LimitReached

EYE = ((1, 0), (0, 1))


@pytest.mark.parametrize("name", NAMES)
def test_three_ways_to_give_the_group(name: str) -> None:
    G = named(name)
    rho = G.natural
    c = realised(G.classes, rho, rho)[-1]
    heads = member(G.classes, rho, rho, (c,))
    abstract = symmetry(heads, permutations=G.group.generators, matrices=rho.images)
    assert abstract.equivariant
    assert abstract.stratum == (c,)
    generated = symmetry(heads, matrices=rho.images)
    # The natural actions are faithful, so the matrices generate a copy of the group.
    assert len(generated.rho.group) == len(G.group)
    assert sorted(generated.classes.indices) == sorted(G.classes.indices)
    for found in (abstract, generated):
        H = len(heads)
        assert found.abstract is not None
        assert found.abstract.price == cheapest(G.classes, H).price
        (orbit,) = found.orbits
        assert len(orbit.heads) == G.classes.indices[c]
        assert orbit.rank > 0
    swapped = symmetry(heads[1:] or heads, matrices=rho.images)
    assert swapped.equivariant is (len(heads) == 1)


def test_permutations_permute_the_coordinates() -> None:
    heads = [
        MatrixHead(((1, 0), (0, 0)), ((1, 0), (0, 0))),
        MatrixHead(((0, 0), (0, 1)), ((0, 0), (0, 1))),
    ]
    found = symmetry(heads, permutations=[(1, 0)], hidden=1)
    assert found.irreducibles == (Part(1, "R", 1), Part(1, "R", 1))
    assert found.hidden is not None
    assert (found.hidden.covers, found.hidden.least) == (False, 2)
    assert found.orbits[0].hidden == (Part(1, "R", 1),)


def test_quaternionic_type() -> None:
    Q_8 = named("Q_8")
    found = symmetry(
        [MatrixHead(tuple(tuple(int(i == j) for j in range(4)) for i in range(4)), ((1,) * 4,))],
        permutations=Q_8.group.generators,
        matrices=Q_8.natural.images,
        out=Q_8.irreducibles[0].images,
    )
    assert found.irreducibles == (Part(4, "H", 1),)
    assert not found.equivariant  # V would have to intertwine with the trivial representation


def test_the_zero_function() -> None:
    found = symmetry([MatrixHead(EYE, ((0, 0), (0, 0)))], permutations=[(1, 0)])
    assert found.equivariant
    assert (found.heads, found.stratum, found.price) == ((), (), None)


@pytest.mark.parametrize(
    ("heads", "options", "message"),
    [
        ([], {"permutations": [(1, 0)]}, "at least one head"),
        ([MatrixHead(EYE, EYE)], {}, "permutations or matrices"),
        ([MatrixHead(EYE, EYE)], {"permutations": [(0,)]}, "2 coordinates"),
        ([MatrixHead(EYE, EYE)], {"matrices": [((0, 0), (0, 1))]}, "invertible"),
        ([MatrixHead(EYE, EYE)], {"matrices": [((1, 0),)]}, "square"),
        ([MatrixHead(EYE, EYE)], {"matrices": []}, "at least one matrix"),
        ([MatrixHead(EYE, EYE)], {"matrices": [EYE], "out": [EYE, EYE]}, "as many"),
        ([MatrixHead(EYE, ((1, 0),))], {"permutations": [(1, 0)]}, "out"),
        (
            [MatrixHead(EYE, EYE), MatrixHead(((1,),), ((1,),))],
            {"permutations": [(1, 0)]},
            r"heads\[1\]",
        ),
        ([MatrixHead(EYE, EYE)], {"permutations": [(1, 0)], "hidden": 0}, "hidden"),
    ],
)
def test_bad_input(heads: Any, options: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        symmetry(heads, **options)


def test_an_infinite_group_is_refused() -> None:
    with pytest.raises(LimitReached, match="no finite group"):
        symmetry([MatrixHead(EYE, EYE)], matrices=[((1, 1), (0, 1))])


def test_no_query_with_short_scores_says_so() -> None:
    """x^T W y of W = 10^5 is too large at every integer token but 0."""
    heads = [MatrixHead(((100_000,),), ((1,),))]
    with pytest.raises(Degenerate, match="generator 0 does not permute the heads"):
        symmetry(heads, matrices=[((-1,),)], out=[((1,),)])
