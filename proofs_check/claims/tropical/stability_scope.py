"""Claim A12, tropical.stability-scope: what a temperature preserves, and where that ends."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.stability-scope"

_produced = partial(Deferred, "headproof.proofs_check.producers.tropical.stability_scope")

CLAIM = Claim(
    id=ID,
    number="A12",
    title="Scope of stability",
    paper=PAPER,
    place="abstract: “finite-temperature soft attention preserves these topological partitions”",
    statements=(
        Statement(
            name="partition",
            role=Role.AS_STATED,
            text="Soft attention preserves the partition of one layer at every temperature: its "
            "weights are ordered as the scores are, so that the largest weights stand where the "
            "largest scores do.",
            latex=r"p_i\le p_j\iff s_i\le s_j,\qquad \operatorname{argmax}_jp_j"
            r"=\operatorname{argmax}_js_j",
            hypotheses=("N >= 1", "tau > 0"),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="deep-partition",
            role=Role.AS_STATED,
            text="The same in a deep network: at every temperature the soft network takes the "
            "route of the hard one at every query without a tie.",
            latex=r"\operatorname{argmax}_jp^{(l)}_j=\operatorname{argmax}_js^{(l)}_j"
            r"\quad\text{for all layers }l",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="layers",
        ),
        Statement(
            name="uniform",
            role=Role.AS_STATED,
            text="The error of soft attention is small uniformly up to the walls: at most D/4 at "
            "every query without a tie and every temperature.",
            latex=r"\forall x,\tau:\ |\mathrm{Att}_\tau(x)-v_{j^*}|\le\tfrac D4",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="threshold",
        ),
        Statement(
            name="threshold",
            role=Role.AS_VERIFIED,
            text="The bound of A10 is at most eps D iff the gap is at least "
            "tau log((N - 1)(1 - eps)/eps).",
            latex=r"D\,\frac{\rho}{1+\rho}\le\varepsilon D\iff"
            r"\Delta\ge\tau\log\frac{(N-1)(1-\varepsilon)}{\varepsilon}",
            hypotheses=("N >= 2", "tau > 0", "0 < eps < 1", "D > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="layers",
            role=Role.AS_VERIFIED,
            text="If in every layer, head and key i other than the winner j* the gap exceeds the "
            "carried error, g_i = s_j* - s_i - delta |kappa_i - kappa_j*| > 0, the soft network "
            "takes the hard route, and its error stays below the recursion "
            "delta' = F (A delta + sum_h D_h rho_h/(1 + rho_h)), A and F the Lipschitz constants "
            "of the linear map and of the feed-forward layer.",
            latex=r"g_i=s_{j^*}-s_i-\delta_l\,|\kappa_i-\kappa_{j^*}|>0\ \Rightarrow\ "
            r"\delta_{l+1}=F_l\Bigl(A_l\delta_l+\sum_hD_h\frac{\rho_h}{1+\rho_h}\Bigr)",
            hypotheses=("L >= 1", "tau > 0", "rho_h = (N - 1) exp(-min_i g_i/tau)"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="smaller-gap",
            role=Role.CONTROL,
            text="The bound of A10 is at most eps D already where the gap is at least "
            "tau log((N - 1)(1 - 2 eps)/eps).",
            latex=r"\Delta\ge\tau\log\frac{(N-1)(1-2\varepsilon)}{\varepsilon}\Rightarrow"
            r"D\,\frac{\rho}{1+\rho}\le\varepsilon D",
            expected=Expectation(Verdict.REFUTED),
            amended_by="threshold",
        ),
    ),
    producers=(
        Producer("order-derivation", "partition", Kind.SYMBOLIC, _produced("order")),
        Producer("order-search", "partition", Kind.SEARCH, _produced("search_order")),
        Producer("second-layer", "deep-partition", Kind.EXACT, _produced("second_layer")),
        Producer("tanh", "uniform", Kind.EXACT, _produced("tanh")),
        Producer("threshold-derivation", "threshold", Kind.SYMBOLIC, _produced("threshold")),
        Producer("threshold-boxes", "threshold", Kind.BALL, _produced("boxes")),
        Producer("route-derivation", "layers", Kind.SYMBOLIC, _produced("route")),
        Producer("layers-derivation", "layers", Kind.SYMBOLIC, _produced("layers")),
        Producer("networks", "layers", Kind.BALL, _produced("networks")),
        Producer("networks-search", "layers", Kind.SEARCH, _produced("search_networks")),
        Producer("smaller-gap", "smaller-gap", Kind.EXACT, _produced("smaller_gap")),
    ),
    rests_on=("tropical.value-stability",),
)
