"""Deferred producers: compared by name, sent to other processes, never imported before they run."""

import pickle
import sys
from pathlib import Path

import pytest

from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.evidence import Finding

CONTEXT = Context("topic.noun", "s", Profile.QUICK, 1)
SOURCE = """
from headproof.proofs_check.evidence import Finding, Outcome

def produce(context):
    return Outcome(Finding.HOLDS, f"seed {context.seed}")
"""


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "deferred_sample.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "deferred_sample", raising=False)
    return "deferred_sample"


def test_a_call_imports_and_calls(module: str) -> None:
    produce = Deferred(module, "produce")
    assert module not in sys.modules
    outcome = produce(CONTEXT)
    assert (outcome.finding, outcome.scope) == (Finding.HOLDS, "seed 1")


def test_it_is_sent_by_its_name(module: str) -> None:
    produce = Deferred(module, "produce")
    copy = pickle.loads(pickle.dumps(produce))
    assert copy == produce
    assert module not in sys.modules


def test_its_source_is_found_without_importing_it(module: str, tmp_path: Path) -> None:
    assert Deferred(module, "produce").source_file() == str(tmp_path / "deferred_sample.py")
    assert module not in sys.modules


def test_a_name_that_leads_nowhere(module: str) -> None:
    assert Deferred("no_such_package.module", "produce").source_file() is None
    with pytest.raises(ModuleNotFoundError):
        Deferred("no_such_package.module", "produce")(CONTEXT)
    with pytest.raises(AttributeError):
        Deferred(module, "other")(CONTEXT)
