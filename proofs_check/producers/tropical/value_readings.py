"""Evidence of claim A4 on the other readings: values of either sign, values held fixed.

Base 2 throughout, exp(s/tau) = 2^(k s): every output of integer scores is a fraction.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

import torch
from hypothesis import strategies as st

from ....numeric.tropical import rational_map as floats
from ....symbolic.tropical import rational_map as exact
from ....symbolic.tropical import routing_limit
from ....symbolic.tropical.proofs import fixed_values, rational_map
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Entries, Grid
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    count_over,
    equal,
    every,
    exists,
    forall,
    implies,
    length,
    max_over,
    maximum,
    number,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.rational_map import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search

N = length("s")
S, U, SIGN, V = (at(name, var("j")) for name in ("s", "u", "e", "v"))
TOP = max_over("t", N, at("s", var("t")))
INVERSE = var("k")


def signed_derivation(_: Context) -> Outcome:
    """The bound for a part of the keys, for every N and every part."""
    return derived(rational_map.part(), "bounds", "limit")


def signed_base_two(context: Context) -> Outcome:
    """The positive part of an output; the family is closed under a change of all signs."""
    lifted = at("s", var("i")) + at("u", var("i"))
    part = sum_over("i", N, maximum(at("e", var("i")), 0) * number(2) ** lifted) / sum_over(
        "i", N, number(2) ** at("s", var("i"))
    )
    best = forall("i", N, implies(equal(at("e", var("i")), 1), lifted <= S + U))
    tropical = number(2) ** (S + U - TOP)
    near = every(part <= N * tropical, N * part >= tropical)
    formula = forall("j", N, implies(every(equal(SIGN, 1), best), near))
    largest = 2 if context.profile is Profile.QUICK else 3
    families = [
        Grid(
            {
                "s": Entries((n,), range(-1, 2)),
                "u": Entries((n,), range(-1, 2)),
                "e": Entries((n,), (-1, 1)),
            }
        )
        for n in range(1, largest + 1)
    ]
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: scores, log-values in {{-1, 0, 1}}, both signs, N = 1..{largest}",
        certificates={
            f"N{n}": exhaustive.certificate(ID, family, formula)
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def search_either_sign(context: Context) -> Outcome:
    """Refute that tau log |out| is near the tropical map of log |v| whatever the signs."""
    entry = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.sampled_from((1, -1)))
    pairs = st.lists(entry, min_size=1, max_size=6)

    def holds(case: list[tuple[int, int, int]]) -> bool:
        lifted = [s + u for s, u, _ in case]
        out = sum(e * 2 ** (a + 6) for a, (_, _, e) in zip(lifted, case, strict=True))
        return bool(len(case) * abs(out) >= 2 ** (max(lifted) + 6))

    result = search(pairs, holds, examples=400, seed=context.seed)
    out = sum_over("j", N, SIGN * number(2) ** (S + U)) / sum_over("j", N, number(2) ** S)
    formula = N * abs(out) >= number(2) ** (max_over("j", N, S + U) - TOP)

    def refutation(case: list[tuple[int, int, int]]) -> dict[str, Certificate]:
        columns = zip(*case, strict=True)
        instance = {name: list(column) for name, column in zip("sue", columns, strict=True)}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "integer scores, log-values and signs", refutation)


def jump(_: Context) -> Outcome:
    """N = 2, keys and values -1 and 1: the limit is -1, 0, 1 to the left, at and to the right of 0.

    Given any constant C, the limit at 1/(2 C) and at 0 differ by 1 > C/(2 C); and no point of the
    sequence 2^-n has a limit value within 1/2 of that at 0.
    """
    x, c = var("x"), var("C")
    lipschitz = implies(c > 0, abs(_limit_at(x) - _limit_at(number(0))) <= c * abs(x))
    step = number(2) ** (-var("n"))
    near = exists("n", number(1000), abs(_limit_at(step) - _limit_at(number(0))) <= Fraction(1, 2))
    head: dict[str, list[int]] = {"s": [-1, 1], "v": [-1, 1]}
    values = [exact.fixed_value_limit([-p, p], [[-1], [1]])[0] for p in (-1, 0, 1)]
    if values != [-1, 0, 1]:
        raise AssertionError(f"the limit of the example is {values}")
    certificates: dict[str, Certificate] = {
        f"lipschitz{n}": counterexample.certificate(
            ID, lipschitz, {**head, "C": constant, "x": Fraction(1, 2 * constant)}
        )
        for n, constant in enumerate((1, 10**6, 10**30))
    }
    certificates["sequence"] = counterexample.certificate(ID, near, dict(head))
    return Outcome(
        Finding.VIOLATED,
        scope="N = 2, d = 1, keys and values -1 and 1",
        certificates=certificates,
        detail="limit -1 for x < 0, 0 at x = 0, 1 for x > 0",
    )


def constant_derivation(_: Context) -> Outcome:
    """The limit and the rate, for any numbers of winners and of others."""
    return derived(fixed_values.derivation(), "rate", "limit")


def constant_base_two(context: Context) -> Outcome:
    """How far an output is from the mean of the winners' values: at most D (N - m) q/m."""
    winners = count_over("r", N, equal(at("s", var("r")), TOP))
    own = at("v", var("l")) * _indicator(equal(at("s", var("l")), TOP))
    mean = sum_over("l", N, own) / winners
    power = number(2) ** (INVERSE * (S - TOP))
    out = sum_over("j", N, power * V) / sum_over("j", N, power)
    spread = max_over("j", N, abs(V - mean))
    rival = at("s", var("i"))
    second = every(
        rival < TOP,
        forall("r", N, implies(at("s", var("r")) < TOP, at("s", var("r")) <= rival)),
    )
    rate = spread * (N - winners) * number(2) ** (INVERSE * (rival - TOP)) / winners
    formula = every(
        forall("i", N, implies(second, abs(out - mean) <= rate)),
        implies(equal(winners, N), equal(out, mean)),
    )
    largest = 3 if context.profile is Profile.QUICK else 4
    families = [
        Grid(
            {
                "s": Entries((n,), range(3)),
                "v": Entries((n,), range(-1, 2)),
                "k": Entries((), range(1, 3)),
            }
        )
        for n in range(1, largest + 1)
    ]
    return Outcome(
        Finding.HOLDS,
        scope=f"base 2: scores in {{0, 1, 2}}, values in {{-1, 0, 1}}, k = 1, 2, N = 1..{largest}",
        certificates={
            f"N{n}": exhaustive.certificate(ID, family, formula)
            for n, family in enumerate(families, start=1)
        },
        numbers={"instances": sum(family.count for family in families)},
    )


def constant_search(context: Context) -> Outcome:
    """Look for integer scores and values whose output misses the limit by more than the rate."""
    entry = st.tuples(st.integers(-6, 6), st.integers(-9, 9))
    cases = st.tuples(st.lists(entry, min_size=1, max_size=7), st.integers(1, 8))

    def holds(case: tuple[list[tuple[int, int]], int]) -> bool:
        pairs, k = case
        s, v = [a for a, _ in pairs], [b for _, b in pairs]
        weights = routing_limit.weights(s, inverse_temperature=k)
        out = sum(p * b for p, b in zip(weights, v, strict=True))
        (mean,) = exact.fixed_value_limit(s, [[b] for b in v])
        losers = [a for a in s if a < max(s)]
        if not losers:
            return out == mean
        m = len(s) - len(losers)
        spread = max(abs(b - mean) for b in v)
        q = Fraction(1, 2 ** (k * (max(s) - max(losers))))
        return abs(out - mean) <= spread * len(losers) * q / m

    examples = 200 if context.profile is Profile.QUICK else 2000
    result = search(cases, holds, examples=examples, seed=context.seed)
    return searched(result, "integer scores and values (N <= 7), k up to 8", lambda _: {})


def float_agreement(context: Context) -> Outcome:
    """The limit in torch against the exact one, within 2 gamma_{N+1} max |v|."""
    random = Random(context.seed)
    worst, cases = Fraction(0), 0
    for _ in range(60):
        n = random.randint(1, 9)
        s = [random.randint(-2, 2) for _ in range(n)]
        v = [[random.uniform(-5, 5) for _ in range(2)] for _ in range(n)]
        found = floats.fixed_value_limit(torch.tensor(s), torch.tensor(v, dtype=torch.float64))
        truth = exact.fixed_value_limit(s, [[Fraction(x) for x in row] for row in v])
        bound = 2 * (n + 2) * Fraction(1, 2**53) * 5
        for value, limit in zip(found.tolist(), truth, strict=True):
            worst = max(worst, abs(Fraction(value) - limit) / bound)
            cases += 1
    return compared(worst, cases, "torch float64 against fractions", "2 gamma_{N+1} max |v|")


def _limit_at(x: Expression) -> Expression:
    """The limit at a query, keys s and values v in one dimension."""
    score, top = at("s", var("j")) * x, max_over("t", N, at("s", var("t")) * x)
    wins = equal(score, top)
    return sum_over("j", N, V * _indicator(wins)) / count_over("j", N, wins)


def _indicator(condition: Condition) -> Expression:
    """1 if the condition holds, else 0."""
    return count_over("one", number(1), condition)
