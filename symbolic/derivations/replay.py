"""Replay: a recorded derivation decided again, from its hypotheses to its conclusions.

A `Derivation` is a plain record that anyone can build or alter; only `Proof` decides. So a record
is checked by proving it again: every step by its rule, at instances drawn anew, and the new steps
have to be the recorded ones. Cost: as much as the first time.
"""

from __future__ import annotations

from ..errors import DerivationFailed
from .derivation import ARGUED, ASSUMPTION, DISCHARGE, HYPOTHESIS, Derivation, Step
from .proof import Proof
from .rules import RULES


def replay(derivation: Derivation, *, seed: int | None = None) -> Derivation:
    """Decide every step of a derivation again, from nothing but its hypotheses.

    Args:
        derivation: as found.
        seed: other instances than those of the derivation.

    Raises:
        DerivationFailed: a step is not decided, or its record does not say how it came about.
    """
    proof = Proof(
        derivation.claim,
        derivation.title,
        derivation.setting,
        choose=derivation.choose,
        seed=derivation.seed if seed is None else seed,
    )
    for step in derivation.steps:
        _repeat(proof, step)
    again = proof.finish(**derivation.conclusions)
    for old, new in zip(derivation.steps, again.steps, strict=True):
        if old != new:
            raise DerivationFailed(new.number, str(old), str(new), rule="replay")
    return again


def _repeat(proof: Proof, step: Step) -> None:
    """Add a recorded step to a proof, deciding it again.

    Raises:
        DerivationFailed: it is not decided.
    """
    if step.rule == HYPOTHESIS:
        proof.suppose(step.conclusion, why=step.why)
    elif step.rule == ASSUMPTION:
        proof.assume(step.conclusion, why=step.why)
    elif step.rule == DISCHARGE:
        proof.discharge(*step.premises, why=step.why)
    elif step.rule == ARGUED:
        proof.argue(step.conclusion, *step.premises, why=step.why)
    elif step.rule in RULES:
        proof.step(
            step.conclusion,
            RULES[step.rule],
            *step.premises,
            parameters=step.parameters,
            why=step.why,
        )
    else:
        raise DerivationFailed(step.number, "a rule of the table", step.rule, rule="replay")
