"""Kind hull: which points are vertices of their convex hull, over every ordered field."""

from __future__ import annotations

from ...checker.fields import Json
from ...checker.rationals import parse
from .terms import Parts, definition, digits, integer, listed, rational, whole


def parts(data: Json) -> Parts:
    """What a hull certificate that the checker accepted contributes.

    The reasons stand in the order of the points, in integers: the functional of an upper vertex
    gets its last coordinate, which the certificate leaves out, since a multiple would change it.

    Args:
        data: of the certificate.
    """
    points = [[parse(x, "points") for x in point] for point in data["points"]]
    upper = bool(data.get("upper", False))
    reasons: dict[int, str] = {}
    numbers = [x for point in points for x in point]
    for entry in data["vertices"]:
        given = [parse(x, "functional") for x in entry["functional"]]
        functional = whole([*given, 1] if upper else given)
        numbers += functional
        reasons[entry["point"]] = f"Wins {listed(map(integer, functional))}"
    for entry in data["others"]:
        terms = entry["combination"]
        weights = whole([parse(term["weight"], "weight") for term in terms])
        numbers += weights
        pairs = [f"({t['vertex']}, {integer(w)})" for t, w in zip(terms, weights, strict=True)]
        reasons[entry["point"]] = f"Inside {listed(pairs)}"
    for entry in data["repeated"]:
        reasons[entry["point"]] = f"Repeats {entry['as']}"
    vertices = sorted(entry["point"] for entry in data["vertices"])
    width, size = len(points[0]), digits(numbers)
    side, adjective = ("Upper", "upper vertices") if upper else ("Whole", "vertices")
    terms_of = sum(len(entry["combination"]) for entry in data["others"])
    return Parts(
        data=(
            definition(
                "given_points", "list (list Q)", [listed(map(rational, p)) for p in points], "Q"
            ),
            definition("given_vertices", "list nat", [*map(str, vertices)], "Z", of="Z.to_nat"),
        ),
        statement=f"has_vertices {side} {width}%nat given_points given_vertices",
        witness=(
            definition("reasons", "list reason", [reasons[i] for i in range(len(points))], "Z"),
        ),
        proof=f"hull_sound_holds {side} {width}%nat given_points given_vertices reasons",
        steps=(len(vertices) * len(points) + terms_of) * (width + 1) * size**2
        + terms_of * len(points),
        says=f"the {adjective} of the convex hull of the given points (points: {len(points)}, "
        f"coordinates: {width}) are the listed ones ({len(vertices)}), over every ordered field.",
    )
