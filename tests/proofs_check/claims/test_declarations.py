"""Declarations are light: what settles a claim is named, and imported when it runs."""

import inspect
import subprocess
import sys

import pytest

from headproof.proofs_check.claim import Context, Producer, Profile
from headproof.proofs_check.deferred import Deferred
from headproof.proofs_check.registry import load

PRODUCERS = [(claim, producer) for claim in load() for producer in claim.producers]


@pytest.mark.parametrize(
    "producer", [p for _, p in PRODUCERS], ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS]
)
def test_every_name_leads_to_a_function_of_a_context(producer: Producer) -> None:
    produce = producer.produce
    function = produce.resolve() if isinstance(produce, Deferred) else produce
    inspect.signature(function).bind(Context("topic.noun", "s", Profile.QUICK, 1))


def test_producers_stand_apart_from_the_declaration() -> None:
    together = [f"{c.id}: {p.name}" for c, p in PRODUCERS if not isinstance(p.produce, Deferred)]
    assert not together, "move them to proofs_check/producers (see proofs_check/claims)"


@pytest.mark.parametrize("command", [["list"], ["show", "tropical.cells"]])
def test_showing_claims_loads_no_computer_algebra_and_no_torch(command: list[str]) -> None:
    script = (
        "import sys\nfrom headproof.proofs_check.cli import main\n"
        f"code = main({command})\nprint(*sys.modules)\nsys.exit(code)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    heavy = {"torch", "sympy", "flint", "mpmath", "numpy", "scipy", "hypothesis"}
    assert not heavy & set(run.stdout.splitlines()[-1].split())
