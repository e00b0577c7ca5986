"""Demo of topic equivariance: the smallest group, the mirror of the plane, and what it costs."""

from __future__ import annotations

from typing import Any

from ...oracle.equivariance import coordinate_oracles, recover_matrix_heads
from ...symbolic.equivariance.gset import count, matching, types, violator
from ...symbolic.equivariance.heads import MatrixHead, act, evaluate, orbits, permutation
from ...symbolic.equivariance.hidden import classify
from ...symbolic.equivariance.library import NAMES, named
from ...symbolic.equivariance.price import cheapest
from ...symbolic.equivariance.strata import realised
from ...symbolic.rational import write as exact
from ..certificates import group
from .demo import Demo, Write
from .lines import judgement

MIRROR = named("C_2").natural
FORMS = (((0, 1), (0, 0)), ((0, -1), (0, 0)))
VALUES = ((1, 0), (0, 1))
QUERY = ((1, 2), (-1, 1), (1, 0))
HEADS = range(1, 9)
COVERING_3 = (1, 2, 3)
"""d_k of the second example, C_3 on 1 + V + V."""


def data() -> dict[str, Any]:
    """The planted heads, what was recovered of them, strata, prices and hidden dimensions."""
    planted = [MatrixHead(W, VALUES) for W in FORMS]
    found = recover_matrix_heads(coordinate_oracles(planted), bound=2)
    classes = named("C_2").classes
    moved = evaluate(found.heads, act(MIRROR.images[0], QUERY))
    value = evaluate(found.heads, QUERY)
    strata = list(types(classes, 2))
    (orbit,) = orbits(found.heads, MIRROR, MIRROR)
    mirror = MIRROR.group.generator_numbers[0]
    return {
        "heads": [_head(head) for head in found.heads],
        "queries": found.queries,
        "permutation": list(permutation(found.heads, MIRROR, MIRROR, mirror) or ()),
        "stratum": [classes.class_of(orbit.stabiliser)],
        "query": [list(token) for token in QUERY],
        "value": [exact(entry) for entry in value],
        "moved": [exact(entry) for entry in moved],
        "mirrored": [exact(entry) for entry in act(MIRROR.images[0], [value])[0]],
        "strata": [list(S) for S in strata],
        "covered": [[matching(classes, T, S) is not None for S in strata] for T in strata],
        "violators": [
            list(violator(classes, T, S) or ()) for T in strata for S in strata if T != S
        ],
        "cheapest": list(cheapest(classes, 2).type),
        "hidden": [_hidden("C_2", (1, 1), 1)] + [_hidden("C_3", (1, 2), d_k) for d_k in COVERING_3],
        "prices": {name: _prices(name) for name in NAMES},
        "certificate": group.permuted("equivariance.permutation", MIRROR, MIRROR, found.heads),
    }


def _head(head: MatrixHead) -> dict[str, Any]:
    return {
        name: [[exact(entry) for entry in row] for row in rows]
        for name, rows in (("W", head.W), ("V", head.V))
    }


def _hidden(name: str, multiplicities: tuple[int, ...], d_k: int) -> dict[str, Any]:
    dimensions = [each.dimension for each in named(name).irreducibles]
    found = classify(dimensions, multiplicities, d_k)
    return {
        "group": name,
        "dimensions": dimensions,
        "multiplicities": list(multiplicities),
        "d_k": d_k,
        "needed": list(found.needed),
        "least": found.least,
        "covers": found.covers,
    }


def _prices(name: str) -> dict[str, list[int]]:
    """Numbers of strata and prices, over all of them and over the realised ones."""
    G = named(name)
    possible = realised(G.classes, G.natural, G.natural)
    return {
        "strata": [count(G.classes, H) for H in HEADS],
        "abstract": [cheapest(G.classes, H).price for H in HEADS],
        "realised": [cheapest(G.classes, H, realised=possible).price for H in HEADS],
    }


def run(write: Write) -> None:
    """Print the smallest case and the table."""
    shown = data()
    write("Equivariant attention (claims equivariance.*), exactly.")
    write("")
    write("The group C_2 mirrors the plane: g = diag(1, -1), on tokens and outputs.")
    write(f"A function with two outputs answers {shown['queries']} value queries; its heads are")
    for h, head in enumerate(shown["heads"]):
        write(f"  head {h}: W = {head['W']}, V = {head['V']}")
    write(
        f"g takes head 0 to head {shown['permutation'][0]} and head 1 to head "
        f"{shown['permutation'][1]}: a free orbit. So f(gX) = g f(X):"
    )
    write(f"  X = {shown['query']}")
    write(f"  f(X) = ({', '.join(map(str, shown['value']))})")
    write(f"  f(gX) = ({', '.join(map(str, shown['moved']))})")
    write(f"  g f(X) = ({', '.join(map(str, shown['mirrored']))})")
    write(f"The certificate that the heads are permuted is {judgement(shown['certificate'])}.")
    write("")
    names = ["one free orbit", "two fixed heads"]
    write("Two heads form one of two G-sets, and neither type represents the other:")
    for name, row in zip(names, shown["covered"], strict=True):
        covers = [other for other, is_covered in zip(names, row, strict=True) if is_covered]
        write(f"  {name:16} represents {', '.join(covers)}")
    free = sum(c == 0 for c in shown["cheapest"])
    fixed = len(shown["cheapest"]) - free
    price = shown["prices"]["C_2"]["abstract"][1]
    write(
        f"Both are covered by {free} free orbit and {fixed} fixed head: {price} heads, and no "
        "fewer."
    )
    write("")
    write("Does a hidden representation cover every invariant W of rank at most d_k?")
    for each in shown["hidden"]:
        parts = " + ".join(
            f"{m} x {n}" for n, m in zip(each["dimensions"], each["multiplicities"], strict=True)
        )
        verdict = "one does" if each["covers"] else "none does"
        write(
            f"  {each['group']} on {parts} (copies x dimension), d_k = {each['d_k']}: "
            f"needs {each['least']}, {verdict}"
        )
    write("")
    write("The fewest heads that cover all strata of H heads, H = 1..8,")
    write("of all G-sets and of those that a natural action realises:")
    for name, row in shown["prices"].items():
        first, second = (" ".join(f"{n:2}" for n in row[kind]) for kind in ("abstract", "realised"))
        write(f"  {name:3}  {first}    {second}")


DEMO = Demo(
    "equivariance", "the heads of equivariant attention are permuted, at a price", run, data
)
