"""kappa against differences, against noise, and how it grows."""

from fractions import Fraction
from random import Random

import pytest
from flint import arb

from headproof.oracle.ball import BallOracle
from headproof.oracle.model import Head
from headproof.oracle.noisy import NoisyOracle
from headproof.oracle.recovery.ball import drawing
from headproof.oracle.recovery.conditioning import kappa
from headproof.oracle.recovery.recover import recover
from headproof.symbolic.enclosures.ball import precision
from headproof.symbolic.errors import InputError, PrecisionExhausted
from headproof.symbolic.interpolation.ball import interpolate, sensitivity


def planted(d: int, H: int, seed: int) -> tuple[Head, ...]:
    random = Random(seed)

    def row() -> tuple[Fraction, ...]:
        return tuple(Fraction(random.randint(-20, 20), 9) for _ in range(d))

    return tuple(Head(tuple(row() for _ in range(d)), row()) for _ in range(H))


def distance(one: Head, two: Head) -> Fraction:
    flat = [[*head.v, *(e for row in head.W for e in row)] for head in (one, two)]
    errors: list[Fraction] = [abs(Fraction(a) - b) for a, b in zip(*flat, strict=True)]
    return max(errors)


def test_sensitivities_are_the_differences() -> None:
    bits, step = 500, Fraction(1, 1 << 120)
    with precision(bits):
        c, L = [arb(2), arb(-1)], [arb(0), arb(1)]
        values = [
            m * sum((a / (m + (-b).exp()) for a, b in zip(c, L, strict=True)), arb(0))
            for m in range(1, 5)
        ]
    moves = sensitivity(c, L, bits=bits)
    for m in range(4):
        with precision(bits):
            h = arb(step.numerator) / step.denominator
            moved = [f + h * (k == m) for k, f in enumerate(values)]
        found = interpolate(moved, arb(0), bits=bits)
        with precision(bits):
            for i in range(2):
                for new, old, slope in (
                    (found.scores[i], L[i], moves.scores[i][m]),
                    (found.residues[i], c[i], moves.residues[i][m]),
                ):
                    assert float(abs((new - old) / h - slope)) < 2.0**-60


@pytest.mark.parametrize(("d", "H"), [(1, 2), (2, 2), (3, 1), (2, 3)])
def test_noise_moves_the_heads_by_at_most_kappa_eps(d: int, H: int) -> None:
    model = planted(d, H, seed=10 * d + H)
    eps = Fraction(1, 1 << 200)
    oracle = NoisyOracle(BallOracle(model), eps, seed=1)
    found = recover(oracle, heads=H, bits=600, target=40)
    assert len(found.attempts) == 1
    bound = Fraction(kappa(model, *drawing(d, 0))) * eps
    error = max(min(distance(head, other) for other in found.heads) for head in model)
    # To first order; the second is smaller by kappa eps.
    assert 0 < error <= bound * Fraction(101, 100)
    # The certified bound covers the error, and loses little to the bound.
    assert error <= found.radius
    assert found.radius < 1000 * bound


def test_kappa_grows_with_the_heads() -> None:
    sizes = [kappa(planted(2, 4, seed=5)[:H], *drawing(2, 0)) for H in (1, 2, 3, 4)]
    assert sizes == sorted(sizes)
    assert sizes[3] > 1e4 * sizes[0]


def test_too_low_a_precision_is_refused() -> None:
    with pytest.raises(PrecisionExhausted):
        kappa(planted(2, 4, seed=5), *drawing(2, 0), bits=8)
    with pytest.raises(InputError):
        NoisyOracle(BallOracle(planted(1, 1, seed=1)), Fraction(0))
