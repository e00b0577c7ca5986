"""The normal form of a sum has its value, ranges that name outer indices included.

F(end) is read as the sum from 0 to end - 1 (with the sign turned where end < 0), under which every
rewriting of `antiderivative` is an identity.
"""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from sympy import Integer, Sum

from headproof.symbolic.derivations.antiderivative import Total, Undecided
from headproof.symbolic.derivations.normal_form import NormalForm
from headproof.symbolic.derivations.setting import Setting, family, index, size

N, M = size("N"), size("M")
i, j, k, m = map(index, "ijkm")
f, h = family("f"), family("h")
FORM = NormalForm(Setting((N, M), {k: (1, N)}, (), (f, h)))
SIZES = ((1, 1, 1), (3, 2, 2), (4, 3, 1), (5, 2, 5))


def value(e: Any, at: dict[Any, int]) -> Fraction:
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if e.is_Symbol:
        return Fraction(at[e])
    if e.is_Add:
        return sum((value(part, at) for part in e.args), Fraction(0))
    if e.is_Mul:
        product = Fraction(1)
        for part in e.args:
            product *= value(part, at)
        return product
    if e.is_Pow:
        return value(e.base, at) ** int(e.exp)
    if isinstance(e, Sum):
        letter, low, high = e.limits[-1]
        body = e.function if len(e.limits) == 1 else Sum(e.function, *e.limits[:-1])
        return over(body, letter, at, int(value(low, at)), int(value(high, at)) + 1)
    if isinstance(e, Total):
        body, (letter, *letters), (end, *ends) = e.args
        last = int(value(end, at))
        if letters:
            body = Total(body, type(e.args[1])(*letters), type(e.args[2])(*ends))
        return over(body, letter, at, 0, last) if last >= 0 else -over(body, letter, at, last, 0)
    arguments = [int(value(part, at)) for part in e.args]
    return Fraction(Random(f"{e.func.__name__}{arguments}").randint(-3, 3))


def over(body: Any, letter: Any, at: dict[Any, int], first: int, after: int) -> Fraction:
    return sum((value(body, {**at, letter: n}) for n in range(first, after)), Fraction(0))


def drawn(random: Random, seen: list[Any], free: list[Any]) -> Any:
    """A sum over the first free letter, nested to the number of free letters."""
    letter, *rest = free
    ranges = [(1, N), (2, N), (0, M)]
    if outer := [other for other in seen if other not in (N, k)]:
        end = random.choice(outer)
        ranges = [(1, end - 1), (1, end), (0, end + 1), *ranges[:1]]
    elif random.random() < 0.5:
        ranges = [(k, N), (k + 1, N), (1, k - 1)]

    def atom() -> Any:
        one, other = (random.choice([*seen, letter]) for _ in range(2))
        shifted = f(one + random.choice([-1, 0, 0, 1]))
        return random.choice([shifted, shifted, h(one, other), other, Integer(2)])

    body = atom() * atom() + random.choice([0, 1]) * atom()
    if rest:
        body *= drawn(random, [*seen, letter], rest)
    return Sum(body, (letter, *random.choice(ranges)))


@pytest.mark.parametrize("seed", range(30))
def test_the_normal_form_has_the_value_of_the_sum(seed: int) -> None:
    random = Random(seed)
    e = drawn(random, [N, k], [i, j, m][: random.randint(1, 3)])
    try:
        reduced = FORM.reduce(e)
    except Undecided:
        pytest.skip("not decided")
    for n, other, at in SIZES:
        letters = {N: n, M: other, k: at}
        assert value(reduced, letters) == value(e, letters), e


def test_a_triangle_from_either_side() -> None:
    rows = Sum(Sum(f(i) * f(j), (i, 1, j - 1)), (j, 1, N))
    square = Sum(f(j), (j, 1, N)) ** 2 - Sum(f(j) ** 2, (j, 1, N))
    assert not FORM.equal(rows, square)
    assert FORM.equal(
        Sum(Sum(f(i), (i, 1, j)), (j, 1, N)), Sum(Sum(f(i), (i, 1, j - 1)) + f(j), (j, 1, N))
    )
