"""Demo of claim tropical.cells: which keys never win, with a certificate that is checked.

The exact engine finds, the independent checker judges; then one number of the certificate is
changed, and the checker has to say what is wrong with it.
"""

from __future__ import annotations

from copy import deepcopy
from fractions import Fraction
from typing import Any

from ...symbolic.rational import write as exact
from ...symbolic.tropical.cells import cells
from .demo import Demo, Write
from .lines import folded, judgement, point

CLAIM = "tropical.cells"
KEYS = ((0, 0), (4, 0), (0, 4), (1, 1), (2, 2), (4, 0), (1, 2))
BIASES = (0, 0, 0, 1, -1, 0, 0)


def data() -> dict[str, Any]:
    """The keys settled, the certificate, and what the checker said to it and to a false one."""
    found = cells(KEYS, BIASES)
    certificate = found.certificate(CLAIM)
    return {
        "keys": [list(key) for key in KEYS],
        "biases": list(BIASES),
        "winning": {str(j): [exact(c) for c in x] for j, x in found.winning.items()},
        "never": {
            str(j): [[i, exact(weight)] for i, weight in combination]
            for j, combination in found.never.items()
        },
        "same_as": {str(j): i for j, i in found.same_as.items()},
        "certificate": certificate,
        "checker": judgement(certificate),
        "falsified": (false := falsified(certificate)),
        "checker_on_falsified": judgement(false),
    }


def falsified(certificate: dict[str, Any]) -> dict[str, Any]:
    """The certificate with the bias of the first key that never wins raised by 3."""
    false = deepcopy(dict(certificate))
    losing = min(cells(KEYS, BIASES).never)
    lifted = false["data"]["points"][losing]
    lifted[-1] = exact(Fraction(lifted[-1]) + 3)
    return false


def run(write: Write) -> None:
    """Print who wins where, who never does and why, and the checker's answers."""
    shown = data()
    write("Cells (claim tropical.cells): which keys ever win alone, exactly.")
    write("")
    write("key  kappa    b")
    for j, (key, b) in enumerate(zip(KEYS, BIASES, strict=True)):
        write(f"  {j}  {key!s:7} {b:2}   {_reason(str(j), shown)}")
    write("")
    write(f"A certificate of kind {shown['certificate']['kind']} holds all this.")
    write(f"  the independent checker: {shown['checker']}")
    losing = min(shown["never"], key=int)
    before = shown["certificate"]["data"]["points"][int(losing)][-1]
    after = shown["falsified"]["data"]["points"][int(losing)][-1]
    write(f"The same certificate with the bias of key {losing} changed from {before} to {after}:")
    for line in folded(shown["checker_on_falsified"]):
        write(f"  {line}")


def _reason(j: str, shown: dict[str, Any]) -> str:
    if j in shown["winning"]:
        return f"wins at x = {point(shown['winning'][j])}"
    if j in shown["same_as"]:
        return f"is key {shown['same_as'][j]} again: they share a cell"
    terms = " + ".join(f"{weight} s_{i}" for i, weight in shown["never"][j])
    return f"never wins alone: s_{j} <= {terms}"


DEMO = Demo("cells", "which keys never win, certified, and a false certificate rejected", run, data)
