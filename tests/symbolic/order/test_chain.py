"""The stationary law: exact, unique or refused, windows of probability 0 included."""

from fractions import Fraction
from random import Random

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.order.chain import Chain, permutation_kernel

HALF = Fraction(1, 2)


def is_stationary(chain: Chain) -> bool:
    law = chain.law
    after = dict.fromkeys(law, Fraction(0))
    for window, p in law.items():
        for v, q in enumerate(chain.next_law(window)):
            after[(v, *window[:-1])] += p * q
    return after == law and sum(law.values()) == 1 and min(law.values()) >= 0


def test_a_chain_of_order_one_by_hand() -> None:
    """P(1|0) = 1/2, P(0|1) = 1/4: the law is proportional to (1/4, 1/2)."""
    chain = Chain((1,), (1,), [[[HALF, HALF], [Fraction(1, 4), Fraction(3, 4)]]])
    assert chain.law == {(0,): Fraction(1, 3), (1,): Fraction(2, 3)}


def test_windows_that_never_recur_have_probability_0() -> None:
    """After a 1 always a 0: the window 1, 1 does not come back."""
    chain = Chain((1,), (1,), [[[HALF, HALF], [1, 0]]])
    longer = Chain((Fraction(1, 1),), (2,), [permutation_kernel(3, 1)])
    assert chain.recurrent == ((0,), (1,))
    trap = Chain((1,), (1,), [[[1, 0], [1, 0]]])
    assert trap.law == {(0,): 1, (1,): 0}
    with pytest.raises(InputError, match="one recurrent class"):
        longer.law  # noqa: B018


def test_two_recurrent_classes_are_refused() -> None:
    with pytest.raises(InputError, match="found 2"):
        Chain((1,), (1,), [[[1, 0], [0, 1]]]).law  # noqa: B018


def test_a_periodic_chain_has_a_law() -> None:
    chain = Chain((1,), (1,), [permutation_kernel(4, 1)])
    assert set(chain.law.values()) == {Fraction(1, 4)}


@pytest.mark.parametrize("seed", range(6))
def test_random_chains_are_stationary(seed: int) -> None:
    random = Random(seed)
    V, lags = random.choice(((2, (1, 3)), (3, (2, 1)), (2, (3, 1, 2)), (4, (2,))))
    weights = [random.randint(1, 9) for _ in lags]

    def row() -> list[Fraction]:
        entries = [random.randint(0, 4) for _ in range(V)]
        entries[0] += 1
        return [Fraction(entry, sum(entries)) for entry in entries]

    alpha = [Fraction(w, sum(weights)) for w in weights]
    chain = Chain(alpha, lags, [[row() for _ in range(V)] for _ in lags])
    assert is_stationary(chain)


@pytest.mark.parametrize(
    ("importance", "lags", "kernels", "message"),
    [
        ((), (), [], "one importance"),
        ((1,), (1, 2), [[[1]]], "one importance"),
        ((HALF,), (1,), [[[1]]], "sum 1"),
        ((2, -1), (1, 2), [[[1]], [[1]]], "positive importances"),
        ((1,), (0,), [[[1]]], "distinct lags"),
        ((HALF, HALF), (1, 1), [[[1]], [[1]]], "distinct lags"),
        ((1,), (1,), [[[1, 0]]], "rows of"),
        ((1,), (1,), [[[HALF]]], r"kernels\[0\]\[0\]"),
        ((1,), (1,), [[[2, -1], [0, 1]]], "nonnegative"),
    ],
)
def test_bad_numbers_are_refused(
    importance: tuple[Fraction], lags: tuple[int], kernels: list[list[list[int]]], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        Chain(importance, lags, kernels)
