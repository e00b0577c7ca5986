"""Demos: each computes something small in exact arithmetic and prints what it does.

They draw no random numbers and use no float: the same lines on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from . import cells, equivariance, minkowski, oracle, power_diagram, recovery, routing_limit
from .demo import Demo

DEMOS: Mapping[str, Demo] = MappingProxyType(
    {
        module.DEMO.name: module.DEMO
        for module in (
            routing_limit,
            power_diagram,
            cells,
            minkowski,
            oracle,
            recovery,
            equivariance,
        )
    }
)
"""The demos by name, in the order in which they are best read."""

__all__ = ["DEMOS", "Demo"]
