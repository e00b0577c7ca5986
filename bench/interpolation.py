"""Exact rational interpolation of type (H, H) against other programs, on the shared cases.

    python bench/interpolation.py [--heads 4 8 16 32] [--repeat 3] [--json FILE]

Every program gets the same 2H + 1 points in the same process and run: short nodes 1..2H+1, and
nodes of 300 bits. What is compared is CPU time of one thread (the best of the repetitions), from
lists of `Fraction` to the coefficients. Ours decides on the way whether the fraction is reduced and
attained at every node. flint solves the linear system, its matrix over Q or over Z; sympy's
`rational_interpolate` is run once, and left out where it takes minutes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "interpolation"
SYMPY_MOST = {"short": 16, "long": 4}
"""The largest H that sympy is given."""

Points = Sequence[Fraction]
Route = Callable[[Points, Points, int], object]


def number(entry: Any) -> Fraction:
    pair = entry if isinstance(entry, list) else (entry, 1)
    return Fraction(int(pair[0]), int(pair[1]))


def value(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    total = Fraction(0)
    for coefficient in reversed(coefficients):
        total = total * x + coefficient
    return total


def case(H: int) -> dict[str, tuple[Points, Points]]:
    data = json.loads((CASES / f"ratfun_H{H}.json").read_text())
    p, q = [number(c) for c in data["num_cofactor"]], [number(c) for c in data["den"]]
    for root in map(number, data["num_roots"]):
        up, down = [Fraction(0), *p], [*p, Fraction(0)]
        p = [root.denominator * a - root.numerator * b for a, b in zip(up, down, strict=True)]
    found: dict[str, tuple[Points, Points]] = {}
    for name, key in (("short", "xA"), ("long", "xB")):
        x = [number(a) for a in data[key]]
        found[name] = x, [value(p, a) / value(q, a) for a in x]
    return found


def ours(x: Points, y: Points, H: int) -> object:
    from headproof.symbolic.interpolation import interpolate

    return interpolate(x, y, terms=H + 1)


def flint_over_q(x: Points, y: Points, H: int) -> object:
    from flint import fmpq, fmpq_mat

    rows, right = [], []
    for a, b in zip(x, y, strict=True):
        node, data = fmpq(a.numerator, a.denominator), fmpq(b.numerator, b.denominator)
        powers = [fmpq(1)]
        for _ in range(H):
            powers.append(powers[-1] * node)
        rows.append(powers + [-data * power for power in powers[:H]])
        right.append([data * powers[H]])
    return plain(fmpq_mat(rows).solve(fmpq_mat(right)).entries())


def flint_over_z(x: Points, y: Points, H: int) -> object:
    from flint import fmpz, fmpz_mat

    rows, right = [], []
    for a, b in zip(x, y, strict=True):
        up, down = [fmpz(1)], [fmpz(1)]
        for _ in range(H):
            up.append(up[-1] * a.numerator)
            down.append(down[-1] * a.denominator)
        powers = [u * v for u, v in zip(up, reversed(down), strict=True)]
        p, q = fmpz(b.numerator), fmpz(b.denominator)
        rows.append([q * e for e in powers] + [-p * e for e in powers[:H]])
        right.append([p * powers[H]])
    return plain(fmpz_mat(rows).solve(fmpz_mat(right)).entries())


def plain(entries: Sequence[Any]) -> list[Fraction]:
    return [Fraction(int(e.p), int(e.q)) for e in entries]


def by_sympy(x: Points, y: Points, H: int) -> object:
    from sympy import Rational
    from sympy.polys.polyfuncs import rational_interpolate

    data = [
        tuple(Rational(e.numerator, e.denominator) for e in point)
        for point in zip(x, y, strict=True)
    ]
    return rational_interpolate(data, H)


ROUTES: dict[str, Route] = {
    "headproof": ours,
    "flint, over Q": flint_over_q,
    "flint, over Z": flint_over_z,
    "sympy": by_sympy,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--heads", type=int, nargs="+", default=[4, 8, 16])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write the table to this file as well")
    options = parser.parse_args()
    small = case(4)["short"]
    for route in ROUTES.values():  # imports are not timed
        route(*small, 4)
    table = []
    for H in options.heads:
        for nodes, (x, y) in case(H).items():
            row: dict[str, object] = {"H": H, "nodes": nodes}
            for name, route in ROUTES.items():
                if name == "sympy" and SYMPY_MOST[nodes] < H:
                    continue
                best = float("inf")
                for _ in range(1 if name == "sympy" else options.repeat):
                    start = time.process_time()
                    route(x, y, H)
                    best = min(best, time.process_time() - start)
                row[name] = best
            table.append(row)
            cells = (f"{k} {v:.5f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items())
            print("   ".join(cells), flush=True)
    if options.json:
        options.json.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
