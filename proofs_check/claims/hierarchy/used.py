"""Claim F5, hierarchy.used: what masking and ablation show, beside their controls."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import (
    AS_RANDOM,
    CONTRAST,
    EMPTY_ABLATION,
    LAST_LAYER,
    SAME_TYPE,
    SPARED,
    SPECIFIC,
    USED_ID,
)
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_MODEL = (
    "Dyck-(4, 8), 64 symbols, uniform words; 2 pre-LN layers of one head, d = 48, 2000 steps of 32"
)
_PARTED = (
    "until two seeds were seen one criterion with the next statement; thresholds as before",
    "until two seeds were seen one criterion with the statement before; thresholds as before",
)
_MASK = "one query a word, the symbol before a closing bracket; only its row of attention is masked"

CLAIM = Claim(
    id=USED_ID,
    number="F5",
    title="Decodable against used",
    paper=PAPER,
    place="abstract: “masking attention to the true top-of-stack position causes a sharp drop in "
    "long-distance accuracy, while ablating low-dimensional residual stream subspaces has "
    "comparatively little effect”",
    statements=(
        Statement(
            name="contrast",
            role=Role.AS_STATED,
            text=CONTRAST.text,
            latex=r"\operatorname{acc}_{\setminus\mathrm{top}}\le 1/k+.08,\ "
            r"\operatorname{acc}-\operatorname{acc}_{\perp\mathrm{plane}}\le .01",
            hypotheses=(_MODEL, _MASK),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="same-type",
            role=Role.AS_VERIFIED,
            text=SAME_TYPE.text,
            latex=r"\operatorname{acc}_{\setminus\mathrm{same}}\le 1/k+.1,\ "
            r"\operatorname{acc}_{\setminus\mathrm{other}}\ge .9",
            hypotheses=(_MODEL, _MASK),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
        ),
        Statement(
            name="last-layer",
            role=Role.AS_VERIFIED,
            text=LAST_LAYER.text,
            latex=r"\Delta_{\mathrm{top}}\ge .1",
            hypotheses=(_MODEL, _MASK, _PARTED[0]),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
        ),
        Statement(
            name="last-layer-same-type",
            role=Role.AS_VERIFIED,
            text=SPARED.text,
            latex=r"\Delta_{\mathrm{same}}\le .01",
            hypotheses=(_MODEL, _MASK, _PARTED[1]),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="depth-survives",
            role=Role.AS_VERIFIED,
            text=EMPTY_ABLATION.text,
            latex=r"R^2_{\mathrm{depth}}(\perp\mathrm{plane})\ge .95",
            hypotheses=(_MODEL, _PARTED[0]),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="as-random",
            role=Role.AS_VERIFIED,
            text=AS_RANDOM.text,
            latex=r"\operatorname{acc}_{\perp\mathrm{probes}}\ge "
            r"\operatorname{acc}_{\perp\mathrm{random}}-.1",
            hypotheses=(_MODEL, _PARTED[1]),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
        ),
        Statement(
            name="all-layers-specific",
            role=Role.CONTROL,
            text=SPECIFIC.text,
            latex=r"\Delta_{\mathrm{same}}\le .05",
            hypotheses=(_MODEL, _MASK),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="last-layer-same-type",
        ),
    ),
    producers=(
        Producer("contrast", "contrast", Kind.TRAINED, _produced("contrast")),
        Producer("same-type", "same-type", Kind.TRAINED, _produced("same_type")),
        Producer("last-layer", "last-layer", Kind.TRAINED, _produced("last_layer")),
        Producer("last-layer-same-type", "last-layer-same-type", Kind.TRAINED, _produced("spared")),
        Producer("depth-survives", "depth-survives", Kind.TRAINED, _produced("empty_ablation")),
        Producer("as-random", "as-random", Kind.TRAINED, _produced("as_random")),
        Producer("all-layers-specific", "all-layers-specific", Kind.TRAINED, _produced("specific")),
    ),
    rests_on=("hierarchy.learning", "hierarchy.decodable"),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
