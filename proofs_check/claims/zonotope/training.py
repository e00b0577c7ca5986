"""Claim T2f, zonotope.training: zonotopic values against as many plain parameters."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import BEYOND_BIAS, COMMON_TASKS, MADE, PERMUTED, TRAINING_ID, WORSE
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.zonotope.training")
_MODEL = "two SABs and a PMA, width 32, 2 heads, 4 generators; parameters equal within 1%"
_MADE = "sets of 10 in R^4, a random teacher for each seed; 1200 steps of 64 sets"

CLAIM = Claim(
    id=TRAINING_ID,
    number="T2f",
    title="Set tasks, against as many plain parameters",
    paper=PAPER,
    place="known by its title; the formulation is ours",
    statements=(
        Statement(
            name="common-tasks",
            role=Role.AS_STATED,
            text=COMMON_TASKS.text,
            latex=r"\ell_{\text{zonotope}}\le .9\,\ell_{\text{plain}}",
            hypotheses=(_MODEL, "400 steps of 64 sets"),
            expected=Expectation(Verdict.NOT_REPLICATED),
            ours=True,
            amended_by="made-task",
        ),
        Statement(
            name="made-task",
            role=Role.AS_VERIFIED,
            text=MADE.text,
            latex=r"\ell_{\text{zonotope}}\le .9\,\ell_{\text{plain}}",
            hypotheses=(_MODEL, _MADE),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="beyond-bias",
            role=Role.AS_VERIFIED,
            text=BEYOND_BIAS.text,
            latex=r"\ell_{\text{zonotope}}\le .9\,\ell_{\text{bias}}",
            hypotheses=(_MODEL, _MADE),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="permuted",
            role=Role.AS_VERIFIED,
            text=PERMUTED.text,
            latex=r"|f(\pi X)-f(X)|\le 10^{-5}\max|f|",
            hypotheses=(_MODEL, "2,048 sets of each task"),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="worse",
            role=Role.CONTROL,
            text=WORSE.text,
            latex=r"\ell_{\text{zonotope}}>\ell_{\text{plain}}",
            hypotheses=(_MODEL, _MADE),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="made-task",
        ),
    ),
    producers=(
        Producer("trained-common-tasks", "common-tasks", Kind.TRAINED, _produced("common_tasks")),
        Producer("trained-made-task", "made-task", Kind.TRAINED, _produced("made_task")),
        Producer("trained-beyond-bias", "beyond-bias", Kind.TRAINED, _produced("beyond_bias")),
        Producer("trained-permuted", "permuted", Kind.TRAINED, _produced("permuted")),
        Producer("trained-worse", "worse", Kind.TRAINED, _produced("worse")),
    ),
    rests_on=("zonotope.equivariance",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
