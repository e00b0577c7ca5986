"""Claim B6, ensemble.monotonicity: when more diverse heads have less error, and when not."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.monotonicity"

_PRODUCERS = "headproof.proofs_check.producers.ensemble"
_produced = partial(Deferred, f"{_PRODUCERS}.monotonicity")
_covariance = partial(Deferred, f"{_PRODUCERS}.head_covariance")
_MODEL = (
    "H >= 2",
    "orthogonal projectors of rank d_k",
    "head error <Pi_h, Z>/sqrt(d_k), Z with uncorrelated entries of variance sigma^2 > 0",
    "the same bias in every configuration",
)
_GAUSSIAN = (
    "X ~ N(0, I_d), Gaussian kernels of one bandwidth b, a = 1/b^2 > 0, query 0",
    "leading order in 1/n",
    "the Gaussian integral E exp(-Q(X)/2) = det(I + Q)^(-1/2)",
)

CLAIM = Claim(
    id=ID,
    number="B6",
    title="Diversity and error",
    paper=PAPER,
    place="abstract: “prove that MHA mean squared error is monotonically decreasing in HDI”",
    statements=(
        Statement(
            name="decreasing",
            role=Role.AS_STATED,
            text="The mean squared error of multi-head attention is monotonically decreasing in "
            "HDI.",
            latex=r"\mathrm{HDI}<\mathrm{HDI}'\ \Rightarrow\ \mathrm{MSE}'<\mathrm{MSE}",
            hypotheses=("H, d_k, design, kernel and regression function the same for both",),
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="isotropic, ends, covariance",
        ),
        Statement(
            name="isotropic",
            role=Role.AS_VERIFIED,
            text="In the isotropic linear-error model the error is bias^2 + sigma^2/H_eff, and of "
            "two configurations the one of greater HDI has the lesser error.",
            latex=r"\mathrm{MSE}=b^2+\sigma^2/H_{\mathrm{eff}},\qquad "
            r"\mathrm{HDI}<\mathrm{HDI}'\iff\mathrm{MSE}'<\mathrm{MSE}",
            hypotheses=_MODEL,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="ends",
            role=Role.AS_VERIFIED,
            text="In the same model aligned heads reduce no variance and orthogonal heads divide "
            "it by H.",
            latex=r"\mathrm{HDI}=0:\ b^2+\sigma^2,\qquad\mathrm{HDI}=1:\ b^2+\sigma^2/H",
            hypotheses=_MODEL,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="determinant",
            role=Role.AS_VERIFIED,
            text="In the plane of each pair of principal vectors det(I + a (Pi + Pi')) is "
            "(1+a)^2 - a^2 cos^2.",
            latex=r"\mathbb E[K_hK_{h'}]=\prod_{i=1}^{d_k}"
            r"\left((1+a)^2-a^2\cos^2\theta_i\right)^{-1/2}",
            hypotheses=_GAUSSIAN,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="covariance",
            role=Role.AS_VERIFIED,
            text="The covariance of two heads is strictly increasing in every squared cosine of "
            "their principal angles, at least sigma^2/n, and sigma^2/n iff they are orthogonal. "
            "Nothing is said of the bias.",
            latex=r"\tfrac{n}{\sigma^2}\operatorname{Cov}=\prod_{i=1}^{d_k}"
            r"\left(1-\left(\tfrac{a}{1+a}\right)^2\cos^2\theta_i\right)^{-1/2}\ge 1",
            hypotheses=_GAUSSIAN,
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="room",
            role=Role.AS_VERIFIED,
            text="Two heads can be orthogonal only if 2 d_k <= d.",
            latex=r"\mathrm{HDI}=1\ \Rightarrow\ 2d_k\le d",
            hypotheses=("H = 2", "the bound HDI <= H/(H-1) (1 - d_k/d) of claim B5"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="uncorrelated",
            role=Role.CONTROL,
            text="Orthogonal heads are uncorrelated in the Gaussian model.",
            latex=r"\theta_i=\pi/2\ \Rightarrow\ \operatorname{Cov}=0",
            expected=Expectation(Verdict.REFUTED),
            amended_by="covariance",
        ),
    ),
    producers=(
        Producer("counterexamples", "decreasing", Kind.EXACT, _produced("counterexamples")),
        Producer("simplest", "decreasing", Kind.EXACT, _produced("found")),
        Producer("gaussian", "decreasing", Kind.EXACT, _produced("gaussian")),
        Producer(
            "isotropic-derivation", "isotropic", Kind.SYMBOLIC, _produced("isotropic_derivation")
        ),
        Producer("rational-heads", "isotropic", Kind.EXACT, _produced("isotropic_designs")),
        Producer("isotropic-search", "isotropic", Kind.SEARCH, _produced("search_isotropic")),
        Producer("ends-derivation", "ends", Kind.SYMBOLIC, _produced("ends_derivation")),
        Producer(
            "determinant-derivation",
            "determinant",
            Kind.SYMBOLIC,
            _covariance("determinant_derivation"),
        ),
        Producer("determinants", "determinant", Kind.EXACT, _covariance("determinants")),
        Producer("monte-carlo", "determinant", Kind.SEARCH, _covariance("monte_carlo")),
        Producer(
            "covariance-derivation",
            "covariance",
            Kind.SYMBOLIC,
            _covariance("covariance_derivation"),
        ),
        Producer("boxes", "covariance", Kind.BALL, _covariance("over_boxes")),
        Producer("mpmath", "covariance", Kind.SEARCH, _covariance("enclosures")),
        Producer("covariance-search", "covariance", Kind.SEARCH, _covariance("search_covariance")),
        Producer("room-derivation", "room", Kind.SYMBOLIC, _covariance("room_derivation")),
        Producer("right-angle", "uncorrelated", Kind.EXACT, _covariance("uncorrelated")),
    ),
    rests_on=("ensemble.diversity-index", "ensemble.error-decomposition"),
)
