"""Heads on fixed designs, exactly, and the ensembles whose diversity goes the wrong way."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.symbolic.ensemble.counterexamples import (
    CELL_24,
    NAMED,
    PLANE,
    SQUARE,
    isotropic,
    search,
)
from headproof.symbolic.ensemble.covariance import ratio, squared_ratio
from headproof.symbolic.ensemble.design import (
    decompose,
    diversity,
    frame,
    noise_error,
    overlap,
    weights,
)
from headproof.symbolic.errors import InputError

ENTRIES = st.integers(-3, 3)


@given(st.lists(st.tuples(ENTRIES, ENTRIES, ENTRIES), min_size=1, max_size=3))
def test_a_frame_is_orthogonal_or_refused(vectors: list[tuple[int, int, int]]) -> None:
    try:
        found = frame(vectors)
    except InputError:  # linearly dependent
        return
    for n, one in enumerate(found):
        assert any(one)
        for other in found[:n]:
            assert sum(x * y for x, y in zip(one, other, strict=True)) == 0
    assert overlap(found, found) == len(found)


def test_the_subspace_counts_and_not_its_vectors() -> None:
    plane, same = frame([(1, 0, 0), (0, 1, 0)]), frame([(2, 3, 0), (1, -1, 0)])
    assert overlap(plane, same) == 2
    points = [(0, 0, 5), (1, 1, 0)]
    query = (0, 0, 0)
    assert weights(plane, points, query=query, scale=1) == weights(
        same, points, query=query, scale=1
    )


HALF, ONE = Fraction(1, 2), Fraction(1)
VALUES = {
    "plane-equal": ((ONE, ONE), (Fraction(109, 200), Fraction(5, 9))),
    "plane-higher": ((HALF, ONE), (Fraction(37, 72), Fraction(5, 9))),
    "square-equal": ((Fraction(2, 3),) * 2, (Fraction(1, 4), Fraction(13, 50))),
    "cell-equal": ((HALF, HALF), (Fraction(163, 2904), Fraction(353, 5808))),
    "cell-higher": ((HALF, Fraction(2, 3)), (Fraction(73, 1452), Fraction(221, 4356))),
}


@pytest.mark.parametrize("name", VALUES)
def test_the_stated_values(name: str) -> None:
    indices, errors = VALUES[name]
    assert NAMED[name].indices == indices
    assert NAMED[name].errors == errors


def test_every_pair_goes_the_wrong_way() -> None:
    for name, pair in NAMED.items():
        (u, w), (v, z) = pair.indices, pair.errors
        assert v < z
        assert u == w if name.endswith("equal") else u < w
        assert len(set(pair.one)) == len(pair.one)  # no head stands twice
        assert isotropic(pair.points) == (pair.points != PLANE)


def test_designs() -> None:
    assert len(CELL_24) == 24
    assert {sum(x * x for x in point) for point in CELL_24} == {4}
    assert not isotropic([(1, 0), (-1, 0)])
    assert not isotropic([(1, 1), (1, -1), (-1, 1)])


def test_the_search() -> None:
    assert search(SQUARE, heads=2, scale=1) is None
    assert search(SQUARE, heads=2, scale=1, higher=False) is None
    found = search(SQUARE, heads=3, scale=1, higher=False)
    assert found is not None
    assert found.errors == (Fraction(1, 4), Fraction(13, 50))
    single = [(point,) for point in product(range(-1, 2), repeat=2)]
    assert all(search(design, heads=2, scale=1) is None for design in single)
    with pytest.raises(InputError, match="two heads"):
        search(PLANE, heads=1, scale=1)


@given(st.data())
def test_the_terms_add_up_and_an_altered_one_does_not(data: st.DataObject) -> None:
    H, N = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    row = st.lists(st.builds(Fraction, ENTRIES, st.integers(1, 3)), min_size=N, max_size=N)
    rows = data.draw(st.lists(row, min_size=H, max_size=H))
    found = decompose(rows, data.draw(row), target=Fraction(1, 2), variance=2)
    assert found.holds
    wrong = type(found)(H, found.bias, found.variance + 1, found.covariance, found.error)
    assert not wrong.holds


def test_what_is_refused() -> None:
    line = frame([(1, 1)])
    with pytest.raises(InputError, match="integer exponent"):
        weights(line, [(1, 0)], query=(0, 0), scale=1)
    with pytest.raises(InputError, match="at least one point"):
        weights(line, [], query=(0, 0), scale=1)
    with pytest.raises(InputError, match="one dimension"):
        diversity([line, frame([(1, 0), (0, 1)])])
    with pytest.raises(InputError, match="two heads"):
        diversity([line])
    with pytest.raises(InputError, match="heads with 2 weights"):
        decompose([(1,)], (0, 0), target=0, variance=1)
    with pytest.raises(InputError, match="variance >= 0"):
        decompose([(1,)], (0,), target=0, variance=-1)
    with pytest.raises(InputError, match="one length"):
        frame([])


def test_one_point_and_equal_heads() -> None:
    head = frame([(1, 0)])
    assert noise_error([head, head], [(3, 4)], scale=1) == 1
    assert noise_error([head], PLANE, scale=1) == Fraction(5, 9)


def test_the_covariance() -> None:
    assert squared_ratio([HALF, HALF], 4) == Fraction(625, 289)
    assert squared_ratio([1, 0], 4) == Fraction(25, 9)
    assert squared_ratio([0], 7) == 1
    enclosed = ratio(["1/3", "1/4"], "5/2", digits=40)
    square = squared_ratio(["1/3", "1/4"], "5/2")
    assert enclosed.lower**2 <= square <= enclosed.upper**2
    assert enclosed.width < Fraction(1, 10**39)
    for squares, a in (([], 1), ([2], 1), (["-1/2"], 1), ([1], 0), ([1], -1)):
        with pytest.raises(InputError):
            squared_ratio(squares, a)
    with pytest.raises(InputError, match=r"0\.5"):
        squared_ratio([0.5], 1)  # type: ignore[list-item]
