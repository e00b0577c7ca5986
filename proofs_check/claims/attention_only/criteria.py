"""The criteria of the experiment ``attention-only``, fixed before it runs (claims D3 to D6).

Each looks at the measurements of one seed (see `numeric.attention_only.experiment`). Arms of a seed
share batches and validation windows: what is compared are differences of losses, in nats.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from ...evidence import Json
from ...training.criterion import Criterion

TRAINING_ID = "attention_only.training"
RECALL_ID = "attention_only.recall"
SPECTRA_ID = "attention_only.spectra"
DEPTH_ID = "attention_only.depth"

_LOST = 99.0
"""In the depth study, stands for a loss that is not finite: such a stack does not learn."""


def _loss(found: Json) -> float:
    """The loss; NaN, which meets no condition, if it was not finite."""
    return math.nan if found["loss"] is None else float(found["loss"])


def gap(arm: str, found: Json) -> float:
    """How much higher the loss of an arm is than that of the standard decoder."""
    return _loss(found[arm]) - _loss(found["standard"])


def _gap_of(what: str, found: Json) -> float:
    """The parameter-matched gap on symbols grounded in context, or recalled from weights."""
    pair = found["parameters"][what], found["standard"][what]
    return math.nan if None in pair else float(pair[0]) - float(pair[1])


def _gap_in_bin(place: int, found: Json) -> float:
    pair = found["parameters"]["bins"][place], found["standard"]["bins"][place]
    return math.nan if None in pair else float(pair[0]) - float(pair[1])


def _gap(arm: str) -> Callable[[Json], float]:
    return partial(gap, arm)


_GAPS = {
    "gap in place": _gap("in-place"),
    "gap at equal FLOPs": _gap("flops"),
    "gap at equal parameters": _gap("parameters"),
}

ORDERING = Criterion(
    "ordering",
    TRAINING_ID,
    "With QK-norm the loss gap to the standard decoder is larger for deletion in place than at "
    "equal training FLOPs, and larger there than at equal parameters.",
    lambda found: gap("in-place", found) > gap("flops", found) > gap("parameters", found),
    _GAPS,
)

CLOSES = Criterion(
    "closes",
    TRAINING_ID,
    "With QK-norm the parameter-matched decoder closes at least half of the gap that deletion in "
    "place opens.",
    lambda found: (
        gap("in-place", found) > 0 and gap("parameters", found) <= gap("in-place", found) / 2
    ),
    {
        "share closed": lambda found: (
            1 - gap("parameters", found) / max(gap("in-place", found), 1e-9)
        ),
    },
)

COSTS = Criterion(
    "costs",
    TRAINING_ID,
    "With QK-norm deletion in place costs at least .03 nats.",
    lambda found: gap("in-place", found) >= 0.03,
    {"gap in place": _gap("in-place")},
)

PLAIN = Criterion(
    "plain",
    TRAINING_ID,
    "Without QK-norm, too, the parameter-matched decoder trains: its loss is within .3 nats of the "
    "standard one's.",
    lambda found: _loss(found["parameters-plain"]) - _loss(found["standard-plain"]) <= 0.3,
    {
        "gap at equal parameters, no QK-norm": lambda found: (
            _loss(found["parameters-plain"]) - _loss(found["standard-plain"])
        ),
        "gain of QK-norm, standard": lambda found: (
            _loss(found["standard-plain"]) - _loss(found["standard"])
        ),
        "gain of QK-norm, equal parameters": lambda found: (
            _loss(found["parameters-plain"]) - _loss(found["parameters"])
        ),
    },
)

FREE = Criterion(
    "free",
    TRAINING_ID,
    "With QK-norm deletion in place costs at most .003 nats.",
    lambda found: gap("in-place", found) <= 0.003,
    {"gap in place": _gap("in-place")},
    control=True,
)


def _final(arm: str, kind: str, found: Json) -> float:
    return float(found["recall"][arm]["curve"][-1][kind])


PARAMETRIC = Criterion(
    "facts",
    RECALL_ID,
    "On the made task, at equal parameters, both decoders answer at least 95% of the questions "
    "about pairs in the context, and the standard one answers at least 20 points more of the "
    "questions about facts in the weights.",
    lambda found: (
        min(_final("standard", "pairs", found), _final("parameters", "pairs", found)) >= 0.95
        and _final("standard", "facts", found) - _final("parameters", "facts", found) >= 0.2
    ),
    {
        "facts, standard": partial(_final, "standard", "facts"),
        "facts, attention only": partial(_final, "parameters", "facts"),
        "pairs, standard": partial(_final, "standard", "pairs"),
        "pairs, attention only": partial(_final, "parameters", "pairs"),
    },
)

GROUNDED = Criterion(
    "grounded",
    RECALL_ID,
    "On text, at equal parameters, the attention-only decoder has the lower loss on symbols "
    "grounded in the context and the higher loss on symbols recalled from the weights.",
    lambda found: _gap_of("grounded", found) < 0 < _gap_of("recalled", found),
    {
        "gap, grounded in context": partial(_gap_of, "grounded"),
        "gap, recalled from weights": partial(_gap_of, "recalled"),
    },
)

LOW_CONTEXT = Criterion(
    "low-context",
    RECALL_ID,
    "On text, at equal parameters, the gap over the first four symbols of a window is larger than "
    "over those after the 64th.",
    lambda found: _gap_in_bin(0, found) > _gap_in_bin(-1, found),
    {
        "gap, context 1-4": partial(_gap_in_bin, 0),
        "gap, context 5-16": partial(_gap_in_bin, 1),
        "gap, context 17-64": partial(_gap_in_bin, 2),
        "gap, context 65-128": partial(_gap_in_bin, -1),
    },
)

CONTEXT_LOST = Criterion(
    "context-lost",
    RECALL_ID,
    "On the made task, at equal parameters, the standard decoder answers at least 20 points more "
    "of the questions about pairs in the context.",
    lambda found: _final("standard", "pairs", found) - _final("parameters", "pairs", found) >= 0.2,
    {"pairs, attention only": partial(_final, "parameters", "pairs")},
    control=True,
)


def _settling(arm: str, kind: str, found: Json) -> float:
    return float(found[arm]["spectra"]["settling"][kind])


def _added(arm: str, kind: str, found: Json) -> float:
    return float(found[arm]["spectra"]["added"][-1][kind]["stable_rank"])


def _added_first(arm: str, kind: str, found: Json) -> float:
    """At the first measure; of a training that ended before it, what there is: nothing added."""
    series = found[arm]["spectra"]["added"]
    return float(series[min(1, len(series) - 1)][kind]["stable_rank"])


def _routes_first(found: Json) -> bool:
    return all(
        _settling(arm, "qk", found)
        < min(_settling(arm, "value", found), _settling(arm, "output", found))
        for arm in ("standard", "parameters")
    )


SETTLES = Criterion(
    "settles",
    SPECTRA_ID,
    "In the standard and in the parameter-matched decoder the singular values of the QK products "
    "come to stay within a quarter of their way to the end before those of W_V and of W_O do.",
    _routes_first,
    {
        f"{kind} settles, {words}": partial(_settling, arm, kind)
        for arm, words in (("standard", "standard"), ("parameters", "attention only"))
        for kind in ("qk", "value", "output")
    },
)

RELOCATES = Criterion(
    "relocates",
    SPECTRA_ID,
    "What training adds to W_O has the larger mean stable rank at the end in the parameter-matched "
    "decoder than in the standard one.",
    lambda found: _added("parameters", "output", found) > _added("standard", "output", found),
    {
        "stable rank added to W_O, standard": partial(_added, "standard", "output"),
        "stable rank added to W_O, attention only": partial(_added, "parameters", "output"),
    },
)

CONTENT_RANK = Criterion(
    "content-rank",
    SPECTRA_ID,
    "In both decoders what training adds to W_V and to W_O has a larger mean stable rank at the "
    "end than at the first measure, and larger than what it adds to the QK products.",
    lambda found: all(
        _added(arm, kind, found) > max(_added_first(arm, kind, found), _added(arm, "qk", found))
        for arm in ("standard", "parameters")
        for kind in ("value", "output")
    ),
    {
        f"stable rank added to {words}, attention only": partial(_added, "parameters", kind)
        for kind, words in (("qk", "QK"), ("value", "W_V"), ("output", "W_O"))
    },
)

ROUTING_RANK = Criterion(
    "routing-rank",
    SPECTRA_ID,
    "In both decoders what training adds to the QK products has a larger mean stable rank than "
    "what it adds to W_O.",
    lambda found: all(
        _added(arm, "qk", found) > _added(arm, "output", found)
        for arm in ("standard", "parameters")
    ),
    {"stable rank added to QK, attention only": partial(_added, "parameters", "qk")},
    control=True,
)


def _deep(arm: str, found: Json) -> float:
    loss = found["depth"][arm]["loss"]
    return _LOST if loss is None else float(loss)


def _learns(arm: str, found: Json) -> bool:
    """It ends at least .1 nats below what the frequencies of the symbols give."""
    return _deep(arm, found) <= float(found["unigram"]) - 0.1


_DEEP_LOSSES = {
    words: partial(_deep, arm)
    for arm, words in (
        ("bare", "loss, bare"),
        ("qk-norm", "loss, QK-norm"),
        ("gates", "loss, residual gates"),
        ("ffn", "loss, with FFN"),
    )
}

NEEDS_NORM = Criterion(
    "needs-norm",
    DEPTH_ID,
    "A deep attention-only stack without QK-norm does not learn: it stays within .1 nats of what "
    "the frequencies of the symbols give, or its loss is not finite; with QK-norm it does learn.",
    lambda found: not _learns("bare", found) and _learns("qk-norm", found),
    _DEEP_LOSSES,
)

ALL_LEARN = Criterion(
    "all-learn",
    DEPTH_ID,
    "At a usual learning rate the deep stack learns bare, with QK-norm, with residual gates, and "
    "with feed-forward layers.",
    lambda found: all(_learns(arm, found) for arm in ("bare", "qk-norm", "gates", "ffn")),
    _DEEP_LOSSES,
)

TOLERATES = Criterion(
    "tolerates",
    DEPTH_ID,
    "At an over-large learning rate the deep stack with QK-norm ends at least .1 nats below the "
    "bare one.",
    lambda found: _deep("bare-fast", found) - _deep("qk-norm-fast", found) >= 0.1,
    {
        "loss, bare": partial(_deep, "bare-fast"),
        "loss, QK-norm": partial(_deep, "qk-norm-fast"),
    },
)

NONE_LEARNS = Criterion(
    "none-learns",
    DEPTH_ID,
    "At a usual learning rate the deep stack with feed-forward layers does not learn.",
    lambda found: not _learns("ffn", found),
    {"loss, with FFN": lambda found: _deep("ffn", found)},
    control=True,
)

CRITERIA = (
    ORDERING,
    CLOSES,
    COSTS,
    PLAIN,
    FREE,
    PARAMETRIC,
    GROUNDED,
    LOW_CONTEXT,
    CONTEXT_LOST,
    SETTLES,
    RELOCATES,
    CONTENT_RANK,
    ROUTING_RANK,
    NEEDS_NORM,
    ALL_LEARN,
    TOLERATES,
    NONE_LEARNS,
)
"""`FREE`, `CONTEXT_LOST`, `ROUTING_RANK` and `NONE_LEARNS` are controls: false on purpose."""
