"""Matrix heads from value queries, and what a group does to them."""

from random import Random

import pytest

from headproof.oracle.equivariance import coordinate_oracles, recover_matrix_heads
from headproof.symbolic.equivariance.gset import types
from headproof.symbolic.equivariance.heads import MatrixHead, canonical, evaluate, orbits
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.strata import member, realised, stratum_of
from headproof.symbolic.equivariance.violation import violation
from headproof.symbolic.errors import HeadproofError, InputError


@pytest.mark.parametrize("name", NAMES)
def test_the_stratum_is_read_off_the_answers(name: str) -> None:
    G, random = named(name), Random(5)
    rho = G.natural
    possible = realised(G.classes, rho, rho)
    stratum = random.choice(list(types(G.classes, 3, allowed=possible)))
    planted = member(G.classes, rho, rho, stratum, reach=1)
    found = recover_matrix_heads(coordinate_oracles(planted), bound=3, seed=2)
    assert found.heads == planted
    assert stratum_of(G.classes, rho, rho, found.heads) == stratum
    assert sum(len(orbit.heads) for orbit in orbits(found.heads, rho, rho)) == 3
    assert found.queries == sum(each.queries_all_attempts for each in found.coordinates) > 0


def test_coordinates_that_share_no_head() -> None:
    planted = canonical(
        [
            MatrixHead(((1, 0), (0, 1)), ((1, 2), (0, 0))),
            MatrixHead(((0, 1), (2, 0)), ((0, 0), (3, 1))),
        ]
    )
    assert recover_matrix_heads(coordinate_oracles(planted), bound=2).heads == planted
    rho = named("C_2").natural
    assert violation(planted, rho, rho) is not None


def test_the_oracles_answer_as_the_function() -> None:
    heads = [MatrixHead(((1, 0), (1, -1)), ((1, 2), (0, 1), (3, 0)))]
    query = ((1, 0), (2, 1), (1, 1))
    answers = [oracle(query) for oracle in coordinate_oracles(heads)]
    assert [(int(a.p), int(a.q)) for a in answers] == [
        (v.numerator, v.denominator) for v in evaluate(heads, query)
    ]


def test_what_is_refused() -> None:
    with pytest.raises(InputError, match="at least one head"):
        coordinate_oracles([])
    with pytest.raises(InputError, match="output coordinate"):
        recover_matrix_heads([], bound=1)
    two = [MatrixHead(((1,),), ((1,),)), MatrixHead(((2,),), ((1,),))]
    with pytest.raises(HeadproofError):
        recover_matrix_heads(coordinate_oracles(two), bound=1)
