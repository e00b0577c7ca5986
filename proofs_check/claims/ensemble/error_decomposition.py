"""Claim B3, ensemble.error-decomposition: bias, variance and covariance of averaged heads."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.error-decomposition"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.error_decomposition")

CLAIM = Claim(
    id=ID,
    number="B3",
    title="Bias, variance and covariance",
    paper=PAPER,
    place="abstract: “an explicit Bias-Variance-Covariance decomposition”",
    statements=(
        Statement(
            name="decomposition",
            role=Role.AS_STATED,
            text="The mean squared error of the average of H heads is the squared mean bias, plus "
            "1/H times the mean variance, plus 1 - 1/H times the mean covariance over pairs, plus "
            "the noise in y.",
            latex=r"\mathbb E(\bar f-y)^2=\overline{\mathrm{bias}}^2"
            r"+\tfrac1H\overline{\mathrm{var}}+\left(1-\tfrac1H\right)\overline{\mathrm{cov}}+\sigma_y^2",
            hypotheses=(
                "H >= 2",
                "finite second moments",
                "y fixed, or y = f + noise of mean zero uncorrelated with every head",
            ),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="moments",
            role=Role.AS_VERIFIED,
            text="On a probability space of any finite number of outcomes the error is the stated "
            "polynomial in the moments of the heads; this is linearity, and all that the "
            "decomposition uses of the expectation.",
            latex=r"\mathbb E(\bar f-y)^2=\tfrac1{H^2}\sum_{h,g}\mathbb E f_hf_g"
            r"-\tfrac{2f}{H}\sum_h\mathbb E f_h+f^2+\sigma_y^2",
            hypotheses=("H >= 2", "finitely many outcomes", "noise as above"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="fixed-design",
            role=Role.AS_VERIFIED,
            text="For heads that weight n responses with uncorrelated noise of variance sigma^2 "
            "the covariance of two heads is sigma^2 <w_h, w_g>, and the error is the squared bias "
            "plus sigma^2 |mean of w_h|^2.",
            latex=r"\mathrm{bias}_h=\sum_jw_{hj}f(x_j)-f(x),\qquad"
            r"\mathrm{cov}_{hg}=\sigma^2\langle w_h,w_g\rangle",
            hypotheses=("H >= 2", "fixed design and weights", "uncorrelated noise"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="without-covariance",
            role=Role.CONTROL,
            text="Averaging H heads divides the variance by H.",
            latex=r"\mathbb E(\bar f-y)^2=\overline{\mathrm{bias}}^2"
            r"+\tfrac1H\overline{\mathrm{var}}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="decomposition",
        ),
    ),
    producers=(
        Producer("derivation", "decomposition", Kind.SYMBOLIC, _produced("derivation")),
        Producer("designs", "decomposition", Kind.EXACT, _produced("rational_designs")),
        Producer("search", "decomposition", Kind.SEARCH, _produced("search_terms")),
        Producer("outcomes-derivation", "moments", Kind.SYMBOLIC, _produced("outcomes_derivation")),
        Producer(
            "design-derivation", "fixed-design", Kind.SYMBOLIC, _produced("design_derivation")
        ),
        Producer("monte-carlo", "fixed-design", Kind.SEARCH, _produced("monte_carlo")),
        Producer("aligned", "without-covariance", Kind.EXACT, _produced("aligned")),
        formal("decomposition"),
    ),
    rests_on=("ensemble.head-average",),
    omitted="balls and mpmath: every term is a rational number",
)
