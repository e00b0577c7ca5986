"""Claim B7, ensemble.budget: the head dimension that a budget of H d_k asks for."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.budget"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.budget")
_LAW = (
    "MSE(d_k) = A exp(-alpha d_k) + sigma^2 C^d_k d_k/(n D)",
    "A, alpha, sigma^2 > 0, C > 1",
    "one bandwidth for every d_k (without it: see contrast)",
)

CLAIM = Claim(
    id=ID,
    number="B7",
    title="The head budget",
    paper=PAPER,
    place="abstract: “the optimal per-head dimension grows logarithmically with training set size”",
    statements=(
        Statement(
            name="logarithmic",
            role=Role.AS_STATED,
            text="The best head dimension grows like log(n D)/(alpha + log C), and with it the "
            "best number of heads like D/log D. At every size it lies between log M/(alpha + "
            "2 log C) and log M/(alpha + log C), M = alpha A n D/sigma^2.",
            latex=r"d_k^*\sim\frac{\log(nD)}{\alpha+\log C},\qquad\frac{\log M}{\alpha+2\log C}"
            r"\le d_k^*\le\frac{\log M}{\alpha+\log C}",
            hypotheses=(*_LAW, "d_k* >= 0"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="minimiser",
            role=Role.AS_VERIFIED,
            text="The error is strictly convex in d_k and has one minimiser, given by Lambert's W.",
            latex=r"d_k^*=\frac{W(\kappa e^\kappa M)/\kappa-1}{\log C},\qquad"
            r"\kappa=\frac{\alpha+\log C}{\log C}",
            hypotheses=(*_LAW, "M >= 1 for the minimum over d_k >= 0"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="threshold",
            role=Role.AS_VERIFIED,
            text="d_k* >= t iff M >= (1 + t log C) e^{alpha t} C^t; so d_k* > 0 iff M > 1, "
            "d_k* >= 1 iff M >= C e^alpha (1 + log C), and H* = D/d_k* >= 1 iff M is at most the "
            "value at t = D.",
            latex=r"t\le d_k^*\iff(1+t\log C)\,e^{\alpha t}C^t\le M",
            hypotheses=(*_LAW, "t >= 0"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="integer",
            role=Role.AS_VERIFIED,
            text="The best integer is the floor or the ceiling of the minimiser.",
            latex=r"\operatorname*{arg\,min}_{d_k\in\mathbb N}\mathrm{MSE}\subseteq"
            r"\{\lfloor d_k^*\rfloor,\lceil d_k^*\rceil\}",
            hypotheses=(*_LAW, "d_k* >= 0"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="box",
            role=Role.AS_VERIFIED,
            text="On the whole box 1/2 <= alpha, log C <= 2, 2 <= log M <= 40 the minimiser lies "
            "within a quarter above "
            "(log M - log(1 + (log C) log M/(alpha + log C)))/(alpha + log C).",
            latex=r"0\le d_k^*-\frac{\log M-\log\left("
            r"1+\frac{\log C\,\log M}{\alpha+\log C}\right)}{\alpha+\log C}\le\tfrac14",
            hypotheses=("the stated box of parameters",),
            expected=Expectation(Verdict.CERTIFIED),
            ours=True,
        ),
        Statement(
            name="contrast",
            role=Role.AS_VERIFIED,
            text="With a bandwidth optimised for each d_k, where bias and error are of one order "
            "d_k grows like sqrt(2 beta log(n H)/alpha): not logarithmically.",
            latex=r"e^{-\alpha d_k}=(nH)^{-2\beta/(2\beta+d_k)}\ \Rightarrow\ "
            r"\alpha d_k^2\sim 2\beta\log(nH)",
            hypotheses=("bias e^{-alpha d_k}", "rate (nH)^{-2 beta/(2 beta + d_k)}"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="simulated",
            role=Role.AS_VERIFIED,
            text="In a simulated regression with one bandwidth and a sample for each head the "
            "measured errors are those of the law, and the least is where the law has it.",
            latex=r"\widehat{\mathrm{MSE}}(d_k)\approx A e^{-\alpha d_k}+\sigma^2C^{d_k}d_k/(nD)",
            hypotheses=(
                "inputs uniform on {0, 1}^24, n = 1024, D = 24, five standard errors",
                "d_k with C^d_k <= n/20",
            ),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="plain-logarithm",
            role=Role.CONTROL,
            text="The best head dimension is log M/(alpha + log C).",
            latex=r"d_k^*=\frac{\log M}{\alpha+\log C}",
            expected=Expectation(Verdict.REFUTED),
            amended_by="logarithmic",
        ),
    ),
    producers=(
        Producer("growth-derivation", "logarithmic", Kind.SYMBOLIC, _produced("growth_derivation")),
        Producer("derivation", "minimiser", Kind.SYMBOLIC, _produced("minimiser_derivation")),
        Producer("enclosures", "minimiser", Kind.BALL, _produced("enclosures")),
        Producer("mpmath", "minimiser", Kind.SEARCH, _produced("second_implementation")),
        Producer(
            "threshold-derivation", "threshold", Kind.SYMBOLIC, _produced("threshold_derivation")
        ),
        Producer("unit", "threshold", Kind.EXACT, _produced("unit")),
        Producer("integer-derivation", "integer", Kind.SYMBOLIC, _produced("integer_derivation")),
        Producer("brute-force", "integer", Kind.EXACT, _produced("brute_force")),
        Producer("integer-search", "integer", Kind.SEARCH, _produced("search_integer")),
        Producer("boxes", "box", Kind.BALL, _produced("over_boxes")),
        Producer(
            "contrast-derivation", "contrast", Kind.SYMBOLIC, _produced("contrast_derivation")
        ),
        Producer("simulation", "simulated", Kind.SEARCH, _produced("simulated")),
        Producer("logarithm", "plain-logarithm", Kind.BALL, _produced("plain_logarithm")),
    ),
    rests_on=("ensemble.error-decomposition",),
)
