"""Every step of every derivation, altered, must be refused by the rule that decided it.

The rules are asked directly, so that no instance can help them. Derivations that take long to
make run with the long tests.
"""

from typing import Any

import pytest
from sympy.core.relational import Relational

from headproof.symbolic.catalogue import MAKERS
from headproof.symbolic.derivations.antiderivative import Undecided
from headproof.symbolic.derivations.derivation import ASSUMPTION, DISCHARGE, HYPOTHESIS
from headproof.symbolic.derivations.rules import RULES, Judgement, Refused
from headproof.symbolic.derivations.rules.order import SIGN
from headproof.symbolic.derivations.statement import Connective, is_order, ordered

SLOW = {
    "biases.value_bias",
    "budget.derivation",
    "containment.derivation",
    "covariance.derivation",
    "derivative_stability.bound",
    "derivative_stability.pairs",
    "dequantisation.derivation",
    "diversity_index.derivation",
    "elimination.elimination",
    "error_decomposition.fixed_design",
    "error_decomposition.outcomes",
    "fibre.commutant",
    "fibre.exact",
    "fibre.invisible",
    "fixed_values.derivation",
    "gradient.orthogonal",
    "gradient.rotated",
    "gradient.step",
    "floor.derivation",
    "head_average.derivation",
    "identity.derivation",
    "isotropic.derivation",
    "maximum.derivation",
    "mixing.equivariance",
    "mixing.invariance",
    "nadaraya_watson.derivation",
    "nearly_attained.derivation",
    "opposite_labels.derivation",
    "overlay.derivation",
    "principal_angles.derivation",
    "rational_map.derivation",
    "rational_map.part",
    "rebalancing.projection",
    "routing_limit.derivation",
    "separation.static",
    "symmetries.factors",
    "symmetries.sign",
    "surrogate.conservation",
    "surrogate.gradient",
    "unbiased_maximum.derivation",
    "uniqueness.derivation",
    "value_stability.derivation",
    "weight_decay.decay",
    "winning_ball.derivation",
}
ALL = {
    f"{make.__module__.rpartition('.')[2]}.{make.__name__}": make
    for makers in MAKERS.values()
    for make in makers
}
LARGE = 10**6
"""Both sides of "n < 3 n" may be integers: one more may still be true, a million more is not."""


def altered(statement: Any, by: Any) -> Any:
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


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] if n in SLOW else []) for n in ALL]
)
def test_no_altered_step_is_decided(name: str) -> None:
    derivation = ALL[name]()
    tried = 0
    for step in derivation.steps:
        if step.rule in (HYPOTHESIS, ASSUMPTION, DISCHARGE):
            continue
        wrong = altered(step.conclusion, LARGE if step.rule == SIGN.name else 1)
        judgement = Judgement(
            derivation.setting,
            wrong,
            tuple(derivation.steps[n - 1].conclusion for n in step.premises),
            tuple(derivation.steps[n - 1].conclusion for n in sorted(step.assumptions)),
            step.parameters,
        )
        with pytest.raises((Refused, Undecided)):
            RULES[step.rule].decide(judgement)
        tried += 1
    assert tried


def test_the_slow_ones_are_derivations() -> None:
    assert set(ALL) >= SLOW
