"""Claim G2, order.surrogate."""

from __future__ import annotations

import math
from fractions import Fraction
from random import Random

import numpy as np

from ....numeric.order.surrogate import SurrogatePath, integrate, integrate_mp, start
from ....symbolic.order.proofs import mixing as heads_mixed
from ....symbolic.order.proofs import stages, surrogate
from ...certificates import counterexample
from ...certificates.formula import at, equal, every, forall, implies, sum_over, var
from ...claim import Context, Profile
from ...claims.order.surrogate import ID, STAGE_BOUND
from ...evidence import Finding, Outcome
from ...outcomes import compared, derived

SCALES = (1e-14, 1e-40, 1e-100)
"""Sizes of the start: products of two of them are still floats."""

TOLERANCE = 1e-10
"""Relative, of the integrators in a step."""

AGREEMENT = Fraction(1, 10**6)
"""How far two integrations of tolerance 10^-10 may differ: errors made while mode k grows are
multiplied by e^(alpha_k t), but so is the mode, and what is compared is of order 1."""

Draw = tuple[tuple[float, ...], int, int, float]
"""Strengths, heads, seed, scale."""


def descent(_: Context) -> Outcome:
    """The flow is minus the gradient."""
    return derived(surrogate.gradient(), "first", "second", "first-residual", "second-residual")


def conserved(_: Context) -> Outcome:
    """The conserved matrix."""
    return derived(surrogate.conservation(), "conserved")


def plateaus(_: Context) -> Outcome:
    """The heights."""
    return derived(stages.plateaus(), "height")


def aligned(_: Context) -> Outcome:
    """The closed form."""
    return derived(stages.aligned(), "solution", "start", "half")


def mixing(_: Context) -> Outcome:
    """Invariance of the loss."""
    return derived(heads_mixed.invariance(), "invariant")


def orthogonal_mixing(_: Context) -> Outcome:
    """Equivariance of the flow; that R stays is `mixing` at an orthogonal G."""
    return derived(heads_mixed.equivariance(), "first", "second")


def stage_times(context: Context) -> Outcome:
    """Look for a start whose stages come at other times."""
    worst, cases, at_worst = 0.0, 0, ""
    for strengths, heads, seed, scale in _draws(context, extra=True):
        path = _path(strengths, heads, seed, scale)
        for k, (time, alpha) in enumerate(zip(path.stage_times(), strengths, strict=True)):
            size = math.log(1 / scale)
            distance = math.inf if time is None else abs(time * alpha / size - 1) * size
            if distance > worst:
                worst, at_worst = distance, f"mode {k + 1} of {strengths}, H = {heads}, {scale:g}"
            cases += 1
    return Outcome(
        # A float path is no certificate: a violation here makes the verdict `failed`, to be read.
        Finding.HOLDS if worst <= STAGE_BOUND else Finding.VIOLATED,
        scope="random strengths, K = 1 to 4, H = K to K + 3, eps = 1e-14, 1e-40, 1e-100",
        numbers={
            "stages": cases,
            "largest |t alpha / log(1/eps) - 1| log(1/eps)": f"{worst:.3f}",
            "allowed": STAGE_BOUND,
            "there": at_worst,
            "seed": context.seed,
        },
    )


def fewer_heads(context: Context) -> Outcome:
    """With H < K the first H modes are learnt, and the loss ends at its plateau."""
    wrong, cases, worst = 0, 0, 0.0
    for strengths, _, seed, scale in _draws(context, extra=False):
        heads = len(strengths) - 1
        if not heads:
            continue
        path = _path(strengths, heads, seed, scale)
        times = path.stage_times()
        height = 0.5 * strengths[-1] ** 2
        worst = max(worst, abs(float(path.losses[-1]) - height))
        wrong += None in times[:-1] or times[-1] is not None
        cases += 1
    return Outcome(
        Finding.HOLDS if not wrong and worst <= 1e-6 else Finding.VIOLATED,
        scope="random strengths, K = 2 to 4, H = K - 1",
        numbers={
            "starts": cases,
            "starts that learn other modes": wrong,
            "largest distance of the final loss from its plateau": f"{worst:.2g}",
            "seed": context.seed,
        },
    )


def integrators(context: Context) -> Outcome:
    """An explicit, an implicit and a series method, the last at 40 digits."""
    worst, cases = Fraction(0), 0
    for seed in range(2 if context.profile is Profile.QUICK else 6):
        strengths, begun = (0.8, 0.4), start(2, 2, 1e-2, seed)
        explicit = integrate(strengths, begun, 14.0, tolerance=TOLERANCE, samples=15)
        implicit = integrate(strengths, begun, 14.0, tolerance=1e-9, samples=15, method="Radau")
        series = integrate_mp(strengths, begun, 14.0, steps=28, order=24, digits=40)
        for name, exact in zip(("a", "b"), series, strict=True):
            truth = np.array([[float(x) for x in row] for row in exact])
            for path in (explicit, implicit):
                difference = np.abs(getattr(path, name)[-1] - truth).max()
                worst = max(worst, Fraction(float(difference)) / AGREEMENT)
                cases += truth.size
    return compared(
        worst,
        cases,
        "DOP853 and Radau in float64 against Taylor series of order 24 in mpmath, H = K = 2",
        "10^-6, for local tolerances of 10^-10 and 10^-9",
        digits=40,
    )


def conserved_along_paths(context: Context) -> Outcome:
    """The conserved matrix along integrated paths."""
    worst, cases = Fraction(0), 0
    for strengths, heads, seed, _ in _draws(context, extra=True):
        path = _path(strengths, heads, seed, 1e-2)
        drift = np.abs(path.conserved - path.conserved[0]).max()
        worst = max(worst, Fraction(float(drift)) / AGREEMENT)
        cases += path.conserved.shape[0]
    return compared(worst, cases, "a a^T - b b^T along the path against its start", "10^-6")


def doubled(_: Context) -> Outcome:
    """One head, one mode: a doubled and b halved does not double the velocity of a."""
    velocity = sum_over("k", var("K"), at("b", 0, var("k")) * at("R", 0, var("k")))
    mixed = sum_over("k", var("K"), at("P", 0, 0) * at("b", 0, var("k")) * at("R", 0, var("k")))
    inverse = equal(at("G", 0, 0) * at("P", 0, 0), 1)
    residual = forall(
        "k",
        var("K"),
        equal(
            at("R", 0, var("k")), at("T", var("k")) - at("a", 0, var("k")) * at("b", 0, var("k"))
        ),
    )
    formula = implies(every(inverse, residual), equal(mixed, at("G", 0, 0) * velocity))
    instance = {
        "K": 1,
        "a": [[1]],
        "b": [[1]],
        "T": [2],
        "R": [[1]],
        "G": [[2]],
        "P": [[Fraction(1, 2)]],
    }
    return Outcome(
        Finding.VIOLATED,
        scope="H = K = 1, G = 2",
        certificates={"doubled": counterexample.certificate(ID, formula, instance)},
        detail="the velocity of the mixed a is 1/2, G times the velocity is 2",
    )


def _draws(context: Context, *, extra: bool) -> list[Draw]:
    random = Random(context.seed)
    drawn: list[Draw] = []
    for _ in range(4 if context.profile is Profile.QUICK else 40):
        K = random.randint(1, 4)
        # Neighbouring strengths differ by a quarter at least: close ones are learnt together.
        strengths = [random.uniform(0.1, 0.3)]
        while len(strengths) < K:
            strengths.append(strengths[-1] * random.uniform(1.25, 2))
        heads = K + (random.randint(0, 3) if extra else 0)
        seed = random.randrange(2**32)
        drawn += [(tuple(reversed(strengths)), heads, seed, scale) for scale in SCALES]
    return drawn


def _path(strengths: tuple[float, ...], heads: int, seed: int, scale: float) -> SurrogatePath:
    until = (math.log(1 / scale) + 2 * STAGE_BOUND) / strengths[-1]
    return integrate(
        strengths, start(heads, len(strengths), scale, seed), until, tolerance=TOLERANCE
    )
