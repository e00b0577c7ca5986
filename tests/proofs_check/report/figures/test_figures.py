"""The pictures of every topic: names, claims, colours of the page, words that stand alone."""

import re
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import pytest

from headproof.proofs_check.report import figures
from headproof.proofs_check.report.figures import identification, order, tropical
from headproof.proofs_check.report.region_figure import regions
from headproof.symbolic.errors import InputError
from headproof.symbolic.regions.linear_regions import linear_regions

TOPICS = sorted(
    Path(entry.name).stem
    for entry in files("headproof.proofs_check.report.figures").iterdir()
    if entry.name.endswith(".py") and entry.name != "__init__.py"
)
CLAIMS = "headproof.proofs_check.claims"
MOST = 80_000
"""Characters of one picture."""


@pytest.mark.parametrize("topic", TOPICS)
def test_pictures_of_a_topic(topic: str) -> None:
    drawn = figures.plots(topic)
    assert drawn
    claims = {claim.id for claim in import_module(f"{CLAIMS}.{topic}").CLAIMS}
    for plot in drawn:
        assert plot.claim in claims
        assert re.fullmatch(r"[a-z0-9-]+", plot.name)
        assert len(plot.caption) > 80
        assert plot.caption.endswith(".")
        assert len(plot.svg) < MOST
        ElementTree.fromstring(plot.svg)
        assert not re.findall(r"#[0-9a-fA-F]{6}\b", plot.svg)
        assert "<image" not in plot.svg


def test_names_are_unique_and_a_topic_without_a_module_has_none() -> None:
    names = [plot.name for topic in TOPICS for plot in figures.plots(topic)]
    assert len(names) == len(set(names))
    assert figures.plots("unknown") == figures.plots("../x") == ()
    assert figures.recorded("unknown.claim", {}) is None


def test_regions_are_those_of_the_region_tree() -> None:
    tree = linear_regions(tropical.NETWORK)
    drawn = regions(tropical.NETWORK)
    assert [r.choices for r in drawn] == [leaf.choices for leaf in tree.leaves]
    assert len({r.map for r in drawn}) == tree.pieces
    deeper = {**tropical.NETWORK, "layers": tropical.NETWORK["layers"] * 2}
    assert len(regions(deeper)) == linear_regions(deeper).cells
    with pytest.raises(InputError, match="domain"):
        regions({"dimension": 2, "layers": []})
    with pytest.raises(InputError, match="attention alone"):
        regions({**tropical.NETWORK, "layers": [{"heads": [], "ffn": {}}]})


def test_what_captions_say_is_so() -> None:
    shares = dict(identification.shares())
    assert shares["one head"] == 1 / 2
    assert shares["12 heads"] == 1 / 24
    assert shares["12 heads, RoPE"] == 1 / (2 * 768)
    path = order.path()
    halfway = [path.product[:, k, k] > strength / 2 for k, strength in enumerate((4, 2, 1))]
    learnt = [float(path.times[above.argmax()]) for above in halfway]
    assert learnt == sorted(learnt)
    assert learnt[2] > 3 * learnt[0]
    assert path.losses[0] == pytest.approx(order.levels()[0], rel=1e-3)
