"""Demo of claim tropical.routing-limit: attention weights as the temperature goes to zero.

In base 2 and for integer scores every weight is a fraction, and so are its distance to the limit
law and the bound: the comparison on each line is a comparison of integers.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ...symbolic.rational import write as exact
from ...symbolic.tropical.routing_limit import deviation, limit, weights
from .demo import Demo, Write
from .lines import point

SCORES = (3, 1, 3, 2)
INVERSE_TEMPERATURES = (1, 2, 4, 8, 16, 32)
OTHERS_TIE = (3, 2, 3, 2)
MEMBER = 0


def data() -> dict[str, Any]:
    """The weights, the distances and the bounds, as exact numbers."""
    rows = []
    for k in INVERSE_TEMPERATURES:
        p = weights(SCORES, inverse_temperature=k)
        found = deviation(SCORES, inverse_temperature=k)
        rows.append(
            {
                "inverse_temperature": k,
                "weights": [exact(value) for value in p],
                "distance": exact(found.distance),
                "bound": exact(found.bound),
                "within": found.distance <= found.bound,
                "distance_to_one_member": exact(1 - p[MEMBER]),
            }
        )
    tied = deviation(OTHERS_TIE, inverse_temperature=8)
    sharper = tied.bound / (1 + tied.bound)
    return {
        "scores": list(SCORES),
        "limit": [exact(value) for value in limit(SCORES)],
        "rows": rows,
        "attained": {
            "scores": list(OTHERS_TIE),
            "inverse_temperature": 8,
            "distance": exact(tied.distance),
            "bound": exact(sharper),
            "equal": tied.distance == sharper,
        },
    }


def run(write: Write) -> None:
    """Print the table."""
    shown = data()
    write("Routing limit (claim tropical.routing-limit), in base 2 and exactly.")
    write("")
    write(f"scores s = {point(shown['scores'])}, weights p_j = 2^(k s_j) / sum_i 2^(k s_i)")
    write(f"as k grows, p tends to the uniform law on the argmax set: {point(shown['limit'])}")
    write("")
    write("  k  distance of p to the limit law          <= bound (N-m)/m 2^(-k Delta)")
    for row in shown["rows"]:
        sign = "<=" if row["within"] else "> "
        write(f"{row['inverse_temperature']:3}  {row['distance']!s:39} {sign} {row['bound']}")
    write("")
    write("The distance to one member of the argmax set alone (all weight on the first")
    write("key) never gets below 1/2:")
    last = shown["rows"][-1]
    rest = exact(Fraction(last["distance_to_one_member"]) - Fraction(1, 2))
    write(f"  k = {last['inverse_temperature']}: 1/2 + {rest}")
    write("")
    tied = shown["attained"]
    write("With rho for the bound above, rho/(1 + rho) is attained when all others tie:")
    relation = "=" if tied["equal"] else "is not"
    write(
        f"  s = {point(tied['scores'])}, k = {tied['inverse_temperature']}: distance "
        f"{tied['distance']} {relation} {tied['bound']}"
    )


DEMO = Demo("routing-limit", "softmax weights tend to the uniform law on the argmax set", run, data)
