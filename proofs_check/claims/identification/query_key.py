"""Claim C1, identification.query-key: how much of W_Q and W_K the scores do not see."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .paper import PAPER

ID = "identification.query-key"

_produced = partial(Deferred, "headproof.proofs_check.producers.identification.query_key")
_torch = partial(Deferred, "headproof.proofs_check.producers.identification.jacobian")
_PROVED = Expectation(Verdict.PROVED)
_CERTIFIED = Expectation(Verdict.CERTIFIED)
_REFUTED = Expectation(Verdict.REFUTED)
_FULL = "factors of full column rank (d_k <= d), which almost all are"

CLAIM = Claim(
    id=ID,
    number="C1",
    title="Unidentified query and key parameters",
    paper=PAPER,
    place="abstract: “The ratio of unidentified parameters to the total number of parameters "
    "scales like the reciprocal of the number of heads (1/2 → 1/(2H))”",
    statements=(
        Statement(
            name="halved",
            role=Role.AS_STATED,
            text="Of the query and key parameters of one head of dimension d, 1/2 is unidentified, "
            "of those of H heads of dimension d/H, 1/(2H).",
            latex=r"\frac{d^2}{2d^2}=\frac12,\qquad\frac{H(d/H)^2}{2d^2}=\frac1{2H}",
            hypotheses=(_FULL, "no rotation or norm between W_Q and W_K", "no biases"),
            expected=_PROVED,
            ours=True,
        ),
        Statement(
            name="commutant",
            role=Role.AS_VERIFIED,
            text="What changes no score to first order is exactly (W_Q X, -W_K X^T), one X for all "
            "heads of a key/value group, with X commuting with all that stands between.",
            latex=r"\delta(W_Q^hMW_K^\top)=0\ \forall h,M\iff\delta W_Q^h=W_Q^hX,\ "
            r"\delta W_K=-W_KX^\top,\ XM=MX\ \forall M",
            hypotheses=(_FULL, "M = I is among what stands between (distance 0)", "no norm"),
            expected=_PROVED,
        ),
        Statement(
            name="rotated",
            role=Role.AS_VERIFIED,
            text="With rotary positions of distinct frequencies 1/(2d) is left, with equal ones "
            "1/(4H).",
            latex=r"\frac{H\cdot2\cdot d_k/2}{2d^2}=\frac1{2d},\qquad"
            r"\frac{H\cdot2(d_k/2)^2}{2d^2}=\frac1{4H}",
            hypotheses=(
                "the commutant of m planes is C^m for distinct frequencies, C^(m x m) for equal",
                "d = H d_k, d_k = 2m",
            ),
            expected=_PROVED,
        ),
        Statement(
            name="grouped",
            role=Role.AS_VERIFIED,
            text="With G key/value groups the share is G/(H(H+G)), with one 1/(H(H+1)), rotated "
            "G/(d(H+G)).",
            latex=r"\frac{Gd_k^2}{d\,d_k(H+G)}=\frac G{H(H+G)}",
            hypotheses=("one commutant a group", "d = H d_k, G a divisor of H"),
            expected=_PROVED,
        ),
        Statement(
            name="table",
            role=Role.AS_VERIFIED,
            text="Every row of the table is the exact dimension of the generic fibre: layers with "
            "and without groups, rotations (some, all, equal), biases, norms, gains, wide heads.",
            latex=r"\dim\{\theta':f_{\theta'}=f_\theta\}=P-\operatorname{rank}Df_\theta",
            hypotheses=(
                "the layers listed",
                "norms: eps = 0, 2 <= d_k <= d",
                "frequencies nonzero, distinct or equal up to sign modulo 2 pi",
            ),
            expected=_CERTIFIED,
        ),
        Statement(
            name="real-layers",
            role=Role.AS_VERIFIED,
            text="Layers as in GPT-2 (768/12 with biases) and Llama (4096/32/8 with RoPE, under "
            "full also with normalised queries and keys and their gains) are counted exactly.",
            latex=r"8\cdot64\cdot2=1024\text{ of }20\,971\,520",
            hypotheses=("sizes as listed; norms with eps = 0",),
            expected=_CERTIFIED,
        ),
        Statement(
            name="still-a-share-of-the-heads",
            role=Role.CONTROL,
            text="With rotary positions the share is 1/(2H) as without.",
            latex=r"\frac{u}{2d^2}=\frac1{2H}\quad\text{for 12/3 with RoPE}",
            expected=_REFUTED,
            amended_by="rotated",
        ),
        Statement(
            name="wide-heads",
            role=Role.CONTROL,
            text="H d_k^2 parameters are unidentified whatever d_k is.",
            latex=r"u=Hd_k^2\quad\text{for }d=6,\ H=2,\ d_k=8",
            expected=_REFUTED,
            amended_by="table",
        ),
        Statement(
            name="part-of-the-key-bias",
            role=Role.CONTROL,
            text="As soon as there is a rotation the key bias is identified.",
            latex=r"u=u_{b=0}\quad\text{for two of four coordinates rotated}",
            expected=_REFUTED,
            amended_by="table",
        ),
    ),
    producers=(
        Producer("kernel", "halved", Kind.SYMBOLIC, _produced("kernel_derivation")),
        Producer("halved-share", "halved", Kind.SYMBOLIC, _produced("heads_derivation")),
        Producer("one-head", "halved", Kind.SYMBOLIC, _produced("one_head_derivation")),
        Producer("halved-grid", "halved", Kind.EXACT, _produced("plain_grid")),
        Producer("invisible", "commutant", Kind.SYMBOLIC, _produced("invisible_derivation")),
        Producer("nothing-else", "commutant", Kind.SYMBOLIC, _produced("kernel_derivation")),
        Producer("commutes", "commutant", Kind.SYMBOLIC, _produced("commutant_derivation")),
        Producer("search", "commutant", Kind.SEARCH, _produced("search_counts")),
        Producer("rotated-share", "rotated", Kind.SYMBOLIC, _produced("rotated_derivation")),
        Producer("rotated-grid", "rotated", Kind.EXACT, _produced("rotated_grid")),
        Producer("grouped-share", "grouped", Kind.SYMBOLIC, _produced("groups_derivation")),
        Producer("one-group", "grouped", Kind.SYMBOLIC, _produced("single_group_derivation")),
        Producer(
            "rotated-groups", "grouped", Kind.SYMBOLIC, _produced("rotated_groups_derivation")
        ),
        Producer("grouped-grid", "grouped", Kind.EXACT, _produced("grouped_grid")),
        Producer("rows", "table", Kind.EXACT, _produced("table")),
        Producer("torch", "table", Kind.SEARCH, _torch("ranks")),
        Producer("structure", "real-layers", Kind.EXACT, _produced("real_layers")),
        Producer("rope", "still-a-share-of-the-heads", Kind.EXACT, _produced("rope_control")),
        Producer("wide", "wide-heads", Kind.EXACT, _produced("wide_control")),
        Producer("partial", "part-of-the-key-bias", Kind.EXACT, _produced("partial_control")),
    ),
    omitted="balls and high precision: every number is an integer",
)
