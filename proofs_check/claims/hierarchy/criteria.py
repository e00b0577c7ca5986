"""The criteria of the experiment ``hierarchy``, fixed before it runs (claims F3 to F7, T3).

Each looks at the measurements of one seed (see `numeric.hierarchy.experiment`). Thresholds were
fixed from pilot seeds that no claim uses; two criteria were parted, at the same thresholds, after
the first two seeds of a claim, as the statements' hypotheses say. A distance is long from 5 on;
chance is 1/k, that is .25 for Dyck words, .5 for sentences. What was not measured, because no query
has such a key or such a distance, is no number and meets nothing: every comparison with it is
false.
"""

from __future__ import annotations

from functools import partial
from math import isnan, nan
from statistics import fmean

from ...evidence import Json
from ...training.criterion import Criterion

LEARNING_ID = "hierarchy.learning"
DECODABLE_ID = "hierarchy.decodable"
USED_ID = "hierarchy.used"
SENTENCES_ID = "hierarchy.sentences"
ROUTING_ID = "hierarchy.routing"
SKELETON_ID = "order.skeleton"
READ_OFF_ID = "order.read-off"


def _number(measured: Json) -> float:
    return nan if measured is None else float(measured)


def _masked(language: str, place: str, found: Json) -> float:
    """The accuracy at long distances under an intervention."""
    return _number(found[language]["interventions"][place]["accuracy"])


def _drop(language: str, place: str, found: Json) -> float:
    entry = found[language]["interventions"][place]
    return _number(entry["clean"]) - _number(entry["accuracy"])


def _least(language: str, found: Json) -> float:
    """The least accuracy over the intervals of distances."""
    shares = found[language]["accuracy"]
    return nan if None in shares else float(min(shares))


def _best(which: str, target: str, found: Json) -> float:
    return max(float(value) for value in found["dyck"]["probes"][which][target])


def _chance(language: str, found: Json) -> float:
    return 1 / float(found[language]["classes"])


def _plane(language: str, found: Json) -> float:
    """What removing the directions of depth and distance costs."""
    ablated = found[language]["ablations"]
    return _number(ablated["none"]["accuracy"]) - _number(ablated["plane"]["accuracy"])


def _against_random(found: Json) -> float:
    """How much worse iterated removals of 16 and 24 directions are than random ones."""
    ablated = found["dyck"]["ablations"]
    pairs = [
        (removed, random)
        for removed, random in zip(ablated["iterated"], ablated["random"], strict=True)
        if removed["rank"] in (16, 24)
    ]
    if len(pairs) != 2:
        return nan
    worse = [fmean(_number(x["accuracy"]) for x in r) - _number(i["accuracy"]) for i, r in pairs]
    return nan if any(map(isnan, worse)) else max(worse)


LEARNS = Criterion(
    "learns",
    LEARNING_ID,
    "Closing brackets are right in at least 97% of the queries of every interval of distances, "
    "from 1 to 64.",
    lambda found: _least("dyck", found) >= 0.97,
    {"least accuracy over distances": lambda found: _least("dyck", found)},
)

FORGETS = Criterion(
    "forgets",
    LEARNING_ID,
    "At some interval of distances at most 90% of the closing brackets are right.",
    lambda found: _least("dyck", found) <= 0.9,
    {"least accuracy over distances": lambda found: _least("dyck", found)},
    control=True,
)

DECODES = Criterion(
    "decodes",
    DECODABLE_ID,
    "From the best layer a linear probe reads depth with R^2 >= .95, the logarithm of the distance "
    "with R^2 >= .7, and the type of the top of the stack right in 95%; random labels with "
    "R^2 <= .05 and at most .05 above chance.",
    lambda found: (
        _best("trained", "depth", found) >= 0.95
        and _best("trained", "distance", found) >= 0.7
        and _best("trained", "type", found) >= 0.95
        and _best("trained", "random", found) <= 0.05
        and _best("trained", "random-type", found) <= _chance("dyck", found) + 0.05
    ),
    {
        "R^2 of depth": lambda found: _best("trained", "depth", found),
        "R^2 of log distance": lambda found: _best("trained", "distance", found),
        "share right of the type": lambda found: _best("trained", "type", found),
        "R^2 of random labels": lambda found: _best("trained", "random", found),
        "share right of random labels": lambda found: _best("trained", "random-type", found),
    },
)


def _gain(target: str, found: Json) -> float:
    return _best("trained", target, found) - _best("untrained", target, found)


SELECTIVE = Criterion(
    "selective",
    DECODABLE_ID,
    "Beyond the best layer of an untrained model training adds at least .5 to the R^2 of depth and "
    "at least .2 to the share right of the type, but at most .2 to the R^2 of log distance.",
    lambda found: (
        _gain("depth", found) >= 0.5
        and _gain("type", found) >= 0.2
        and _gain("distance", found) <= 0.2
    ),
    {f"gain of {target}": partial(_gain, target) for target in ("depth", "type", "distance")},
)

DISTANCE = Criterion(
    "distance-is-learnt",
    DECODABLE_ID,
    "Training adds at least .5 to the R^2 of log distance of an untrained model.",
    lambda found: _gain("distance", found) >= 0.5,
    {"gain of distance": lambda found: _gain("distance", found)},
    control=True,
)

CONTRAST = Criterion(
    "contrast",
    USED_ID,
    "Masking the true top of the stack in all layers, before or after the softmax, leaves at most "
    "1/k + .08 right at long distances; removing the directions of depth and distance costs at "
    "most .01.",
    lambda found: (
        all(
            _masked("dyck", f"{when}/all/top", found) <= _chance("dyck", found) + 0.08
            for when in ("before", "after")
        )
        and _plane("dyck", found) <= 0.01
    ),
    {
        "top masked, before": lambda found: _masked("dyck", "before/all/top", found),
        "top masked, after": lambda found: _masked("dyck", "after/all/top", found),
        "cost of removing the plane": lambda found: _plane("dyck", found),
    },
)

SAME_TYPE = Criterion(
    "same-type",
    USED_ID,
    "Masking another opener of the same type in all layers leaves at most 1/k + .1 right too, one "
    "of another type at least .9.",
    lambda found: (
        _masked("dyck", "before/all/same-type", found) <= _chance("dyck", found) + 0.1
        and _masked("dyck", "before/all/other-type", found) >= 0.9
    ),
    {
        "same type masked": lambda found: _masked("dyck", "before/all/same-type", found),
        "other type masked": lambda found: _masked("dyck", "before/all/other-type", found),
        "another waiting opener masked": lambda found: _masked("dyck", "before/all/waiting", found),
        "later symbol of the same level masked": lambda found: _masked(
            "dyck", "before/all/later-same-level", found
        ),
        "later symbol of the same level and another type masked": lambda found: _masked(
            "dyck", "before/all/later-other-type", found
        ),
        "other keys of equal mass masked": lambda found: _masked(
            "dyck", "before/all/equal-mass", found
        ),
    },
)

SPECIFIC = Criterion(
    "all-layers-specific",
    USED_ID,
    "Masking another opener of the same type in all layers costs at most .05.",
    lambda found: _drop("dyck", "before/all/same-type", found) <= 0.05,
    {"cost": lambda found: _drop("dyck", "before/all/same-type", found)},
    control=True,
)

LAST_LAYER = Criterion(
    "last-layer",
    USED_ID,
    "In the last layer alone masking the top costs at least .10.",
    lambda found: _drop("dyck", "before/1/top", found) >= 0.1,
    {
        "cost of the top": lambda found: _drop("dyck", "before/1/top", found),
        "share of queries whose largest weight is on the top": lambda found: _number(
            found["dyck"]["attention"][-1]["largest_at_top"]
        ),
    },
)

SPARED = Criterion(
    "last-layer-same-type",
    USED_ID,
    "In the last layer alone masking another opener of the same type costs at most .01.",
    lambda found: _drop("dyck", "before/1/same-type", found) <= 0.01,
    {
        "cost of the same type": lambda found: _drop("dyck", "before/1/same-type", found),
        "cost of equal mass": lambda found: _drop("dyck", "before/1/equal-mass", found),
    },
)

EMPTY_ABLATION = Criterion(
    "depth-survives",
    USED_ID,
    "After the directions of depth and distance are removed depth is still read with R^2 >= .95: "
    "the ablation does not take away what it is named after.",
    lambda found: float(found["dyck"]["ablations"]["plane"]["depth"]) >= 0.95,
    {"R^2 of depth after removal": lambda found: found["dyck"]["ablations"]["plane"]["depth"]},
)

AS_RANDOM = Criterion(
    "as-random",
    USED_ID,
    "Removing 16 or 24 directions of depth and distance, found by repeated probing, is no worse by "
    ".1 than removing random subspaces of these ranks.",
    lambda found: _against_random(found) <= 0.1,
    {"worse than random by": _against_random},
)

IN_SENTENCES = Criterion(
    "sentences",
    SENTENCES_ID,
    "Verbs agree in at least 97% at every interval of distances; masking the subject in all layers "
    "leaves at most .65 right at long distances; removing the directions of depth and distance "
    "costs at most .01.",
    lambda found: (
        _least("sentences", found) >= 0.97
        and _masked("sentences", "before/all/top", found) <= 0.65
        and _plane("sentences", found) <= 0.01
    ),
    {
        "least accuracy over distances": lambda found: _least("sentences", found),
        "subject masked": lambda found: _masked("sentences", "before/all/top", found),
        "cost of removing the plane": lambda found: _plane("sentences", found),
    },
)

SUBJECT = Criterion(
    "subject",
    SENTENCES_ID,
    "Masking another subject of the same number, or of the other, in all layers leaves at least .9 "
    "right at long distances.",
    lambda found: all(
        _masked("sentences", f"before/all/{name}", found) >= 0.9
        for name in ("same-type", "other-type")
    ),
    {
        "same number masked": lambda found: _masked("sentences", "before/all/same-type", found),
        "other number masked": lambda found: _masked("sentences", "before/all/other-type", found),
    },
)

ANY_SUBJECT = Criterion(
    "any-subject",
    SENTENCES_ID,
    "Masking another subject of the same number in all layers leaves at most .65 right, as in Dyck "
    "words another bracket of the same type does.",
    lambda found: _masked("sentences", "before/all/same-type", found) <= 0.65,
    {"same number masked": lambda found: _masked("sentences", "before/all/same-type", found)},
    control=True,
)


def _on_top(found: Json) -> float:
    return float(found["small"]["heads"]["shares"][-1]["top of the stack"])


LOOKS = Criterion(
    "looks",
    ROUTING_ID,
    "After at least 90% of the beginnings of up to 5 symbols whose last symbol closes a bracket "
    "and leaves one open the largest weight of the second layer's head is on the top of the stack.",
    lambda found: _on_top(found) >= 0.9,
    {"share": _on_top},
)


def _hard(language: str, layers: str, found: Json) -> float:
    return float(found[language]["skeleton"][layers]["accuracy"])


def _loss_added(name: str, found: Json) -> float:
    return _number(found[name]["hard"]) - _number(found[name]["soft"])


CHAIN_SKELETON = Criterion(
    "chain-skeleton",
    SKELETON_ID,
    "On the chains (also with permuted importances, also with two heads) heads that look at their "
    "best lag only have a loss within .001 of the trained one.",
    lambda found: all(
        _loss_added(name, found) <= 0.001 for name in ("three-heads", "permuted", "two-heads")
    ),
    {
        f"loss added, {name}": partial(_loss_added, name)
        for name in ("three-heads", "permuted", "two-heads")
    },
)

DYCK_SKELETON = Criterion(
    "dyck-skeleton",
    SKELETON_ID,
    "On Dyck words the second layer survives at temperature 0 (at least .95 right), the first, "
    "which averages to count, does not (at most .6).",
    lambda found: _hard("dyck", "1", found) >= 0.95 and _hard("dyck", "0", found) <= 0.6,
    {
        "second layer hard": lambda found: _hard("dyck", "1", found),
        "first layer hard": lambda found: _hard("dyck", "0", found),
        "sentences, both hard": lambda found: _hard("sentences", "all", found),
    },
)

WHOLE_SKELETON = Criterion(
    "whole-skeleton",
    SKELETON_ID,
    "On Dyck words at least .9 are right when all heads are at temperature 0.",
    lambda found: _hard("dyck", "all", found) >= 0.9,
    {"all hard": lambda found: _hard("dyck", "all", found)},
    control=True,
)

UNDECAYED_SKELETON = Criterion(
    "undecayed-skeleton",
    SKELETON_ID,
    "Without weight decay, when heads are mixed, looking at the best lags only adds more than .005 "
    "to the loss of three heads.",
    lambda found: _loss_added("no-decay", found) > 0.005,
    {"loss added": lambda found: _loss_added("no-decay", found)},
)


def _leads(rule: str, shares: Json) -> bool:
    """Whether a rule is followed more often than any other; a tie is no lead."""
    return all(shares[rule] > share for other, share in shares.items() if other != rule)


def _lags_right(name: str, truth: tuple[int, ...], found: Json) -> bool:
    return tuple(sorted(found[name]["lags"])) == truth


LAGS = Criterion(
    "lags",
    READ_OFF_ID,
    "The best lags of the trained scores are {1, 2, 3} for three heads, in either chain, and the "
    "two most important ones for two.",
    lambda found: (
        _lags_right("three-heads", (1, 2, 3), found)
        and _lags_right("permuted", (1, 2, 3), found)
        and _lags_right("two-heads", (1, 2), found)
    ),
    {
        "lags of three heads": lambda found: float(len(set(found["three-heads"]["lags"]))),
        "lags of two heads": lambda found: float(len(set(found["two-heads"]["lags"]))),
    },
)

STACK_RULE = Criterion(
    "stack-rule",
    READ_OFF_ID,
    "Of five rules (top of the stack, last opening symbol, last symbol, first symbol, beginning) "
    "the head of the second layer follows the first most often over all beginnings of up to 5 "
    "symbols that close a bracket and leave one open.",
    lambda found: _leads("top of the stack", found["small"]["heads"]["shares"][-1]),
    {"share of the top of the stack": _on_top},
)

LAST_OPENING = Criterion(
    "last-opening-rule",
    READ_OFF_ID,
    "Over the same beginnings the head of the second layer looks at the last opening symbol at "
    "least half of the time.",
    lambda found: float(found["small"]["heads"]["shares"][-1]["last opening symbol"]) >= 0.5,
    {
        "share of the last opening symbol": lambda found: found["small"]["heads"]["shares"][-1][
            "last opening symbol"
        ]
    },
    control=True,
)

CRITERIA = (
    LEARNS,
    FORGETS,
    DECODES,
    SELECTIVE,
    DISTANCE,
    CONTRAST,
    SAME_TYPE,
    SPECIFIC,
    LAST_LAYER,
    SPARED,
    EMPTY_ABLATION,
    AS_RANDOM,
    IN_SENTENCES,
    SUBJECT,
    ANY_SUBJECT,
    LOOKS,
    CHAIN_SKELETON,
    DYCK_SKELETON,
    WHOLE_SKELETON,
    UNDECAYED_SKELETON,
    LAGS,
    STACK_RULE,
    LAST_OPENING,
)
"""Expected to fail are the controls `FORGETS`, `DISTANCE`, `SPECIFIC`, `ANY_SUBJECT`,
`WHOLE_SKELETON` and `LAST_OPENING`, and, as found on seeds 0 to 4, four that the pilot seeds met.

Seed 0 misses `LAST_LAYER` (.04), `LOOKS` (.43) and `AS_RANDOM` (.18), seed 2 `LOOKS` (.86), seed 4
`AS_RANDOM` (.17); seed 3 misses `SAME_TYPE` (.59 are left, where the top leaves .28): whether the
second layer has a head that finds the top of the stack differs from seed to seed, while the
accuracy is the same.
`LAST_LAYER` and `SPARED`, `EMPTY_ABLATION` and `AS_RANDOM` were one criterion each, with the same
thresholds; they were parted after seeds 0 and 1, so that what failed does not hide what held.
"""
