"""Trained evidence: met, not met, and nothing concluded under quick."""

from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.evidence import Finding, Inconclusive
from headproof.proofs_check.training.criterion import Criterion, assess
from headproof.proofs_check.training.evidence import trained
from headproof.proofs_check.training.interval import binomial_interval, mean_interval


def context(profile: Profile, runs: Path | None) -> Context:
    return Context("fake.walk", "s", profile, 1, run_seed=3, runs=runs)


def test_a_criterion_that_five_seeds_meet_holds(tmp_path: Path) -> None:
    import fake_experiment as fake  # type: ignore[import-not-found]

    outcome = trained(context(Profile.FULL, tmp_path), "walk", fake.SCALES, experiment=fake.ENTRY)
    assert outcome.finding is Finding.HOLDS
    assert outcome.numbers["seeds that meet it"] == "5 of 5"
    folders = sorted(path.name for path in (tmp_path / "train-walk-full").glob("seed-*"))
    assert folders == [f"seed-{seed}" for seed in range(3, 8)]


def test_a_criterion_that_is_missed_is_unmet() -> None:
    import fake_experiment as fake

    outcome = trained(context(Profile.FULL, None), "walk", fake.NEAR, experiment=fake.ENTRY)
    assert outcome.finding is Finding.UNMET
    assert outcome.numbers["seeds that do not meet it"]


def test_quick_concludes_nothing_but_runs(tmp_path: Path) -> None:
    import fake_experiment as fake

    with pytest.raises(Inconclusive, match="left to profile full"):
        trained(context(Profile.QUICK, tmp_path), "walk", fake.SCALES, experiment=fake.ENTRY)
    assert (tmp_path / "train-walk-smoke" / "result.json").is_file()


def test_a_share_of_seeds_may_be_asked_for() -> None:
    criterion = Criterion("most", "fake.walk", "Positive.", lambda x: x > 0, {}, share=0.8)
    found: list[Any] = [1, 1, -1, 1, 1]
    assert assess(criterion, found).holds
    assert assess(criterion, found).failing == (2,)
    assert not assess(criterion, [1, -1, -1, 1, 1]).holds
    assert not assess(criterion, [1, 1]).settles
    with pytest.raises(ValueError, match="at least one seed"):
        assess(criterion, [])


def test_intervals_against_tables() -> None:
    """Clopper and Pearson for 8 of 10; Student's t for 4 degrees of freedom, 2.776."""
    low, high = binomial_interval(8, 10)
    assert (round(low, 4), round(high, 4)) == (0.4439, 0.9748)
    assert binomial_interval(0, 5)[0] == 0.0
    interval = mean_interval([0.0, 0.0, 0.0, 0.0, 5.0])
    assert interval is not None
    assert interval[1] - 1 == pytest.approx(2.7764451, abs=1e-6)  # the mean's deviation is 1
    assert mean_interval([1.0]) is None
    with pytest.raises(ValueError, match="met <= n"):
        binomial_interval(3, 2)
