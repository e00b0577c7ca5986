"""Claim A4, tropical.rational-map: in which sense a head is a tropical rational map.

The paper calls self-attention in the zero-temperature limit a vector-valued tropical rational map.
Read with values on the logarithmic scale, v_ji = exp(u_ji/tau), that is true, with an error below
tau log N. Read with values of either sign it is true of the positive and of the negative part and
false of the output; read with values held fixed it is false, since the limit jumps.
"""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...formal.declaration import formal
from ...verdict import Verdict
from .paper import PAPER

ID = "tropical.rational-map"

_lifted = partial(Deferred, "headproof.proofs_check.producers.tropical.rational_map")
_reading = partial(Deferred, "headproof.proofs_check.producers.tropical.value_readings")

_OUT = r"\mathrm{out}_i=\sum_j p_j\,v_{ji}"
_TROPICAL = r"\max_j(s_j+u_{ji})-\max_j s_j"
_LIFTED = ("N >= 1", "s in R^N", "tau > 0", "v_ji = exp(u_ji/tau)")
_boxes = partial(Deferred, "headproof.proofs_check.producers.tropical.gap_boxes")

CLAIM = Claim(
    id=ID,
    number="A4",
    title="Tropical rational map",
    paper=PAPER,
    place="abstract: “vector-valued tropical rational map”",
    statements=(
        Statement(
            name="lifted",
            role=Role.AS_STATED,
            text="In the zero-temperature limit a head whose values are given on the logarithmic "
            "scale is a vector-valued tropical rational map of the query, piecewise linear.",
            latex=rf"v_{{ji}}=e^{{u_{{ji}}/\tau}}:\quad"
            rf"\lim_{{\tau\to0^+}}\tau\log\mathrm{{out}}_i={_TROPICAL}",
            hypotheses=("v_ji = exp(u_ji/tau)",),
            expected=Expectation(Verdict.PROVED),
            ours=True,
        ),
        Statement(
            name="either-sign",
            role=Role.AS_STATED,
            text="For values of either sign, v_ji = +-exp(u_ji/tau), the logarithm of the "
            "output's size is the same tropical rational map up to tau log N.",
            latex=rf"v_{{ji}}=\pm e^{{u_{{ji}}/\tau}}:\quad"
            rf"\bigl|\tau\log|\mathrm{{out}}_i|-({_TROPICAL})\bigr|\le\tau\log N",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="signed",
        ),
        Statement(
            name="fixed-values",
            role=Role.AS_STATED,
            text="With the values held fixed the zero-temperature limit of a head is a continuous "
            "piecewise-linear map of the query; having finitely many pieces, it has a Lipschitz "
            "constant.",
            latex=r"\exists C\ \forall x,y:\ \Bigl|\lim_{\tau\to0^+}\mathrm{out}(x)"
            r"-\lim_{\tau\to0^+}\mathrm{out}(y)\Bigr|\le C\,|x-y|",
            expected=Expectation(Verdict.REFUTED),
            ours=True,
            amended_by="piecewise-constant",
        ),
        Statement(
            name="bounds",
            role=Role.AS_VERIFIED,
            text="tau log out_i lies within tau log N of a tropical rational map.",
            latex=rf"{_OUT}:\quad\bigl|\tau\log\mathrm{{out}}_i-({_TROPICAL})\bigr|\le\tau\log N",
            hypotheses=_LIFTED,
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="strict",
            role=Role.AS_VERIFIED,
            text="For two keys or more the bound is not attained, on either side.",
            latex=rf"N\ge2:\quad\bigl|\tau\log\mathrm{{out}}_i-({_TROPICAL})\bigr|\ne\tau\log N",
            hypotheses=("N >= 2", *_LIFTED[1:]),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="supremum",
            role=Role.AS_VERIFIED,
            text="The constant is sharp as a supremum: with scores (0, -1/q, ..., -1/q) and "
            "u = -s the error tends to tau log N as q tends to 0.",
            latex=r"s=(0,-\tfrac1q,\dots,-\tfrac1q),\ u=-s:\quad"
            r"\tau\log N-\tau\log\bigl(1+(N-1)e^{-1/(q\tau)}\bigr)\to\tau\log N",
            hypotheses=("N >= 2", "tau > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="signed",
            role=Role.AS_VERIFIED,
            text="An output of either sign is P - Q, the parts of the keys with positive and with "
            "negative values; each of tau log P and tau log Q lies within tau log N of a tropical "
            "rational map, both over the same denominator.",
            latex=r"\mathrm{out}_i=P-Q,\quad\bigl|\tau\log P"
            r"-(\max_{j:\,v_{ji}>0}(s_j+u_{ji})-\max_j s_j)\bigr|\le\tau\log N",
            hypotheses=(*_LIFTED[:3], "v_ji = +-exp(u_ji/tau)", "some v_ji > 0 (for Q: < 0)"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="piecewise-constant",
            role=Role.AS_VERIFIED,
            text="With the values held fixed the limit is the mean value of the keys that win: "
            "constant on each cell, with jumps at the walls. The output is within "
            "D (N - m)/m exp(-Delta/tau) of it, m keys winning by Delta, the values being within D "
            "of the mean.",
            latex=r"\Bigl|\mathrm{out}-\tfrac1m\sum_{j\in T}v_j\Bigr|"
            r"\le D\,\tfrac{N-m}{m}\,e^{-\Delta/\tau}",
            hypotheses=("m < N keys win", "Delta > 0", "tau > 0"),
            expected=Expectation(Verdict.PROVED),
        ),
        Statement(
            name="half",
            role=Role.CONTROL,
            text="tau log out_i lies within tau log(N)/2 of the tropical rational map.",
            latex=rf"\bigl|\tau\log\mathrm{{out}}_i-({_TROPICAL})\bigr|\le\tfrac12\tau\log N",
            expected=Expectation(Verdict.REFUTED),
            amended_by="bounds",
        ),
        Statement(
            name="fewer",
            role=Role.CONTROL,
            text="For N >= 2, tau log out_i lies within tau log(N - 1) of the tropical rational "
            "map.",
            latex=rf"\bigl|\tau\log\mathrm{{out}}_i-({_TROPICAL})\bigr|\le\tau\log(N-1)",
            hypotheses=("N >= 2",),
            expected=Expectation(Verdict.REFUTED),
            amended_by="bounds",
        ),
    ),
    producers=(
        Producer("limit-derivation", "lifted", Kind.SYMBOLIC, _lifted("limit_derivation")),
        Producer("either-sign-search", "either-sign", Kind.SEARCH, _reading("search_either_sign")),
        Producer("jump", "fixed-values", Kind.EXACT, _reading("jump")),
        Producer("derivation", "bounds", Kind.SYMBOLIC, _lifted("derivation")),
        Producer("base-two", "bounds", Kind.EXACT, _lifted("base_two")),
        Producer("enclosures", "bounds", Kind.BALL, _lifted("enclosures")),
        Producer("boxes", "bounds", Kind.BALL, _boxes("log_values")),
        Producer("search", "bounds", Kind.SEARCH, _lifted("search_bounds")),
        Producer("torch", "bounds", Kind.SEARCH, _lifted("float_agreement")),
        Producer("strict-derivation", "strict", Kind.SYMBOLIC, _lifted("strict_derivation")),
        Producer("strict-base-two", "strict", Kind.EXACT, _lifted("base_two_strict")),
        Producer("strict-search", "strict", Kind.SEARCH, _lifted("search_strict")),
        Producer("supremum-derivation", "supremum", Kind.SYMBOLIC, _lifted("supremum_derivation")),
        Producer("family", "supremum", Kind.EXACT, _lifted("base_two_family")),
        Producer("signed-derivation", "signed", Kind.SYMBOLIC, _reading("signed_derivation")),
        Producer("signed-base-two", "signed", Kind.EXACT, _reading("signed_base_two")),
        Producer(
            "constant-derivation",
            "piecewise-constant",
            Kind.SYMBOLIC,
            _reading("constant_derivation"),
        ),
        Producer(
            "constant-base-two", "piecewise-constant", Kind.EXACT, _reading("constant_base_two")
        ),
        Producer("constant-search", "piecewise-constant", Kind.SEARCH, _reading("constant_search")),
        Producer("constant-torch", "piecewise-constant", Kind.SEARCH, _reading("float_agreement")),
        Producer("half-search", "half", Kind.SEARCH, _lifted("search_half")),
        Producer("fewer-search", "fewer", Kind.SEARCH, _lifted("search_fewer")),
        formal("lifted"),
        formal("bounds"),
        formal("strict"),
    ),
    rests_on=("tropical.dequantisation", "tropical.routing-limit"),
)
