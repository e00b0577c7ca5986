"""The tangent rule and weighted sums: true statements are decided, false ones refused by the rule.

The factor SMALL vanishes at sizes 1 to 4, so that no instance can tell a false statement from
a true one: what refuses is the rule.
"""

from typing import Any

import pytest
from sympy import Lambda, Sum, Symbol, exp, log

from headproof.symbolic.derivations.derivation import Derivation
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules import RULES
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import ForAll, eq, le, lt, ne
from headproof.symbolic.errors import DerivationFailed

N, j = size("N"), index("j")
f, u = family("f"), family("u", nonnegative=True)
a, b = Symbol("a", positive=True), Symbol("b", positive=True)
x, z = Symbol("x", real=True), Symbol("z", real=True)
y, w = Symbol("y", positive=True), Symbol("w", nonnegative=True)
SMALL = (N - 1) * (N - 2) * (N - 3) * (N - 4)
SETTING = Setting((N,), {j: (1, N)}, (a, b, x), (f, u))


def decide(rule: str, goal: Any, *premises: Any, parameters: Any = ()) -> Derivation:
    proof = Proof("example", "example", SETTING)
    given = [proof.suppose(premise, why="Given.") for premise in premises]
    step = proof.step(goal, RULES[rule], *given, parameters=parameters, why="Tried.")
    return proof.finish(goal=step)


@pytest.mark.parametrize(
    ("goal", "premises", "parameters"),
    [
        (le(1 + x, exp(x)), (), (Lambda(z, exp(z)), 0, x)),
        (lt(1 + x, exp(x)), (ne(x, 0),), (Lambda(z, exp(z)), 0, x)),
        (le(2 * a * x - a**2, x**2), (), (Lambda(z, z**2), a, x)),
        (le(-log(a) - (b - a) / a, -log(b)), (), (Lambda(y, -log(y)), a, b)),
        (lt(2 / a - b / a**2, 1 / b), (ne(b, a),), (Lambda(y, 1 / y), a, b)),
        (le(a**4 + 4 * a**3 * (x - a), x**4), (), (Lambda(z, z**4), a, x)),
    ],
)
def test_tangents_of_convex_functions(goal: Any, premises: Any, parameters: Any) -> None:
    assert decide("tangent", goal, *premises, parameters=parameters)


FALSE = {
    "another slope": (le(1 + x + SMALL * x, exp(x)), (), (Lambda(z, exp(z)), 0, x)),
    "another value": (le(1 + SMALL + x, exp(x)), (), (Lambda(z, exp(z)), 0, x)),
    "strict without a premise": (lt(1 + x, exp(x)), (), (Lambda(z, exp(z)), 0, x)),
    "strict by a premise on others": (
        lt(1 + x, exp(x)),
        (ne(a, b),),
        (Lambda(z, exp(z)), 0, x),
    ),
    "strict where the curvature may vanish": (
        lt(a**4 + 4 * a**3 * (x - a), x**4),
        (ne(a, x),),
        (Lambda(z, z**4), a, x),
    ),
    "concave": (le(log(a) + (b - a) / a, log(b)), (), (Lambda(y, log(y)), a, b)),
    "neither": (le(a**3 + 3 * a**2 * (x - a), x**3), (), (Lambda(z, z**3), a, x)),
    "convex on half of the line only": (
        le(SMALL * (3 * x - 2), SMALL * x**3),
        (),
        (Lambda(w, SMALL * w**3), 1, x),
    ),
    "an argument outside the domain": (
        le(-log(a) - (x - a) / a, -log(x**2) / 2),
        (),
        (Lambda(y, -log(y)), a, x),
    ),
    "a curvature whose sign hangs on another letter": (
        le(1 + SMALL * x * 0 + x * z * 0, 1 + x**3 * 0 + SMALL * f(1) * x**2),
        (),
        (Lambda(z, 1 + SMALL * f(1) * z**2), 0, x),
    ),
    "a letter of the setting as the variable": (le(1 + x, exp(x)), (), (Lambda(x, exp(x)), 0, x)),
    "two arguments missing": (le(1 + x, exp(x)), (), (Lambda(z, exp(z)),)),
    "no inequality": (eq(exp(x), 1 + x), (), (Lambda(z, exp(z)), 0, x)),
    "not elementary": (le(SMALL * f(1), SMALL * f(2)), (), (Lambda(z, f(z)), 1, 2)),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_the_tangent_rule_refuses(name: str) -> None:
    goal, premises, parameters = FALSE[name]
    with pytest.raises(DerivationFailed) as refused:
        decide("tangent", goal, *premises, parameters=parameters)
    assert "at instances" not in str(refused.value)


EVERY = (j, 1, N)
BELOW = ForAll(le(f(j), u(j)), EVERY)


@pytest.mark.parametrize(
    ("goal", "premise", "weight"),
    [
        (le(Sum(u(j) * f(j), EVERY), Sum(u(j) ** 2, EVERY)), BELOW, u(j)),
        (eq(Sum(f(j) * u(j), EVERY), Sum(3 * f(j), EVERY)), ForAll(eq(u(j), 3), EVERY), f(j)),
        (lt(Sum(j * f(j), EVERY), Sum(j * u(j), EVERY)), ForAll(lt(f(j), u(j)), EVERY), j),
    ],
)
def test_weighted_sums(goal: Any, premise: Any, weight: Any) -> None:
    assert decide("termwise", goal, premise, parameters=(weight,))


@pytest.mark.parametrize(
    ("goal", "premise", "weight"),
    [
        (le(Sum(SMALL * f(j) ** 2, EVERY), Sum(SMALL * f(j) * u(j), EVERY)), BELOW, SMALL * f(j)),
        (le(Sum(SMALL * f(j), EVERY), SMALL * N), ForAll(le(f(j) * u(j), u(j)), EVERY), 1 / u(j)),
        (
            lt(Sum(u(j) * f(j), EVERY), Sum(u(j) ** 2, EVERY)),
            ForAll(lt(f(j), u(j)), EVERY),
            u(j),
        ),
        (eq(Sum(SMALL * f(j), EVERY), 0), ForAll(eq(f(j) * u(j), 0), EVERY), SMALL / u(j)),
    ],
    ids=["of either sign", "that may not exist", "that may vanish, for <", "an equality"],
)
def test_weights_that_are_refused(goal: Any, premise: Any, weight: Any) -> None:
    with pytest.raises(DerivationFailed) as refused:
        decide("termwise", goal, premise, parameters=(weight,))
    assert "at instances" not in str(refused.value)
