"""Readings of what one seed of the experiment ``hierarchy`` measured.

The layout is that of `numeric.hierarchy.experiment`. What was not measured, because no query has
such a key or such a distance, is no number: every comparison with it is false.
"""

from __future__ import annotations

from math import isnan, nan
from statistics import fmean

from ...evidence import Json


def number(measured: Json) -> float:
    """A measurement; no number where there is none."""
    return nan if measured is None else float(measured)


def masked(language: str, place: str, found: Json) -> float:
    """The accuracy at long distances under an intervention."""
    return number(found[language]["interventions"][place]["accuracy"])


def drop(language: str, place: str, found: Json) -> float:
    """What an intervention costs in accuracy, on the queries that it concerns."""
    entry = found[language]["interventions"][place]
    return number(entry["clean"]) - number(entry["accuracy"])


def least(language: str, found: Json) -> float:
    """The least accuracy over the intervals of distances."""
    shares = found[language]["accuracy"]
    return nan if None in shares else float(min(shares))


def best(which: str, target: str, found: Json) -> float:
    """The best layer's reading of a target by a probe of the trained or the untrained model."""
    return max(float(value) for value in found["dyck"]["probes"][which][target])


def chance(language: str, found: Json) -> float:
    """The accuracy of guessing, 1/k."""
    return 1 / float(found[language]["classes"])


def plane(language: str, found: Json) -> float:
    """What removing the directions of depth and distance costs."""
    ablated = found[language]["ablations"]
    return number(ablated["none"]["accuracy"]) - number(ablated["plane"]["accuracy"])


def against_random(found: Json) -> float:
    """How much worse iterated removals of 16 and 24 directions are than random ones."""
    ablated = found["dyck"]["ablations"]
    pairs = [
        (removed, random)
        for removed, random in zip(ablated["iterated"], ablated["random"], strict=True)
        if removed["rank"] in (16, 24)
    ]
    if len(pairs) != 2:
        return nan
    worse = [fmean(number(x["accuracy"]) for x in r) - number(i["accuracy"]) for i, r in pairs]
    return nan if any(map(isnan, worse)) else max(worse)


def gain(target: str, found: Json) -> float:
    """What training adds to the best layer's reading of a target."""
    return best("trained", target, found) - best("untrained", target, found)


def on_top(found: Json) -> float:
    """How often the head of the second layer looks at the top of the stack."""
    return float(found["small"]["heads"]["shares"][-1]["top of the stack"])


def hard(language: str, layers: str, found: Json) -> float:
    """The accuracy with some layers, or all, at temperature 0."""
    return float(found[language]["skeleton"][layers]["accuracy"])


def loss_added(name: str, found: Json) -> float:
    """What looking at the best lag only adds to the loss on a chain."""
    return number(found[name]["hard"]) - number(found[name]["soft"])


def leads(rule: str, shares: Json) -> bool:
    """Whether a rule is followed more often than any other; a tie is no lead."""
    return all(shares[rule] > share for other, share in shares.items() if other != rule)


def lags_right(name: str, truth: tuple[int, ...], found: Json) -> bool:
    """Whether the best lags of the heads on a chain are the true ones."""
    return tuple(sorted(found[name]["lags"])) == truth
