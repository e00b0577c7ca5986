"""The criteria of the experiment ``zonotope``, fixed before it runs (claim T2f).

Each looks at the measurements of one seed (see `numeric.zonotope.experiment`). The arms of a task
have as many parameters up to 1% and see the same batches; losses are those of sets
drawn anew (of `unique`, whose multisets are few, about half were met in training, by every arm).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ...evidence import Json
from ...training.criterion import Criterion

TRAINING_ID = "zonotope.training"

COMMON = ("maximum", "unique", "mixture")
"""The tasks whose truth needs no set-dependent value map."""

_BETTER = {"maximum": 0.9, "unique": 0.9}
"""Ratios of losses that count as better; of the mixture, a difference of .05 nats."""

INVARIANT = 1e-5
"""How far a permutation may move an output, relative to the largest output: sums of at most 30
terms of size 1 in single precision, in three layers, err by less than 100 units of 6e-8."""


def _loss(task: str, arm: str, found: Json) -> float:
    return float(found[task][arm]["loss"])


def _better(task: str, found: Json) -> bool:
    """The zonotopic model is better than the plain one by more than a tenth, or by .05 nats."""
    zonotope, plain = _loss(task, "zonotope", found), _loss(task, "plain", found)
    if task == "mixture":
        return zonotope <= plain - 0.05
    return zonotope <= _BETTER[task] * plain


def _ratio(arm: str, task: str, found: Json) -> float:
    return _loss(task, arm, found) / max(_loss(task, "plain", found), 1e-12)


def _difference(found: Json) -> float:
    return _loss("mixture", "zonotope", found) - _loss("mixture", "plain", found)


_RATIOS: dict[str, Callable[[Json], float]] = {
    "maximum, zonotope / plain": partial(_ratio, "zonotope", "maximum"),
    "unique, zonotope / plain": partial(_ratio, "zonotope", "unique"),
    "mixture, zonotope - plain": _difference,
}

COMMON_TASKS = Criterion(
    "common-tasks",
    TRAINING_ID,
    "On all three tasks, the maximum, the number of different symbols and the mixture of "
    "Gaussians, the zonotopic model has a loss lower by a tenth (the mixture: by .05 nats).",
    lambda found: all(_better(task, found) for task in COMMON),
    _RATIOS,
)

MADE = Criterion(
    "made-task",
    TRAINING_ID,
    "On the task whose value map depends on the mean of the set the zonotopic model has at most .9 "
    "times the loss of the plain one.",
    lambda found: _ratio("zonotope", "mean-dependent", found) <= 0.9,
    {
        "zonotope / plain": partial(_ratio, "zonotope", "mean-dependent"),
        "bias / plain": partial(_ratio, "bias", "mean-dependent"),
    },
)

BEYOND_BIAS = Criterion(
    "beyond-bias",
    TRAINING_ID,
    "On that task the zonotopic model has at most .9 times the loss of one with a set-dependent "
    "bias.",
    lambda found: (
        _loss("mean-dependent", "zonotope", found) <= 0.9 * _loss("mean-dependent", "bias", found)
    ),
    {
        "zonotope / bias": lambda found: (
            _loss("mean-dependent", "zonotope", found)
            / max(_loss("mean-dependent", "bias", found), 1e-12)
        )
    },
)


def _moved(found: Json) -> float:
    return max(
        float(arm["permuted"]) / max(float(arm["scale"]), 1e-12)
        for task in found.values()
        for arm in task.values()
    )


PERMUTED = Criterion(
    "permuted",
    TRAINING_ID,
    f"A permutation of the sets moves no output of any trained model by more than {INVARIANT:g} "
    "times the largest output, in single precision.",
    lambda found: _moved(found) <= INVARIANT,
    {"largest relative move": _moved},
)

WORSE = Criterion(
    "worse",
    TRAINING_ID,
    "On the task whose value map depends on the mean of the set the plain model has the lower "
    "loss.",
    lambda found: _ratio("zonotope", "mean-dependent", found) > 1,
    {"zonotope / plain": partial(_ratio, "zonotope", "mean-dependent")},
    control=True,
)

CRITERIA = (COMMON_TASKS, MADE, BEYOND_BIAS, PERMUTED, WORSE)
"""`WORSE` is a control: false on purpose."""
