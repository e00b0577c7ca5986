"""The kinds of certificate and who checks them; a new kind is one line here."""

from __future__ import annotations

from functools import partial

from . import (
    ball,
    counterexample,
    exhaustive,
    farkas,
    group,
    hull,
    identity,
    minkowski,
    overlay,
    rank,
    recovery,
    region_tree,
    route,
    transformer,
)
from .exhaustive import Check

SINGLE: dict[str, Check] = {
    "ball": ball.check,
    "counterexample": counterexample.check,
    "farkas": farkas.check,
    "hull": hull.check,
    "identity": identity.check,
}
"""The kinds that may stand in the cases of an exhaustive certificate."""

KINDS: dict[str, Check] = SINGLE | {
    "group": group.check,
    "exhaustive": partial(exhaustive.check, kinds=SINGLE),
    "minkowski": minkowski.check,
    "overlay": overlay.check,
    "rank": rank.check,
    "recovery": recovery.check,
    "region-tree": region_tree.check,
    "route": route.check,
    "transformer": transformer.check,
}
