"""Environment: the versions and the machine that a run records.

The versions enter the cache key, since a new sympy may simplify differently; the machine does not:
it is only told, because float results are identical on like machines only.
"""

from __future__ import annotations

import os
import platform
import sys

from .components import installed

_DISTRIBUTIONS = (
    "hypothesis",
    "mpmath",
    "networkx",
    "numpy",
    "python-flint",
    "scipy",
    "sympy",
    "torch",
)


def versions() -> dict[str, str | None]:
    """The versions on which a result may depend, None for what is not installed."""
    found: dict[str, str | None] = {"python": platform.python_version()}
    found.update((name, installed(name)) for name in _DISTRIBUTIONS)
    return found


def machine() -> dict[str, str | int]:
    """What the report says of the machine."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "implementation": platform.python_implementation(),
        "byteorder": sys.byteorder,
        "cpus": available_cpus(),
    }


def available_cpus() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
