from functools import partial
from pathlib import Path

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.runner import sources


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "package"
    for relative in ("__init__.py", "symbolic/hull.py", "proofs_check/schemas/hull.json"):
        (root / relative).parent.mkdir(parents=True, exist_ok=True)
        (root / relative).write_text("one")
    return root


@pytest.mark.parametrize(
    "relative",
    ["__init__.py", "symbolic/hull.py", "proofs_check/schemas/hull.json", "proofs_check/new.v"],
)
def test_any_change_of_a_source_changes_the_digest(package: Path, relative: str) -> None:
    before = sources.digest(package)
    (package / relative).write_text("two")
    assert sources.digest(package) != before


def test_a_renamed_source_changes_the_digest(package: Path) -> None:
    before = sources.digest(package)
    (package / "symbolic/hull.py").rename(package / "symbolic/hul.py")
    assert sources.digest(package) != before


def test_what_is_no_source_does_not_change_the_digest(package: Path) -> None:
    before = sources.digest(package)
    for relative in ("tests/test_x.py", "symbolic/__pycache__/x.py", "symbolic/notes.txt"):
        (package / relative).parent.mkdir(parents=True, exist_ok=True)
        (package / relative).write_text("two")
    assert sources.digest(package) == before


def test_the_digest_of_the_package_sees_this_module() -> None:
    assert Path(sources.__file__).resolve() in set(sources._files(sources.ROOT, sources.PARTS))


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
