"""False statements that the instances (sizes 1 to 4) cannot tell from true ones: rules must refuse.

Each difference is multiplied by (N - 1)(N - 2)(N - 3)(N - 4), or appears at N = 5 only.
"""

from typing import Any

import pytest
from sympy import Abs, I, Lambda, Limit, Max, Rational, Sum, Symbol, exp, log, oo

from headproof.symbolic.derivations.instance import Choice
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules import RULES
from headproof.symbolic.derivations.rules.limit import LIMIT
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import ForAll, eq, ge, gt, le, lt, ne
from headproof.symbolic.errors import DerivationFailed

N = size("N")
j, k, ours = index("j"), index("k"), index("_1")
f, s = family("f"), family("s")
tau, a, b = (Symbol(name, positive=True) for name in ("tau", "a", "b"))
x, y = Symbol("x", real=True), Symbol("y", real=True, nonzero=True)
SMALL = (N - 1) * (N - 2) * (N - 3) * (N - 4)
ranges = {j: (0, N), k: (1, N), ours: (1, N)}
SETTING = Setting((N,), ranges, (tau, a, b, x, y), (f, s))


def at_zero(body: Any, letter: Any = tau) -> Any:
    return Limit(SMALL * body, letter, 0, "+")


def decide(
    goal: Any, rule: Any, *premises: Any, parameters: Any = (), setting: Any = SETTING
) -> Any:
    proof = Proof("example", "example", setting)
    given = [proof.suppose(premise, why="Given.") for premise in premises]
    return proof.step(goal, RULES[rule], *given, parameters=parameters, why="Tried.")


own = Sum(j, (j, -3 * j, 2 * j))
positive = Symbol("j", integer=True, positive=True)
diagonal = SMALL * Sum(f(j, j), (j, 1, N))
FALSE = {
    "1/(k - 1) exists only where the range is not empty": (
        "normal form",
        eq(SMALL * Sum(1 / (k - 1), (j, 0, k - 2)), SMALL),
    ),
    "a free letter named like a bound one": (
        "normal form",
        eq(SMALL * Sum(f(ours, j), (j, 1, N)), diagonal),
    ),
    "an outer index named like a bound one": (
        "normal form",
        eq(SMALL * Sum(f(ours, j), (j, 1, N), (ours, 1, N)), N * diagonal),
    ),
    "a bound index that sympy takes to be positive": (
        "sign",
        gt(Sum(positive, (positive, 5 - N, 5)), 0),
    ),
    "a range that names its own index": ("sign", ge(SMALL**2 * own, 0)),
    "a limit that is another at N = 5": (
        "limit",
        eq(Limit(tau / (tau + (N - 5) ** 2), tau, 0), 0),
    ),
    "a limit that depends on a < b": (
        "limit",
        eq(at_zero(exp(a / tau) / (exp(a / tau) + exp(b / tau))), 0),
    ),
    "a limit that depends on the sign of y": (
        "limit",
        eq(at_zero(exp(y / tau) / (1 + exp(y / tau))), 0),
    ),
    "a limit of no number": ("limit", eq(at_zero(log(tau)), 0)),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_beyond_the_instances(name: Any) -> None:
    rule, goal = FALSE[name]
    with pytest.raises(DerivationFailed) as refused:
        decide(goal, rule)
    assert "at instances" not in str(refused.value)


z, w = Symbol("z", real=True), Symbol("w", positive=True)
below = Sum(k, (k, -9 - N, 5))
BELOW = Sum(positive, (positive, -9 - N, 5))
"""The same sum, of which sympy believes that it is positive."""
reverse = Sum(k, (k, -3 * j, 2 * j))
square = Lambda(z, SMALL**2 * z**2)
nothing = ForAll(le(f(k), 0), (k, 1, N))
BY_PARAMETERS = {
    "a derivative where sympy takes 0/0 to be 0": (
        ("derivative", eq(Limit(tau / (tau + (N - 5) ** 2), tau, 0), 0)),
        (tau**2 / (tau + (N - 5) ** 2),),
    ),
    "a derivative of a sum of such": (
        ("derivative", eq(Limit(Sum(tau / (tau + (k - 5) ** 2), (k, 1, N)), tau, 0), 0)),
        (Sum(tau**2 / (tau + (k - 5) ** 2), (k, 1, N)),),
    ),
    "a derivative of log where its argument may vanish": (
        ("derivative", eq(Limit(tau * log(tau + (N - 5) ** 2), tau, 0), 0)),
        (tau**2 * log(tau + (N - 5) ** 2),),
    ),
    "a derivative of a function with a kink": (
        ("derivative", eq(Limit(SMALL * Abs(tau - a) / tau, tau, 0), SMALL)),
        (SMALL * Abs(tau - a),),
    ),
    "a tangent at an imaginary argument": (
        ("tangent", le(0, -(SMALL**2))),
        (square, 0, I),
    ),
    "a tangent at two imaginary letters": (
        ("tangent", le(0, -(SMALL**2))),
        (square, Symbol("u"), Symbol("u") + I),
    ),
    "a curvature with an index that sympy takes to be positive": (
        ("tangent", le(0, SMALL**2 * below * x**2)),
        (Lambda(z, SMALL**2 * BELOW * z**2), 0, x),
    ),
    "a tangent of a function with a kink": (
        ("tangent", le(SMALL * x, SMALL * Max(x, 0))),
        (Lambda(z, SMALL * Max(z, 0)), 1, x),
    ),
    "a tangent of -log": (
        ("tangent", le(SMALL * (x - 1), SMALL * log(x))),
        (Lambda(w, -SMALL * log(w)), 1, x),
    ),
    "a multiplier with such an index": (
        ("linear combination", ge(SMALL**2 * below, 0), ge(tau, 0)),
        (SMALL**2 * BELOW / tau,),
    ),
    "a multiplier whose range names its own index": (
        ("linear combination", le(SMALL**2 * reverse * f(j), 0), le(f(j), 0)),
        (SMALL**2 * own,),
    ),
    "a weight whose range names its own index": (
        ("termwise", le(Sum(SMALL**2 * Sum(j, (j, -3 * k, 2 * k)) * f(k), (k, 1, N)), 0), nothing),
        (SMALL**2 * Sum(k, (k, -3 * k, 2 * k)),),
    ),
    "a weight for < over a range that may be empty": (
        ("termwise", lt(Sum(f(j), (j, 1, k - 1)), SMALL), ForAll(lt(f(j), 0), (j, 1, k - 1))),
        (1,),
    ),
    "an infinite multiplier": (("linear combination", le(f(j), 0), le(f(j), 0)), (oo,)),
    "a float": (("linear combination", le(f(j), 0), le(f(j), 0)), (1.0,)),
    "a truth value": (("tangent", le(0, 0)), (square, 0, True)),
    "letters of no setting": (("linear combination", le(f(j), 0), le(f(j), 0)), (Symbol("u"),)),
}


@pytest.mark.parametrize("name", BY_PARAMETERS)
def test_parameters_prove_nothing_false(name: Any) -> None:
    (rule, goal, *premises), parameters = BY_PARAMETERS[name]
    with pytest.raises(DerivationFailed) as refused:
        decide(goal, rule, *premises, parameters=parameters)
    assert "at instances" not in str(refused.value)


def test_premises_on_the_variable_say_nothing_near_0() -> None:
    inverse = 1 / (tau - Rational(1, 2))
    with pytest.raises(DerivationFailed):
        decide(eq(Limit(inverse, tau, 0), -2), "limit", ge(tau, 1))


def test_an_integer_does_not_tend_to_0() -> None:
    whole = Symbol("n", integer=True, positive=True)
    with pytest.raises(DerivationFailed, match="positive symbol"):
        decide(eq(at_zero(whole, whole), 0), "limit", setting=Setting((N,), {}, (whole,)))


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (3 * a - exp(-a / tau) / b, 3 * a),
        (log(1 + a + tau) ** 2 / (1 + exp(1 - b / tau)), log(1 + a) ** 2),
        (exp(tau * x) * tau, 0),
        (1 / (1 + exp(-1 / tau)) ** 3, 1),
        (x, x),
    ],
)
def test_limits_that_are_decided(body: Any, value: Any) -> None:
    decide(eq(Limit(body, tau, 0), value), LIMIT.name)


def test_premises_with_sums_are_no_endless_question() -> None:
    below = Sum(exp(s(j)), (j, 1, k - 1))
    assert decide(ge(below, 0), "sign", eq(below, x))


def test_two_letters_of_one_name() -> None:
    with pytest.raises(ValueError, match="two letters of one name: N"):
        Setting((N,), {}, (Symbol("N", real=True),))


def test_hypotheses_that_fix_a_size_behind_another_letter() -> None:
    goal = eq(Sum(2 * s(j), (j, 1, N)), 2 * Sum(s(j), (j, 1, N)))
    proof = Proof("example", "example", SETTING, choose=lambda random: Choice({N: 4, x: 4}))
    proof.suppose(eq(x, N), why="Given.")
    proof.suppose(eq(x, 4), why="Given.")
    with pytest.raises(DerivationFailed, match="more than one N"):
        proof.step(goal, RULES["normal form"], why="Linear.")


@pytest.mark.parametrize(
    "said", [{"nonnegative": True}, {"negative": True}, {"real": True, "nonzero": True}]
)
def test_instances_are_what_the_assumptions_say(said: dict[str, bool]) -> None:
    letter = Symbol("z", **said)
    proof = Proof("example", "example", Setting((N,), {}, (letter,)))
    goal = {"nonnegative": ge(letter, 0), "negative": gt(0, letter)}
    goal = next((goal[key] for key in said if key in goal), ne(letter, 0))
    proof.step(goal, RULES["sign"], why="By assumption.")


def test_exp_of_a_sum_is_refused_like_anything_undecided() -> None:
    with pytest.raises(DerivationFailed):
        decide(ge(exp(Sum(s(j), (j, 1, N))) + x, 0), "sign")
