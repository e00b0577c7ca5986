"""The rational layer: by hand, against mpmath, its symmetries, its exact Jacobian."""

import math
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from torch import Tensor

from headproof.proofs_check.producers.zonotope.identification import _moved
from headproof.proofs_check.producers.zonotope.models import Case, cases
from headproof.symbolic.errors import InputError
from headproof.symbolic.zonotope import jacobian as exact
from headproof.symbolic.zonotope.jacobian import Sizes, identified
from headproof.symbolic.zonotope.layer import Head, coefficients, evaluate, mean, tanh
from headproof.symbolic.zonotope.zonotope import MatrixZonotope

UNIT = Head(((0,),), MatrixZonotope(((1,),), (((1,),),)), ((1,),), (0,))
TWO = Head(((0,),), MatrixZonotope(((1,), (2,)), ()), (), ())
HALF: Any = Fraction(1, 2)
NINE_TENTHS: Any = 0.9


def test_by_hand() -> None:
    # uniform attention on 1 and 3: mean 2; pooled 4, coefficient 255/257
    assert mean(UNIT, ((1,), (3,)), 0) == (2,)
    assert evaluate([UNIT], ((1,), (3,))) == (((1 + Fraction(255, 257)) * 2,),) * 2
    # score 1 for one token, 0 for the other: weights 2/3 and 1/3
    attending = replace(UNIT, form=((1,),))
    assert mean(attending, ((1,), (0,)), 0) == (Fraction(2, 3),)


def test_tanh_is_odd_and_below_one() -> None:
    assert tanh(0) == 0
    for t in (1, 2, 50, 10_000):
        assert tanh(-t) == -tanh(t)
        assert 0 < tanh(t) < 1


@settings(max_examples=30)
@given(cases())
def test_signs_and_order_of_generators_do_not_matter(case: Case) -> None:
    moved = [_moved(head, Random(1)) for head in case.heads]
    assert evaluate(moved, case.tokens) == evaluate(case.heads, case.tokens)


@settings(max_examples=30)
@given(cases())
def test_equivariance_and_what_breaks_it(case: Case) -> None:
    moved = [case.tokens[k] for k in case.order]
    before = evaluate(case.heads, case.tokens)
    assert evaluate(case.heads, moved) == tuple(before[k] for k in case.order)


def test_coefficients_of_the_first_token_break_equivariance() -> None:
    def first(head: Head, tokens: Any) -> Any:
        return coefficients(head, tokens[:1])

    one, other = evaluate([UNIT], ((0,), (1,)), by=first), evaluate([UNIT], ((1,), (0,)), by=first)
    assert one != other[::-1]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: evaluate([], ((1,),)), "at least one head"),
        (lambda: mean(UNIT, (), 0), "at least one token"),
        (lambda: evaluate([UNIT], ()), "at least one token"),
        (lambda: mean(UNIT, ((1,),), -1), "a token from 0 to 0"),
        # what was cut down to integers in the exponents without a word
        (lambda: evaluate([UNIT], ((HALF,),)), "tokens: expected an integer"),
        (lambda: replace(UNIT, form=((HALF,),)), "form: expected an integer"),
        (lambda: replace(UNIT, slopes=((NINE_TENTHS,),)), "slopes: expected an integer, found 0.9"),
        (lambda: replace(UNIT, offsets=(HALF,)), "offsets: expected an integer"),
        (lambda: evaluate([UNIT], ((1, 2),)), "tokens of 1 entries"),
        (lambda: evaluate([UNIT, TWO], ((1,),)), "1 outputs of every head"),
        (lambda: identified(Sizes(1, 2, 1, 1, 1, 1), length=1), "at least 2 tokens"),
        (lambda: evaluate([UNIT], ((99_999,),)), "an argument up to 10000"),
        (lambda: evaluate([replace(UNIT, form=((1,),))], ((999,), (-999,))), "scores within"),
        (lambda: replace(UNIT, form=((0, 0),)), "a 1 x 1 form"),
        (lambda: replace(UNIT, slopes=()), "1 slopes"),
        (lambda: replace(UNIT, offsets=(1, 2)), "1 offsets"),
        (lambda: Sizes(1, 2, 3, 1, 1, 1), "key: expected at most d = 2"),
        (lambda: Sizes(1, 2, 1, 3, 3, 1), "value: expected at most min(p, d) = 2"),
        (lambda: Sizes(0, 1, 1, 1, 1, 1), "heads: expected a positive integer"),
        (lambda: Sizes(1, 1, 1, 1, 1, -1), "generators: expected at least 0"),
    ],
)
def test_refusals(make: Any, said: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "sizes",
    [
        Sizes(1, 1, 1, 1, 1, 0),
        Sizes(1, 2, 2, 1, 1, 1),
        Sizes(2, 2, 1, 1, 2, 1),
        Sizes(1, 1, 1, 1, 1, 4),
        Sizes(1, 1, 1, 1, 6, 3),  # six outputs of one value say no more of it than one
    ],
)
@pytest.mark.parametrize("seed", [0, 1])
def test_the_fibre_has_the_dimension_of_the_matrices(sizes: Sizes, seed: int) -> None:
    rows, rank = identified(sizes, seed=seed)
    assert len(rows[0]) == sizes.parameters
    assert sizes.parameters - rank.rank == sizes.unidentified


def test_the_jacobian_against_differences() -> None:
    """Values enter linearly, so that a difference of values is the derivative exactly."""
    sizes = Sizes(1, 2, 1, 1, 1, 1)
    random = Random(3)
    head = exact._draw(sizes, random)
    tokens = [[1, -2], [2, 1], [0, 3]]
    (row, *_) = exact.jacobian([head], sizes, tokens)
    start = 2 + 2 + 1  # Q, K, O before C

    def output(centre: list[list[int]]) -> Fraction:
        (q0, q1), (k0, k1) = (tuple(r[0] for r in factor) for factor in (head.Q, head.K))
        form = ((q0 * k0, q0 * k1), (q1 * k0, q1 * k1))
        out = head.O[0][0]
        scaled = [[[out * x for x in r] for r in V] for V in (centre, *head.values[1:])]
        made = MatrixZonotope(
            tuple(map(tuple, scaled[0])), tuple(tuple(map(tuple, G)) for G in scaled[1:])
        )
        slopes, offsets = tuple(map(tuple, head.slopes)), tuple(head.offsets)
        return Fraction(evaluate([Head(form, made, slopes, offsets)], tokens)[0][0])

    base = output(head.values[0])
    for c in range(2):
        moved = [list(r) for r in head.values[0]]
        moved[0][c] += 1
        assert output(moved) - base == row[start + c]


@pytest.mark.parametrize("sizes", [Sizes(2, 2, 1, 1, 2, 1), Sizes(1, 3, 2, 2, 2, 2)])
def test_the_jacobian_against_torch(sizes: Sizes) -> None:
    """Every column, those of exponents up to their factor log 2."""
    random = Random(1)
    heads = [exact._draw(sizes, random) for _ in range(sizes.heads)]
    tokens = [[random.randint(-1, 1) for _ in range(sizes.width)] for _ in range(3)]
    d, k, m, p, g = sizes.width, sizes.key, sizes.value, sizes.out, sizes.generators
    shapes = [(d, k), (d, k), (p, m), (g + 1, m, d), (g, d), (g,)]
    log2 = math.log(2)

    def output(flat: Any) -> Tensor:
        x = torch.tensor(tokens, dtype=torch.float64)
        total = torch.zeros(3, p, dtype=torch.float64)
        for part in flat.split(sizes.parameters // sizes.heads):
            pieces = part.split([math.prod(shape) for shape in shapes])
            Q, K, O, V, a, b = (  # noqa: E741
                piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)
            )
            mean = (log2 * x @ Q @ K.T @ x.T).softmax(1) @ x
            beta = torch.tanh(log2 * (a @ x.sum(0) + b))
            W = V[0] + torch.einsum("g,gmd->md", beta, V[1:])
            total = total + mean @ W.T @ O.T
        return total.flatten()

    point, scale = [], []
    for head in heads:
        tables = (head.Q, head.K, head.O, *head.values, head.slopes, [head.offsets])
        point += exact._flat(*tables)
        inner = p * m + (g + 1) * m * d
        scale += [log2] * (2 * d * k) + [1.0] * inner + [log2] * (g * d + g)
    flat = torch.tensor(point, dtype=torch.float64)
    due = torch.autograd.functional.jacobian(output, flat)  # type: ignore[no-untyped-call]
    rows = [[float(entry) for entry in row] for row in exact.jacobian(heads, sizes, tokens)]
    found = torch.tensor(rows, dtype=torch.float64) * torch.tensor(scale, dtype=torch.float64)
    # a few hundred roundings of numbers below 1000
    assert float((found - due).abs().max()) < 300 * 1000 * 2.0**-53
