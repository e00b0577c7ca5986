"""The criteria of the experiment ``hierarchy``, fixed before it runs (claims F3 to F7, T3).

Each looks at the measurements of one seed (see `numeric.hierarchy.experiment`). Thresholds were
fixed from pilot seeds that no claim uses; two criteria were parted, at the same thresholds, after
the first two seeds of a claim, as the statements' hypotheses say. A distance is long from 5 on;
chance is 1/k, that is .25 for Dyck words, .5 for sentences. What was not measured is no number and
meets nothing. The criteria on single heads stand in `head_criteria`.
"""

from __future__ import annotations

from functools import partial

from ...training.criterion import Criterion
from .head_criteria import (
    CHAIN_SKELETON,
    DYCK_SKELETON,
    LAGS,
    LAST_OPENING,
    LOOKS,
    STACK_RULE,
    UNDECAYED_SKELETON,
    WHOLE_SKELETON,
)
from .measured import against_random, best, chance, drop, gain, least, masked, number, plane

LEARNING_ID = "hierarchy.learning"
DECODABLE_ID = "hierarchy.decodable"
USED_ID = "hierarchy.used"
SENTENCES_ID = "hierarchy.sentences"

LEARNS = Criterion(
    "learns",
    LEARNING_ID,
    "Closing brackets are right in at least 97% of the queries of every interval of distances, "
    "from 1 to 64.",
    lambda found: least("dyck", found) >= 0.97,
    {"least accuracy over distances": lambda found: least("dyck", found)},
)

FORGETS = Criterion(
    "forgets",
    LEARNING_ID,
    "At some interval of distances at most 90% of the closing brackets are right.",
    lambda found: least("dyck", found) <= 0.9,
    {"least accuracy over distances": lambda found: least("dyck", found)},
    control=True,
)

DECODES = Criterion(
    "decodes",
    DECODABLE_ID,
    "From the best layer a linear probe reads depth with R^2 >= .95, the logarithm of the distance "
    "with R^2 >= .7, and the type of the top of the stack right in 95%; random labels with "
    "R^2 <= .05 and at most .05 above chance.",
    lambda found: (
        best("trained", "depth", found) >= 0.95
        and best("trained", "distance", found) >= 0.7
        and best("trained", "type", found) >= 0.95
        and best("trained", "random", found) <= 0.05
        and best("trained", "random-type", found) <= chance("dyck", found) + 0.05
    ),
    {
        "R^2 of depth": lambda found: best("trained", "depth", found),
        "R^2 of log distance": lambda found: best("trained", "distance", found),
        "share right of the type": lambda found: best("trained", "type", found),
        "R^2 of random labels": lambda found: best("trained", "random", found),
        "share right of random labels": lambda found: best("trained", "random-type", found),
    },
)


SELECTIVE = Criterion(
    "selective",
    DECODABLE_ID,
    "Beyond the best layer of an untrained model training adds at least .5 to the R^2 of depth and "
    "at least .2 to the share right of the type, but at most .2 to the R^2 of log distance.",
    lambda found: (
        gain("depth", found) >= 0.5
        and gain("type", found) >= 0.2
        and gain("distance", found) <= 0.2
    ),
    {f"gain of {target}": partial(gain, target) for target in ("depth", "type", "distance")},
)

DISTANCE = Criterion(
    "distance-is-learnt",
    DECODABLE_ID,
    "Training adds at least .5 to the R^2 of log distance of an untrained model.",
    lambda found: gain("distance", found) >= 0.5,
    {"gain of distance": lambda found: gain("distance", found)},
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
            masked("dyck", f"{when}/all/top", found) <= chance("dyck", found) + 0.08
            for when in ("before", "after")
        )
        and plane("dyck", found) <= 0.01
    ),
    {
        "top masked, before": lambda found: masked("dyck", "before/all/top", found),
        "top masked, after": lambda found: masked("dyck", "after/all/top", found),
        "cost of removing the plane": lambda found: plane("dyck", found),
    },
)

SAME_TYPE = Criterion(
    "same-type",
    USED_ID,
    "Masking another opener of the same type in all layers leaves at most 1/k + .1 right too, one "
    "of another type at least .9.",
    lambda found: (
        masked("dyck", "before/all/same-type", found) <= chance("dyck", found) + 0.1
        and masked("dyck", "before/all/other-type", found) >= 0.9
    ),
    {
        "same type masked": lambda found: masked("dyck", "before/all/same-type", found),
        "other type masked": lambda found: masked("dyck", "before/all/other-type", found),
        "another waiting opener masked": lambda found: masked("dyck", "before/all/waiting", found),
        "later symbol of the same level masked": lambda found: masked(
            "dyck", "before/all/later-same-level", found
        ),
        "later symbol of the same level and another type masked": lambda found: masked(
            "dyck", "before/all/later-other-type", found
        ),
        "other keys of equal mass masked": lambda found: masked(
            "dyck", "before/all/equal-mass", found
        ),
    },
)

SPECIFIC = Criterion(
    "all-layers-specific",
    USED_ID,
    "Masking another opener of the same type in all layers costs at most .05.",
    lambda found: drop("dyck", "before/all/same-type", found) <= 0.05,
    {"cost": lambda found: drop("dyck", "before/all/same-type", found)},
    control=True,
)

LAST_LAYER = Criterion(
    "last-layer",
    USED_ID,
    "In the last layer alone masking the top costs at least .10.",
    lambda found: drop("dyck", "before/1/top", found) >= 0.1,
    {
        "cost of the top": lambda found: drop("dyck", "before/1/top", found),
        "share of queries whose largest weight is on the top": lambda found: number(
            found["dyck"]["attention"][-1]["largest_at_top"]
        ),
    },
)

SPARED = Criterion(
    "last-layer-same-type",
    USED_ID,
    "In the last layer alone masking another opener of the same type costs at most .01.",
    lambda found: drop("dyck", "before/1/same-type", found) <= 0.01,
    {
        "cost of the same type": lambda found: drop("dyck", "before/1/same-type", found),
        "cost of equal mass": lambda found: drop("dyck", "before/1/equal-mass", found),
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
    lambda found: against_random(found) <= 0.1,
    {"worse than random by": against_random},
)

IN_SENTENCES = Criterion(
    "sentences",
    SENTENCES_ID,
    "Verbs agree in at least 97% at every interval of distances; masking the subject in all layers "
    "leaves at most .65 right at long distances; removing the directions of depth and distance "
    "costs at most .01.",
    lambda found: (
        least("sentences", found) >= 0.97
        and masked("sentences", "before/all/top", found) <= 0.65
        and plane("sentences", found) <= 0.01
    ),
    {
        "least accuracy over distances": lambda found: least("sentences", found),
        "subject masked": lambda found: masked("sentences", "before/all/top", found),
        "cost of removing the plane": lambda found: plane("sentences", found),
    },
)

SUBJECT = Criterion(
    "subject",
    SENTENCES_ID,
    "Masking another subject of the same number, or of the other, in all layers leaves at least .9 "
    "right at long distances.",
    lambda found: all(
        masked("sentences", f"before/all/{name}", found) >= 0.9
        for name in ("same-type", "other-type")
    ),
    {
        "same number masked": lambda found: masked("sentences", "before/all/same-type", found),
        "other number masked": lambda found: masked("sentences", "before/all/other-type", found),
    },
)

ANY_SUBJECT = Criterion(
    "any-subject",
    SENTENCES_ID,
    "Masking another subject of the same number in all layers leaves at most .65 right, as in Dyck "
    "words another bracket of the same type does.",
    lambda found: masked("sentences", "before/all/same-type", found) <= 0.65,
    {"same number masked": lambda found: masked("sentences", "before/all/same-type", found)},
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
