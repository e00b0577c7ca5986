"""Builder of kind hull: which points are vertices of their convex hull."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .envelope import Json, Rational, envelope, write, write_array


def certificate(
    claim: str,
    points: Sequence[Sequence[Rational]],
    *,
    vertices: Mapping[int, Sequence[Rational]],
    others: Mapping[int, Sequence[tuple[int, Rational]]],
    repeated: Mapping[int, int] | None = None,
    upper: bool = False,
) -> dict[str, Json]:
    """Write a hull certificate.

    Args:
        claim: the claim's id; empty if the points belong to none.
        points: (n, m).
        vertices: vertex -> a functional (m,) that is strictly largest there; upper: the query
            (m-1,) at which the point, a lifted key, alone wins.
        others: point -> the vertices and positive weights of a convex combination that equals
            it; upper: that lies on or above it.
        repeated: point -> the first point equal to it.
        upper: upper vertices of lifted points instead of vertices.

    Example:
        >>> from fractions import Fraction
        >>> c = certificate("", [[0], [1], [2]], vertices={0: [-1], 2: [1]},
        ...                 others={1: [(0, Fraction(1, 2)), (2, Fraction(1, 2))]})
        >>> c["data"]["count"]
        2
    """
    data = {
        "upper": upper,
        "points": write_array(points),
        "vertices": [
            {"point": i, "functional": write_array(functional)}
            for i, functional in sorted(vertices.items())
        ],
        "others": [
            {
                "point": i,
                "combination": [{"vertex": j, "weight": write(weight)} for j, weight in terms],
            }
            for i, terms in sorted(others.items())
        ],
        "repeated": [{"point": i, "as": j} for i, j in sorted((repeated or {}).items())],
        "count": len(vertices),
    }
    return envelope("hull", claim, data)
