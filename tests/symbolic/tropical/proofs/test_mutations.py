"""Every step of every derivation, altered, must be refused; and refused by its rule."""

from typing import Any

import pytest
from sympy.core.relational import Relational

from headproof.symbolic.derivation import ASSUMPTION, DISCHARGE, HYPOTHESIS
from headproof.symbolic.derivations import MAKERS
from headproof.symbolic.errors import DerivationFailed
from headproof.symbolic.proof import Proof, repeat
from headproof.symbolic.rules import RULES
from headproof.symbolic.statement import Connective, is_order, ordered

ALL = [make for makers in MAKERS.values() for make in makers]


def altered(statement: Any, by: Any = 1) -> Any:
    """The statement with one side of its last relation moved the wrong way."""
    if isinstance(statement, Relational):
        if is_order(statement):
            small, large, _ = ordered(statement)
            sides = (small + by, large) if statement.lhs == small else (large, small + by)
        else:
            sides = (statement.lhs + by, statement.rhs)
        return statement.func(*sides, evaluate=False)
    if isinstance(statement, Connective):
        return statement.func(*statement.args[:-1], altered(statement.args[-1], by))
    return statement.func(altered(statement.body, by), statement.limits)


@pytest.mark.parametrize("make", ALL, ids=lambda make: make.__module__.rpartition(".")[2])
def test_no_altered_step_is_decided(make: Any) -> None:
    derivation = make()
    proof = Proof(
        derivation.claim, derivation.title, derivation.setting, choose=derivation.choose, seed=1
    )
    tried = 0
    for step in derivation.steps:
        if step.rule not in (HYPOTHESIS, ASSUMPTION, DISCHARGE):
            rule, wrong = RULES[step.rule], altered(step.conclusion)
            with pytest.raises(DerivationFailed) as failure:
                proof.step(wrong, rule, *step.premises, parameters=step.parameters, why="Altered.")
            assert failure.value.step == step.number
            assert failure.value.rule == step.rule  # by the rule, not only at instances
            tried += 1
        repeat(proof, step)
    assert tried
