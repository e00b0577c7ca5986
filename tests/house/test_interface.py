"""The public interface: what `headproof` exports is documented, typed and loaded when used."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import headproof

CHECKOUT = Path(__file__).parents[2]
EXPORTED = sorted(set(headproof.__all__) - {"__version__"})
DOCUMENTED = re.findall(
    r"^\.\. auto(function|class|exception):: headproof\.(\w+)$",
    (CHECKOUT / "docs" / "api.md").read_text("utf-8"),
    re.MULTILINE,
)


def test_the_page_lists_what_is_exported() -> None:
    names = [name for _, name in DOCUMENTED]
    assert sorted(names) == EXPORTED
    assert dir(headproof) == sorted(headproof.__all__)


@pytest.mark.parametrize(("kind", "name"), DOCUMENTED)
def test_every_name_is_what_the_page_says(kind: str, name: str) -> None:
    exported = getattr(headproof, name)
    assert inspect.isclass(exported) is (kind != "function")
    assert (kind == "exception") is (inspect.isclass(exported) and issubclass(exported, Exception))
    assert exported.__module__.startswith("headproof.")
    words = inspect.getdoc(exported)
    assert words
    assert words.splitlines()[0].endswith((".", ":"))


@pytest.mark.parametrize("name", [name for kind, name in DOCUMENTED if kind == "function"])
def test_functions_are_typed_and_their_docstrings_complete(name: str) -> None:
    function = getattr(headproof, name)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    words = inspect.getdoc(function) or ""
    for parameter in signature.parameters.values():
        assert parameter.annotation is not inspect.Parameter.empty, parameter
        assert re.search(rf"^\s*\*?{parameter.name}\b.*:", words, re.MULTILINE), parameter


def test_type_checkers_see_the_names_where_they_are_loaded_from() -> None:
    source = (Path(headproof.__file__)).read_text("utf-8")
    seen = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("headproof."):
            for alias in node.names:
                seen[alias.asname or alias.name] = (node.module, alias.name)
    homes = {}
    for name, home in vars(headproof)["_HOMES"].items():
        module, _, there = home.partition(":")
        homes[name] = (module, there or name)
    assert seen == homes


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'no_such_name'"):
        headproof.no_such_name  # noqa: B018


def test_names_are_loaded_when_they_are_asked_for() -> None:
    script = (
        "import sys, headproof; headproof.Verdict; headproof.InputError; headproof.Claim;"
        "print('torch' in sys.modules, 'sympy' in sys.modules, 'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.split() == ["False", "False", "False"], done.stderr


def test_hints_can_be_resolved() -> None:
    assert get_type_hints(headproof.Statement)["expected"] is headproof.Expectation
