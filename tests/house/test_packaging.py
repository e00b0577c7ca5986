"""What pyproject.toml says agrees with what is in the tree."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

import headproof

CHECKOUT = Path(__file__).parents[2]
TOP_LEVEL = ("symbolic", "numeric", "oracle", "proofs_check")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))


def test_packages_listed_are_the_packages_in_the_tree(project: dict[str, Any]) -> None:
    found = {"headproof"}
    for top in TOP_LEVEL:
        for init in (CHECKOUT / top).rglob("__init__.py"):
            relative = init.parent.relative_to(CHECKOUT).parts
            found.add(".".join(("headproof", *relative)))
    assert set(project["tool"]["setuptools"]["packages"]) == found


def test_every_python_file_is_in_a_package() -> None:
    for top in TOP_LEVEL:
        for path in (CHECKOUT / top).rglob("*.py"):
            assert (path.parent / "__init__.py").is_file(), path


def test_package_data_is_there_when_installed(project: dict[str, Any]) -> None:
    root = Path(headproof.__file__).parent
    for package, patterns in project["tool"]["setuptools"]["package-data"].items():
        folder = root.joinpath(*package.split(".")[1:])
        for pattern in patterns:
            assert list(folder.glob(pattern)), f"{package}: nothing matches {pattern}"


def test_every_data_file_is_package_data(project: dict[str, Any]) -> None:
    listed = set()
    for package, patterns in project["tool"]["setuptools"]["package-data"].items():
        folder = CHECKOUT.joinpath(*package.split(".")[1:])
        for pattern in patterns:
            listed |= set(folder.glob(pattern))
    present = {
        path
        for top in TOP_LEVEL
        for path in (CHECKOUT / top).rglob("*")
        if path.is_file() and path.suffix not in (".py", ".pyc")
    }
    assert present <= listed


def test_no_init_under_tests() -> None:
    assert not list((CHECKOUT / "tests").rglob("__init__.py"))


def test_the_version_is_the_same_everywhere(project: dict[str, Any]) -> None:
    assert project["project"]["version"] == headproof.__version__
