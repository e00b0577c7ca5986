"""Small claims for the tests of the runner: each misbehaves in one way, or not at all.

A module of its own, with producers at module level, so that other processes can import it. What a
producer did is told by files in the folder that HEADPROOF_TEST_LOG names, if it is set.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from pathlib import Path

from headproof.proofs_check.claim import (
    Claim,
    Context,
    Expectation,
    Paper,
    Producer,
    Profile,
    Role,
    Statement,
)
from headproof.proofs_check.evidence import Finding, Kind, Outcome
from headproof.proofs_check.registry import Registry, build
from headproof.proofs_check.verdict import Verdict

PAPER = Paper("A", "A paper", "arXiv 0000.00000")


def certificate(claim: str, *, at: int = 2) -> dict[str, object]:
    """A counterexample: "x <= 1" is false at x = 2, and is not at x = 1."""
    data = {"formula": ["<=", ["var", "x"], 1], "instance": {"x": at}}
    return {
        "format": "headproof-certificate/1",
        "kind": "counterexample",
        "claim": claim,
        "data": data,
    }


def log(context: Context, what: str) -> None:
    folder = os.environ.get("HEADPROOF_TEST_LOG")
    if folder:
        with (Path(folder) / what).open("a") as file:
            file.write(f"{context.claim} {context.seed} {os.getpid()}\n")


def proves(context: Context) -> Outcome:
    log(context, context.claim)
    draws = [random.Random(context.seed).randrange(1000) for _ in range(3)]
    return Outcome(Finding.HOLDS, "all N", general=True, numbers={"draws": draws})


def searches(context: Context) -> Outcome:
    log(context, context.claim)
    return Outcome(Finding.HOLDS, "100 cases", numbers={"seed": context.seed})


def refutes(context: Context) -> Outcome:
    log(context, context.claim)
    certificates = {"instance": certificate(context.claim)}
    return Outcome(Finding.VIOLATED, "one instance", certificates=certificates)


def refutes_wrongly(context: Context) -> Outcome:
    certificates = {"instance": certificate(context.claim, at=1)}
    return Outcome(Finding.VIOLATED, "one instance", certificates=certificates)


def refutes_another_claim(context: Context) -> Outcome:
    certificates = {"instance": certificate("fake.another")}
    return Outcome(Finding.VIOLATED, "one instance", certificates=certificates)


def refutes_without_certificate(context: Context) -> Outcome:
    return Outcome(Finding.VIOLATED, "one instance")


def raises(context: Context) -> Outcome:
    log(context, context.claim)
    raise ZeroDivisionError("the reason\nand a second line")


def either(context: Context, *, fail: bool) -> Outcome:
    return raises(context) if fail else proves(context)


def leaves(context: Context) -> Outcome:
    raise SystemExit(7)


def dies(context: Context) -> Outcome:
    log(context, context.claim)
    os._exit(9)


def is_killed(context: Context) -> Outcome:
    os.kill(os.getpid(), 9)
    raise AssertionError("unreachable")


def waits(context: Context) -> Outcome:
    """Wait for a file named go; then hold."""
    log(context, context.claim)
    folder = Path(os.environ["HEADPROOF_TEST_LOG"])
    while not (folder / "go").exists():
        time.sleep(0.02)
    return Outcome(Finding.HOLDS, "all N", general=True)


def prints(context: Context) -> Outcome:
    print("noise on stdout")
    return Outcome(Finding.HOLDS, "all N", general=True)


def is_no_outcome(context: Context) -> Outcome:
    return "yes"  # type: ignore[return-value]


def counts_in_nan(context: Context) -> Outcome:
    return Outcome(Finding.HOLDS, "x", general=True, numbers={"bound": float("nan")})


def names_a_path(context: Context) -> Outcome:
    certificates = {"../../outside": certificate(context.claim)}
    return Outcome(Finding.VIOLATED, "x", certificates=certificates)


def disturbs(context: Context) -> Outcome:
    random.seed(1)
    return Outcome(Finding.HOLDS, "all N", general=True)


def claim(
    name: str,
    produce: Callable[[Context], Outcome] = proves,
    expected: Verdict = Verdict.PROVED,
    *,
    kind: Kind = Kind.SYMBOLIC,
    since: Profile = Profile.QUICK,
    needs: frozenset[str] = frozenset(),
    rests_on: tuple[str, ...] = (),
) -> Claim:
    """A claim with one statement and one producer."""
    statement = Statement("main", Role.AS_VERIFIED, "x <= 1", "x \\le 1", Expectation(expected))
    producer = Producer("only", "main", kind, produce, since, needs)
    return Claim(
        f"fake.{name}", "F1", name, PAPER, "Theorem 1", (statement,), (producer,), rests_on
    )


def good() -> Registry:
    """Four claims that come out as expected."""
    return build(
        [
            claim("a-last", rests_on=("fake.b-first",)),
            claim("b-first"),
            claim("searched", searches, Verdict.SUPPORTED, kind=Kind.SEARCH),
            claim("refuted", refutes, Verdict.REFUTED, kind=Kind.EXACT),
        ]
    )


def waiting() -> Registry:
    """Two quick claims, then one that waits for a file, then another quick one."""
    return build(
        [
            claim("a"),
            claim("b", refutes, Verdict.REFUTED, kind=Kind.EXACT),
            claim("c-waits", waits),
            claim("d"),
        ]
    )


def deadly() -> Registry:
    """Two claims whose processes die, among good ones."""
    return build(
        [
            claim("a"),
            claim("b-dies", dies),
            claim("c-killed", is_killed),
            claim("d"),
            claim("e", refutes, Verdict.REFUTED, kind=Kind.EXACT),
        ]
    )


def raising() -> Registry:
    """A producer that raises, before a good one."""
    return build([claim("a", raises), claim("b")])


def noisy() -> Registry:
    """A producer that prints."""
    return build([claim("a", prints)])
