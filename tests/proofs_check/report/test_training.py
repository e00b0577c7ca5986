"""Pictures of trainings in the report: those beside the run, of its profile and its claims."""

import json
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

from headproof.proofs_check.report import training
from headproof.proofs_check.report.recorded import RecordedRun
from headproof.proofs_check.training.plot import Palette, TrainingPlot
from headproof.proofs_check.training.registry import Entry


def draw(measurements: Any) -> tuple[TrainingPlot, ...]:
    def paint(figure: Figure, palette: Palette) -> None:
        figure.subplots().plot(measurements, color=palette.series[0])

    return (TrainingPlot("curve", "fake.walk", "A walk", "It goes.", (3.0, 2.0), paint),)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> RecordedRun:
    entry = Entry("A walk.", "no:EXPERIMENT", "claims.fake.criteria:CRITERIA", f"{__name__}:draw")
    monkeypatch.setattr(Entry, "load_plots", lambda self: draw)
    monkeypatch.setattr(training, "EXPERIMENTS", {"walk": entry})
    (tmp_path / "train-walk-full").mkdir()
    write(tmp_path, complete=True)
    return RecordedRun(tmp_path / "full-0", {"profile": "full"}, {})


def write(folder: Path, *, complete: bool) -> None:
    value = {
        "format": "headproof-training/1",
        "profile": "full",
        "complete": complete,
        "seeds": [{"seed": 0, "measurements": 1.0}, {"seed": 1, "measurements": 2.0}],
    }
    (folder / "train-walk-full" / "result.json").write_text(json.dumps(value))


def test_a_training_beside_the_run_is_drawn(run: RecordedRun) -> None:
    (plot,) = training.plots(run, {"fake.walk"})
    assert plot.name == "walk-curve"
    assert plot.caption == "It goes. Profile full, 2 seeds, folder train-walk-full."
    assert "var(--series-1)" in plot.svg


def test_others_are_not(run: RecordedRun) -> None:
    assert not training.plots(run, {"other.walk"})
    assert not training.plots(run, {"fake.other"})
    assert not training.plots(RecordedRun(run.path, {"profile": "paper"}, {}), {"fake.walk"})
    write(run.path.parent, complete=False)
    assert not training.plots(run, {"fake.walk"})
