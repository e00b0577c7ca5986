"""Hulls against an independent decision, in many positions; speed."""

import time
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.proofs_check.checker import KINDS, Rejected, Unreadable
from headproof.proofs_check.checker.budget import Budget
from headproof.symbolic.cones.hull import convex_hull, upper_hull

COORDINATES = st.integers(-2, 2) | st.fractions(-2, 2, max_denominator=3)


@st.composite
def configurations(draw: Any) -> Any:
    width = draw(st.integers(1, 3))
    row = st.lists(COORDINATES, min_size=width, max_size=width)
    return draw(st.lists(row, min_size=1, max_size=7))


@given(configurations(), st.sampled_from([convex_hull, upper_hull]))
def test_search_and_checker_agree(points: Any, search: Any) -> None:
    """The certificate passes; with one vertex moved to the others it does not."""
    data = search(points).certificate("a.b")["data"]
    KINDS["hull"](data, Budget())
    vertices = data["vertices"]
    for k, vertex in enumerate(vertices):
        combination = [
            {"vertex": other["point"], "weight": str(Fraction(1, len(vertices) - 1))}
            for other in vertices
            if other is not vertex
        ]
        moved = data | {
            "vertices": vertices[:k] + vertices[k + 1 :],
            "others": [*data["others"], {"point": vertex["point"], "combination": combination}],
            "count": len(vertices) - 1,
        }
        with pytest.raises((Rejected, Unreadable)):
            KINDS["hull"](moved, Budget())


def test_thousands_of_points_take_seconds() -> None:
    """Points t_j (t_j^2) on a parabola, all vertices, with 2,000 in the middle of neighbours."""
    corners = [[t, t * t] for t in range(1000)]
    inside = [[2 * t + 1, 2 * t * t + 2 * t + 1] for t in range(999)]
    points = [[2 * x, 2 * y] for x, y in corners] + inside
    data: dict[str, Any] = {
        "points": points,
        "vertices": [{"point": t, "functional": [2 * t, -1]} for t in range(1000)],
        "others": [
            {
                "point": 1000 + t,
                "combination": [{"vertex": t + k, "weight": "1/2"} for k in (0, 1)],
            }
            for t in range(999)
        ],
        "repeated": [],
        "count": 1000,
    }
    start = time.process_time()
    KINDS["hull"](data, Budget())
    assert time.process_time() - start < 5
    data["vertices"][500]["functional"] = [1001, -1]
    with pytest.raises(Rejected, match="vertex 500: functional does not strictly win over"):
        KINDS["hull"](data, Budget())
