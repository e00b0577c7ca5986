from functools import partial
from pathlib import Path

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.runner import sources


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "package"
    for relative in ("__init__.py", "symbolic/cones/hull.py", "proofs_check/schemas/hull.json"):
        (root / relative).parent.mkdir(parents=True, exist_ok=True)
        (root / relative).write_text("one")
    return root


@pytest.mark.parametrize(
    "relative",
    [
        "__init__.py",
        "symbolic/cones/hull.py",
        "proofs_check/schemas/hull.json",
        "proofs_check/new.v",
    ],
)
def test_any_change_of_a_source_changes_the_digest(package: Path, relative: str) -> None:
    before = sources.digest(package)
    (package / relative).write_text("two")
    assert sources.digest(package) != before


def test_a_renamed_source_changes_the_digest(package: Path) -> None:
    before = sources.digest(package)
    (package / "symbolic/cones/hull.py").rename(package / "symbolic/cones/hul.py")
    assert sources.digest(package) != before


def test_what_is_no_source_does_not_change_the_digest(package: Path) -> None:
    before = sources.digest(package)
    for relative in ("tests/test_x.py", "symbolic/__pycache__/x.py", "symbolic/notes.txt"):
        (package / relative).parent.mkdir(parents=True, exist_ok=True)
        (package / relative).write_text("two")
    assert sources.digest(package) == before


def test_the_digest_of_the_package_sees_this_module() -> None:
    assert Path(sources.__file__).resolve() in set(sources._files(sources.ROOT))


def test_claims_from_elsewhere_bring_their_own_digest() -> None:
    plain = fake_claims.claim("a")
    wrapped = fake_claims.claim("a", partial(fake_claims.proves))
    assert sources.outside_digest(plain) != ""
    assert sources.outside_digest(wrapped) == sources.outside_digest(plain)


def test_a_deferred_producer_brings_the_digest_of_its_module() -> None:
    plain = fake_claims.claim("a")
    deferred = fake_claims.claim("a", Deferred("fake_claims", "proves"))
    assert sources.outside_digest(deferred) == sources.outside_digest(plain)
    within = Deferred("headproof.proofs_check.producers.tropical.cells", "attained")
    assert sources.outside_digest(fake_claims.claim("a", within)) == ""


def test_a_module_brings_all_that_it_imports() -> None:
    """Relative and absolute imports, of modules and of names, and the packages above them."""
    files = sources.imported_files("headproof.proofs_check.runner.sources")
    for name in (
        "headproof.proofs_check",
        "headproof.proofs_check.claim",  # from ..claim import Claim
        "headproof.proofs_check.evidence",  # imported by claim
    ):
        assert name in files
    assert "headproof" not in files  # its exports change nothing that is computed
    assert not any(name.startswith("headproof.numeric") for name in files)
    numeric = sources.imported_files("headproof.numeric.tropical.skeleton")
    assert "headproof.numeric.tropical" in numeric
    assert not any(name.startswith("headproof.symbolic") for name in numeric)


def test_the_digest_of_a_module_sees_what_it_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"headproof.a": tmp_path / "a.py", "headproof.b": tmp_path / "b.py"}
    for file in files.values():
        file.write_text("one")
    monkeypatch.setattr(sources, "imported_files", lambda module: files)
    before = sources.module_digest("headproof.a")
    files["headproof.b"].write_text("two")
    assert sources.module_digest("headproof.a") != before


def test_a_module_that_does_not_exist_has_no_digest() -> None:
    with pytest.raises(ModuleNotFoundError):
        sources.module_digest("headproof.no_such_module")
