"""The pictures of topic ensemble, and the page of a run with a refuted sentence."""

from headproof.proofs_check.report import figures
from headproof.proofs_check.report.figures import ensemble

NUMBERS = {
    "random, mean": "0.91667",
    "random, least": "0.91571",
    "draws": 100,
    "query HDI by layer": "0.84 0.79",
    "key HDI by layer": "0.81 0.78",
}


def test_the_pictures_stand_in_the_page() -> None:
    drawn = figures.plots("ensemble")
    assert [plot.name for plot in drawn] == ["diversity-error", "head-covariance", "head-budget"]
    for plot in drawn:
        assert plot.svg.startswith("<svg")
        assert "<image" not in plot.svg
        assert "var(--series-1)" in plot.svg


def test_recorded_diversity() -> None:
    plot = figures.recorded("ensemble.real-heads", NUMBERS)
    assert plot is not None
    assert "0.9167" in plot.caption
    assert "0.7800" in plot.caption
    assert plot.claim == ensemble.REAL_HEADS


def test_other_numbers_have_no_picture() -> None:
    assert ensemble.recorded({}) is None
    assert ensemble.recorded({**NUMBERS, "random, mean": "none"}) is None
    assert ensemble.recorded({**NUMBERS, "key HDI by layer": "0.81"}) is None
    assert ensemble.recorded({**NUMBERS, "query HDI by layer": "", "key HDI by layer": ""}) is None
