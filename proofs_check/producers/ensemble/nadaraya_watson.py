"""Claim B1, ensemble.nadaraya-watson.

In base 2 with tau = 1/(2 log 2) every exponential is an integer power: exp(<q, k>/tau) = 4^<q, k>,
the kernel is 2^(-|q-k|^2) and the prior 2^(|k|^2), so that integer keys give rational weights.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from random import Random

import mpmath
import torch
from hypothesis import strategies as st

from ....numeric.ensemble.nadaraya_watson import attention_weights, kernel_weights, weights_error
from ....symbolic.enclosures.ball import softmax
from ....symbolic.ensemble.design import dot
from ....symbolic.ensemble.proofs import nadaraya_watson as proof
from ...certificates import ball, counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    exp,
    forall,
    iff,
    length,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.ensemble.nadaraya_watson import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

DIGITS = 60
SHOWN = 50

N, D, Q, TAU = length("k"), length("q"), "q", var("tau")

_derivation = cache(proof.derivation)

Keys = tuple[tuple[int, ...], ...]


def _over(term: Expression) -> Expression:
    return sum_over("c", D, term)


def _key(j: str) -> Expression:
    return at("k", var(j), var("c"))


def _apart(j: str) -> Expression:
    """|q - k_j|^2."""
    return _over((at(Q, var("c")) - _key(j)) ** 2)


def _norm(j: str) -> Expression:
    return _over(_key(j) ** 2)


def _share(value: Expression, total: Expression) -> Expression:
    return value / sum_over("i", N, total)


def _attention(j: str) -> Expression:
    return number(4) ** _over(at(Q, var("c")) * _key(j))


def _kernel(j: str) -> Expression:
    return number(2) ** -_apart(j)


def _weighted(j: str) -> Expression:
    return _kernel(j) * number(2) ** _norm(j)


def _plain() -> Condition:
    """The weights are those without priors iff all norms are equal."""
    agree = forall(
        "j",
        N,
        equal(_share(_attention("j"), _attention("i")), _share(_kernel("j"), _kernel("i"))),
    )
    return iff(agree, forall("j", N, forall("i", N, equal(_norm("i"), _norm("j")))))


def identity_derivation(_: Context) -> Outcome:
    """The identity, for every N and d."""
    return derived(_derivation(), "factors", "weights", "output", "power")


def plain_derivation(_: Context) -> Outcome:
    """When the priors drop out, for every N and d."""
    return derived(_derivation(), "plain")


def base_two(context: Context) -> Outcome:
    """Both statements at all small integer keys and queries."""
    top = 1 if context.profile is Profile.QUICK else 2
    entries = range(-top, top + 1)
    identity = forall(
        "j",
        N,
        equal(_share(_attention("j"), _attention("i")), _share(_weighted("j"), _weighted("i"))),
    )
    families = {
        f"N{n}-d{d}": Grid({"k": Entries((n, d), entries), "q": Entries((d,), entries)})
        for n, d in ((1, 1), (2, 1), (3, 1), (2, 2))
    }
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: all keys and queries with entries up to {top}, N <= 3, d <= 2",
        certificates={
            name: exhaustive.certificate(ID, family, every(identity, _plain()))
            for name, family in families.items()
        },
        numbers={"instances": sum(family.count for family in families.values())},
    )


def enclosures(context: Context) -> Outcome:
    """Arb's weights of softmax against mpmath's of kernel and priors, and as certificates."""
    worst, certificates = Fraction(0), {}
    count = 8 if context.profile is Profile.QUICK else 60
    mp = mpmath.MPContext()
    mp.dps = DIGITS + 10
    for n in range(count):
        q, keys, tau = _instance(Random(f"{context.seed}:{n}"))
        weights = softmax([dot(q, key) for key in keys], tau, digits=DIGITS)
        exponents = [
            (dot(key, key) - sum((x - y) ** 2 for x, y in zip(q, key, strict=True))) / (2 * tau)
            for key in keys
        ]
        powers = [mp.exp(mp.mpf(e.numerator) / e.denominator) for e in exponents]
        total = mp.fsum(powers)
        for weight, power in zip(weights, powers, strict=True):
            scaled = Fraction(int(power / total * mp.mpf(10) ** (DIGITS + 5)), 10 ** (DIGITS + 5))
            worst = max(worst, weight.distance(scaled) * 10**DIGITS)
        shown = weights[0].rounded(SHOWN)
        certificates[f"weight{n}"] = ball.certificate(
            ID,
            _first(),
            box={"tau": (tau, tau)},
            given={"k": [list(key) for key in keys], "q": list(q)},
            enclosure=(shown.lower, shown.upper),
            digits=SHOWN + 30,
        )
    agreed = compared(
        worst, count, "Arb's softmax against mpmath's kernel with priors", f"10^-{DIGITS}"
    )
    return Outcome(
        agreed.finding,
        scope=f"{count} sets of keys, N <= 5, d <= 3",
        certificates=certificates if agreed.finding is Finding.HOLDS else {},
        numbers={"digits": DIGITS, **agreed.numbers},
        detail="the certificates enclose the first weight of kernel and priors",
    )


def _first() -> Expression:
    """The weight of key 0 by kernel and priors."""
    apart = sum_over("c", D, (at(Q, var("c")) - at("k", 0, var("c"))) ** 2)
    norm = sum_over("c", D, at("k", 0, var("c")) ** 2)
    others = exp((_norm("i") - _apart("i")) / (2 * TAU))
    return exp((norm - apart) / (2 * TAU)) / sum_over("i", N, others)


def float_agreement(context: Context) -> Outcome:
    """Both torch implementations against Arb, within their own error bound."""
    worst, cases = Fraction(0), 0
    for n in range(60):
        q, keys, tau = _instance(Random(f"{context.seed}:torch:{n}"))
        query = torch.tensor([float(x) for x in q], dtype=torch.float64)
        rows = torch.tensor([[float(x) for x in key] for key in keys], dtype=torch.float64)
        bound = Fraction(float(weights_error(query, rows, tau=float(tau))))
        exact_q = [Fraction(x) for x in query.tolist()]
        exact_keys = [[Fraction(x) for x in row] for row in rows.tolist()]
        scores = [dot(exact_q, key) for key in exact_keys]
        truth = softmax(scores, Fraction(float(tau)), digits=40)
        for function in (attention_weights, kernel_weights):
            for value, weight in zip(
                function(query, rows, tau=float(tau)).tolist(), truth, strict=True
            ):
                worst = max(worst, weight.distance(Fraction(value)) / bound)
                cases += 1
    return compared(worst, cases, "torch float64 against Arb", "rounding analysis of weights_error")


def search_plain(context: Context) -> Outcome:
    """Look for keys at which the equivalence fails, in base 2."""
    whole = st.integers(-3, 3)

    @st.composite
    def cases(draw: st.DrawFn) -> tuple[Keys, tuple[int, ...]]:
        d = draw(st.integers(1, 3))
        point = draw(st.tuples(*[whole] * d))
        turned = st.tuples(*[st.sampled_from((x, -x)) for x in point])
        kind = draw(st.sampled_from(("one norm", "free")))
        drawn = turned if kind == "one norm" else st.tuples(*[whole] * d)
        keys = draw(st.lists(drawn, min_size=1, max_size=5))
        return tuple(keys), draw(st.tuples(*[whole] * d))

    def holds(case: tuple[Keys, tuple[int, ...]]) -> bool:
        keys, q = case
        attention = [Fraction(4) ** int(dot(q, key)) for key in keys]
        kernel = [
            Fraction(1, 2 ** sum((x - y) ** 2 for x, y in zip(q, key, strict=True))) for key in keys
        ]
        agree = all(
            a * sum(kernel) == w * sum(attention) for a, w in zip(attention, kernel, strict=True)
        )
        return agree == (len({dot(key, key) for key in keys}) == 1)

    def refutation(case: tuple[Keys, tuple[int, ...]]) -> dict[str, Certificate]:
        keys, q = case
        instance = {"k": [list(key) for key in keys], "q": list(q)}
        return {"case": counterexample.certificate(ID, _plain(), instance)}

    examples = 200 if context.profile is Profile.QUICK else 3000
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "integer keys and queries, half of them of one norm", refutation)


def two_keys(_: Context) -> Outcome:
    """Keys 0 and 1, query 0: softmax weighs both alike, the kernel 2 to 1."""
    formula = forall(
        "j",
        N,
        equal(_share(_attention("j"), _attention("i")), _share(_kernel("j"), _kernel("i"))),
    )
    return Outcome(
        Finding.VIOLATED,
        scope="two keys on a line",
        certificates={"keys": counterexample.certificate(ID, formula, {"k": [[0], [1]], "q": [0]})},
        detail="weights 1/2, 1/2 against 2/3, 1/3",
    )


def _instance(random: Random) -> tuple[list[Fraction], list[list[Fraction]], Fraction]:
    """A query, keys (repeated now and then) and a temperature."""
    d, count = random.randint(1, 3), random.randint(1, 5)

    def point() -> list[Fraction]:
        return [Fraction(random.randint(-9, 9), random.randint(1, 4)) for _ in range(d)]

    keys = [point() for _ in range(count)]
    if random.random() < 0.3:
        keys[-1] = keys[0]
    return point(), keys, Fraction(random.randint(1, 8), random.randint(1, 4))
