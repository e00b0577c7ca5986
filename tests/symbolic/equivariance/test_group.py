"""Groups as tables, subgroups and marks, against sympy and brute force."""

from itertools import combinations
from typing import Any

import pytest
from sympy.combinatorics import Permutation
from sympy.combinatorics import PermutationGroup as SympyGroup

from headproof.symbolic.equivariance.group import Group, permutation_group
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.subgroups import subgroup_classes
from headproof.symbolic.errors import InputError, LimitReached

GENERATORS: dict[str, list[tuple[int, ...]]] = {
    "trivial": [(0,)],
    "S_3": [(1, 2, 0), (1, 0, 2)],
    "D_4": [(1, 2, 3, 0), (3, 2, 1, 0)],
    "Q_8": [(1, 2, 3, 0, 5, 6, 7, 4), (4, 7, 6, 5, 2, 1, 0, 3)],
    "A_4": [(1, 2, 0, 3), (1, 0, 3, 2)],
    "S_4": [(1, 2, 3, 0), (1, 2, 0, 3)],
    "A_5": [(1, 2, 0, 3, 4), (1, 2, 3, 4, 0)],
    "S_5": [(1, 0, 2, 3, 4), (1, 2, 3, 4, 0)],
    "GL(3,2)": [(1, 2, 3, 4, 5, 6, 0), (0, 2, 1, 6, 4, 5, 3)],
}
# Classes of subgroups and subgroups, from the literature.
SUBGROUPS = {
    "trivial": (1, 1),
    "S_3": (4, 6),
    "D_4": (8, 10),
    "Q_8": (6, 6),
    "A_4": (5, 10),
    "S_4": (11, 30),
    "A_5": (9, 59),
    "S_5": (19, 156),
    "GL(3,2)": (15, 179),
}


@pytest.fixture(scope="module", params=GENERATORS)
def case(request: Any) -> tuple[str, Group]:
    return request.param, permutation_group(GENERATORS[request.param])


def test_elements_are_those_of_sympy(case: tuple[str, Group]) -> None:
    name, group = case
    other = SympyGroup([Permutation(list(g)) for g in GENERATORS[name]])
    assert len(group) == other.order()
    assert {tuple(e.array_form) for e in other.elements} == set(group.elements)
    assert list(group.elements) == sorted(group.elements)


def test_the_table_composes_permutations(case: tuple[str, Group]) -> None:
    _, group = case
    for a in range(0, len(group), 1 + len(group) // 7):
        for b in range(len(group)):
            composed = tuple(group.elements[a][i] for i in group.elements[b])
            assert group.elements[group.table[a][b]] == composed
        assert group.table[a][group.inverses[a]] == 0
    assert sorted(a for cells in group.classes for a in cells) == list(range(len(group)))


def test_subgroups_are_as_many_as_known(case: tuple[str, Group]) -> None:
    name, group = case
    found = subgroup_classes(group)
    assert (len(found), sum(map(len, found.members))) == SUBGROUPS[name]
    for members in found.members:
        assert all(group.closure(K) == K for K in members)
    assert found.indices[0] == len(group)
    assert found.indices[-1] == 1


@pytest.mark.parametrize("name", [n for n in NAMES if len(named(n).group) <= 8])
def test_subgroups_are_all_closed_subsets(name: str) -> None:
    group = named(name).group
    closed = set()
    for size in range(1, len(group) + 1):
        for chosen in combinations(range(len(group)), size):
            if all(group.table[a][b] in chosen for a in chosen for b in chosen):
                closed.add(frozenset(chosen))
    assert closed == {K for members in named(name).classes.members for K in members}


@pytest.mark.parametrize("name", NAMES)
def test_marks_count_fixed_cosets(name: str) -> None:
    classes = named(name).classes
    group = classes.group
    for k, K in enumerate(classes.representatives):
        for c, L in enumerate(classes.representatives):
            cosets = {frozenset(group.table[g][a] for a in L) for g in range(len(group))}
            fixed = [
                coset
                for coset in cosets
                if all(frozenset(group.table[h][a] for a in coset) == coset for h in K)
            ]
            assert classes.marks[k][c] == len(fixed)
            assert classes.below(k, c) == bool(fixed)


@pytest.mark.parametrize(
    ("generators", "message"),
    [
        ([], "at least one permutation"),
        (3, "at least one permutation"),
        ([[0, 0]], r"every one of 0\.\.n-1 once"),
        ([[]], r"every one of 0\.\.n-1 once"),
        ([[1, 0], [0, 1, 2]], "2 points"),
        ([[True, False]], "a list of integers"),
        ([[0.0]], "a list of integers"),
        (["10"], "a list of integers"),
    ],
)
def test_what_is_no_list_of_permutations_is_refused(generators: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        permutation_group(generators)


def test_limits() -> None:
    with pytest.raises(LimitReached, match="more than 100 elements"):
        permutation_group(GENERATORS["S_5"], limit=100)
    with pytest.raises(LimitReached, match="more than 20 subgroups"):
        subgroup_classes(permutation_group(GENERATORS["S_4"]), most=20)
