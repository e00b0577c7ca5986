"""Claim E4, recovery.conditioning: the error of the heads is a multiple of that of the answers."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random

import torch
from hypothesis import strategies as st
from torch import Tensor

from ....numeric.recovery import attention
from ....numeric.recovery import conditioning as floats
from ....numeric.recovery import recovery as float_recovery
from ....oracle.ball import BallOracle
from ....oracle.model import Head, canonical
from ....oracle.noisy import NoisyOracle
from ....oracle.recovery.ball import drawing
from ....oracle.recovery.ball_attempt import SCALE
from ....oracle.recovery.conditioning import kappa
from ....oracle.recovery.recover import recover
from ...certificates import counterexample
from ...certificates.formula import Expression, different, every, implies, var
from ...claim import Context, Profile
from ...claims.recovery.conditioning import ID
from ...evidence import Certificate, Outcome
from ...outcomes import compared, searched
from ...search import search

SIZES = ((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3))
MARGIN = Fraction(1, 1000)


class _BeyondFloats(Exception):
    """The rounding of an answer is not far below the noise."""


def noise(context: Context) -> Outcome:
    """Recoveries in balls from answers with noise of 2^-200, against 2 kappa eps."""
    random, worst, cases = Random(context.seed), Fraction(0), 0
    eps = Fraction(1, 1 << 200)
    for d, H in _sizes(context):
        model = _drawn(random, d, H)
        oracle = NoisyOracle(BallOracle(model), eps, seed=random.getrandbits(30))
        found = recover(oracle, heads=H, seed=0, bits=600, target=40)
        if len(found.attempts) > 1:
            continue  # another drawing has another kappa
        error = min(
            max(_distance(a, b) for a, b in zip(order, model, strict=True))
            for order in permutations(found.heads)
        )
        worst = max(worst, error / (2 * Fraction(kappa(model, *drawing(d, 0))) * eps))
        cases += 1
    return compared(
        worst, cases, "heads from ball answers with noise, against those planted", "2 kappa eps"
    )


def kappa_agreement(context: Context) -> Outcome:
    """The norm by autograd in floats against that in balls, by the chain rule written out."""
    random, worst, cases = Random(context.seed), 0.0, 0
    for d, H in _sizes(context):
        model, (x, w) = _drawn(random, d, H), drawing(d, 0)
        exact = kappa(model, x, w)
        X, Y = (torch.tensor(rows, dtype=torch.float64) / SCALE for rows in (x, w))
        ours = floats.kappa(*_tensors(model), X, Y)
        worst = max(worst, abs(ours - exact) / exact / min(0.5, 1e-9 + 1e-14 * exact))
        cases += 1
    return compared(worst, cases, "kappa by autograd against kappa in balls",
                    "relative 1e-9 + 1e-14 kappa")  # fmt: skip


def float_recoveries(context: Context) -> Outcome:
    """Recoveries of torch models in float64 with noise at the threshold, against 2 kappa eps.

    The pairs that only tell which pole belongs to which head are answered without noise: kappa does
    not cover them. Noise and rounding together have to stay below eps: a model at which rounding
    alone may be a tenth of it is beyond floats, like one whose kappa is; such models are counted.
    """
    random, worst, cases, unresolved = Random(context.seed), 0.0, 0, 0
    for d, H in _sizes(context):
        W, v = _tensors(_drawn(random, d, H))
        seed, eps = random.getrandbits(30), 0.0

        def quiet_answer(tokens: Tensor) -> Tensor:
            return attention.value(W, v, tokens)  # noqa: B023

        def answer(tokens: Tensor) -> Tensor:
            if eps and attention.value_error(W, v, tokens).item() > eps / 10:  # noqa: B023
                raise _BeyondFloats
            shift = random.choice((-1, 1)) * 0.9 * eps  # noqa: B023
            return attention.value(W, v, tokens) + shift  # noqa: B023

        try:
            quiet = float_recovery.recover(answer, d, H, answer_error=1e-14, seed=seed)
        except ValueError:  # a pair whose poles nearly coincide: kappa is beyond floats
            quiet = None
        if quiet is None or not quiet.kappa < 1e8:
            unresolved += 1
            continue
        eps = float(MARGIN) / quiet.kappa
        try:
            found = float_recovery.recover(
                answer, d, H, answer_error=eps, seed=seed, naming_oracle=quiet_answer
            )
        except _BeyondFloats:
            unresolved += 1
            continue
        error = min(
            max(
                (found.forms[list(order)] - W).abs().max().item(),
                (found.functionals[list(order)] - v).abs().max().item(),
            )
            for order in permutations(range(H))
        )
        worst = max(worst, error / (2 * quiet.kappa * eps))
        cases += 1
    return compared(
        worst, cases, "heads of torch models, answers off by 1/(1000 kappa)", "2 kappa eps",
        unresolved=unresolved,
    )  # fmt: skip


def search_not_amplified(context: Context) -> Outcome:
    """Refute that an error of an answer is not amplified, with one head and two values."""
    value = st.integers(1, 30).map(lambda k: Fraction(k, 30))
    case = st.tuples(value, value, st.integers(-5, 5).map(lambda k: Fraction(k, 100)))

    def holds(case: tuple[Fraction, Fraction, Fraction]) -> bool:
        a, b, e = case
        if a == b or a + e == b:
            return True
        return abs((a + e) * b / (a + e - b) - a * b / (a - b)) <= abs(e)

    result = search(case, holds, examples=200, seed=context.seed)

    def refutation(case: tuple[Fraction, Fraction, Fraction]) -> dict[str, Certificate]:
        a, b, e = (var(name) for name in "abe")

        def residue(a: Expression) -> Expression:
            return a * b / (a - b)

        formula = implies(
            every(different(a, b), different(a + e, b)),
            abs(residue(a + e) - residue(a)) <= abs(e),
        )
        instance = dict(zip("abe", case, strict=True))
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "two values of one pole, one of them off", refutation)


def _sizes(context: Context) -> list[tuple[int, int]]:
    return list(SIZES) * (1 if context.profile is Profile.QUICK else 10)


def _drawn(random: Random, d: int, H: int) -> tuple[Head, ...]:
    """Canonical heads with entries up to 2, of moderate kappa."""

    def row() -> tuple[Fraction, ...]:
        return tuple(Fraction(random.randint(-16, 16), 8) for _ in range(d))

    while True:
        model = canonical(Head(tuple(row() for _ in range(d)), row()) for _ in range(H))
        if len(model) == H and kappa(model, *drawing(d, 0)) < 1e9:
            return model


def _tensors(model: tuple[Head, ...]) -> tuple[Tensor, Tensor]:
    forms = [[[float(e) for e in row] for row in head.W] for head in model]
    functionals = [[float(e) for e in head.v] for head in model]
    return (
        torch.tensor(forms, dtype=torch.float64),
        torch.tensor(functionals, dtype=torch.float64),
    )


def _distance(one: Head, other: Head) -> Fraction:
    flat = ([*head.v, *(e for row in head.W for e in row)] for head in (one, other))
    errors: list[Fraction] = [abs(Fraction(a) - b) for a, b in zip(*flat, strict=True)]
    return max(errors)
