"""Claim T2a, zonotope.equivariance: to permute the tokens is to permute the outputs."""

from __future__ import annotations

from fractions import Fraction

from ....numeric.zonotope.high_precision import outputs
from ....symbolic.zonotope.layer import evaluate
from ...certificates import counterexample
from ...certificates.formula import Expression, at, equal, number
from ...claim import Context, Profile
from ...claims.zonotope.equivariance import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared, searched
from ...search import search
from .models import Case, cases, numbers

DIGITS = 60


def search_equivariant(context: Context) -> Outcome:
    """Look for heads, tokens and an order at which both sides differ, exactly to base 2."""

    def holds(case: Case) -> bool:
        moved = tuple(case.tokens[k] for k in case.order)
        before = evaluate(case.heads, case.tokens)
        return evaluate(case.heads, moved) == tuple(before[k] for k in case.order)

    examples = 60 if context.profile is Profile.QUICK else 1000
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "heads, tokens and orders, to base 2", lambda _: {})


def digits_agreement(context: Context) -> Outcome:
    """The true softmax and tanh in mpmath: both sides agree to the digits asked for."""
    worst = [Fraction(0)]
    count = [0]

    def holds(case: Case) -> bool:
        heads = [numbers(head) for head in case.heads]
        moved = [case.tokens[k] for k in case.order]
        before, after = outputs(heads, case.tokens, DIGITS), outputs(heads, moved, DIGITS)
        for place, k in enumerate(case.order):
            for one, other in zip(after[place], before[k], strict=True):
                allowed = Fraction(1, 10 ** (DIGITS - 5)) * (1 + abs(one))
                worst[0] = max(worst[0], abs(one - other) / allowed)
                count[0] += 1
        return True

    examples = 15 if context.profile is Profile.QUICK else 200
    result = search(cases(), holds, examples=examples, seed=context.seed)
    if result.raised is not None:
        return searched(result, "mpmath", lambda _: {})
    return compared(
        worst[0],
        count[0],
        "f of permuted tokens with permuted outputs, softmax and tanh to base e",
        f"10^-{DIGITS - 5} of the value",
        digits=DIGITS,
    )


def first_token(_: Context) -> Outcome:
    """One head with C = 0, G = 1, W = 0 and the tanh of the first token, to base 2."""

    def tanh(token: Expression) -> Expression:
        return (number(4) ** token - 1) / (number(4) ** token + 1)

    # f(x_1, x_2)_2 = tanh(x_1)(x_1 + x_2)/2 has to be f(x_2, x_1)_1 = tanh(x_2)(x_1 + x_2)/2
    mean = (at("x", 0) + at("x", 1)) / 2
    formula = equal(tanh(at("x", 0)) * mean, tanh(at("x", 1)) * mean)
    return Outcome(
        Finding.VIOLATED,
        scope="two tokens",
        certificates={"swap": counterexample.certificate(ID, formula, {"x": [0, 1]})},
    )
