"""Claim B1, ensemble.nadaraya-watson: softmax attention is kernel regression with priors."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "ensemble.nadaraya-watson"

_produced = partial(Deferred, "headproof.proofs_check.producers.ensemble.nadaraya_watson")
_ANY = ("N >= 1 keys in R^d", "tau > 0")

CLAIM = Claim(
    id=ID,
    number="B1",
    title="Attention as kernel regression",
    paper=PAPER,
    place="abstract: “the algebraic identity between single-head softmax attention and the NW "
    "estimator”",
    statements=(
        Statement(
            name="identity",
            role=Role.AS_STATED,
            text="Softmax attention is the Nadaraya-Watson estimator of the Gaussian kernel of "
            "squared bandwidth tau, with the prior weights exp(|k_j|^2/2 tau). The |k_j|^2 are the "
            "weights of the power diagram of claim A2.",
            latex=r"e^{\langle q,k_j\rangle/\tau}=e^{-|q-k_j|^2/2\tau}\,e^{|q|^2/2\tau}\,"
            r"e^{|k_j|^2/2\tau}",
            hypotheses=_ANY,
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="plain",
            role=Role.AS_VERIFIED,
            text="At any query, the weights are those of the estimator without priors iff all keys "
            "have one norm; so they agree at one query iff they agree at all.",
            latex=r"\forall j:\ p_j=\frac{K_j}{\sum_i K_i}\iff|k_1|=\dots=|k_N|",
            hypotheses=_ANY,
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="without-priors",
            role=Role.CONTROL,
            text="Softmax attention is the Nadaraya-Watson estimator without prior weights.",
            latex=r"p_j=\frac{e^{-|q-k_j|^2/2\tau}}{\sum_i e^{-|q-k_i|^2/2\tau}}",
            hypotheses=_ANY,
            expected=Expectation(Verdict.REFUTED),
            amended_by="plain",
        ),
    ),
    producers=(
        Producer("derivation", "identity", Kind.SYMBOLIC, _produced("identity_derivation")),
        Producer("base-two", "identity", Kind.EXACT, _produced("base_two")),
        Producer("enclosures", "identity", Kind.BALL, _produced("enclosures")),
        Producer("torch", "identity", Kind.SEARCH, _produced("float_agreement")),
        Producer("plain-derivation", "plain", Kind.SYMBOLIC, _produced("plain_derivation")),
        Producer("plain-search", "plain", Kind.SEARCH, _produced("search_plain")),
        Producer("two-keys", "without-priors", Kind.EXACT, _produced("two_keys")),
    ),
    rests_on=("tropical.power-diagram",),
)
