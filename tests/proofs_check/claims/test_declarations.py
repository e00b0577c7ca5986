"""Declarations are light: what settles a claim is named, and imported when it runs."""

import inspect
import subprocess
import sys

import pytest

from headproof.proofs_check.claim import Context, Producer, Profile
from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.registry import load

PRODUCERS = [(claim, producer) for claim in load() for producer in claim.producers]

ONE_FILE = {
    f"headproof.proofs_check.claims.tropical.{name}"
    for name in ("depth", "maximum", "overlay", "rational_map", "unbiased_maximum")
}
"""Modules in which producers still stand beside the declaration; empty when all are split."""


def home(producer: Producer) -> str:
    produce = producer.produce
    return produce.module if isinstance(produce, Deferred) else produce.__module__


@pytest.mark.parametrize(
    "producer", [p for _, p in PRODUCERS], ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS]
)
def test_every_name_leads_to_a_function_of_a_context(producer: Producer) -> None:
    produce = producer.produce
    function = produce.resolve() if isinstance(produce, Deferred) else produce
    assert function.__module__ == home(producer)
    inspect.signature(function).bind(Context("topic.noun", "s", Profile.QUICK, 1))


def test_producers_stand_apart_from_the_declaration() -> None:
    together = {home(p) for _, p in PRODUCERS if not isinstance(p.produce, Deferred)}
    assert together <= ONE_FILE


@pytest.mark.parametrize("command", [["list"], ["show", "tropical.cells"]])
def test_showing_claims_loads_no_computer_algebra_and_no_torch(command: list[str]) -> None:
    if together := {home(p) for _, p in PRODUCERS} & ONE_FILE:
        pytest.xfail(f"producers beside the declaration: {', '.join(sorted(together))}")
    script = (
        "import sys\nfrom headproof.proofs_check.cli import main\n"
        f"code = main({command})\nprint(*sys.modules)\nsys.exit(code)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = {"torch", "sympy", "flint", "mpmath", "numpy", "scipy", "hypothesis"}
    assert not heavy & set(run.stdout.splitlines()[-1].split())
