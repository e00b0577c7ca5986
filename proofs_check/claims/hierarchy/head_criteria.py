"""The criteria on single heads in the experiment ``hierarchy`` (claims F7, T3a, T3b).

What a head looks at, whether its zero-temperature limit does the same, and which rule is read off
it. Thresholds were fixed from pilot seeds that no claim uses.
"""

from __future__ import annotations

from functools import partial

from ...training.criterion import Criterion
from .measured import hard, lags_right, leads, loss_added, on_top

ROUTING_ID = "hierarchy.routing"
SKELETON_ID = "order.skeleton"
READ_OFF_ID = "order.read-off"

LOOKS = Criterion(
    "looks",
    ROUTING_ID,
    "After at least 90% of the beginnings of up to 5 symbols whose last symbol closes a bracket "
    "and leaves one open the largest weight of the second layer's head is on the top of the stack.",
    lambda found: on_top(found) >= 0.9,
    {"share": on_top},
)


CHAIN_SKELETON = Criterion(
    "chain-skeleton",
    SKELETON_ID,
    "On the chains (also with permuted importances, also with two heads) heads that look at their "
    "best lag only have a loss within .001 of the trained one.",
    lambda found: all(
        loss_added(name, found) <= 0.001 for name in ("three-heads", "permuted", "two-heads")
    ),
    {
        f"loss added, {name}": partial(loss_added, name)
        for name in ("three-heads", "permuted", "two-heads")
    },
)

DYCK_SKELETON = Criterion(
    "dyck-skeleton",
    SKELETON_ID,
    "On Dyck words the second layer survives at temperature 0 (at least .95 right), the first, "
    "which averages to count, does not (at most .6).",
    lambda found: hard("dyck", "1", found) >= 0.95 and hard("dyck", "0", found) <= 0.6,
    {
        "second layer hard": lambda found: hard("dyck", "1", found),
        "first layer hard": lambda found: hard("dyck", "0", found),
        "sentences, both hard": lambda found: hard("sentences", "all", found),
    },
)

WHOLE_SKELETON = Criterion(
    "whole-skeleton",
    SKELETON_ID,
    "On Dyck words at least .9 are right when all heads are at temperature 0.",
    lambda found: hard("dyck", "all", found) >= 0.9,
    {"all hard": lambda found: hard("dyck", "all", found)},
    control=True,
)

UNDECAYED_SKELETON = Criterion(
    "undecayed-skeleton",
    SKELETON_ID,
    "Without weight decay, when heads are mixed, looking at the best lags only adds more than .005 "
    "to the loss of three heads.",
    lambda found: loss_added("no-decay", found) > 0.005,
    {"loss added": lambda found: loss_added("no-decay", found)},
)


LAGS = Criterion(
    "lags",
    READ_OFF_ID,
    "The best lags of the trained scores are {1, 2, 3} for three heads, in either chain, and the "
    "two most important ones for two.",
    lambda found: (
        lags_right("three-heads", (1, 2, 3), found)
        and lags_right("permuted", (1, 2, 3), found)
        and lags_right("two-heads", (1, 2), found)
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
    lambda found: leads("top of the stack", found["small"]["heads"]["shares"][-1]),
    {"share of the top of the stack": on_top},
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
