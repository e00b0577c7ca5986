"""Claim E1, recovery.identity: the number of copies enters the answer as in a rational function."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from random import Random

import torch
from flint import arb
from hypothesis import strategies as st

from ....numeric.recovery import attention as floats
from ....oracle.exact import ExactOracle, exact
from ....oracle.model import Head
from ....oracle.protocol import Query, copies
from ....symbolic.derivations.derivation import Derivation
from ....symbolic.enclosures.ball import Enclosure, enclose
from ....symbolic.recovery.proofs import identity as proof
from ...certificates import ball, counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    exp,
    implies,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.recovery.identity import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

DIGITS = 60
SHOWN = 50
"""Digits of the two high-precision implementations, and of the enclosures in certificates."""

H = length("L")
M = var("m")
L, C, E = (at(name, var("h")) for name in ("L", "c", "e"))
"""Of head h: x^T W_h w, v_h.w and v_h.x."""


@dataclass(frozen=True)
class Copies:
    """A model and a query of m copies of x + w, then x."""

    heads: tuple[Head, ...]
    x: tuple[int, ...]
    w: tuple[int, ...]
    m: int

    @property
    def query(self) -> Query:
        """The sequence."""
        return copies(tuple(a + b for a, b in zip(self.x, self.w, strict=True)), self.m, self.x)

    def numbers(self) -> dict[str, list[Fraction]]:
        """L, c and e of every head, and its score of x."""
        return {
            "L": [_score(head, self.x, self.w) for head in self.heads],
            "c": [_dot(head.v, self.w) for head in self.heads],
            "e": [_dot(head.v, self.x) for head in self.heads],
        }


@cache
def _proof() -> Derivation:
    """Decided once; several statements are among its conclusions."""
    return proof.derivation()


def derivation(_: Context) -> Outcome:
    """The formula, for every H and m."""
    return derived(_proof(), "identity")


def bilinear_derivation(_: Context) -> Outcome:
    """Score and value of x + w by those of x and w, for every d."""
    return derived(proof.bilinear(), "score", "value")


def proper_derivation(_: Context) -> Outcome:
    """The sum of simple poles, for every H and m."""
    return derived(_proof(), "proper", "start")


def _answer(power: Callable[[Expression], Expression]) -> Expression:
    """F(m) as attention defines it: m copies of weight power(L), and x of weight 1."""
    return sum_over("h", H, (M * power(L) * (E + C) + E) / (M * power(L) + 1))


def _formula(power: Callable[[Expression], Expression], shift: int = 0) -> Expression:
    return sum_over("h", H, E + C) - sum_over("h", H, C / (1 + (M + shift) * power(L)))


def _two(exponent: Expression) -> Expression:
    return number(2) ** exponent


def base_two(_: Context) -> Outcome:
    """The formula with base-2 softmax, where all is rational, at small integers."""
    return _grid(equal(_answer(_two), _formula(_two)))


def proper_base_two(_: Context) -> Outcome:
    """The sum of simple poles with base-2 softmax, at small integers."""
    poles = M * sum_over("h", H, C / (M + _two(-L)))
    return _grid(equal(_answer(_two) - sum_over("h", H, E), poles))


def _grid(formula: Condition) -> Outcome:
    families = [
        Grid({
            "L": Entries((heads,), range(-2, 3)),
            "c": Entries((heads,), range(-1, 2)),
            "e": Entries((heads,), range(2)),
            "m": Entries((), range(5)),
        })
        for heads in (1, 2)
    ]  # fmt: skip
    return Outcome(
        Finding.HOLDS,
        scope="base 2, H <= 2, small integers, m = 0..4",
        certificates={
            f"H{h}": exhaustive.certificate(ID, family, formula)
            for h, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def enclosures(context: Context) -> Outcome:
    """Arb's enclosure of the formula, against mpmath's value of attention token by token."""
    random = Random(context.seed)
    cases = [_drawn(random) for _ in range(8 if context.profile is Profile.QUICK else 40)]
    worst, certificates = Fraction(0), {}
    for i, case in enumerate(cases):
        truth = _enclosed(case)
        forms, functionals = [h.W for h in case.heads], [h.v for h in case.heads]
        value = floats.value_mp(forms, functionals, case.query, DIGITS + 10)
        size = max(abs(value), Fraction(1))
        worst = max(worst, truth.distance(value) * 10**DIGITS / size)
        shown = truth.rounded(SHOWN)
        certificates[f"copies{i}"] = ball.certificate(
            ID,
            _formula(exp),
            box={"m": (case.m, case.m)},
            given=case.numbers(),
            enclosure=(shown.lower, shown.upper),
            digits=SHOWN + 30,
        )
    agreed = compared(
        worst, len(cases), "Arb's enclosure of the formula against mpmath's attention",
        f"10^-{DIGITS}",
    )  # fmt: skip
    return Outcome(
        agreed.finding,
        scope=f"{len(cases)} random models with the true exponential, H <= 4, d <= 3, by balls",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, **agreed.numbers},
        detail="second implementation: mpmath, token by token",
    )


def search_rational(context: Context) -> Outcome:
    """Look for a model and a query at which the oracle's answer is not the formula's."""
    return _search(context, _says_formula)


def search_proper(context: Context) -> Outcome:
    """Look for a model and a query at which F(m) - F(0) is not the sum of poles."""

    def holds(case: Copies) -> bool:
        given = case.numbers()
        poles = sum(
            (c * case.m / (case.m + Fraction(2) ** int(-s)) for s, c in _pairs(given)),
            Fraction(0),
        )
        oracle = ExactOracle(case.heads)
        start = oracle((case.x,))
        return bool(
            _fraction(oracle(case.query)) - _fraction(start) == poles
            and _fraction(start) == sum(given["e"], Fraction(0))
        )

    return _search(context, holds)


def search_all_copies(context: Context) -> Outcome:
    """Refute the formula that counts the last token among the copies."""
    return _search(context, lambda case: _says_formula(case, shift=1), shift=1)


def float_agreement(context: Context) -> Outcome:
    """Attention in torch, token by token, against Arb's formula, within its own error bound."""
    random, worst, cases = Random(context.seed), Fraction(0), 40
    for _ in range(cases):
        case = _drawn(random)
        parts = (
            torch.tensor([[[float(e) for e in row] for row in h.W] for h in case.heads]),
            torch.tensor([[float(e) for e in h.v] for h in case.heads]),
            torch.tensor(case.query),
        )
        forms, functionals, tokens = (part.to(torch.float64) for part in parts)
        value = floats.value(forms, functionals, tokens)
        error = floats.value_error(forms, functionals, tokens)
        distance = _enclosed(case).distance(Fraction(value.item()))
        worst = max(worst, distance / Fraction(error.item()))
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis of value_error")


def _says_formula(case: Copies, shift: int = 0) -> bool:
    given, oracle = case.numbers(), ExactOracle(case.heads)
    gaps = sum(
        (c / (1 + (case.m + shift) * Fraction(2) ** int(s)) for s, c in _pairs(given)),
        Fraction(0),
    )
    whole = sum(given["e"], Fraction(0)) + sum(given["c"], Fraction(0))
    return bool(_fraction(oracle(case.query)) == whole - gaps)


def _search(context: Context, holds: Callable[[Copies], bool], shift: int = 0) -> Outcome:
    examples = 150 if context.profile is Profile.QUICK else 2000
    result = search(_strategy(), holds, examples=examples, seed=context.seed)

    def refutation(case: Copies) -> dict[str, Certificate]:
        hypotheses = every(M >= 0, equal(length("c"), H), equal(length("e"), H))
        formula = implies(hypotheses, equal(_answer(_two), _formula(_two, shift)))
        instance = {**case.numbers(), "m": case.m}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "exact models (H <= 3, d <= 3) and copies (m <= 6)", refutation)


def _strategy() -> st.SearchStrategy[Copies]:
    @st.composite
    def case(draw: st.DrawFn) -> Copies:
        d = draw(st.integers(1, 3))
        token = st.tuples(*[st.integers(-2, 2)] * d)
        head = st.builds(Head, st.tuples(*[token] * d), token)
        heads = tuple(draw(st.lists(head, min_size=1, max_size=3)))
        return Copies(heads, draw(token), draw(token), draw(st.integers(0, 6)))

    return case()


def _drawn(random: Random) -> Copies:
    """Scores up to about 30, with fractions that floats have."""
    d, heads, m = random.randint(1, 3), random.randint(1, 4), random.randint(0, 9)

    def vector() -> tuple[int, ...]:
        return tuple(random.randint(-3, 3) for _ in range(d))

    def rationals() -> tuple[Fraction, ...]:
        return tuple(Fraction(random.randint(-16, 16), 8) for _ in range(d))

    model = tuple(Head(tuple(rationals() for _ in range(d)), rationals()) for _ in range(heads))
    return Copies(model, vector(), vector(), m)


def _enclosed(case: Copies) -> Enclosure:
    def formula() -> arb:
        total = arb(0)
        for head in case.heads:
            z = _arb(_score(head, case.x, case.w)).exp()
            c, e = _dot(head.v, case.w), _dot(head.v, case.x)
            total += _arb(c + e) - _arb(c) / (1 + case.m * z)
        return total

    return enclose(formula, digits=DIGITS + 5)


def _arb(value: Fraction) -> arb:
    return arb(value.numerator) / value.denominator


def _pairs(given: dict[str, list[Fraction]]) -> Iterator[tuple[Fraction, Fraction]]:
    return zip(given["L"], given["c"], strict=True)


def _score(head: Head, x: tuple[int, ...], w: tuple[int, ...]) -> Fraction:
    rows = (_dot(row, w) * a for row, a in zip(head.W, x, strict=True))
    return sum(rows, Fraction(0))


def _dot(left: tuple[Fraction | int, ...], right: tuple[int, ...]) -> Fraction:
    return sum((Fraction(a) * b for a, b in zip(left, right, strict=True)), Fraction(0))


def _fraction(value: object) -> Fraction:
    found = exact(value)
    return Fraction(int(found.p), int(found.q))
