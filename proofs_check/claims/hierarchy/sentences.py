"""Claim F6, hierarchy.sentences: the same in sentences with nested relative clauses."""

from __future__ import annotations

from functools import partial

from ...claim import Claim, Expectation, Producer, Role, Statement
from ...deferred import Deferred
from ...evidence import Kind
from ...verdict import Verdict
from .criteria import (
    ANY_SUBJECT,
    IN_SENTENCES,
    SENTENCES_ID,
    SUBJECT,
)
from .paper import PAPER

_produced = partial(Deferred, "headproof.proofs_check.producers.hierarchy.trained")
_DATA = "template sentences of at most 4 waiting subjects; 2 layers of one head, d = 48"
_MASK = "one query a sentence, the word before a verb; only its row of attention is masked"

CLAIM = Claim(
    id=SENTENCES_ID,
    number="F6",
    title="Nested relative clauses",
    paper=PAPER,
    place="abstract: “These results, which extend to a templated natural language setting”",
    statements=(
        Statement(
            name="sentences",
            role=Role.AS_STATED,
            text=IN_SENTENCES.text,
            latex=r"\operatorname{acc}_{\setminus\mathrm{top}}\le .65,\ "
            r"\operatorname{acc}-\operatorname{acc}_{\perp\mathrm{plane}}\le .01",
            hypotheses=(_DATA, _MASK),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="subject",
            role=Role.AS_VERIFIED,
            text=SUBJECT.text,
            latex=r"\operatorname{acc}_{\setminus\mathrm{same}},"
            r"\operatorname{acc}_{\setminus\mathrm{other}}\ge .9",
            hypotheses=(_DATA, _MASK),
            expected=Expectation(Verdict.SUPPORTED),
            ours=True,
        ),
        Statement(
            name="any-subject",
            role=Role.CONTROL,
            text=ANY_SUBJECT.text,
            latex=r"\operatorname{acc}_{\setminus\mathrm{same}}\le .65",
            hypotheses=(_DATA, _MASK),
            expected=Expectation(Verdict.NOT_REPLICATED),
            amended_by="subject",
        ),
    ),
    producers=(
        Producer("sentences", "sentences", Kind.TRAINED, _produced("in_sentences")),
        Producer("subject", "subject", Kind.TRAINED, _produced("subject")),
        Producer("any-subject", "any-subject", Kind.TRAINED, _produced("any_subject")),
    ),
    rests_on=("hierarchy.used",),
    omitted="searches and balls: what training does is measured, with the criteria fixed before",
)
