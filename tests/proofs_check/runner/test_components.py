import subprocess
import sys

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.registry import build
from headproof.proofs_check.runner import components


def test_detection_imports_nothing() -> None:
    program = (
        "import sys\n"
        "from headproof.proofs_check.runner import components, environment\n"
        "found = components.detect(); environment.versions(); environment.machine()\n"
        "assert found['torch'], found\n"
        "print([m for m in ('torch', 'flint', 'sympy', 'numpy', 'scipy') if m in sys.modules])\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_what_is_not_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert components.installed("no-such-distribution") is None
    assert components.installed("click", "no_such_module") is None
    monkeypatch.setenv("PATH", "")
    assert components.detect()["coqc"] is None


def test_an_unknown_component_is_an_error_and_not_a_missing_one(tmp_path: object) -> None:
    import headproof

    registry = build([fake_claims.claim("a", needs=frozenset({"torhc"}))])
    with pytest.raises(ValueError, match="unknown component: torhc"):
        headproof.verify(registry=registry, out=str(tmp_path))
