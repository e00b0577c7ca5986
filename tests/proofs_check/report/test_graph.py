"""The layout: boxes apart, arrows to the left, every claim drawn."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.proofs_check.report.graph import HEIGHT, WIDTH, draw


@st.composite
def graphs(data: st.DrawFn) -> dict[str, list[str]]:
    count = data(st.integers(0, 24))
    names = [f"{data(st.sampled_from('abc'))}.{number}" for number in range(count)]
    return {
        name: sorted(data(st.sets(st.sampled_from(names[:place]), max_size=4))) if place else []
        for place, name in enumerate(names)
    }


@given(graphs())
def test_boxes_never_overlap_and_stay_inside(rests_on: dict[str, list[str]]) -> None:
    drawing = draw(rests_on)
    assert [box.claim for box in drawing.boxes] == list(rests_on)
    for one, other in combinations(drawing.boxes, 2):
        assert abs(one.x - other.x) >= WIDTH or abs(one.y - other.y) >= HEIGHT
    for box in drawing.boxes:
        assert 0 <= box.x <= drawing.width - WIDTH
        lane = next(lane for lane in drawing.lanes if lane.topic == box.claim[0])
        assert lane.y < box.y
        assert box.y + HEIGHT < lane.y + lane.height


@given(graphs())
def test_every_dependency_is_drawn_once_and_points_left(rests_on: dict[str, list[str]]) -> None:
    drawing = draw(rests_on)
    drawn = [(arrow.source, arrow.target) for arrow in drawing.arrows]
    wanted = [(source, target) for source, under in rests_on.items() for target in under]
    assert sorted(drawn) == sorted(wanted)
    x = {box.claim: box.x for box in drawing.boxes}
    for arrow in drawing.arrows:
        assert arrow.across == (arrow.source[0] != arrow.target[0])
        if not arrow.across:
            assert x[arrow.target] < x[arrow.source]


def test_the_same_claims_give_the_same_drawing() -> None:
    claims = {"a.1": [], "a.2": ["a.1"], "b.1": ["a.2"], "b.2": ["b.1", "a.1"]}
    assert draw(claims) == draw(dict(claims))


def test_a_claim_that_is_not_drawn_gets_no_arrow() -> None:
    assert draw({"a.1": ["a.0"]}).arrows == ()


def test_many_claims_without_arrows_fill_rows() -> None:
    drawing = draw({f"a.{number}": [] for number in range(60)})
    assert drawing.width < 1200
    assert len({box.y for box in drawing.boxes}) == 12


def test_a_circle_is_refused() -> None:
    with pytest.raises(ValueError, match="circle"):
        draw({"a.1": ["a.2"], "a.2": ["a.1"]})
