"""What a second job gains: the same claims with one process and with two, both without a cache.

    python bench/jobs.py [ID|TOPIC]... [--profile quick] [--jobs 2] [--json FILE]

Wall time of whole runs, the start of the processes included, alternating in one script. Beside it
stands the bound that the claims themselves set: no schedule ends before its longest claim, nor
before the work divided by the processes. Times mean something on a machine that does nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from pathlib import Path
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")


def untrained() -> list[str]:
    """The claims none of whose producers trains."""
    import headproof
    from headproof.proofs_check.evidence import Kind

    return [
        claim.id
        for claim in headproof.load_registry()
        if all(producer.kind is not Kind.TRAINED for producer in claim.producers)
    ]


def measured(names: list[str], profile: str, jobs: int) -> dict[str, Any]:
    """Wall time of one run, and the seconds of its claims."""
    import headproof

    with tempfile.TemporaryDirectory() as out:
        begun = time.perf_counter()
        run = headproof.verify(names, profile=profile, jobs=jobs, out=out, cache=False)
        wall = time.perf_counter() - begun
    claims = {result.claim: result.seconds for result in run.results}
    work, longest = sum(claims.values()), max(claims.values())
    return {
        "jobs": jobs,
        "wall": round(wall, 1),
        "work": round(work, 1),
        "longest claim": max(claims, key=lambda name: claims[name]),
        "its seconds": longest,
        "no schedule below": round(max(longest, work / jobs), 1),
        "as expected": run.as_expected,
    }


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*")
    parser.add_argument("--profile", default="quick")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    names = given.names or untrained()
    print(f"{len(names)} names, profile {given.profile}, load {os.getloadavg()[0]:.1f}")
    rows = [measured(names, given.profile, jobs) for jobs in (1, given.jobs)]
    for row in rows:
        print(", ".join(f"{key} {value}" for key, value in row.items()))
    gain = rows[0]["wall"] / rows[1]["wall"]
    print(f"{gain:.2f} times as fast with {given.jobs} jobs")
    if given.json:
        given.json.write_text(json.dumps({"runs": rows, "gain": gain}, indent=1) + "\n")


if __name__ == "__main__":
    main()
