"""In a notebook every answer shows itself, and what lies in the plane is drawn."""

import re
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

import headproof
from headproof.proofs_check.plotting import PLOTTED
from headproof.proofs_check.report.polygon_figure import around
from headproof.symbolic.display import SHOWN

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text("utf-8")
ANSWERS = re.findall(
    r"autoclass:: headproof\.(\w+)", PAGE.partition("## Answers")[2].partition("## Black")[0]
)
LINE = {"keys": [[-1], [1]], "values": [[1], [0]]}
PLANE = {"keys": [[0, 0], [1, 0], [0, 1]], "values": [[1], [0], [2]]}
SQUARE = [[0, 0], [1, 0], [0, 1], [1, 1]]
BOX = {"lower": [-1, -1], "upper": [1, 1]}
SWAP = {"permutations": [[1, 0]]}


def oracle() -> headproof.ExactOracle:
    return headproof.ExactOracle([headproof.head([[1, 2], [0, 1]], [3, "1/2"])])


def network(domain: bool = True) -> headproof.RegionTree:
    head = {**PLANE, "values": [[1, 0], [0, 1], [1, 1]]}
    given = {"dimension": 2, "layers": [{"heads": [head]}]}
    return headproof.linear_regions(given | ({"domain": BOX} if domain else {}))


MAKERS: dict[str, Callable[[], Any]] = {
    "CheckReport": lambda: headproof.check("no/such/folder"),
    "Derivation": lambda: headproof.derive("tropical.power-diagram")[0],
    "Hull": lambda: headproof.convex_hull([*SQUARE, [1, 1], ["1/2", "1/2"]]),
    "MinkowskiSum": lambda: headproof.minkowski_sum([SQUARE, [[0, 0], [1, 2]]]),
    "Overlay": lambda: headproof.overlay([{"keys": PLANE["keys"], "biases": [0, 0, 1]}]),
    "RegionTree": network,
    "TropicalPolynomial": lambda: headproof.polynomial([[0], [1], [3]], [0, "1/2", 0]),
    "Recovery": lambda: headproof.recover(oracle(), heads=1),
    "Identification": lambda: headproof.identify({"d_model": 8, "heads": 2}),
    "Allocation": lambda: headproof.head_budget(n=100, D=12, alpha="log 2", C=2),
    "MatchReport": lambda: headproof.match(
        {"d_model": 8, "layers": 2, "heads": 2, "ffn": 32, "vocabulary": 5, "context": 4}
    ),
}
"""Answers that can be had at once; the others are made by the tests of their own commands."""


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return {name: make() for name, make in MAKERS.items()}


def shown(answer: Any) -> str:
    """What a notebook would show; HTML has to be well-formed."""
    if hasattr(answer, "_repr_html_"):
        text = str(answer._repr_html_())
        closed = re.sub(r"<(w?br)>", r"<\1/>", text)
        ElementTree.fromstring(f"<div>{closed}</div>")
        return text
    return str(answer._repr_latex_())


@pytest.mark.parametrize("name", ANSWERS)
def test_every_answer_has_a_form_for_notebooks(name: str) -> None:
    kind = getattr(headproof, name)
    assert hasattr(kind, "_repr_html_") or hasattr(kind, "_repr_latex_")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("CheckReport", ["no/such/folder", "unreadable"]),
        ("Derivation", ["<math", "tropical.power-diagram"]),
        ("Hull", ["<td>4</td>", "(1, 1)", "repeated"]),
        ("MinkowskiSum", ["Minkowski sum of 2", "(2, 3)"]),
        ("Overlay", ["the most there can be", "(2)"]),
        ("RegionTree", ["affine pieces", "((2))"]),
        ("TropicalPolynomial", ["$", "max"]),
        ("Recovery", ["((1, 2), (0, 1))", "(3, 1/2)", "exact answers"]),
        ("Identification", ["not seen", "qk"]),
        ("Allocation", ["Head budget", "caveat"]),
        ("MatchReport", ["<pre>", "parameters"]),
    ],
)
def test_answers_show_what_they_found(name: str, words: list[str], made: dict[str, Any]) -> None:
    text = shown(made[name])
    assert all(word in text for word in words), text


def test_stability_and_temperatures() -> None:
    given = {"dimension": 1, "layers": [{"heads": [LINE]}]}
    assert "<td>yes</td>" in shown(headproof.stability(given, at=[1], temperature="1/8"))
    assert "it is taken at" in shown(headproof.largest_temperature(given, at=[1]))


def test_a_run_a_claim_and_the_registry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    registry = headproof.load_registry()
    claim = registry.claim("tropical.power-diagram")
    assert claim.title in shown(claim)
    first = claim.statements[0]
    assert shown(first) == rf"$\displaystyle {first.latex}$"
    assert all(other.id in shown(registry) for other in registry)
    spoilt = replace(claim, title="<script>x</script> & y")
    assert "<script>" not in shown(spoilt)
    monkeypatch.syspath_prepend(str(Path(__file__).parent / "runner"))
    run = headproof.verify(registry="fake_claims:good", out=tmp_path)
    assert all(name in shown(run) for name in run.selection)
    assert shown(headproof.check(run.folder)).count("<tr>") == 2


def test_long_lists_are_cut_and_it_is_told() -> None:
    hull = headproof.convex_hull([[x, x * x] for x in range(100)])
    text = shown(hull)
    assert f"{100 - SHOWN} more" in text
    assert text.count("<tr>") < 30


@pytest.mark.parametrize("name", PLOTTED)
def test_what_lies_in_the_plane_is_drawn(name: str, made: dict[str, Any]) -> None:
    figure = headproof.plot(made[name])
    assert isinstance(figure, Figure)
    figure.canvas.draw()
    assert any(axes.has_data() for axes in figure.axes)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: 3, "int"),
        (lambda: headproof.convex_hull([[0, 0, 0], [1, 1, 1]]), "d = 3"),
        (lambda: headproof.upper_hull([[0, 0], [1, 1]]), "upper hull"),
        (lambda: network(domain=False), "domain"),
        (lambda: headproof.minkowski_sum([[[0, 0, 1]]]), "d = 3"),
        (lambda: headproof.recover(headproof.ExactOracle([], dimension=2), bound=1), "zero"),
        (lambda: type("Hull", (), {})(), "Hull"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make: Callable[[], Any], told: str) -> None:
    with pytest.raises(headproof.InputError, match=told):
        headproof.plot(make())


def test_a_window_goes_with_cells_only(made: dict[str, Any]) -> None:
    figure = headproof.plot(made["Overlay"], window=(-3, 5))
    assert figure.axes[0].get_xlim() == (-3.0, 5.0)
    with pytest.raises(headproof.InputError, match="window"):
        headproof.plot(made["Hull"], window=(0, 1))


def test_corners_go_around_once() -> None:
    corners = [(Fraction(x), Fraction(y)) for x, y in ((0, 0), (2, 1), (-1, 3), (3, 3), (1, 4))]
    ring = around(corners)
    turns = [
        (q[0] - p[0]) * (r[1] - q[1]) - (q[1] - p[1]) * (r[0] - q[0])
        for p, q, r in zip(ring, ring[1:] + ring[:1], ring[2:] + ring[:2], strict=True)
    ]
    assert all(turn > 0 for turn in turns)
    point = (Fraction(1), Fraction(1))
    assert around([point]) == [point]
