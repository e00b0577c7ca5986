"""How a model is run: without a network, on one thread, without chatter; all of it put back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch


@contextmanager
def offline() -> Iterator[None]:
    """Hold the variables that keep the Hugging Face libraries from the network."""
    names = ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "TOKENIZERS_PARALLELISM")
    before = {name: os.environ.get(name) for name in names}
    os.environ.update(dict(zip(names, ("1", "1", "false"), strict=True)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def one_thread() -> Iterator[None]:
    """Run torch on one thread: the order of its sums must not depend on the machine's cores."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@contextmanager
def quiet(logging: Any) -> Iterator[None]:
    """Errors only, no progress bars; what was set before is set again.

    Args:
        logging: the ``logging`` module of a Hugging Face library.
    """
    level = logging.get_verbosity()
    bars = logging.is_progress_bar_enabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    try:
        yield
    finally:
        logging.set_verbosity(level)
        if bars:
            logging.enable_progress_bar()
