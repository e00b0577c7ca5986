"""The layer in mpmath against torch's softmax and tanh, and against itself with more digits."""

from fractions import Fraction

import torch

from headproof.numeric.zonotope.high_precision import HeadNumbers, coefficients, outputs

HEAD = HeadNumbers(
    [[1, 0], [2, -1]], [[1, 2]], [[[0, 1]], [[1, 1]]], [[1, 0], [0, -1]], [0, Fraction(1, 2)]
)
TOKENS: list[list[int | Fraction]] = [[1, 0], [Fraction(1, 2), 1], [0, -1]]


def test_against_torch() -> None:
    x = torch.tensor([[float(e) for e in row] for row in TOKENS], dtype=torch.float64)
    W = torch.tensor(HEAD.form, dtype=torch.float64)
    mean = (x @ W @ x.T).softmax(dim=1) @ x
    slopes = torch.tensor(HEAD.slopes, dtype=torch.float64)
    beta = torch.tanh(slopes @ x.sum(0) + torch.tensor([0, 0.5], dtype=torch.float64))
    centre = torch.tensor(HEAD.centre, dtype=torch.float64)
    generators = torch.tensor(HEAD.generators, dtype=torch.float64)
    value = centre + (beta[:, None, None] * generators).sum(0)
    expected = mean @ value.T
    for row, due in zip(outputs([HEAD], TOKENS, 40), expected, strict=True):
        # fewer than 100 roundings of numbers of size at most 4
        assert abs(float(row[0]) - float(due[0])) < 100 * 4 * 2.0**-53


def test_more_digits_change_nothing_that_was_shown() -> None:
    for few, many in zip(outputs([HEAD], TOKENS, 30), outputs([HEAD], TOKENS, 60), strict=True):
        assert abs(few[0] - many[0]) < Fraction(1, 10**28)
    assert all(abs(b) < 1 for b in coefficients(HEAD, TOKENS, 40))
