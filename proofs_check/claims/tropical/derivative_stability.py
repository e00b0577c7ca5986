"""Claim A11, tropical.derivative-stability: off the walls the derivative is small."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.derivative-stability"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.derivative_stability")

_COVARIANCE = r"\sum_jp_jv_j\kappa_j^{\mathsf T}-\sum_jp_jv_j\sum_jp_j\kappa_j^{\mathsf T}"
_PAIRS = r"\sum_{i<j}p_ip_j(v_i-v_j)(\kappa_i-\kappa_j)^{\mathsf T}"
_BOUND = r"\operatorname{diam}(V)\operatorname{diam}(\kappa)"

CLAIM = Claim(
    id=ID,
    number="A11",
    title="Derivative stability",
    paper=PAPER,
    place="abstract: “differential approximation bounds”",
    statements=(
        Statement(
            name="uniform",
            role=Role.AS_STATED,
            text="The derivative of soft attention is exponentially small at every query without a "
            "tie, as that of the piecewise constant skeleton is 0: at most C exp(-1/tau) times the "
            "diameters, with one constant C.",
            latex=rf"\exists C\ \forall x,\tau:\quad \|\nabla\mathrm{{Att}}_\tau(x)\|_2\le "
            rf"C\,e^{{-1/\tau}}{_BOUND}",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="bound",
        ),
        Statement(
            name="identity",
            role=Role.AS_VERIFIED,
            text="The derivative of soft attention is 1/tau times the covariance of values and "
            "keys under the weights.",
            latex=rf"\nabla\mathrm{{Att}}_\tau=\frac1\tau\Bigl({_COVARIANCE}\Bigr)",
            hypotheses=("N >= 1", "tau > 0", "scores <kappa_j, x> + b_j"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="pairs",
            role=Role.AS_VERIFIED,
            text="That covariance is a sum over pairs of keys.",
            latex=rf"{_COVARIANCE}={_PAIRS}",
            hypotheses=("N >= 1", "weights p with sum 1"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="bound",
            role=Role.AS_VERIFIED,
            text="Where the best score leads by Delta, the spectral norm of the derivative is at "
            "most the product of the diameters of values and keys times "
            "(N - 1) exp(-Delta/tau)/tau.",
            latex=rf"\|\nabla\mathrm{{Att}}_\tau\|_2\le {_BOUND}\,"
            r"\frac{(N-1)e^{-\Delta/\tau}}{\tau}",
            hypotheses=("N >= 2", "tau > 0", "the best score leads by Delta >= 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="eighth",
            role=Role.CONTROL,
            text="An eighth of the bound would do.",
            latex=rf"\|\nabla\mathrm{{Att}}_\tau\|_2\le\tfrac18{_BOUND}\,"
            r"\frac{(N-1)e^{-\Delta/\tau}}{\tau}",
            hypotheses=("N >= 2", "tau > 0"),
            expected=Expectation(Verdict.REFUTED),
            amended_by="bound",
        ),
    ),
    producers=(
        Producer("walls", "uniform", Kind.EXACT, _produced("walls")),
        Producer("derivation", "identity", Kind.SYMBOLIC, _produced("derivation")),
        Producer("torch", "identity", Kind.SEARCH, _produced("float_agreement")),
        Producer("pairs-derivation", "pairs", Kind.SYMBOLIC, _produced("pairs")),
        Producer("pairs-expanded", "pairs", Kind.EXACT, _produced("expanded")),
        Producer("bound-derivation", "bound", Kind.SYMBOLIC, _produced("bound")),
        Producer("boxes", "bound", Kind.BALL, _produced("boxes")),
        Producer("search", "bound", Kind.SEARCH, _produced("search_bound")),
        Producer("eighth-search", "eighth", Kind.SEARCH, _produced("search_eighth")),
        formal("pairs"),
    ),
    rests_on=("tropical.value-stability",),
)
