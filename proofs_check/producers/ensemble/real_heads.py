"""Claim B8, ensemble.real-heads."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt

import numpy as np
import torch

from ....numeric.checkpoint import ROLES, Checkpoint, Role, default_model_dir, open_checkpoint
from ....numeric.ensemble.diversity import role_diversity
from ....numeric.ensemble.null_law import index_sample, null_law, overlap_sample
from ...certificates import counterexample
from ...certificates.formula import at, equal, implies, length, sum_over, var
from ...claim import Context, Profile
from ...claims.ensemble.real_heads import ID
from ...evidence import Finding, Outcome
from ...outcomes import compared

SIZES = ((3, 1, 2), (8, 2, 3), (7, 4, 3), (24, 4, 4))
"""(d, d_k, H) of the samples."""


def moments(context: Context) -> Outcome:
    """Sample means within five standard errors of the exact ones, by two samplers.

    A sample of n has standard error sigma/sqrt(n); five of them are exceeded once in two million
    samples. The variance is compared within ten per cent.
    """
    draws = 4000 if context.profile is Profile.QUICK else 40000
    random = np.random.default_rng(context.seed)
    worst, cases = 0.0, 0
    for d, k, heads in SIZES:
        law = null_law(d, k, heads, draws=100, seed=context.seed % 2**32)
        for sample, mean, deviation in (
            (overlap_sample(d, k, draws, random), law.overlap_mean, law.overlap_deviation),
            (index_sample(d, k, heads, draws, random), law.index_mean, law.index_deviation),
        ):
            worst = max(worst, abs(float(sample.mean()) - mean) / (5 * deviation / sqrt(draws)))
            worst = max(worst, abs(float(sample.std()) / deviation - 1) / 0.1)
            cases += 2
    sizes = ", ".join(map(str, SIZES))
    return compared(
        worst, cases, f"samples against exact moments, (d, d_k, H) = {sizes}",
        "5 standard errors of the mean, 10 % of the deviation", draws=draws,
    )  # fmt: skip


def below_chance(context: Context) -> Outcome:
    """HDI of queries and keys in every layer, and the least of the draws from the null law."""
    checkpoint = _checkpoint()
    model = checkpoint.model
    random = np.random.default_rng(context.seed)
    draws = 100 if context.profile is Profile.QUICK else 1000
    least = float(index_sample(model.d, model.head_dim, model.heads, draws, random).min())
    roles: tuple[Role, ...] = ("query", "key")
    found = {role: _indices(checkpoint, role) for role in roles}
    below = all(index < least for indices in found.values() for index in indices)
    return Outcome(
        Finding.HOLDS if below else Finding.VIOLATED,
        scope=f"{model.layers} layers of {model.heads} heads, queries and keys; {draws} draws",
        numbers={
            "random, mean": f"{1 - model.head_dim / model.d:.5f}",
            "random, least": f"{least:.5f}",
            "draws": draws,
            **{
                f"{role} HDI by layer": " ".join(f"{index:.5f}" for index in indices)
                for role, indices in found.items()
            },
        },
    )


def two_ways(context: Context) -> Outcome:
    """Frames against projectors made by normal equations, W^T (W W^T)^-1 W.

    The second way errs by about cond(W)^2 d u; condition numbers here are below 100, and 1e-9
    leaves two orders of magnitude.
    """
    checkpoint = _checkpoint()
    layers = range(2) if context.profile is Profile.QUICK else range(checkpoint.model.layers)
    worst, cases = 0.0, 0
    for layer in layers:
        for role in ROLES:
            index = role_diversity(checkpoint, layer, role).index
            if index is None:
                return Outcome(Finding.VIOLATED, f"layer {layer}, {role}: heads of lower rank")
            W = checkpoint.factor(layer, role)  # (H, d_k, d)
            H, k = W.shape[:2]
            mean = torch.zeros(W.shape[2], W.shape[2], dtype=torch.float64)
            for head in W:
                mean += head.mT @ torch.linalg.solve(head @ head.mT, head) / H
            spectral = H / (H - 1) * (1 - float(mean.square().sum()) / k)
            worst = max(worst, abs(index - spectral) / 1e-9)
            cases += 1
    return compared(worst, cases, "frames against dense projectors", "1e-9")


def coordinates(_: Context) -> Outcome:
    """A line in the plane against both coordinate lines: the mean overlap is 1/2, not 1/4."""
    D, X = length("x"), at("x", var("i"))
    unit = equal(sum_over("i", D, X**2), 1)
    formula = implies(unit, equal(sum_over("i", D, X**2) / D, (1 / D) ** 2))
    instance = {"x": [Fraction(3, 5), Fraction(4, 5)]}
    return Outcome(
        Finding.VIOLATED,
        scope="d = 2, d_k = 1",
        certificates={"line": counterexample.certificate(ID, formula, instance)},
        detail="mean overlap 1/2",
    )


def _checkpoint() -> Checkpoint:
    folder = default_model_dir()
    if folder is None:
        raise FileNotFoundError("the checkpoint's package is not installed")
    return open_checkpoint(folder)


def _indices(checkpoint: Checkpoint, role: Role) -> list[float]:
    found = []
    for layer in range(checkpoint.model.layers):
        index = role_diversity(checkpoint, layer, role).index
        if index is None:
            raise ValueError(f"expected two heads of full rank, found fewer in layer {layer}")
        found.append(index)
    return found
