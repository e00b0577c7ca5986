"""G-sets: counts against homomorphisms into symmetric groups, coverings against brute force."""

from fractions import Fraction
from itertools import permutations, product

import pytest

from headproof.symbolic.equivariance.gset import count, matching, size, types, violator
from headproof.symbolic.equivariance.library import NAMES, Named, named


def actions(group: Named, points: int) -> int:
    """Homomorphisms into the symmetric group, up to conjugacy: G-sets, by definition."""
    G = group.group
    every = list(permutations(range(points)))
    found = set()
    for images in product(every, repeat=len(G.generators)):
        moved = {0: tuple(range(points))}
        queue = [0]
        consistent = True
        for a in queue:
            for s, g in enumerate(G.generator_numbers):
                image = tuple(moved[a][i] for i in images[s])
                target = G.table[a][g]
                if target not in moved:
                    moved[target] = image
                    queue.append(target)
                consistent &= moved[target] == image
        if consistent:
            found.add(min(_conjugated(images, q) for q in every))
    return len(found)


def _conjugated(
    images: tuple[tuple[int, ...], ...], q: tuple[int, ...]
) -> tuple[tuple[int, ...], ...]:
    back = sorted(range(len(q)), key=q.__getitem__)
    return tuple(tuple(q[g[back[i]]] for i in range(len(q))) for g in images)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("points", [1, 2, 3, 4])
def test_as_many_as_homomorphisms_up_to_conjugacy(name: str, points: int) -> None:
    if points == 4 and len(named(name).group) > 12:
        points = 3
    classes = named(name).classes
    assert count(classes, points) == actions(named(name), points)


@pytest.mark.parametrize("name", NAMES)
def test_types_are_counted_and_told_apart_by_marks(name: str) -> None:
    classes = named(name).classes
    for points in range(7):
        every = list(types(classes, points))
        assert len(every) == len(set(every)) == count(classes, points)
        assert all(size(classes, T) == points for T in every)
        marks = {tuple(sum(row[c] for c in T) for row in classes.marks) for T in every}
        assert len(marks) == len(every)  # Burnside: the marks determine the G-set
    assert count(classes, 3, allowed=[len(classes) - 1]) == 1


@pytest.mark.parametrize("name", NAMES)
def test_burnside_counts_orbits(name: str) -> None:
    """The mean number of fixed points is the number of orbits."""
    classes = named(name).classes
    group = classes.group
    cyclic = [classes.class_of(group.closure([g])) for g in range(len(group))]
    for T in types(classes, 6):
        fixed = sum(classes.marks[k][c] for k in cyclic for c in T)
        assert Fraction(fixed, len(group)) == len(T)


@pytest.mark.parametrize("name", ["C_2", "V_4", "S_3", "A_4"])
def test_a_covering_is_found_iff_there_is_one(name: str) -> None:
    classes = named(name).classes
    every = [T for points in range(5) for T in types(classes, points)]
    for T in every:
        for S in every:
            brute = any(
                all(classes.below(T[t], c) for t, c in zip(chosen, S, strict=True))
                for chosen in permutations(range(len(T)), len(S))
            )
            found, broken = matching(classes, T, S), violator(classes, T, S)
            assert (found is not None) == brute == (broken is None)
            if found is not None:
                assert len(set(found)) == len(S)
                assert all(classes.below(T[t], c) for t, c in zip(found, S, strict=True))
            if broken is not None:
                above = [k for k in T if any(classes.below(k, S[a]) for a in broken)]
                assert len(above) < len(broken)


def test_the_empty_set() -> None:
    classes = named("C_2").classes
    assert list(types(classes, 0)) == [()]
    assert matching(classes, (), ()) == ()
    assert matching(classes, (), (0,)) is None
