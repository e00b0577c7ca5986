"""Pictures of trained experiments: what the seeds that a run rests on measured.

A run of profile ``full`` or ``paper`` leaves its trainings beside its own folder, where ``headproof
train`` leaves them too. The pictures are drawn again from their measurements, in the colours of the
page. A training that is not there, or did not end, has no picture.
"""

from __future__ import annotations

import json
from collections.abc import Collection

from matplotlib.figure import Figure

from ..training.folder import training_folder
from ..training.plot import Palette, TrainingPlot
from ..training.registry import EXPERIMENTS
from ..training.run import FORMAT
from .plot import FAINT, INK, SERIES, Plot, svg
from .recorded import RecordedRun

_PALETTE = Palette(INK, FAINT, SERIES)


def plots(run: RecordedRun, claims: Collection[str]) -> tuple[Plot, ...]:
    """The pictures of the trainings that lie beside a run.

    Args:
        run: the run; its profile says which trainings.
        claims: ids of the claims shown; others have no picture.
    """
    topics = {claim.partition(".")[0] for claim in claims}
    found: list[Plot] = []
    for name, entry in EXPERIMENTS.items():
        if entry.topic not in topics:
            continue
        folder = training_folder(run.path.resolve().parent, name, str(run.manifest.get("profile")))
        try:
            value = json.loads((folder / "result.json").read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        draw = entry.load_plots()
        if draw is None or value.get("format") != FORMAT or not value.get("complete"):
            continue
        seeds = value["seeds"]
        drawn = draw([seed["measurements"] for seed in seeds])
        said = f"Profile {value['profile']}, {len(seeds)} seeds, folder {folder.name}."
        found += [_plot(name, plot, said) for plot in drawn if plot.claim in claims]
    return tuple(found)


def _plot(experiment: str, plot: TrainingPlot, said: str) -> Plot:
    def paint(figure: Figure) -> None:
        plot.paint(figure, _PALETTE)

    name = f"{experiment}-{plot.name}"
    return Plot(name, plot.claim, plot.title, f"{plot.caption} {said}", svg(name, plot.size, paint))
