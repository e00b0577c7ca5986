"""Every example in a docstring is true: one test walks all modules."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import headproof

MODULES = sorted(
    module.name
    for module in pkgutil.walk_packages(headproof.__path__, "headproof.")
    if module.name.split(".")[1] in ("symbolic", "numeric", "oracle", "proofs_check")
    and not module.name.endswith("__main__")
)


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    assert doctest.testmod(import_module(name)).failed == 0


def test_modules_are_found() -> None:
    assert "headproof.proofs_check.verdict" in MODULES
