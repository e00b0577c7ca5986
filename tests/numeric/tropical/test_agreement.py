"""The float side, its mpmath twins and the exact side, written apart, agree within their bounds."""

from fractions import Fraction

import torch
from hypothesis import assume, given, settings
from torch import Tensor

from headproof.numeric.tropical import cells as float_cells
from headproof.numeric.tropical import dequantisation, power_diagram, routing_limit
from headproof.proofs_check import strategies
from headproof.proofs_check.strategies import HeadCase
from headproof.symbolic.tropical import cells as exact_cells
from headproof.symbolic.tropical import dequantisation as exact_dequantisation
from headproof.symbolic.tropical import power_diagram as exact_diagram
from headproof.symbolic.tropical import routing_limit as exact_limit

DIGITS = 50


def floats(values: tuple[Fraction, ...]) -> Tensor:
    return torch.tensor([float(value) for value in values], dtype=torch.float64)


@given(strategies.scores(spread=9), strategies.temperatures())
@settings(max_examples=60, deadline=None)
def test_dequantisation(s: tuple[Fraction, ...], tau: Fraction) -> None:
    rounded = tuple(Fraction(float(value)) for value in s)
    tau = Fraction(float(tau))
    assume(max(rounded) - min(rounded) <= 2000 * tau)  # fractions of a readable size
    ball = exact_dequantisation.gap(rounded, tau, digits=DIGITS + 10)
    twin = dequantisation.gap_mp(rounded, tau, DIGITS)
    slack = abs(twin) / 10**DIGITS
    assert ball.lower - slack <= twin <= ball.upper + slack
    found = Fraction(dequantisation.gap(floats(rounded), float(tau)).item())
    error = Fraction(dequantisation.gap_error(floats(rounded), float(tau)).item())
    assert ball.lower - error <= found <= ball.upper + error
    assert found <= exact_dequantisation.gap_limit(len(s), tau).upper + error


@given(strategies.scores(spread=9), strategies.temperatures())
@settings(max_examples=60, deadline=None)
def test_routing_limit(s: tuple[Fraction, ...], tau: Fraction) -> None:
    rounded = tuple(Fraction(float(value)) for value in s)
    tau = Fraction(float(tau))
    assume(max(rounded) - min(rounded) <= 2000 * tau)  # fractions of a readable size
    twins = routing_limit.weights_mp(rounded, tau, DIGITS)
    balls = exact_limit.weight_enclosures(rounded, tau, digits=DIGITS + 10)
    for twin, ball in zip(twins, balls, strict=True):
        slack = twin / 10**DIGITS
        assert ball.lower - slack <= twin <= ball.upper + slack
    law = exact_limit.limit(rounded)
    assert routing_limit.limit(floats(rounded)).tolist() == [float(p) for p in law]


@given(strategies.heads())
@settings(max_examples=60, deadline=None)
def test_power_diagram(case: HeadCase) -> None:
    keys = tuple(tuple(Fraction(float(a)) for a in key) for key in case.keys)
    biases = tuple(Fraction(float(b)) for b in case.biases)
    x = tuple(Fraction(float(c)) for c in case.point)
    tensors = torch.stack([floats(key) for key in keys]), floats(biases), floats(x)[None]
    best = exact_diagram.winners(keys, biases, x)
    near = exact_diagram.nearest(keys, exact_diagram.power_weights(keys, biases), x)
    for exact, found in (
        (best, power_diagram.winners(*tensors)),
        (near, power_diagram.nearest(*tensors)),
    ):
        candidates = set(found.mask[0].nonzero().flatten().tolist())
        assert exact <= candidates
        assert len(candidates) > 1 or exact == candidates


@given(strategies.heads())
@settings(max_examples=60, deadline=None)
def test_cells(case: HeadCase) -> None:
    # Times (2 3 7)^2, all of it is integer: rounding would make keys on a line thin cells.
    keys = tuple(tuple(1764 * a for a in key) for key in case.keys)
    biases = tuple(1764 * b for b in case.biases)
    exact = exact_cells.cells(keys, biases)
    winning = {j for j in range(len(keys)) if exact.same_as.get(j, j) in exact.winning}
    found = float_cells.cells(
        torch.stack([floats(key) for key in keys]), floats(biases), iterations=400
    )
    assert {j for (j,) in found.wins[0].nonzero().tolist()} <= winning
    never = {j for (j,) in found.within[0].nonzero().tolist()}
    assert not never & winning
