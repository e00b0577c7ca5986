"""Claim G1, order.misspecified."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import strategies as st

from ....numeric.order import chain as floats
from ....symbolic.errors import HeadproofError, InputError
from ....symbolic.order.chain import Chain
from ....symbolic.order.losses import Fit, additive, all_subsets, bayes
from ...certificates import counterexample, exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import Condition, equal, every, implies, number, var
from ...claim import Context, Profile
from ...claims.order.misspecified import HEIGHTS, ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, searched
from ...search import search
from .chain import (
    CHAIN,
    features_formula,
    fit_formula,
    fit_instance,
    law_formula,
    law_instance,
    loss_term,
)

FLOATS = floats.Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
"""The chain of the claims, in floats."""

FLOAT_BOUND = Fraction(1, 10**12)
"""The Yule-Walker system has 75 unknowns and a condition number below 100 (tested): solving it and
the normal equations errs by less than 10^-12, some thousand units of rounding."""


def heights(context: Context) -> Outcome:
    """The law, the predictors and their losses, certified by normal equations."""
    fits = [additive(CHAIN, lags) for lags in ((), (1,), (1, 2))] + [bayes(CHAIN, (1, 2))]
    if context.profile is not Profile.QUICK:
        fits += [additive(CHAIN, (1, 2, 3)), additive(CHAIN, (1, 3)), additive(CHAIN, (2, 3))]
    else:
        fits.append(additive(CHAIN, (1, 2, 3)))
    certificates: dict[str, Certificate] = {}
    for fit in fits:
        instance = {
            **law_instance(CHAIN),
            **fit_instance(CHAIN, fit, ""),
            "loss": fit.loss,
        }
        formula = every(
            law_formula(),
            features_formula(fit, ""),
            fit_formula(""),
            equal(loss_term(""), var("loss")),
            *_rounded(_name(fit)),
        )
        certificates[_name(fit)] = exhaustive.certificate(ID, Listed([instance]), formula)
    return Outcome(
        Finding.HOLDS,
        scope="the stated chain; the law is unique: its windows form one recurrent class",
        certificates=certificates,
        numbers={_name(fit): f"{float(fit.loss):.6f}" for fit in fits},
    )


def float_agreement(_: Context) -> Outcome:
    """The floats, by Yule-Walker equations, against the exact law of the windows."""
    moments, worst, cases = FLOATS.moments, Fraction(0), 0
    for lags, (exact, _bayes) in all_subsets(CHAIN).items():
        found = Fraction(floats.least_loss(moments, lags))
        worst = max(worst, abs(found - exact) / FLOAT_BOUND)
        cases += 1
    law = FLOATS.law
    for window, p in CHAIN.law.items():
        worst = max(worst, abs(Fraction(float(law[window])) - p) / FLOAT_BOUND)
        cases += 1
    return compared(
        worst, cases, "Yule-Walker and iteration in float64 against the exact law", "1e-12"
    )


def search_nested(context: Context) -> Outcome:
    """Look for a chain on which more lags, or the additive form, lower the wrong loss."""

    def holds(case: Chain) -> bool:
        try:
            losses = all_subsets(case)
        except InputError:  # several recurrent classes: outside the hypotheses
            return True
        return all(
            best <= sums and all(losses[more][0] <= sums for more in losses if set(more) > set(s))
            for s, (sums, best) in losses.items()
        )

    result = search(
        chains(), holds, examples=40 if context.profile is Profile.QUICK else 600, seed=context.seed
    )

    def refutation(case: Chain) -> dict[str, Certificate]:
        raise HeadproofError(f"the nested losses are out of order on {case}: an error of ours")

    return searched(result, "chains of 2 or 3 symbols, 1 to 3 lags up to 3, sparse too", refutation)


def independent_lags(_: Context) -> Outcome:
    """L_{1} of the chain is not (1 - 1/V)(1 - alpha_1^2)/2."""
    fit = additive(CHAIN, (1,))
    V = var("V")
    claimed = (1 - 1 / V) * (1 - number(CHAIN.importance[0]) ** 2) / 2
    return _refuted({"": fit}, equal(loss_term(""), claimed))


def additive_is_bayes(_: Context) -> Outcome:
    """L_{1,2} of the chain is larger than its Bayes loss."""
    fits = {"A": additive(CHAIN, (1, 2)), "B": bayes(CHAIN, (1, 2))}
    return _refuted(fits, equal(loss_term("A"), loss_term("B")))


def chains() -> st.SearchStrategy[Chain]:
    """Small chains, half of them with kernels of zeros and ones."""

    def build(seed: int) -> Chain:
        random = Random(seed)
        V, K = random.randint(2, 3), random.randint(1, 3)
        lags = tuple(random.sample((1, 2, 3), K)) if V == 2 else tuple(range(1, min(K, 2) + 1))
        weights = [random.randint(1, 9) for _ in lags]
        alpha = [Fraction(w, sum(weights)) for w in weights]
        sparse = random.random() < 0.5

        def row() -> list[Fraction]:
            entries = [random.randint(0, 1 if sparse else 6) for _ in range(V)]
            entries[random.randrange(V)] += 1
            return [Fraction(entry, sum(entries)) for entry in entries]

        return Chain(alpha, lags, [[row() for _ in range(V)] for _ in lags])

    return st.integers(min_value=0, max_value=2**32).map(build)


def _refuted(fits: dict[str, Fit], equation: Condition) -> Outcome:
    instance = law_instance(CHAIN)
    hypotheses = [law_formula()]
    for name, fit in fits.items():
        instance |= fit_instance(CHAIN, fit, name)
        hypotheses += [features_formula(fit, name), fit_formula(name)]
    formula = implies(every(*hypotheses), equation)
    return Outcome(
        Finding.VIOLATED,
        scope="the stated chain",
        certificates={"chain": counterexample.certificate(ID, formula, instance)},
        numbers={_name(fit): f"{float(fit.loss):.6f}" for fit in fits.values()},
    )


def _rounded(name: str) -> list[Condition]:
    """The loss is what the claim says, to six places."""
    if name not in HEIGHTS:
        return []
    return [abs(var("loss") - Fraction(HEIGHTS[name])) <= Fraction(1, 2 * 10**6)]


def _name(fit: Fit) -> str:
    lags = "".join(map(str, fit.lags)) or "none"
    return f"{'additive' if fit.additive else 'bayes'}-{lags}"
