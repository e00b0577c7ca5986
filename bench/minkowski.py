"""Minkowski sums against other programs, one summand at a time, on the shared cases.

    python bench/minkowski.py [--repeat 5] [--timeout 60] [--json FILE] [CASE ...]

Every program gets the same input in the same run; what is compared is CPU time (the best of the
repetitions, in a process of its own with one thread). Ours is certified, the certificate's
construction included. A program that is missing, runs out of time or fails is reported as such.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "polyhedra"

Summands = list[list[list[int]]]


def candidates(vertices: Any, summand: list[list[int]]) -> list[tuple[int, ...]]:
    """All sums of a vertex so far and a point of the next summand, each once."""
    return list(
        {tuple(a + b for a, b in zip(v, p, strict=True)) for v in vertices for p in summand}
    )


def ours(summands: Summands) -> int:
    from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum

    found = minkowski_sum(summands)
    found.certificate()
    return len(found.vertices)


def ours_without_certificate(summands: Summands) -> int:
    from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum

    return len(minkowski_sum(summands).vertices)


def qhull(summands: Summands) -> int:
    import numpy as np
    from scipy.spatial import ConvexHull

    points = np.array(summands[0], dtype=float)
    for summand in summands[1:]:
        if len(points) > len(points[0]):
            points = points[ConvexHull(points).vertices]
        points = (points[:, None] + np.array(summand, dtype=float)[None]).reshape(
            -1, len(points[0])
        )
    return len(ConvexHull(points).vertices)


def pynormaliz(summands: Summands) -> int:
    import PyNormaliz

    vertices: Any = [tuple([0] * len(summands[0][0]))]
    for summand in summands:
        cone = PyNormaliz.Cone(vertices=[[*p, 1] for p in candidates(vertices, summand)])
        vertices = [[x // v[-1] for x in v[:-1]] for v in cone.VerticesOfPolyhedron()]
    return len(vertices)


def pplpy(summands: Summands) -> int:
    import ppl

    d = len(summands[0][0])
    axes = [ppl.Variable(i) for i in range(d)]
    vertices: Any = [tuple([0] * d)]
    for summand in summands:
        system = ppl.Generator_System()
        for p in candidates(vertices, summand):
            system.insert(
                ppl.point(sum(x * c for x, c in zip(axes, p, strict=True)) + 0 * axes[-1])
            )
        hull = ppl.C_Polyhedron(system)
        vertices = [tuple(map(int, g.coefficients())) for g in hull.minimized_generators()]
    return len(vertices)


def pycddlib(summands: Summands) -> int:
    from importlib import import_module

    cdd = import_module("cdd.gmp")
    vertices: Any = [tuple([0] * len(summands[0][0]))]
    for summand in summands:
        rows = [[1, *p] for p in candidates(vertices, summand)]
        matrix = cdd.matrix_from_array(rows, rep_type=cdd.RepType.GENERATOR)
        cdd.matrix_canonicalize(matrix)
        vertices = [tuple(int(x) for x in row[1:]) for row in matrix.array]
    return len(vertices)


PROGRAMS: dict[str, Callable[[Summands], int]] = {
    "headproof": ours,
    "headproof, no certificate": ours_without_certificate,
    "scipy qhull": qhull,
    "PyNormaliz": pynormaliz,
    "pplpy": pplpy,
    "pycddlib": pycddlib,
}
EXACT = ("PyNormaliz", "pplpy", "pycddlib")


def timed(program: Callable[[Any], int], problem: Any, repeat: int, connection: Any) -> None:
    """Run a program and send its answer and the best CPU time."""
    try:
        best, answer, spent = float("inf"), 0, 0.0
        for _ in range(repeat):
            start = time.process_time()
            answer = program(problem)
            best = min(best, time.process_time() - start)
            spent += best
            if spent > 10:
                break
        connection.send((answer, best, ""))
    except ImportError as error:
        connection.send((None, None, f"missing ({error.name})"))
    except BaseException as error:  # whatever the other program throws belongs in the table
        connection.send((None, None, f"failed ({type(error).__name__})"))


def measure(
    program: Callable[[Any], int], problem: Any, repeat: int, timeout: float
) -> tuple[int | None, float | None, str]:
    """Answer and CPU seconds, or why there are none."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=timed, args=(program, problem, repeat, sender))
    process.start()
    sender.close()
    try:
        if receiver.poll(timeout * max(1, repeat)):
            answer: tuple[int | None, float | None, str] = receiver.recv()
            return answer
        return None, None, f"over {timeout:g} s"
    except EOFError:
        return None, None, "crashed"
    finally:
        process.kill()
        process.join()


def report(
    title: str,
    problems: dict[str, Any],
    programs: dict[str, Callable[[Any], int]],
    exact: tuple[str, ...],
    arguments: argparse.Namespace,
) -> None:
    """Measure everything, print the table and write it as JSON."""
    ours_name, rows = next(iter(programs)), []
    for name, problem in problems.items():
        row: dict[str, Any] = {"case": name}
        for label, program in programs.items():
            answer, seconds, reason = measure(program, problem, arguments.repeat, arguments.timeout)
            row[label] = {"answer": answer, "seconds": seconds, "note": reason}
        mine = row[ours_name]["seconds"]
        finished = [row[p]["seconds"] for p in exact if row[p]["seconds"] is not None]
        row["ratio to the best exact program"] = min(finished) / mine if finished else None
        answers = {row[p]["answer"] for p in programs if row[p]["answer"] is not None}
        row["answers agree"] = len(answers) == 1
        rows.append(row)
        print(f"{name}: {row[ours_name]['answer']}, answers agree: {row['answers agree']}")
        for label in programs:
            entry = row[label]
            seconds = entry["seconds"]
            shown = entry["note"] if seconds is None else f"{seconds:.5f} s"
            ratio = "" if seconds is None else f"{seconds / mine:9.2f} x"
            print(f"    {label:28}{shown:>16}{ratio}")
        sys.stdout.flush()
    document = {
        "format": "headproof-benchmark/1",
        "title": title,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "rows": rows,
    }
    if arguments.json:
        Path(arguments.json).write_text(json.dumps(document, indent=1) + "\n", "utf-8")


def options(description: str | None) -> argparse.ArgumentParser:
    """The options that the benchmarks share."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help="parts of names (all by default)")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--timeout", type=float, default=60.0)
    parser.add_argument("--json", metavar="FILE")
    return parser


def selected(pattern: str, key: str, wanted: list[str]) -> dict[str, Any]:
    """The shared cases whose names contain one of the parts asked for."""
    return {
        path.stem: json.loads(path.read_text("utf-8"))[key]
        for path in sorted(CASES.glob(pattern))
        if not wanted or any(part in path.stem for part in wanted)
    }


if __name__ == "__main__":
    arguments = options(__doc__).parse_args()
    report(
        "Minkowski sums, CPU seconds",
        selected("minkowski_*.json", "summands", arguments.cases),
        PROGRAMS,
        EXACT,
        arguments,
    )
