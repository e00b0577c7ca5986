"""Overlays of power diagrams against other programs, on the shared cases.

    python bench/overlay.py [--repeat 5] [--timeout 60] [--json FILE] [CASE ...]

The others compute the Minkowski sum of the lifted Newton polytopes minus the ray of the last
coordinate, one head at a time. Measured and reported as in ``bench/minkowski.py``.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

# The script beside this one; its folder is on the path of a script, but no package.
harness: Any = import_module("minkowski")

Heads = list[dict[str, Any]]


def lifted(heads: Heads) -> list[list[list[int]]]:
    """The points (kappa, b) of every head."""
    return [
        [[*key, bias] for key, bias in zip(head["keys"], head["biases"], strict=True)]
        for head in heads
    ]


def ours(heads: Heads) -> int:
    from headproof.symbolic.minkowski.overlay import overlay

    found = overlay(heads)
    found.certificate()
    return found.cells


def ours_without_certificate(heads: Heads) -> int:
    from headproof.symbolic.minkowski.overlay import overlay

    return overlay(heads).cells


def pynormaliz(heads: Heads) -> int:
    import PyNormaliz

    summands = lifted(heads)
    d = len(summands[0][0])
    vertices: Any = [(0,) * d]
    for summand in summands:
        cone = PyNormaliz.Cone(
            vertices=[[*p, 1] for p in harness.candidates(vertices, summand)],
            cone=[[0] * (d - 1) + [-1]],
        )
        vertices = [[x // v[-1] for x in v[:-1]] for v in cone.VerticesOfPolyhedron()]
    return len(vertices)


def pplpy(heads: Heads) -> int:
    import ppl

    summands = lifted(heads)
    axes = [ppl.Variable(i) for i in range(len(summands[0][0]))]
    vertices: Any = [(0,) * len(axes)]
    for summand in summands:
        system = ppl.Generator_System()
        for p in harness.candidates(vertices, summand):
            form = sum((x * c for x, c in zip(axes, p, strict=True)), 0 * axes[-1])
            system.insert(ppl.point(form))
        system.insert(ppl.ray(-1 * axes[-1]))
        generators = ppl.C_Polyhedron(system).minimized_generators()
        vertices = [tuple(map(int, g.coefficients())) for g in generators if g.is_point()]
    return len(vertices)


def pycddlib(heads: Heads) -> int:
    cdd = import_module("cdd.gmp")
    summands = lifted(heads)
    d = len(summands[0][0])
    vertices: Any = [(0,) * d]
    for summand in summands:
        rows = [[1, *p] for p in harness.candidates(vertices, summand)]
        rows.append([0] * d + [-1])
        matrix = cdd.matrix_from_array(rows, rep_type=cdd.RepType.GENERATOR)
        cdd.matrix_canonicalize(matrix)
        vertices = [tuple(int(x) for x in row[1:]) for row in matrix.array if row[0] == 1]
    return len(vertices)


PROGRAMS = {
    "headproof": ours,
    "headproof, no certificate": ours_without_certificate,
    "PyNormaliz": pynormaliz,
    "pplpy": pplpy,
    "pycddlib": pycddlib,
}


if __name__ == "__main__":
    arguments = harness.options(__doc__).parse_args()
    harness.report(
        "Overlays, CPU seconds",
        harness.selected("overlay_*.json", "heads", arguments.cases),
        PROGRAMS,
        ("PyNormaliz", "pplpy", "pycddlib"),
        arguments,
    )
