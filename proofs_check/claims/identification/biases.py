"""Claim C3, identification.biases: which biases of an attention layer its function can see."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.biases"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.biases")
_REFUTED = Expectation(Verdict.REFUTED)

CLAIM = Claim(
    id=ID,
    number="C3",
    title="Biases that attention cannot see",
    paper=PAPER,
    place="abstract: “some bias terms can have no effect on softmax-based attention layers in both "
    "the single- and multiple-head settings”",
    statements=(
        Statement(
            name="no-effect",
            role=Role.AS_STATED,
            text="Some bias terms have no effect on softmax attention: the key bias of every head.",
            latex=r"\operatorname{softmax}_j\langle q,k_j+b_K\rangle"
            r"=\operatorname{softmax}_j\langle q,k_j\rangle",
            hypotheses=("the score is <q, k_j + b_K>: no rotation, norm or further logit",),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="key-bias",
            role=Role.AS_VERIFIED,
            text="A key bias moves all scores of a query by the same amount and leaves the softmax "
            "weights as they are.",
            latex=r"\langle q,k_j+b\rangle=\langle q,k_j\rangle+\langle q,b\rangle,\quad"
            r"\frac{e^{s_j+c}}{\sum_i e^{s_i+c}}=\frac{e^{s_j}}{\sum_i e^{s_i}}",
            hypotheses=("N, d_k >= 1", "no rotation, norm or further logit"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="value-bias",
            role=Role.AS_VERIFIED,
            text="A value bias adds a constant to the output: it merges into the output bias.",
            latex=r"\sum_h W_O^h\sum_j p_{hj}(v_{hj}+b_V^h)=\sum_h W_O^h\sum_j p_{hj}v_{hj}"
            r"+\sum_h W_O^h b_V^h",
            hypotheses=("sum_j p_hj = 1", "there is an output bias to merge into"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="real-checkpoint",
            role=Role.AS_VERIFIED,
            text="In a real model reading a real text, setting all key biases to zero leaves every "
            "attention weight within its rounding bound and the outputs unchanged to 1e-10; "
            "setting the query biases to zero changes the outputs.",
            latex=r"f_{b_K=0}=f,\qquad f_{b_Q=0}\ne f",
            hypotheses=("all-MiniLM-L6-v2 in float64: absolute positions, no norm of the keys",),
            expected=Expectation(Verdict.SUPPORTED, {"-checkpoint": Verdict.NOT_RUN}),
        ),
        Statement(
            name="rotated",
            role=Role.CONTROL,
            text="A key bias has no effect with rotary positions either.",
            latex=r"\operatorname{softmax}_j\langle q,R_j(k_j+b)\rangle"
            r"=\operatorname{softmax}_j\langle q,R_jk_j\rangle",
            expected=_REFUTED,
            amended_by="key-bias",
        ),
        Statement(
            name="sink",
            role=Role.CONTROL,
            text="A key bias has no effect beside a further logit that it does not enter.",
            latex=r"\frac{e^{s_j+c}}{1+\sum_i e^{s_i+c}}=\frac{e^{s_j}}{1+\sum_i e^{s_i}}",
            expected=_REFUTED,
            amended_by="key-bias",
        ),
        Statement(
            name="normalised",
            role=Role.CONTROL,
            text="A key bias has no effect when the keys are normalised after it.",
            latex=r"\operatorname{softmax}_j\frac{\langle q,k_j+b\rangle}{\lvert k_j+b\rvert}"
            r"=\operatorname{softmax}_j\frac{\langle q,k_j\rangle}{\lvert k_j\rvert}",
            expected=_REFUTED,
            amended_by="key-bias",
        ),
        Statement(
            name="query-bias",
            role=Role.CONTROL,
            text="A query bias has no effect.",
            latex=r"\operatorname{softmax}_j\langle q+b,k_j\rangle"
            r"=\operatorname{softmax}_j\langle q,k_j\rangle",
            expected=_REFUTED,
            amended_by="key-bias",
        ),
    ),
    producers=(
        Producer("derivation", "no-effect", Kind.SYMBOLIC, _produced("inert_derivation")),
        Producer("scores-derivation", "key-bias", Kind.SYMBOLIC, _produced("key_bias_derivation")),
        Producer("base-two", "key-bias", Kind.EXACT, _produced("base_two")),
        Producer("search", "key-bias", Kind.SEARCH, _produced("search_key_bias")),
        Producer("torch", "key-bias", Kind.SEARCH, _produced("float_agreement")),
        Producer("merging", "value-bias", Kind.SYMBOLIC, _produced("value_bias_derivation")),
        Producer(
            "checkpoint",
            "real-checkpoint",
            Kind.SEARCH,
            _produced("real_checkpoint"),
            needs=frozenset({"checkpoint"}),
        ),
        Producer("quarter-turn", "rotated", Kind.EXACT, _produced("rotated")),
        Producer("extra-logit", "sink", Kind.EXACT, _produced("sink")),
        Producer("unit-keys", "normalised", Kind.EXACT, _produced("normalised")),
        Producer("two-keys", "query-bias", Kind.EXACT, _produced("query_bias")),
        formal("no-effect"),
        formal("key-bias"),
        formal("value-bias"),
    ),
    omitted="balls: in base 2 every weight is rational",
)
