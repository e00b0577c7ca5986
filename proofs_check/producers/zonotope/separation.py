"""Claim T2d, zonotope.separation: more than any attention with static values."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from hypothesis import strategies as st

from ....numeric.zonotope.high_precision import HeadNumbers
from ....numeric.zonotope.high_precision import outputs as true_outputs
from ....symbolic.zonotope.layer import Head, evaluate
from ....symbolic.zonotope.proofs import separation as proofs
from ....symbolic.zonotope.zonotope import MatrixZonotope
from ...certificates import ball, counterexample
from ...certificates.formula import Expression, equal, exp, var
from ...claim import Context, Profile
from ...claims.zonotope.separation import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from .models import Case, cases

DIGITS = 60


def derivation(_: Context) -> Outcome:
    """Static values double on doubled equal tokens; the zonotopic head gives more."""
    one = derived(proofs.static(), "doubled")
    other = derived(proofs.zonotopic(), "more")
    return replace(
        one,
        general=one.general and other.general,
        argued=one.argued + other.argued,
        scope="every H, n, d, static values, weights, and every c and a, t, x > 0",
        numbers={"derivations": 2},
        detail=f"{one.detail}\n{other.detail}",
    )


def margin(_: Context) -> Outcome:
    """The excess f(2x) - 2 f(x) is at least 1/10 on a box of parameters."""
    a, t, x = var("a"), var("t"), var("x")

    def beta(token: Expression) -> Expression:
        return 1 - 2 / (exp(2 * t * token) + 1)

    certificate = ball.certificate(
        ID,
        2 * a * x * (beta(2 * x) - beta(x)),
        box={"a": (1, 2), "t": (Fraction(1, 2), Fraction(9, 16)), "x": (1, Fraction(9, 8))},
        enclosure=(Fraction(1, 10), None),
        digits=30,
    )
    return Outcome(
        Finding.HOLDS,
        scope="1 <= a <= 2, 1/2 <= t <= 9/16, 1 <= x <= 9/8",
        certificates={"box": certificate},
    )


def search_static(context: Context) -> Outcome:
    """Look for a static layer, to base 2, that does not double, or a zonotopic one that does."""

    def holds(case: tuple[Case, int, int]) -> bool:
        layer, a, x = case
        token = layer.tokens[0]
        copies = len(layer.tokens)
        static = [
            replace(head, values=_static(head.values), slopes=(), offsets=())
            for head in layer.heads
        ]
        one = evaluate(static, [token] * copies)
        two = evaluate(static, [[2 * entry for entry in token]] * copies)
        if any(b != tuple(2 * entry for entry in row) for row, b in zip(one, two, strict=True)):
            return False
        head = Head(((0,),), MatrixZonotope(((1,),), (((a,),),)), ((1,),), (0,))
        ((single,),), ((double,),) = evaluate([head], [[x]]), evaluate([head], [[2 * x]])
        return double > 2 * single

    examples = 50 if context.profile is Profile.QUICK else 800
    drawn = st.tuples(cases(heads=3), st.integers(1, 9), st.integers(1, 9))
    result = search(drawn, holds, examples=examples, seed=context.seed)
    return searched(result, "static layers and zonotopic heads, to base 2", lambda _: {})


def digits_agreement(context: Context) -> Outcome:
    """The excess in mpmath, against 2 a x (tanh(2 x) - tanh(x)) in enclosures' stead."""
    import mpmath

    mp = mpmath.mp.clone()
    mp.dps = DIGITS + 10
    worst, count = Fraction(0), 0
    for a in (1, 2, 5):
        for x in (Fraction(1, 3), Fraction(1), Fraction(5, 2)):
            head = HeadNumbers([[0]], [[1]], [[[a]]], [[1]], [0])
            ((single,),) = true_outputs([head], [[x]], DIGITS)
            ((double,),) = true_outputs([head], [[2 * x]], DIGITS)
            y = mp.mpf(x.numerator) / x.denominator
            due = 2 * a * y * (mp.tanh(2 * y) - mp.tanh(y))
            sign, mantissa, exponent, _ = due._mpf_
            exact = Fraction(int(mantissa)) * Fraction(2) ** exponent * (-1) ** sign
            allowed = Fraction(1, 10 ** (DIGITS - 5))
            worst = max(worst, abs(double - 2 * single - exact) / allowed)
            count += 1
    return compared(
        worst, count, "the layer's excess with its closed form", f"10^-{DIGITS - 5}", digits=DIGITS
    )


def doubles(_: Context) -> Outcome:
    """At c = a = t = x = 1."""
    c, a, t, x = (var(name) for name in "catx")

    def value(token: Expression) -> Expression:
        return (c + a * (1 - 2 / (exp(2 * t * token) + 1))) * token

    instance = dict.fromkeys("catx", 1)
    certificate: Certificate = counterexample.certificate(
        ID, equal(value(2 * x), 2 * value(x)), instance, digits=30
    )
    return Outcome(Finding.VIOLATED, scope="one token", certificates={"one": certificate})


def _static(values: MatrixZonotope) -> MatrixZonotope:
    return MatrixZonotope(values.centre, ())
