"""Threads: one to a process, and the caller's own state given back.

A BLAS that splits a sum over a varying number of threads rounds it differently, and eight workers
with eight threads each are slower than eight with one. The variables must be set before numpy or
torch loads; a BLAS that the caller loaded earlier keeps its threads when a run stays in process.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

VARIABLES = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)


@contextmanager
def single_threaded() -> Iterator[None]:
    """Set one thread for this process and those that it starts; put the caller's setting back."""
    before = {name: os.environ.get(name) for name in VARIABLES}
    torch = sys.modules.get("torch")
    threads = torch.get_num_threads() if torch else None
    os.environ.update(dict.fromkeys(VARIABLES, "1"))
    if torch:
        torch.set_num_threads(1)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        torch = sys.modules.get("torch")
        if torch:  # loaded in between: give it what it would have chosen by itself
            torch.set_num_threads(threads or _own_choice())


def _own_choice() -> int:
    asked = os.environ.get("OMP_NUM_THREADS", "")
    return int(asked) if asked.isdecimal() and int(asked) else os.cpu_count() or 1


@contextmanager
def random_state_kept() -> Iterator[None]:
    """Give the global random generators back as they were."""
    plain = random.getstate()
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    of_numpy = numpy.random.get_state() if numpy else None
    of_torch = torch.get_rng_state() if torch else None
    try:
        yield
    finally:
        random.setstate(plain)
        if numpy:
            numpy.random.set_state(of_numpy)
        if torch:
            torch.set_rng_state(of_torch)
