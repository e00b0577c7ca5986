import json
from dataclasses import replace
from pathlib import Path

import pytest

from headproof.numeric.attention_only.experiment import EXPERIMENT, run
from headproof.numeric.experiment import NoJournal
from headproof.proofs_check.claims.attention_only.criteria import CRITERIA
from headproof.proofs_check.training.attention_only_plots import plots
from headproof.proofs_check.training.criterion import assess
from headproof.proofs_check.training.plot import save


def test_the_smallest_size_is_judged() -> None:
    config = EXPERIMENT.configs["smoke"]
    found = run(config, 0, NoJournal())
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert {assess(each, [found]).seeds for each in CRITERIA} == {1}
    assert found["parameters"]["layers"] == 6
    assert found["text"]["files"]


@pytest.mark.long
def test_it_is_drawn(tmp_path: Path) -> None:
    found = run(EXPERIMENT.configs["smoke"], 0, NoJournal())
    for plot in plots([found, found]):
        save(plot, tmp_path)
        assert (tmp_path / f"{plot.name}.png").stat().st_size > 10_000


def test_the_task_fits_its_decoder() -> None:
    for config in EXPERIMENT.configs.values():
        assert config.recaller.vocabulary == config.task.symbols
        assert config.recaller.context == config.task.length
        assert not replace(config.deep).ffn_width
