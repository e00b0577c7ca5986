"""Exact decisions A u > 0 against other programs, on the shared cases of 200 rows in 6 unknowns.

    python bench/decisions.py [--repeat 10] [--json FILE]

Every program gets the same 20 systems in the same process and run; what is compared is CPU time a
decision (the best of the repetitions, one thread), from Python lists to an answer. Ours, HiGHS and
NNLS come with a proof either way, checked exactly inside the timing; ppl and z3 are exact, but for
an infeasible system they give a word, not multipliers. A program that is missing is reported.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

CASE = Path(__file__).resolve().parent.parent / "tests" / "cases" / "polyhedra/cones_200x6.json"
ENOUGH_SECONDS = 5.0

Rows: TypeAlias = list[list[int]]
Answer: TypeAlias = bool | None
"""Feasible or not; None where the program's proposal did not check out."""


def ours(systems: Sequence[Rows]) -> list[Answer]:
    from headproof.symbolic.cones.feasibility import strict_cones

    return [answer.feasible for answer in strict_cones(systems)]


def ours_one_by_one(systems: Sequence[Rows]) -> list[Answer]:
    from headproof.symbolic.cones.feasibility import strict_cone

    return [strict_cone(rows).feasible for rows in systems]


def ours_exact_only(systems: Sequence[Rows]) -> list[Answer]:
    from headproof.symbolic.cones.cone import decide

    return [decide(rows).witness is not None for rows in systems]


def certified(rows: Rows, direction: Sequence[float], support: Sequence[int]) -> Answer:
    """Round a solution, or solve for the multipliers of the proposed rows; check exactly."""
    from flint import fmpz_mat

    largest = max(map(abs, direction)) or 1.0
    u = [round(entry / largest * 2**30) for entry in direction]
    if all(sum(a * c for a, c in zip(row, u, strict=True)) > 0 for row in rows):
        return True
    columns = [list(column) for column in zip(*(rows[j] for j in support), strict=True)]
    if not columns:
        return None
    kernel, nullity = fmpz_mat(columns).nullspace()
    weights = [kernel[i, 0] for i in range(len(support))]
    one_sign = all(w >= 0 for w in weights) or all(w <= 0 for w in weights)
    return False if nullity == 1 and one_sign else None


def nnls(systems: Sequence[Rows]) -> list[Answer]:
    import numpy as np
    from scipy.optimize import nnls as solve

    answers = []
    for rows in systems:
        matrix = np.array(rows, dtype=float)
        matrix /= np.linalg.norm(matrix, axis=1)[:, None]
        target = np.zeros(len(rows[0]) + 1)
        target[-1] = 1.0
        weights, _ = solve(np.vstack([matrix.T, np.ones(len(rows))]), target)
        support = np.flatnonzero(weights).tolist()
        answers.append(certified(rows, (weights @ matrix).tolist(), support))
    return answers


def highs(systems: Sequence[Rows]) -> list[Answer]:
    import numpy as np
    from scipy.optimize import linprog

    answers = []
    for rows in systems:
        matrix = np.array(rows, dtype=float)
        m, n = matrix.shape
        # Maximise t <= a_i u / |a_i| with u in the unit box; the duals point at the multipliers.
        matrix /= np.linalg.norm(matrix, axis=1)[:, None]
        found = linprog(
            np.r_[np.zeros(n), -1.0],
            A_ub=np.hstack([-matrix, np.ones((m, 1))]),
            b_ub=np.zeros(m),
            bounds=[(-1, 1)] * (n + 1),
            method="highs",
        )
        support = np.flatnonzero(np.abs(found.ineqlin.marginals) > 1e-9).tolist()
        answers.append(certified(rows, found.x[:n].tolist(), support))
    return answers


def pplpy(systems: Sequence[Rows]) -> list[Answer]:
    import ppl

    answers: list[Answer] = []
    for rows in systems:
        n = len(rows[0])
        u = [ppl.Variable(k) for k in range(n)]
        t = ppl.Variable(n)
        program = ppl.MIP_Problem(n + 1)
        for row in rows:
            program.add_constraint(sum((a * x for a, x in zip(row, u, strict=True)), -1 * t) >= 0)
        program.add_constraint(t <= 1)
        program.set_objective_function(0 * u[0] + t)
        program.set_optimization_mode("maximization")
        answers.append(program.optimal_value() > 0)
    return answers


def z3(systems: Sequence[Rows]) -> list[Answer]:
    import z3

    answers: list[Answer] = []
    for rows in systems:
        u = z3.RealVector("u", len(rows[0]))
        solver = z3.Solver()
        for row in rows:
            solver.add(z3.Sum([a * x for a, x in zip(row, u, strict=True)]) > 0)
        answers.append(solver.check() == z3.sat)
    return answers


PROGRAMS: dict[str, Callable[[Sequence[Rows]], list[Answer]]] = {
    "headproof, one batch": ours,
    "headproof, one by one": ours_one_by_one,
    "headproof, exact method alone": ours_exact_only,
    "scipy NNLS + exact check": nnls,
    "HiGHS + exact check": highs,
    "ppl": pplpy,
    "z3": z3,
}


def measure(
    program: Callable[[Sequence[Rows]], list[Answer]], systems: Sequence[Rows], repeat: int
) -> tuple[float, list[Answer]]:
    """CPU seconds a decision, the best of the repetitions, and the answers."""
    best, spent = float("inf"), 0.0
    for _ in range(repeat):
        start = time.process_time()
        answers = program(systems)
        seconds = time.process_time() - start
        best, spent = min(best, seconds), spent + seconds
        if spent > ENOUGH_SECONDS:
            break
    return best / len(systems), answers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--repeat", type=int, default=10, help="repetitions, the best counts")
    parser.add_argument("--json", type=Path, help="write the table to this file as well")
    options = parser.parse_args()
    case = json.loads(CASE.read_text("utf-8"))
    table: list[dict[str, object]] = []
    reference = 0.0
    print(f"{'program':32} {'ms each':>9} {'ratio':>8}  answers")
    for name, program in PROGRAMS.items():
        try:
            seconds, answers = measure(program, case["cones"], options.repeat)
        except ImportError as error:
            print(f"{name:32} {'missing':>9} {'':>8}  {error}")
            table.append({"program": name, "missing": str(error)})
            continue
        reference = reference or seconds
        right = sum(a == b for a, b in zip(answers, case["feasible"], strict=True))
        print(
            f"{name:32} {1000 * seconds:9.3f} {seconds / reference:7.1f}x  "
            f"{right} of {len(answers)} right"
        )
        table.append({"program": name, "seconds": seconds, "right": right, "of": len(answers)})
    if options.json:
        options.json.write_text(json.dumps({"case": CASE.name, "programs": table}, indent=1) + "\n")


if __name__ == "__main__":
    main()
