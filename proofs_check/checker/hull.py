"""Kind hull: which points are vertices of their convex hull (CERTIFICATES.md, hull).

Everything is scaled to integers once; the inner loop, every functional against every point, then
costs one integer dot product each: n V m multiplications for V vertices among n points in R^m.
"""

from __future__ import annotations

from operator import mul

from .budget import BITS, Budget, Rational, bits
from .errors import Rejected, Unreadable, show
from .fields import Json, count, flag, index, items, members, vector
from .rationals import parse, scaled

Point = tuple[int, ...]


def check(data: Json, budget: Budget) -> None:
    """Check the data of a hull certificate.

    Raises:
        Rejected: it does not prove which points are vertices.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("points", "vertices", "others", "repeated", "count"), ("upper",))
    upper = flag(parts.get("upper", False), "upper")
    points, width = _points(parts["points"], budget)
    where = _places(parts, len(points))
    first: dict[Point, int] = {}
    for i, point in enumerate(points):
        first.setdefault(point, i)
    vertices = sorted(i for i, (role, _) in where.items() if role == "vertices")
    distinct = [(first[point], point) for point in first]

    for i, (role, entry) in where.items():
        if role == "repeated":
            _check_repeated(entry, i, points, first)
        elif first[points[i]] != i:
            raise Rejected(f"{role}: point {i} equals point {first[points[i]]}, not listed so")
    longest = max(bits(x) for point in points for x in point)
    for i in vertices:
        _check_vertex(where[i][1], i, points[i], distinct, upper, longest, budget)
    named = set(vertices)
    corners = {points[i] for i in vertices}
    for i, (role, entry) in where.items():
        if role == "others":
            if points[i] in corners:
                raise Rejected(f"others: point {i} equals a vertex")
            _check_other(entry, i, points, named, upper, width, budget)
    count(parts, len(vertices), "vertices")


def _points(value: Json, budget: Budget) -> tuple[list[Point], int]:
    """The points as integers over one common denominator, and their dimension."""
    rows = items(value, "points", least=1)
    width = len(items(rows[0], "points[0]", least=1))
    flat: list[Rational] = []
    for i, row in enumerate(rows):
        flat += vector(row, f"points[{i}]", width)
    integers, _ = scaled(flat, "points", budget)
    return [tuple(integers[k : k + width]) for k in range(0, len(integers), width)], width


def _places(parts: dict[str, Json], n: int) -> dict[int, tuple[str, dict[str, Json]]]:
    """For every point the list it stands in and its entry there."""
    places: dict[int, tuple[str, dict[str, Json]]] = {}
    for role, key in (("vertices", "functional"), ("others", "combination"), ("repeated", "as")):
        for k, entry in enumerate(items(parts[role], role)):
            here = f"{role}[{k}]"
            fields = members(entry, here, ("point", key))
            i = index(fields["point"], f"{here}.point", n, "point")
            if i in places:
                raise Rejected(f"{here}: point {i} stands in {places[i][0]} already")
            places[i] = (role, fields)
    for i in range(n):
        if i not in places:
            raise Rejected(f"point {i} is neither among vertices, others nor repeated")
    return places


def _check_repeated(
    entry: dict[str, Json], i: int, points: list[Point], first: dict[Point, int]
) -> None:
    j = index(entry["as"], f"repeated: point {i}", len(points), "point")
    if points[i] != points[j]:
        raise Rejected(f"repeated: point {i} differs from point {j}")
    if first[points[i]] != j or i == j:
        raise Rejected(f"repeated: point {i}: the first of its kind is point {first[points[i]]}")


def _check_vertex(
    entry: dict[str, Json],
    i: int,
    point: Point,
    distinct: list[tuple[int, Point]],
    upper: bool,
    longest: int,
    budget: Budget,
) -> None:
    width = len(point)
    given = vector(entry["functional"], f"vertex {i}: functional", width - upper)
    whole = [*given, 1] if upper else given
    functional, _ = scaled(whole, f"vertex {i}: functional", budget)
    size = max(bits(x) for x in functional)
    if size + longest > BITS:
        raise Unreadable(f"vertex {i}: the functional is too long")
    step = 1 + (1 + size // 128) * (1 + longest // 128) // 8
    budget.spend(len(distinct) * (width + 3) * step // 6)
    value = sum(map(mul, functional, point))
    for j, other in distinct:
        if sum(map(mul, functional, other)) >= value and other != point:
            raise Rejected(f"vertex {i}: functional does not strictly win over point {j}")


def _check_other(
    entry: dict[str, Json],
    i: int,
    points: list[Point],
    vertices: set[int],
    upper: bool,
    width: int,
    budget: Budget,
) -> None:
    here = f"point {i}: combination"
    members_of: list[int] = []
    weights: list[Rational] = []
    for k, term in enumerate(items(entry["combination"], here, least=1)):
        fields = members(term, f"{here}[{k}]", ("vertex", "weight"))
        j = index(fields["vertex"], f"{here}[{k}].vertex", len(points), "point")
        weight = parse(fields["weight"], f"{here}[{k}].weight")
        if j not in vertices:
            raise Rejected(f"{here}: point {j} is not listed as a vertex")
        if weight <= 0:
            raise Rejected(f"{here}: the weight of vertex {j} is {show(weight)}, not positive")
        members_of.append(j)
        weights.append(weight)
    if len(set(members_of)) < len(members_of):
        raise Rejected(f"{here}: a vertex stands twice")
    integers, common = scaled(weights, here, budget)
    if sum(integers) != common:
        raise Rejected(f"{here}: the weights do not sum to 1")
    size = 1 + bits(common) // 128
    budget.spend(len(members_of) * (width + 3) * size)
    for c in range(width):
        value = sum(w * points[j][c] for w, j in zip(integers, members_of, strict=True))
        target = common * points[i][c]
        if upper and c == width - 1:
            if value < target:
                raise Rejected(f"{here}: lies below the point")
        elif value != target:
            raise Rejected(f"{here}: coordinate {c} differs from the point's")
