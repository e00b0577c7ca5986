"""The pictures of each topic: one module a topic, called by its name; nothing else to register.

A module ``figures/<topic>.py`` defines ``plots()``, the pictures that are always the same, and may
define ``RECORDED``: claim id -> a function from the numbers of a piece of evidence to a picture, or
None if they are others. Pictures of trainings come from `report.training` and need no module here.
A topic without a module has no picture. A picture that cannot be drawn is an error of ours and
stops the report: a hole would not be noticed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ..plot import Plot

Numbers = Mapping[str, Any]


def plots(topic: str) -> tuple[Plot, ...]:
    """The pictures of a topic that are always the same.

    Example:
        >>> plots("no-such-topic")
        ()
    """
    module = _module(topic)
    if module is None:
        return ()
    drawn: tuple[Plot, ...] = module.plots()
    return drawn


def recorded(claim: str, numbers: Numbers) -> Plot | None:
    """The picture of what a piece of evidence of a claim recorded; None if there is none."""
    module = _module(claim.partition(".")[0])
    makers: Mapping[str, Callable[[Numbers], Plot | None]] = getattr(module, "RECORDED", {})
    return makers[claim](numbers) if claim in makers else None


def _module(topic: str) -> Any:
    name = f"{__name__}.{topic}"
    if not topic.isidentifier() or find_spec(name) is None:
        return None
    return import_module(name)
