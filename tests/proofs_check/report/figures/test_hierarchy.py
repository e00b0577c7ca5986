"""The pictures of topic hierarchy, and the controls of a training beside them in the report."""

import json
from math import comb, log2
from pathlib import Path

from headproof.numeric.experiment import NoJournal
from headproof.numeric.hierarchy.experiment import EXPERIMENT, run
from headproof.proofs_check.report import training
from headproof.proofs_check.report.figures import hierarchy
from headproof.proofs_check.report.recorded import RecordedRun
from headproof.proofs_check.training.run import FORMAT
from headproof.symbolic.hierarchy.parse import parse


def test_the_arrows_lead_to_the_top_of_the_stack() -> None:
    found = parse(hierarchy._LANGUAGE, hierarchy._WORD).balanced()
    # With nothing open it looks at the last symbol.
    expected = tuple(i + 1 if top is None else top + 1 for i, top in enumerate(found.top))
    assert hierarchy.looks(hierarchy._WORD) == expected
    assert max(found.depth) == hierarchy._LANGUAGE.depth
    assert len(set(expected)) > 4


def test_counts_meet_catalan_while_the_bound_does_not_bind() -> None:
    for depth in hierarchy._DEPTHS:
        n = 2 * depth
        catalan = comb(n, depth) // (depth + 1)
        assert hierarchy.bits(depth, n) == log2(2**depth * catalan) / n
        assert hierarchy.bits(depth, n + 2) < log2(2**30) / 30 + 1


def test_the_same_type_control_stands_in_the_report(tmp_path: Path) -> None:
    measurements = run(EXPERIMENT.configs["smoke"], 0, NoJournal())
    folder = tmp_path / "train-hierarchy-full"
    folder.mkdir()
    value = {
        "format": FORMAT,
        "profile": "full",
        "complete": True,
        "seeds": [{"seed": 0, "measurements": measurements}],
    }
    (folder / "result.json").write_text(json.dumps(value))
    recorded = RecordedRun(tmp_path / "full-0", {"profile": "full"}, {})
    drawn = {plot.name: plot for plot in training.plots(recorded, {"hierarchy.used"})}
    assert set(drawn) == {"hierarchy-masks", "hierarchy-subspaces"}
    assert "another opener of its type" in drawn["hierarchy-masks"].caption
    assert "var(--series-2)" in drawn["hierarchy-masks"].svg
