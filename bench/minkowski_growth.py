"""How the cost of a certified Minkowski sum grows, up to 50,000 facets and beyond.

    python bench/minkowski_growth.py [--json FILE] [--plot FILE.svg] [--largest FACETS]

Random integer points in [-1000, 1000]^d. CPU seconds of one thread; the model is
seconds = c * (F (d + H) n d)^e, F facets, n points in all, fitted by least squares in logarithms;
and vertices per second. The memory is the peak of the whole process, as the system counts it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import resource
import sys
import time
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

SIZES = [
    (3, 12, 3),
    (3, 30, 4),
    (3, 10, 12),
    (3, 8, 40),
    (4, 10, 3),
    (4, 12, 4),
    (4, 16, 8),
    (4, 12, 14),
    (5, 8, 3),
    (5, 10, 5),
    (5, 10, 7),
    (6, 8, 4),
    (6, 12, 4),
    (6, 10, 6),
]


def fitted(rows: list[dict[str, Any]]) -> tuple[float, float]:
    """Constant and exponent of seconds = c work^e."""
    xs = [math.log(row["work"]) for row in rows]
    ys = [math.log(row["seconds"]) for row in rows]
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    slope = sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum(
        (a - x) ** 2 for a in xs
    )
    return math.exp(y - slope * x), slope


def measured(d: int, N: int, H: int) -> dict[str, Any]:
    """One row of the table."""
    from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum

    generator = random.Random(f"{d} {N} {H}")
    summands = [
        [[generator.randint(-1000, 1000) for _ in range(d)] for _ in range(N)] for _ in range(H)
    ]
    seconds = math.inf
    for _ in range(3):
        start = time.process_time()
        found = minkowski_sum(summands)
        seconds = min(seconds, time.process_time() - start)
    start = time.process_time()
    found.certificate()
    return {
        "d": d,
        "N": N,
        "H": H,
        "vertices": len(found.vertices),
        "facets": found.facets,
        "seconds": seconds,
        "certificate": time.process_time() - start,
        "vertices per second": len(found.vertices) / seconds,
        "work": found.facets * (d + H) * N * H * d,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


def plot(rows: list[dict[str, Any]], constant: float, exponent: float, file: str) -> None:
    """Seconds over the work, logarithmic, with the fitted line."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5))
    axes = figure.subplots()
    for d in sorted({row["d"] for row in rows}):
        mine = [row for row in rows if row["d"] == d]
        axes.loglog([r["work"] for r in mine], [r["seconds"] for r in mine], "o", label=f"d = {d}")
    ends = [min(r["work"] for r in rows), max(r["work"] for r in rows)]
    axes.loglog(ends, [constant * x**exponent for x in ends], "-", label=f"exponent {exponent:.2f}")
    axes.set_xlabel("F (d + H) n d")
    axes.set_ylabel("CPU seconds, certified")
    axes.legend()
    figure.savefig(file)


def main() -> None:
    """Measure, print, fit."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--plot", metavar="FILE")
    parser.add_argument("--largest", type=int, default=60_000, help="stop after so many facets")
    arguments = parser.parse_args()
    measured(3, 6, 2)
    rows = []
    print(f"{'d, N, H':>12}{'vertices':>10}{'facets':>10}{'seconds':>10}{'vert./s':>10}")
    for size in SIZES:
        row = measured(*size)
        rows.append(row)
        print(
            f"{', '.join(map(str, size)):>12}{row['vertices']:>10,}{row['facets']:>10,}"
            f"{row['seconds']:>10.4f}{row['vertices per second']:>10,.0f}"
        )
        sys.stdout.flush()
        if row["facets"] > arguments.largest:
            break
    constant, exponent = fitted(rows)
    print(f"seconds = {constant:.2e} (F (d + H) n d)^{exponent:.2f}")
    print(f"peak {rows[-1]['peak MB']:.0f} MB")
    if arguments.plot:
        plot(rows, constant, exponent, arguments.plot)
    if arguments.json:
        document = {
            "format": "headproof-benchmark/1",
            "title": "Growth of certified Minkowski sums",
            "exponent": exponent,
            "rows": rows,
        }
        Path(arguments.json).write_text(json.dumps(document, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
