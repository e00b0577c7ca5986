"""Which claims are handed out first; that they all run, whatever dies, is in test_run.py."""

from pathlib import Path

import fake_claims  # type: ignore[import-not-found]
import pytest

from headproof.proofs_check.claim import Profile
from headproof.proofs_check.evidence import Kind
from headproof.proofs_check.runner.schedule import long_first
from headproof.proofs_check.runner.worker import Task


@pytest.mark.parametrize(
    ("profile", "order"),
    [(Profile.QUICK, "abcd"), (Profile.FULL, "bdac"), (Profile.PAPER, "bdac")],
)
def test_what_trains_comes_first(profile: Profile, order: str) -> None:
    kinds = {"a": Kind.SEARCH, "b": Kind.TRAINED, "c": Kind.EXACT, "d": Kind.TRAINED}
    tasks = [
        Task(
            fake_claims.claim(name, fake_claims.refutes, kind=kind),
            profile,
            0,
            missing={},
            folder=Path(),
            key="",
            source="",
        )
        for name, kind in kinds.items()
    ]
    assert [task.claim.id for task in long_first(tasks)] == [f"fake.{name}" for name in order]
