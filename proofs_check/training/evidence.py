"""Trained evidence: a criterion that a claim fixed beforehand, held against at least five seeds."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from ..claim import Context, Profile
from ..evidence import Finding, Inconclusive, Outcome
from .criterion import LEAST_SEEDS, Criterion, assess
from .registry import Entry
from .run import train

ONLY_MECHANICS = (
    "left to profile full: profile quick runs the training's mechanics on its smallest size and "
    "concludes nothing"
)


def trained(
    context: Context, name: str, criterion: Criterion, *, experiment: Entry | None = None
) -> Outcome:
    """The outcome of an experiment for a claim.

    Under ``full`` and ``paper`` it trains what is not finished yet and holds the criterion against
    the seeds. Under ``quick`` it trains the smallest model, which shows that everything runs.

    Args:
        context: of the producer; ``context.runs`` is where finished seeds are found and kept.
        name: of the experiment.
        criterion: fixed in the claim.
        experiment: one that the registry does not know.

    Raises:
        Inconclusive: under ``quick``, after the mechanics ran.
    """
    if context.runs is None:
        with TemporaryDirectory() as folder:
            return _trained(context, name, criterion, Path(folder), experiment)
    return _trained(context, name, criterion, context.runs, experiment)


def _trained(
    context: Context, name: str, criterion: Criterion, runs: Path, experiment: Entry | None
) -> Outcome:
    profile = "smoke" if context.profile is Profile.QUICK else context.profile.value
    training = train(
        name,
        profile=profile,
        seed=context.run_seed,
        out=runs,
        plots=profile != "smoke",
        experiment=experiment,
    )
    assessment = assess(criterion, [result.measurements for result in training.results])
    if profile == "smoke":
        raise Inconclusive(ONLY_MECHANICS)
    if not assessment.settles:
        raise Inconclusive(f"{assessment.seeds} seeds: a criterion needs {LEAST_SEEDS}")
    failing = ", ".join(str(training.results[i].seed) for i in assessment.failing)
    return Outcome(
        Finding.HOLDS if assessment.holds else Finding.UNMET,
        scope=f"experiment {name}, profile {profile}, {assessment.seeds} seeds",
        numbers={
            **assessment.numbers,
            "first seed": context.run_seed,
            **({"seeds that do not meet it": failing} if failing else {}),
        },
        detail=criterion.text,
    )
