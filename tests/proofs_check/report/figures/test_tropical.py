"""The pictures: they show what is true, twice the same, and carry nothing from outside."""

import re
from xml.etree import ElementTree

import pytest

from headproof.proofs_check.report.figures.tropical import SITES, cell, plots
from headproof.proofs_check.report.plot import Plot


@pytest.fixture(scope="module")
def drawn() -> tuple[Plot, ...]:
    return plots()


def test_drawn_twice_is_the_same(drawn: tuple[Plot, ...]) -> None:
    assert plots.__wrapped__() == drawn


def test_every_id_is_unique_and_every_reference_found(drawn: tuple[Plot, ...]) -> None:
    ids: list[str] = []
    for plot in drawn:
        tree = ElementTree.fromstring(plot.svg)
        own = [element.get("id", "") for element in tree.iter() if element.get("id")]
        ids += own
        references = re.findall(r'(?:url\(|href=")#([^")]+)', plot.svg)
        assert references
        assert set(references) <= set(own)
    assert len(ids) == len(set(ids))


def test_colours_come_from_the_page_alone(drawn: tuple[Plot, ...]) -> None:
    for plot in drawn:
        assert not re.findall(r"#[0-9a-fA-F]{6}\b", plot.svg)
        assert "var(--ink)" in plot.svg
        assert "<style" not in plot.svg
        assert "http" not in plot.svg


def test_cells_are_where_the_score_is_highest() -> None:
    def score(index: int, x: float, y: float) -> float:
        (kx, ky), bias = SITES[index]
        return kx * x + ky * y + bias

    winners = [index for index in range(len(SITES)) if cell(index)]
    assert winners == [0, 1, 2, 3, 4]
    for index in winners:
        corners = cell(index)
        x = sum(corner[0] for corner in corners) / len(corners)
        y = sum(corner[1] for corner in corners) / len(corners)
        others = [score(j, x, y) for j in range(len(SITES)) if j != index]
        assert score(index, x, y) > max(others)
