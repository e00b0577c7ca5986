"""Pictures of tropical objects: what is on the paper is what the exact side says."""

import io
from itertools import combinations
from typing import Any

import pytest

from headproof.proofs_check.report.tropical_objects import (
    overlay_figure,
    polynomial_figure,
    subdivision_figure,
)
from headproof.symbolic.errors import InputError
from headproof.symbolic.tropical.polynomial import polynomial

BENT = polynomial([[-1], [0], [1]], [0, 1, 0])
TENT = polynomial([[0, 0], [0, 2], [1, 1], [2, 0], [2, 2], [1, 0]], [0, 0, 1, 0, 0, -5])
CORNER = polynomial([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], [0, 0, 0, 0, 1])
LINES: list[dict[str, Any]] = [
    {"keys": [[-1, 0], [0, 0], [1, 0]], "biases": [0, 1, 0]},
    {"keys": [[0, -1], [0, 1]], "biases": [0, 0]},
]


def texts(figure: Any) -> Any:
    return [text.get_text() for text in figure.axes[0].texts]


def test_graph_of_one_variable() -> None:
    (axes,) = polynomial_figure(BENT).axes
    thick: list[Any] = [line for line in axes.lines if line.get_linewidth() > 2]
    assert [list(line.get_xdata()) for line in thick] == [[-2.0, -1.0], [-1.0, 1.0], [1.0, 2.0]]
    assert [list(line.get_ydata()) for line in thick] == [[2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]


def test_cells_in_the_plane_are_the_winners() -> None:
    figure = polynomial_figure(TENT)
    assert sorted(texts(figure)) == [str(j) for j in TENT.winning]
    for text in figure.axes[0].texts:
        x = [round(64 * c) for c in text.get_position()]
        scaled = polynomial(TENT.exponents, [64 * c for c in TENT.coefficients])
        assert scaled.winners(x) == {int(text.get_text())}


def test_overlay_in_line_and_plane() -> None:
    assert sorted(texts(overlay_figure(LINES))) == ["0,0", "0,1", "1,0", "1,1", "2,0", "2,1"]
    line: dict[str, Any] = {"keys": [[-1], [0], [1]], "biases": [0, 1, 0]}
    assert sorted(texts(overlay_figure([line, line]))) == ["0,0", "1,1", "2,2"]
    narrow = overlay_figure(LINES, window=(2, 3))
    assert texts(narrow) == ["2,1"]


def test_subdivisions_show_edges_and_hollow_points() -> None:
    (axes,) = subdivision_figure(TENT).axes
    points: list[Any] = [line for line in axes.lines if line.get_marker() == "o"]
    assert len(axes.lines) - len(points) == 8
    hollow = [line for line in points if line.get_markerfacecolor() == "none"]
    assert [(line.get_xdata()[0], line.get_ydata()[0]) for line in hollow] == [(1.0, 0.0)]


@pytest.mark.parametrize("f", [BENT, TENT, CORNER])
def test_every_dimension_can_be_written(f: Any) -> None:
    for figure in (polynomial_figure(f), subdivision_figure(f)):
        page = io.BytesIO()
        figure.savefig(page, format="svg")
        assert page.getvalue().startswith(b"<?xml")


def test_what_cannot_be_drawn_is_refused() -> None:
    four = polynomial([[0, 0, 0, 0], [1, 0, 0, 0]])
    for draw in (polynomial_figure, subdivision_figure):
        with pytest.raises(InputError, match="at most 3 dimensions"):
            draw(four)
    with pytest.raises(InputError, match="at most 2 dimensions"):
        overlay_figure([{"keys": [[0, 0, 0], [1, 0, 0]]}])
    with pytest.raises(InputError, match="window"):
        polynomial_figure(TENT, window=(1, 1))


def test_a_cell_too_small_for_its_label_has_none_and_no_label_leaves_its_cell() -> None:
    fans: list[dict[str, Any]] = [
        {"keys": [[0, 0], [2, 0], [0, 2], [-2, -1]], "biases": [0, -1, -1, -1]},
        {"keys": [[3, 1], [-1, 2], [0, -3]], "biases": [0, 0, 0]},
    ]
    near, far = overlay_figure(fans, window=(-2, 2)), overlay_figure(fans, window=(-60, 60))
    assert set(texts(far)) < set(texts(near))
    for figure in (near, far):
        figure.canvas.draw()
        boxes = [text.get_window_extent() for text in figure.axes[0].texts]
        assert not any(a.overlaps(b) for a, b in combinations(boxes, 2))


def test_cells_that_touch_the_window_from_outside_are_not_drawn() -> None:
    edge: dict[str, Any] = {"keys": [[0, 0], [-1, 0]], "biases": [0, -3]}
    split: dict[str, Any] = {"keys": [[0, 0], [0, 1]], "biases": [0, 0]}
    assert texts(overlay_figure([edge, split], window=(-3, 3))) == ["0,0", "0,1"]
