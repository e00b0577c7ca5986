"""The import rules: which folder may import which (symbolic and numeric never meet).

Within symbolic/: which room may import which.
"""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

import headproof

ROOT = Path(headproof.__file__).parent
FOLDERS = ("symbolic", "numeric", "oracle", "proofs_check")
HEAVY = {"torch", "sympy", "numpy", "scipy", "flint", "networkx", "mpmath", "hypothesis", "jinja2"}

ALLOWED = {
    "symbolic": {"symbolic"},
    "numeric": {"numeric"},
    "oracle": {"oracle", "symbolic"},
    "proofs_check": {"symbolic", "numeric", "oracle", "proofs_check"},
}


def imported(source: str, module: tuple[str, ...]) -> set[tuple[str, ...]]:
    """Absolute names of all that a module imports, relative imports resolved."""
    found: set[tuple[str, ...]] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {tuple(alias.name.split(".")) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = module[: len(module) - node.level] if node.level else ()
            stem = base + tuple((node.module or "").split(".") if node.module else ())
            found |= {(*stem, alias.name) for alias in node.names}
    return found


def module_name(path: Path) -> tuple[str, ...]:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ("headproof", *parts)


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def offences(folder: str, source: str, module: tuple[str, ...]) -> list[str]:
    """What a module of a folder imports and may not."""
    wrong = []
    for name in imported(source, module):
        if name[0] == "headproof" and len(name) > 1 and name[1] in FOLDERS:
            if name[1] not in ALLOWED[folder]:
                wrong.append(".".join(name))
        elif name[0] == "torch" and folder == "symbolic":
            wrong.append("torch")
    return wrong


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_what_they_may(folder: str) -> None:
    assert sources(folder)
    wrong = {
        str(path.relative_to(ROOT)): bad
        for path in sources(folder)
        if (bad := offences(folder, path.read_text("utf-8"), module_name(path)))
    }
    assert not wrong


@pytest.mark.parametrize(
    ("folder", "source"),
    [
        ("symbolic", "import torch"),
        ("symbolic", "from ..numeric import tropical"),
        ("numeric", "from ..symbolic.errors import InputError"),
        ("numeric", "def late():\n    from headproof.symbolic.cones import hull"),
        ("oracle", "from ..numeric.tropical import cells"),
    ],
)
def test_the_rule_sees_an_offence(folder: str, source: str) -> None:
    assert offences(folder, source, ("headproof", folder, "sample"))


SHARED = ("errors", "rational", "certificate", "display", "mathml")
ROOMS = ("modular", "cones", "minkowski", "regions", "enclosures", "interpolation", "derivations")
"""The rooms of symbolic/ in their order: each imports what is shared and what is listed before."""

LISTS = "catalogue"
"""The list of all derivations imports from everywhere, and nothing in symbolic/ imports it."""


def allowed(room: str) -> set[str]:
    """What a room, a topic or a module of symbolic/ may import besides itself."""
    if room in SHARED:
        return set(SHARED)
    if room in ROOMS:
        return {*SHARED, *ROOMS[: ROOMS.index(room)]}
    if room == LISTS:
        return {entry.stem for entry in (ROOT / "symbolic").iterdir()}
    return {*SHARED, *ROOMS}


def detours(room: str, source: str, module: tuple[str, ...]) -> list[str]:
    """What a module of a room of symbolic/ imports against the order of the rooms."""
    return [
        ".".join(name)
        for name in sorted(imported(source, module))
        if name[:2] == ("headproof", "symbolic") and name[2] not in allowed(room) | {room}
    ]


def test_rooms_import_in_their_order() -> None:
    wrong = {}
    for path in sources("symbolic"):
        name = module_name(path)
        if bad := detours(name[2], path.read_text("utf-8"), name):
            wrong[str(path.relative_to(ROOT))] = bad
    assert not wrong


def test_the_rooms_are_those_that_the_folder_lists() -> None:
    words = ast.get_docstring(ast.parse((ROOT / "symbolic/__init__.py").read_text("utf-8"))) or ""
    assert tuple(re.findall(r"^\* `(\w+)`", words, re.MULTILINE)) == ROOMS
    entries = {
        path.relative_to(ROOT / "symbolic").parts[0].removesuffix(".py")
        for path in sources("symbolic")
    }
    assert entries - {"__init__"} == set(re.findall(r"(?<!`)`(\w+)`", words))


@pytest.mark.parametrize(
    ("room", "source"),
    [
        ("cones", "from ..regions import network"),
        ("cones", "from ..tropical.polynomial import polynomial"),
        ("minkowski", "def late():\n    from ..derivations.proof import Proof"),
        ("tropical", "from ..zonotope.layer import Layer"),
        ("tropical", "from .. import catalogue"),
        ("errors", "from .cones.hull import Hull"),
    ],
)
def test_the_order_sees_an_offence(room: str, source: str) -> None:
    module = ("headproof", "symbolic", room) + (("sample",) if room not in SHARED else ())
    assert detours(room, source, module)
    assert not detours(LISTS, source, module)


def test_the_checker_imports_the_standard_library_only() -> None:
    own = ("headproof", "proofs_check", "checker")
    for path in sources("proofs_check/checker"):
        for name in imported(path.read_text("utf-8"), module_name(path)):
            if name[: len(own)] == own or name[0] == "checker":
                continue
            assert name[0] in sys.stdlib_module_names, f"{path.name} imports {'.'.join(name)}"


@pytest.mark.parametrize(
    "statement", ["import headproof", "from headproof.proofs_check.cli import main"]
)
def test_start_up_loads_nothing_heavy(statement: str) -> None:
    script = f"{statement}\nimport sys\nprint(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert not HEAVY & set(run.stdout.split())
