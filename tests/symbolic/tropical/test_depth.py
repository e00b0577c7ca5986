"""Claim tropical.depth: the construction attains its count, no network exceeds the bound."""

import random
from fractions import Fraction

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.regions.linear_regions import linear_regions
from headproof.symbolic.regions.network import Ffn, Head, Layer, Network
from headproof.symbolic.tropical.depth import digit_extraction, lower_bound, upper_bound


@pytest.mark.parametrize(
    ("sizes", "pieces"),
    [
        ((1, 2, 3, 2), 9),
        ((2, 2, 3, 2), 81),
        ((2, 3, 2, 2), 16),
        ((2, 2, 2, 3), 64),
        ((3, 3, 2, 2), 64),
        ((3, 1, 4, 3), 64),
        ((1, 1, 10, 3), 1000),
        ((2, 2, 1, 4), 1),
        ((2, 2, 3, 0), 1),
    ],
)
def test_digit_extraction_has_exactly_so_many_pieces(
    sizes: tuple[int, int, int, int], pieces: int
) -> None:
    tree = linear_regions(digit_extraction(*sizes))
    assert tree.cells == tree.pieces == lower_bound(*sizes) == pieces
    assert tree.pieces <= upper_bound(*sizes)


def test_the_exponent_is_min_of_heads_and_dimension() -> None:
    assert upper_bound(2, 3, 2, 2) == 49
    assert upper_bound(2, 2, 3, 2) == 81
    # For H < d the stated N^(d L) is out of reach: the bound itself is smaller.
    assert upper_bound(3, 2, 3, 2) == 81 < 3 ** (3 * 2)


def test_digits_are_extracted() -> None:
    network = digit_extraction(2, 2, 10, 3)
    x = (Fraction(98765432, 10**8), Fraction(1234567, 10**7))
    assert network.evaluate(x) == (Fraction(65432, 10**8) + Fraction(0), Fraction(4567, 10**7))


def test_random_networks_stay_below_the_bound() -> None:
    reached = 0.0
    for seed in range(12):
        rng = random.Random(seed)
        d, H, N, L, m = (
            rng.randint(1, 2),
            rng.randint(1, 3),
            rng.randint(2, 3),
            2,
            rng.randint(0, 2),
        )

        def matrix(
            rows: int, columns: int, rng: random.Random = rng
        ) -> tuple[tuple[int, ...], ...]:
            return tuple(tuple(rng.randint(-9, 9) for _ in range(columns)) for _ in range(rows))

        layers = tuple(
            Layer(
                tuple(Head(matrix(N, d), matrix(N, d), matrix(1, N)[0]) for _ in range(H)),
                ffn=Ffn(matrix(m, d), matrix(1, m)[0], matrix(d, m), matrix(1, d)[0]),
            )
            for _ in range(L)
        )
        tree = linear_regions(Network(d, layers))
        bound = upper_bound(d, H, N, L, m)
        assert tree.pieces <= tree.cells <= bound
        reached = max(reached, tree.cells / bound)
    assert reached > 0.1


@pytest.mark.parametrize(
    ("sizes", "place"),
    [((0, 1, 2, 1), "d"), ((1, 0, 2, 1), "H"), ((1, 1, 0, 1), "N"), ((1, 1, 2, -1), "L")],
)
def test_sizes_that_make_no_sense(sizes: tuple[int, int, int, int], place: str) -> None:
    for function in (digit_extraction, lower_bound, upper_bound):
        with pytest.raises(InputError, match=place):
            function(*sizes)
    with pytest.raises(InputError, match="ffn_width"):
        upper_bound(1, 1, 2, 1, -1)
