"""The layer in mpmath against torch's softmax and tanh, and against itself with more digits."""

from dataclasses import replace
from fractions import Fraction

import pytest
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


# Of two outputs where HEAD has one; without generators, so that only the centre differs.
WIDER = HeadNumbers([[1, 0], [2, -1]], [[1, 2], [3, 4]], [], [], [])


@pytest.mark.parametrize(
    ("heads", "tokens", "said"),
    [
        ([], TOKENS, "heads: expected at least one"),
        ([HEAD], [], "tokens: expected at least one"),
        ([HEAD], [[1, 0], [1]], "tokens: expected 2 rows of 2, found 2 rows of 1 or 2"),
        ([HEAD], [[1, 0, 0]], "form: expected 3 rows of 3, found 2 rows of 2"),
        ([HEAD, WIDER], TOKENS, "centre: expected 1 rows of 2, found 2 rows of 2"),
        ([WIDER, HEAD], TOKENS, "centre: expected 2 rows of 2, found 1 rows of 2"),
        ([replace(HEAD, generators=[[[0, 1]], [[1]]])], TOKENS, "generators: expected 1 rows of 2"),
        ([replace(HEAD, slopes=[[1, 0]])], TOKENS, "slopes: expected 2 rows of 2"),
        ([replace(HEAD, offsets=[0])], TOKENS, "offsets: expected 2"),
    ],
)
def test_shapes_that_do_not_fit_are_refused(
    heads: list[HeadNumbers], tokens: list[list[int | Fraction]], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        outputs(heads, tokens, 30)
    if len(heads) == 1:
        with pytest.raises(ValueError, match=said):
            coefficients(heads[0], tokens, 30)


def test_a_head_without_generators_is_plain_attention() -> None:
    assert coefficients(WIDER, TOKENS, 30) == ()
    assert [len(row) for row in outputs([WIDER, WIDER], TOKENS, 30)] == [2, 2, 2]
