"""The rank of an integer matrix against python-flint, on products A = L R of sparse +-1 factors.

    python bench/rank.py [--rows 2000] [--columns 1500] [--rank 1200] [--repeat 3] [--json FILE]

Both sides start from the same int64 array, in one process and run; CPU time of one thread, the best
of the repetitions. flint only finds the rank modulo a prime. Ours also proves that it is the rank:
once with the factors given, once with a kernel that it finds itself (R holds an identity, so the
kernel is small).
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

PER_ROW = 4
"""Entries +-1 in a row of a factor, besides the identity."""


def factors(rows: int, columns: int, rank: int, seed: int) -> tuple[Any, Any]:
    """L and R with rank L = rank R = rank, by an identity at random places in each."""
    import numpy as np

    generator = np.random.default_rng(seed)

    def signs(count: int, width: int) -> Any:
        found = np.zeros((count, width), dtype=np.int64)
        for row in found:
            places = generator.choice(width, min(PER_ROW, width), replace=False)
            row[places] = generator.choice([-1, 1], len(places))
        return found

    left, right = signs(rows, rank), signs(rank, columns)
    left[generator.permutation(rows)[:rank]] = np.eye(rank, dtype=np.int64)
    right[:, generator.permutation(columns)[:rank]] = np.eye(rank, dtype=np.int64)
    return left, right


def best(work: Callable[[], int], repeat: int, rank: int) -> float:
    """The least CPU time in seconds; the answer is compared."""
    times = []
    for _ in range(repeat):
        start = time.process_time()
        found = work()
        times.append(time.process_time() - start)
        if found != rank:
            raise SystemExit(f"rank {found}, expected {rank}")
    return min(times)


def main() -> None:
    """Measure and print."""
    from flint import fmpz_mat, nmod_mat

    from headproof.symbolic.modular.rank import PRIMES, certified_rank, modular_rank

    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rows", type=int, default=2000)
    parser.add_argument("--columns", type=int, default=1500)
    parser.add_argument("--rank", type=int, default=1200)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", type=Path, help="write the times to this file")
    options = parser.parse_args()
    left, right = factors(options.rows, options.columns, options.rank, options.seed)
    matrix = left @ right
    large = 2**61 - 1
    routes: dict[str, Callable[[], int]] = {
        "headproof, modulo one prime": lambda: modular_rank(matrix).rank,
        "headproof, proved with factors": lambda: (
            certified_rank(matrix, factors=(left, right)).rank
        ),
        "headproof, proved with its own kernel": lambda: certified_rank(matrix).rank,
        "flint, modulo a prime of 23 bits": lambda: int(
            nmod_mat(fmpz_mat(matrix.tolist()), PRIMES[0]).rank()
        ),
        "flint, modulo a prime of 61 bits": lambda: int(
            nmod_mat(fmpz_mat(matrix.tolist()), large).rank()
        ),
    }
    times = {name: best(work, options.repeat, options.rank) for name, work in routes.items()}
    ours = times["headproof, proved with factors"]
    print(f"{options.rows} x {options.columns} of rank {options.rank}: CPU seconds")
    for name, seconds in times.items():
        print(f"  {name:40} {seconds:7.3f}  {seconds / ours:5.2f} x")
    if options.json is not None:
        options.json.write_text(json.dumps(times, indent=1))


if __name__ == "__main__":
    main()
