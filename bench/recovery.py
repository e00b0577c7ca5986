"""Recovery of all heads: growth in d and H, and the interpolation step against other programs.

    python bench/recovery.py [--table exact|ball|float|ffn|interpolation] [--large] [--json FILE]

CPU seconds of one thread, oracle included, for random models with entries up to 3 (exact, ball),
normal entries (float), or entries up to 2 (ffn). The interpolation table solves one problem with 2H
nodes: ours modulo primes and over fmpq against sympy's `rational_interpolate`, all exact; and our
certified ball routine against mpmath's linear solve and polynomial roots at the same precision,
which gives no error bound.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

Row = dict[str, object]

EXACT = [(3, 3), (4, 8), (8, 4), (8, 8), (8, 16), (16, 8), (16, 16), (32, 8)]
BALL = [(4, 4, 260), (8, 4, 260), (8, 8, 400), (16, 8, 400), (16, 16, 700), (8, 32, 1600)]
FLOAT = [(3, 4), (4, 8), (8, 4), (8, 8)]
FFN = [(4, 2, 4), (6, 2, 8), (6, 4, 12)]


def planted(d: int, H: int, seed: int = 1) -> list[Any]:
    from headproof.oracle.model import Head, canonical

    random = Random(seed)

    def row() -> tuple[int, ...]:
        return tuple(random.randint(-3, 3) for _ in range(d))

    model: tuple[Head, ...] = ()
    while len(model) < H:
        model = canonical((*model, Head(tuple(row() for _ in range(d)), row())))
    return list(model)


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = work()
    return time.process_time() - start, result


def exact(large: bool) -> list[Row]:
    from headproof.oracle.exact import ExactOracle
    from headproof.oracle.recovery.recover import recover

    rows: list[Row] = []
    for d, H in EXACT if large else EXACT[:6]:
        model = planted(d, H)
        oracle = ExactOracle(model)
        seconds, found = timed(lambda o=oracle, h=H: recover(o, heads=h))  # type: ignore[misc]
        rows.append(
            {
                "d": d,
                "H": H,
                "queries": found.queries,
                "attempts": len(found.attempts),
                "right": list(found.heads) == model,
                "seconds": seconds,
            }
        )
    return rows


def ball(large: bool) -> list[Row]:
    from headproof.oracle.ball import BallOracle
    from headproof.oracle.recovery.recover import recover

    rows: list[Row] = []
    for d, H, bits in [*BALL, (64, 8, 400)] if large else BALL[:4]:
        oracle = BallOracle(planted(d, H))
        seconds, found = timed(
            lambda o=oracle, h=H, b=bits: recover(o, heads=h, bits=b)  # type: ignore[misc]
        )
        digits = found.radius.denominator.bit_length() - found.radius.numerator.bit_length()
        rows.append(
            {
                "d": d,
                "H": H,
                "bits": found.bits,
                "queries": found.queries,
                "certified": digits,
                "seconds": seconds,
            }
        )
    return rows


def floats(large: bool) -> list[Row]:
    import numpy as np

    from headproof.oracle.floats import FloatOracle, torch_attention
    from headproof.oracle.recovery.recover import recover

    rows: list[Row] = []
    for d, H in FLOAT if large else FLOAT[:3]:
        random = np.random.default_rng(1)
        W, v = random.normal(size=(H, d, d)), random.normal(size=(H, d))
        oracle = FloatOracle(torch_attention(W, v), d)
        seconds, found = timed(lambda o=oracle, h=H: recover(o, heads=h))  # type: ignore[misc]
        forms = [np.array(head.W, dtype=float) for head in found.heads]
        error = max(min(float(np.abs(a - b).max()) for b in forms) for a in W)
        rows.append(
            {
                "d": d,
                "H": H,
                "queries": found.queries,
                "error": error,
                "estimate": float(found.radius),
                "seconds": seconds,
            }
        )
    return rows


def ffn(large: bool) -> list[Row]:
    from headproof.oracle.ffn import FfnOracle, neurons
    from headproof.oracle.recovery.ffn import recover_ffn

    rows: list[Row] = []
    for d, H, K in FFN if large else FFN[:2]:
        random = Random(4)

        def entries(n: int, m: int, r: Random = random) -> tuple[tuple[int, ...], ...]:
            return tuple(tuple(r.randint(-2, 2) for _ in range(m)) for _ in range(n))

        forms = [entries(d, d) for _ in range(H)]
        a = [random.choice((-2, -1, 1, 3)) for _ in range(K)]
        oracle = FfnOracle(forms, neurons(a, entries(K, d), [entries(d, d) for _ in range(H)]))
        seconds, found = timed(lambda o=oracle, h=H: recover_ffn(o, heads=h))  # type: ignore[misc]
        rows.append(
            {
                "d": d,
                "H": H,
                "K": K,
                "queries": found.queries,
                "neurons": len(found.neurons),
                "seconds": seconds,
            }
        )
    return rows


def interpolation(large: bool) -> list[Row]:
    rows: list[Row] = []
    for route in ROUTES.values():  # imports are not timed
        route([Fraction(1, 3), Fraction(1, 4)])
    for H in (2, 4, 8, 16) if large else (2, 4, 8):
        random = Random(H)
        rho = [Fraction(2) ** e for e in random.sample(range(-H, H + 1), H)]
        c = [random.randint(1, 99) for _ in range(H)]
        G = [
            sum((a / (m + r) for a, r in zip(c, rho, strict=True)), Fraction(0))
            for m in range(1, 2 * H + 1)
        ]
        for name, route in ROUTES.items():
            if name.startswith("sympy") and H > 8:
                continue
            seconds, _ = timed(lambda r=route, g=G: r(g))  # type: ignore[misc]
            rows.append({"H": H, "route": name, "seconds": seconds})
    return rows


def by_primes(G: Sequence[Fraction]) -> object:
    from headproof.symbolic.interpolation.modular import interpolate

    return interpolate(range(1, len(G) + 1), G, terms=len(G) // 2)


def by_fmpq(G: Sequence[Fraction]) -> object:
    from headproof.symbolic.interpolation.rational import interpolate

    return interpolate(range(1, len(G) + 1), G, terms=len(G) // 2)


def by_sympy(G: Sequence[Fraction]) -> object:
    from sympy import Rational
    from sympy.polys.polyfuncs import rational_interpolate

    data = [(m, Rational(g.numerator, g.denominator)) for m, g in enumerate(G, 1)]
    return rational_interpolate(data, len(G) // 2 - 1)


def bits_for(H: int) -> int:
    return 60 * H + 300


def by_balls(G: Sequence[Fraction]) -> object:
    from flint import arb, fmpq

    from headproof.symbolic.enclosures.ball import precision
    from headproof.symbolic.interpolation.ball import interpolate

    bits = bits_for(len(G) // 2)
    with precision(bits):
        F = [m * arb(fmpq(g.numerator, g.denominator)) for m, g in enumerate(G, 1)]
        return interpolate(F, arb(0), bits=bits)


def by_mpmath(G: Sequence[Fraction]) -> object:
    import mpmath

    H = len(G) // 2
    with mpmath.workprec(bits_for(H)):
        data = [mpmath.mpf(g.numerator) / g.denominator for g in G]
        rows = [
            [mpmath.mpf(m) ** j for j in range(H)] + [-g * mpmath.mpf(m) ** j for j in range(H)]
            for m, g in enumerate(data, 1)
        ]
        right = [g * mpmath.mpf(m) ** H for m, g in enumerate(data, 1)]
        q = mpmath.lu_solve(mpmath.matrix(rows), mpmath.matrix(right))
        coefficients = [mpmath.mpf(1), *(q[2 * H - 1 - j] for j in range(H))]
        return mpmath.polyroots(coefficients, maxsteps=2000, extraprec=2 * bits_for(H))


ROUTES: dict[str, Callable[[Sequence[Fraction]], object]] = {
    "headproof, modulo primes": by_primes,
    "headproof, fmpq": by_fmpq,
    "sympy rational_interpolate": by_sympy,
    "headproof, certified balls": by_balls,
    "mpmath lu_solve + polyroots": by_mpmath,
}

TABLES: dict[str, Callable[[bool], list[Row]]] = {
    "exact": exact,
    "ball": ball,
    "float": floats,
    "ffn": ffn,
    "interpolation": interpolation,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--table", choices=TABLES, help="one table only")
    parser.add_argument("--large", action="store_true", help="the larger cases too (minutes)")
    parser.add_argument("--json", type=Path, help="write the tables to this file as well")
    options = parser.parse_args()
    results: dict[str, list[Row]] = {}
    for name in [options.table] if options.table else TABLES:
        results[name] = TABLES[name](options.large)
        print(f"\n{name}")
        for row in results[name]:
            cells = (
                f"{key} {value:.3g}" if isinstance(value, float) else f"{key} {value}"
                for key, value in row.items()
            )
            print("  " + "   ".join(cells))
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")


if __name__ == "__main__":
    main()
