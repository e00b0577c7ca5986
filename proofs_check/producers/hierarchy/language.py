"""Claim F1, hierarchy.language."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from random import Random

from hypothesis import strategies as st

from ....numeric.hierarchy.dyck import opening_probabilities
from ....symbolic.errors import HeadproofError, InputError
from ....symbolic.hierarchy.dyck import Dyck
from ....symbolic.hierarchy.parse import parse
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import equal, var
from ...claim import Context, Profile
from ...claims.hierarchy.language import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, searched
from ...search import search
from .words import WORD, counted, is_word

SIZES = ((1, 1, 4), (1, 2, 8), (2, 1, 4), (2, 2, 6), (3, 2, 4))
"""(k, m, n) whose (2k)^n sequences are all looked at."""

ROUNDING = Fraction(1, 2**50)
"""A quotient of integers is rounded to float64 once, by at most 2^-53."""


def counts(context: Context) -> Outcome:
    """The recurrence against all sequences."""
    sizes = SIZES if context.profile is Profile.QUICK else (*SIZES, (2, 3, 6), (1, 4, 10))
    certificates: dict[str, Certificate] = {}
    for k, m, n in sizes:
        language = Dyck(k, m)
        family = Listed([{"c": language.count(n)}])
        formula = equal(var("c"), counted(language, n))
        certificates[f"{k}-{m}-{n}"] = exhaustive.certificate(ID, family, formula)
    return Outcome(
        Finding.HOLDS,
        scope="; ".join(f"k = {k}, m = {m}, n = {n}" for k, m, n in sizes),
        certificates=certificates,
        numbers={f"c for {s}": str(Dyck(*s[:2]).count(s[2])) for s in sizes},
    )


def ranks(context: Context) -> Outcome:
    """As many different words as there are ranks, each in the language: with `counts`, all."""
    sizes = SIZES if context.profile is Profile.QUICK else (*SIZES, (2, 3, 6), (1, 4, 10))
    certificates: dict[str, Certificate] = {}
    for k, m, n in sizes:
        language = Dyck(k, m)
        words = Listed([{WORD: language.word(n, i)} for i in range(language.count(n))])
        name = f"{k}-{m}-{n}"
        certificates[name] = exhaustive.certificate(ID, words, is_word(language))
        certificates[f"{name}-count"] = exhaustive.certificate(
            ID, Listed([{"c": words.count}]), equal(var("c"), counted(language, n))
        )
    return Outcome(
        Finding.HOLDS,
        scope="; ".join(f"k = {k}, m = {m}, n = {n}" for k, m, n in sizes),
        certificates=certificates,
    )


def search_counts(context: Context) -> Outcome:
    """The recurrence against a filter on all sequences, and against Catalan where m is large."""

    def holds(case: tuple[int, int, int]) -> bool:
        k, m, n = case
        language = Dyck(k, m)
        if (2 * k) ** n <= 5000:
            found = sum(_in(language, word) for word in product(language.symbols, repeat=n))
            if found != language.count(n):
                return False
        if n % 2 or 2 * m < n:
            return n % 2 == 0 or language.count(n) == 0
        catalan_number = comb(n, n // 2) // (n // 2 + 1)
        return language.count(n) == int(k ** (n // 2)) * catalan_number

    sizes = st.tuples(
        st.integers(min_value=1, max_value=4),
        st.integers(min_value=1, max_value=30),
        st.integers(min_value=0, max_value=40),
    )
    examples = 60 if context.profile is Profile.QUICK else 1000
    return searched(
        search(sizes, holds, examples=examples, seed=context.seed),
        "k <= 4, m <= 30, n <= 40",
        _ours,
    )


def search_ranks(context: Context) -> Outcome:
    """The rank of the word of a rank, in long words of many types."""

    def holds(seed: int) -> bool:
        random = Random(seed)
        language = Dyck(random.randint(1, 20), random.randint(1, 10))
        n = 2 * random.randint(0, 60)
        index = random.randrange(language.count(n))
        word = language.word(n, index)
        return _in(language, word) and language.rank(word) == index

    examples = 60 if context.profile is Profile.QUICK else 1000
    seeds = st.integers(min_value=0, max_value=2**32)
    return searched(
        search(seeds, holds, examples=examples, seed=context.seed),
        "ranks of words of up to 120 symbols, k <= 20, m <= 10",
        _ours,
    )


def float_agreement(_: Context) -> Outcome:
    """The probability of an opening symbol that the training data are drawn with."""
    worst, cases = Fraction(0), 0
    for k, m, n in ((1, 1, 6), (4, 8, 64), (20, 10, 128)):
        language, floats = Dyck(k, m), opening_probabilities(k, m, n)
        for left in range(1, n + 1):
            for d in range(m + 1):
                ways = language.completions(left, d)
                if not ways:
                    continue
                opening = k * language.completions(left - 1, d + 1) if d < m else 0
                error = abs(Fraction(float(floats[left, d])) - Fraction(opening, ways))
                worst, cases = max(worst, error / ROUNDING), cases + 1
    return compared(
        worst, cases, "float64 probabilities of the training data against exact ones", "2^-50"
    )


def catalan(_: Context) -> Outcome:
    """Dyck-(2, 2) has 32 words of six symbols, not 40."""
    n, k = 6, 2
    claimed = k ** (n // 2) * comb(n, n // 2) // (n // 2 + 1)
    formula = equal(counted(Dyck(k, 2), n), var("c"))
    return Outcome(
        Finding.VIOLATED,
        scope="k = 2, m = 2, n = 6",
        certificates={"six": counterexample.certificate(ID, formula, {"c": claimed})},
        numbers={"claimed": claimed, "counted": Dyck(k, 2).count(n)},
    )


def _in(language: Dyck, word: tuple[int, ...]) -> bool:
    try:
        parse(language, word).balanced()
    except InputError:
        return False
    return True


def _ours(case: object) -> dict[str, Certificate]:
    raise HeadproofError(f"counting errs on {case}: an error of ours")
