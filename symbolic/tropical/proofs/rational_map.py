"""A4, tropical.rational-map: a head with lifted values is a tropical rational map up to tau log N.

With values v_j = exp(u_j/tau) the output is a quotient of two sums of exponentials, so tau log of
it is a difference of two soft maxima: max (s + u) + A minus max s + B, and A1 bounds A and B by 0
and tau log N. The error A - B therefore lies between -tau log N and tau log N; it reaches an end
only if A or B vanishes, which takes a single key.

The numerator may run over the first M keys only: with M = N it is the whole output, with the keys
of positive value (numbered first) it is the positive part of an output of either sign, and with
those of negative value the negative part.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Lambda, Limit, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.limit import LIMIT, SQUEEZE
from ...derivations.rules.logic import CONSEQUENCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import VANISHING_TERMS
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, Equivalence, Implication, eq, le, ne
from .soft_maximum import LOG, SoftMaximum, alone, bounds
from .soft_maximum import TAU as tau  # noqa: N811

CLAIM = "tropical.rational-map"

N, j, i = size("N"), index("j"), index("i")
k, m, M = index("k"), index("m"), index("M")
s, u = family("s"), family("u")
x = Symbol("x", real=True)


def derivation() -> Derivation:
    """For all N, s, u in R^N, tau > 0: |tau log out - (max (s + u) - max s)| <= tau log N.

    out = sum_j p_j exp(u_j/tau), p the softmax of s; one component of the output, any of them.
    Conclusions: ``bounds``; ``limit`` (tau log out tends to max (s + u) - max s as tau -> 0);
    ``strict`` (neither bound is attained unless N = 1).

    Raises:
        DerivationFailed: a step is not decided.
    """
    return _derive(N, "A head with lifted values is a tropical rational map")


def part() -> Derivation:
    """The same for the part of the output that the first M of the N keys contribute.

    Conclusions: ``bounds`` and ``limit``, as in `derivation`.

    Raises:
        DerivationFailed: a step is not decided.
    """
    return _derive(M, "A part of an output of either sign is a tropical rational map")


def _derive(count: Any, title: str) -> Derivation:
    scores = SoftMaximum(lambda j: s(j), j, N, k)
    lifted = SoftMaximum(lambda i: s(i) + u(i), i, count, m)
    weight = exp(s(i) / tau) / Sum(exp(s(j) / tau), (j, 1, N))
    out = Sum(weight * exp(u(i) / tau), (i, 1, count))
    tropical = s(m) + u(m) - s(k)
    error = tau * log(out) - tropical
    ranges: dict[Any, Any] = {} if count is N else {M: (1, N)}
    ranges |= {i: (1, count), j: (1, N), k: (1, N), m: (1, count)}
    setting = Setting(
        (N,),
        ranges,
        (tau,),
        (s, u),
        {
            "N": "the number of keys",
            "M": "the number of keys that contribute to the part, numbered first",
            "s": "the scores at a query",
            "u": "the logarithms of the values, in units of 1/tau: v_j = exp(u_j/tau)",
            "k": "an index of the largest score: max s = s(k)",
            "m": "an index of the largest lifted score: max (s + u) = s(m) + u(m)",
            "tau": "the temperature",
        },
        {"e": error, "out": out, "t": tropical, "A": lifted.gap, "B": scores.gap},
    )
    proof = Proof(CLAIM, title, setting, choose=lambda random: _head(random, count))
    top_s = proof.suppose(scores.maximal, why="s(k) is the largest score.")
    top_l = proof.suppose(lifted.maximal, why="s(m) + u(m) is the largest lifted score.")

    quotient = proof.step(
        eq(exp(log(out)), exp(log(lifted.sum) - log(scores.sum))),
        NORMAL_FORM,
        why="exp(s/tau) exp(u/tau) = exp((s + u)/tau); the denominator is common.",
    )
    injective = proof.step(
        Equivalence(
            eq(exp(log(out)), exp(log(lifted.sum) - log(scores.sum))),
            eq(log(out), log(lifted.sum) - log(scores.sum)),
        ),
        MONOTONE,
        parameters=(Lambda(x, exp(x)),),
        why="exp is injective.",
    )
    split = proof.step(
        eq(log(out), log(lifted.sum) - log(scores.sum)),
        CONSEQUENCE,
        quotient,
        injective,
        why="So the logarithm of the output is a difference of two.",
    )
    difference = proof.step(
        eq(error, lifted.gap - scores.gap),
        COMBINATION,
        split,
        parameters=(tau,),
        why="Multiply by tau and subtract the two maxima.",
    )
    low_a, high_a = bounds(proof, lifted, top_l)
    low_b, high_b = bounds(proof, scores, top_s)
    if count is not N:
        high_a = _fewer_keys(proof, lifted, high_a)
    limit = tau * log(N)
    upper = proof.step(
        le(error, limit),
        COMBINATION,
        difference,
        high_a,
        low_b,
        parameters=(1, 1, 1),
        why="A <= tau log N and B >= 0.",
    )
    lower = proof.step(
        le(-limit, error),
        COMBINATION,
        difference,
        low_a,
        high_b,
        parameters=(-1, 1, 1),
        why="A >= 0 and B <= tau log N.",
    )
    both = proof.step(
        Conjunction(le(-limit, error), le(error, limit)),
        CONSEQUENCE,
        lower,
        upper,
        why="Both bounds together.",
    )
    conclusions = {"bounds": both, "limit": _limit(proof, error, tropical, (lower, upper))}
    if count is N:
        ends = (
            _missed(proof, (1, error, difference), (lifted, high_a), (scores, low_b)),
            _missed(proof, (-1, error, difference), (scores, high_b), (lifted, low_a)),
        )
        conclusions["strict"] = proof.step(
            Conjunction(
                Implication(ne(N, 1), ne(error, limit)), Implication(ne(N, 1), ne(-error, limit))
            ),
            CONSEQUENCE,
            *ends,
            why="Neither end is attained by two keys or more.",
        )
    return proof.finish(**conclusions)


def _fewer_keys(proof: Proof, soft: SoftMaximum, high: int) -> int:
    """Gap <= tau log N, from gap <= tau log M."""
    fewer = proof.step(le(M, N), SIGN, why="A part of the keys.")
    logs = proof.step(le(log(M), log(N)), MONOTONE, fewer, parameters=(LOG,), why="log increases.")
    return proof.step(
        le(soft.gap, tau * log(N)),
        COMBINATION,
        high,
        logs,
        parameters=(1, tau),
        why="M keys make a smaller gap than N may.",
    )


def _limit(proof: Proof, error: Any, tropical: Any, ends: tuple[int, int]) -> int:
    """Tau log out tends to the tropical value."""
    lower, upper = ends
    value = error + tropical
    low, high = tropical - tau * log(N), tropical + tau * log(N)

    def to(e: Any) -> Any:
        return eq(Limit(e, tau, 0, "+"), tropical)

    below = proof.step(le(low, value), COMBINATION, lower, parameters=(1,), why="Rearrange.")
    above = proof.step(le(value, high), COMBINATION, upper, parameters=(1,), why="Rearrange.")
    return proof.step(
        to(value),
        SQUEEZE,
        below,
        above,
        proof.step(to(low), LIMIT, why="tau log N tends to 0."),
        proof.step(to(high), LIMIT, why="tau log N tends to 0."),
        why="Between the two.",
    )


def _missed(
    proof: Proof,
    signed: tuple[int, Any, int],
    high: tuple[SoftMaximum, int],
    low: tuple[SoftMaximum, int],
) -> int:
    """Sign times error = tau log N implies N = 1, sign times error being larger minus smaller."""
    sign, error, difference = signed
    (larger, at_most), (smaller, at_least) = high, low
    single = alone(proof, smaller)
    limit = tau * log(N)
    both = proof.step(
        Equivalence(
            eq(limit - larger.gap + smaller.gap, 0),
            Conjunction(eq(limit - larger.gap, 0), eq(smaller.gap, 0)),
        ),
        VANISHING_TERMS,
        at_most,
        at_least,
        why="Both are nonnegative.",
    )
    attained = proof.assume(eq(sign * error, limit), why="Suppose the bound is attained.")
    zero = proof.step(
        eq(limit - larger.gap + smaller.gap, 0),
        COMBINATION,
        attained,
        difference,
        parameters=(-1, sign),
        why="The error is A - B.",
    )
    one = proof.step(
        eq(N, 1), CONSEQUENCE, zero, both, single, why="The gap that is subtracted vanishes."
    )
    return proof.discharge(attained, one, why="Attained only by a single key.")


def _head(random: Random, count: Any) -> Choice:
    """Scores and lifted values with the indices of both maxima; ties are frequent."""
    keys = random.randint(1, 4)
    part = keys if count is N else random.randint(1, keys)
    levels = [rational(random) for _ in range(random.randint(1, 3))]
    scores = [random.choice(levels) for _ in range(keys)]
    values = [random.choice([-score for score in scores] + levels) for score in scores]
    lifted = [a + b for a, b in zip(scores, values, strict=True)][:part]
    best = random.choice([n for n, a in enumerate(scores, 1) if a == max(scores)])
    most = random.choice([n for n, a in enumerate(lifted, 1) if a == max(lifted)])
    letters: dict[Symbol, Any] = {N: keys, k: best, m: most}
    if count is not N:
        letters[M] = part
    return Choice(letters, {"s": lambda j: scores[j - 1], "u": lambda j: values[j - 1]})
