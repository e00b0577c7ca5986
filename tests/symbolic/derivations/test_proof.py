"""The kernel: what it accepts, and above all what it refuses."""

from typing import Any

import pytest
from sympy import Lambda, Limit, Sum, Symbol, exp, log

from headproof.symbolic.derivations import proof as kernel
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules import RULES, Judgement, Refused, Rule
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import (
    Conjunction,
    Disjunction,
    Equivalence,
    Exists,
    ForAll,
    Implication,
    eq,
    ge,
    gt,
    le,
    lt,
    ne,
)
from headproof.symbolic.errors import DerivationFailed

N = size("N")
i, j, k = map(index, "ijk")
s, w = family("s"), family("w")
g = family("g", nonnegative=True)
tau, t = Symbol("tau", positive=True), Symbol("t", real=True)
x, y, z = Symbol("x", real=True), Symbol("y", positive=True), Symbol("z", nonnegative=True)
SETTING = Setting((N,), {i: (1, N), j: (1, N), k: (1, N)}, (tau, t), (s, w, g))
EVERY = (j, 1, N)


def total(term: Any, low: Any = 1, high: Any = N) -> Any:
    return Sum(term, (j, low, high))


def every(body: Any, low: Any = 1, high: Any = N) -> Any:
    return ForAll(body, (j, low, high))


def judge(
    rule: Any, conclusion: Any, premises: Any = (), parameters: Any = (), assumptions: Any = ()
) -> None:
    judgement = Judgement(
        SETTING, conclusion, tuple(premises), tuple(assumptions), tuple(parameters)
    )
    RULES[rule].decide(judgement)


COMBINE, MONOTONE, PLAIN = "linear combination", "monotone function", "propositional consequence"
MEAN = [
    le(total(w(j) * (s(j) - t)), 0),
    eq(total(w(j)), 1),
    every(le(0, w(j))),
]
SOME = Exists(Conjunction(gt(w(j), 0), le(s(j), t)), EVERY)
LOW, HIGH = t - tau, t + tau
SQUEEZED = [le(LOW, s(j)), le(s(j), HIGH), eq(Limit(LOW, tau, 0), t), eq(Limit(HIGH, tau, 0), t)]

INDUCED = [le(s(1), t), Implication(le(s(j), t), le(s(j + 1), t))]

MOVED = total(w(j) * exp(s(j) * (1 + tau))) / (1 + tau - tau)
SLOPE = Limit((MOVED - total(w(j) * exp(s(j)))) / tau, tau, 0)

GOOD = [
    ("normal form", eq(total(s(j), 1, k) + total(s(j), k + 1), total(s(j)))),
    ("sign", lt(0, total(exp(s(j))))),
    ("sign", le(0, total(exp(s(j)), 1, k - 1))),
    ("sign", le(0, total(g(j)))),
    ("sign", ne(exp(t), 0)),
    ("sign", le(k, N)),
    ("sign", le(0, t * s(j)), [le(0, t), le(0, s(j))]),
    (COMBINE, le(s(i), s(k)), [le(s(i), s(j)), le(s(j), s(k))], (1, 1)),
    (COMBINE, lt(s(i), s(k)), [le(s(i), s(j)), lt(s(j), s(k))], (1, 1)),
    (COMBINE, le(tau * s(i), tau * s(j)), [le(s(i), s(j))], (tau,)),
    (COMBINE, eq(t * s(i), t * s(j)), [eq(s(i), s(j))], (t,)),
    ("rescaling", Equivalence(le(s(i), s(j)), ge(1 - tau * s(i), 1 - tau * s(j))), [], (tau,)),
    ("rescaling", Equivalence(eq(s(i), s(j)), eq(-s(i), -s(j))), [], (-1,)),
    (MONOTONE, lt(exp(s(i)), exp(s(j))), [lt(s(i), s(j))], (Lambda(x, exp(x)),)),
    (MONOTONE, le(1 / exp(s(j)), 1), [le(1, exp(s(j)))], (Lambda(y, 1 / y),)),
    (MONOTONE, Equivalence(eq(log(exp(t)), 0), eq(exp(t), 1)), [], (Lambda(y, log(y)),)),
    (MONOTONE, le(g(i) ** 2 + g(i), g(j) ** 2 + g(j)), [le(g(i), g(j))], (Lambda(z, z**2 + z),)),
    ("termwise", le(total(s(j)), N * t), [every(le(s(j), t))]),
    ("termwise", lt(total(s(j)), N * t), [every(lt(s(j), t))]),
    ("termwise", eq(total(s(j)), total(w(j))), [every(eq(s(j), w(j)))]),
    ("vanishing sum", Equivalence(eq(total(s(j)), 0), every(eq(s(j), 0))), [every(le(0, s(j)))]),
    ("empty sum", Equivalence(eq(total(exp(s(j)), 1, k - 1), 0), eq(k - 1, 0))),
    ("vanishing terms", Equivalence(eq(g(i) + g(j), 0), Conjunction(eq(g(i), 0), eq(g(j), 0)))),
    ("weighted mean", SOME, MEAN),
    ("instance", le(s(k), t), [every(le(s(j), t))], (k,)),
    ("generalisation", every(le(s(j), t)), [le(s(j), t)]),
    ("generalisation", every(le(s(j), t), 2, N), [le(s(j), t)]),
    ("generalisation", Equivalence(every(le(s(j), t)), every(ge(-s(j), -t))),
     [Equivalence(le(s(j), t), ge(-s(j), -t))]),
    (PLAIN, le(s(j), t), [Conjunction(le(s(j), t), le(0, t))]),
    (PLAIN, lt(t, 0), [Implication(le(0, t), eq(t, 7)), ne(t, 7)]),
    ("zero product", Disjunction(eq(s(j), 0), eq(s(j), 1)), [eq(s(j) * (1 - s(j)), 0)]),
    ("another index", Exists(Conjunction(ne(j, k), le(s(j), t)), EVERY), [SOME, eq(w(k), 0)]),
    ("limit", eq(Limit(s(j) + exp(-1 / tau) / (1 + tau), tau, 0), s(j))),
    ("squeeze", eq(Limit(s(j), tau, 0), t), SQUEEZED),
    ("induction", every(le(s(j), t), 1, N + 1), INDUCED),
    ("derivative", eq(SLOPE, total(s(j) * w(j) * exp(s(j)))), [], (MOVED,)),
    ("tangent", le(1 + t, exp(t)), [], (Lambda(x, exp(x)), 0, t)),
    ("tangent", lt(2 - tau, 1 / tau), [ne(tau, 1)], (Lambda(y, 1 / y), 1, tau)),
]  # fmt: skip

BAD = [
    ("normal form", eq(total(s(j), 1, k) + total(s(j), k), total(s(j)))),
    ("normal form", eq(1 / s(j), 1 / s(j) + 0 * t + t - t + 1)),
    ("normal form", eq(Limit(s(j) / tau, tau, 0) + 1, Limit(s(j) / tau, tau, 0) + 1)),
    ("normal form", le(t, t)),
    ("sign", le(0, s(j))),
    ("sign", lt(0, total(exp(s(j)), 1, k - 1))),
    ("sign", lt(0, total(g(j)))),
    ("sign", le(0, total(s(j)))),
    ("sign", lt(k, N)),
    ("sign", le(0, s(k)), [le(0, s(j))]),
    ("sign", le(0, total(s(j))), [le(0, s(j))]),  # j is bound in the sum, free in the premise
    (COMBINE, lt(s(i), s(k)), [le(s(i), s(j)), le(s(j), s(k))], (1, 1)),
    (COMBINE, le(-s(i), -s(j)), [le(s(i), s(j))], (-1,)),
    (COMBINE, le(t * s(i), t * s(j)), [le(s(i), s(j))], (t,)),
    (COMBINE, eq(s(i), s(j)), [le(s(i), s(j))], (1,)),
    (COMBINE, eq(s(j), 0), [eq(t * s(j), 0)], (1 / t,)),  # t may be 0
    (COMBINE, le(s(j), t), [every(le(s(j), t))], (1,)),
    (COMBINE, le(s(i), s(j)), [le(s(i), s(j))], ()),
    (COMBINE, lt(s(i), s(j) + 1), [lt(s(i), s(j)), le(0, 1)], (0, 1)),
    ("rescaling", Equivalence(le(s(i), s(j)), le(-s(i), -s(j))), [], (-1,)),
    ("rescaling", Equivalence(le(s(i), s(j)), lt(2 * s(i), 2 * s(j))), [], (2,)),
    ("rescaling", Equivalence(eq(s(j), 0), eq(t * s(j), 0)), [], (t,)),
    ("rescaling", Equivalence(le(t * s(i), 0), le(s(i), 0)), [], (1 / t**2,)),
    (MONOTONE, le(1 / exp(s(i)), 1 / exp(s(j))), [le(exp(s(i)), exp(s(j)))], (Lambda(y, 1 / y),)),
    (MONOTONE, le(s(i) ** 2, s(j) ** 2), [le(s(i), s(j))], (Lambda(x, x**2),)),
    (MONOTONE, le(log(s(i)), log(s(j))), [le(s(i), s(j))], (Lambda(y, log(y)),)),
    (MONOTONE, le(-1 / s(i), -1 / s(j)), [le(s(i), s(j))], (Lambda(x, -1 / x),)),
    (MONOTONE, le(-1 / g(i), -1 / g(j)), [le(g(i), g(j))], (Lambda(z, -1 / z),)),
    (MONOTONE, lt(exp(s(i)), exp(s(j))), [le(s(i), s(j))], (Lambda(x, exp(x)),)),
    (MONOTONE, le(t * s(i), t * s(j)), [le(s(i), s(j))], (Lambda(x, t * x),)),
    (MONOTONE, le(3, exp(s(j))), [le(2, s(j))], (Lambda(x, exp(x)),)),
    # a premise about tau must say nothing of the variable of the function
    (MONOTONE, le(tau**2 - 2 * tau, 0), [le(tau, 2), lt(1, tau)], (Lambda(tau, tau**2 - 2 * tau),)),
    (MONOTONE, Equivalence(le(exp(t), 1), lt(t, 0)), [], (Lambda(x, exp(x)),)),
    (MONOTONE, le(exp(s(i)), exp(s(j))), [], (Lambda(x, exp(x)),)),
    ("termwise", le(total(s(j)), (N - 1) * t), [every(le(s(j), t))]),
    ("termwise", lt(total(s(j), 1, k - 1), (k - 1) * t), [every(lt(s(j), t), 1, k - 1)]),
    ("termwise", lt(total(s(j)), N * t), [every(le(s(j), t))]),
    ("termwise", le(total(s(j)), N * t), [le(s(j), t)]),
    ("termwise", eq(total(s(j)), N * t), [every(le(s(j), t))]),
    ("vanishing sum", Equivalence(eq(total(s(j)), 0), every(eq(s(j), 0))), [every(le(s(j), 1))]),
    ("vanishing sum", Equivalence(eq(total(s(j)), 0), every(eq(s(j), 0))),
     [every(le(0, s(j)), 1, k)]),
    ("empty sum", Equivalence(eq(total(g(j), 1, k - 1), 0), eq(k - 1, 0))),
    ("empty sum", Equivalence(eq(total(exp(s(j)), 1, k - 1), 0), eq(k, 0))),
    ("vanishing terms", Equivalence(eq(g(i) + s(j), 0), Conjunction(eq(g(i), 0), eq(s(j), 0)))),
    ("vanishing terms", Equivalence(eq(g(i) - g(j), 0), Conjunction(eq(g(i), 0), eq(g(j), 0)))),
    ("weighted mean", Exists(Conjunction(gt(w(j), 0), lt(s(j), t)), EVERY), MEAN),
    ("weighted mean", SOME, [MEAN[0], eq(total(w(j)), 0), MEAN[2]]),
    ("weighted mean", SOME, [MEAN[0], MEAN[1], every(le(-1, w(j)))]),
    ("weighted mean", SOME, [le(total(w(j) * (s(j) - t)), 1), *MEAN[1:]]),
    ("weighted mean", SOME, MEAN[:2]),
    ("instance", le(s(k + 1), t), [every(le(s(j), t))], (k + 1,)),
    ("instance", le(s(k), t), [every(le(s(j), t), 2, N)], (k,)),
    ("instance", le(s(tau), t), [every(le(s(j), t))], (tau,)),
    ("instance", le(s(k), t + 1), [every(le(s(j), t))], (k,)),
    ("generalisation", every(le(s(j), t), 1, N + 1), [le(s(j), t)]),
    ("generalisation", every(le(s(j), t), 0, N), [le(s(j), t)]),
    ("generalisation", every(le(s(j), t)), [le(s(k), t)]),
    ("generalisation", every(le(s(j), t)), [le(s(j), t)], (), [le(s(j), t)]),
    ("generalisation", Exists(le(s(j), t), EVERY), [le(s(j), t)]),
    (PLAIN, le(s(j), t), [Disjunction(le(s(j), t), le(0, t))]),
    (PLAIN, every(le(s(j), t)), [le(s(j), t)]),
    (PLAIN, le(0, t), [Implication(eq(t, 1), le(0, t))]),
    # that s(j) > 0 for one j does not make 1/s(j) exist for all
    (PLAIN, every(le((1 + s(j)) / s(j), t)), [lt(0, s(j)), every(le(1 / s(j) + 1, t))]),
    ("zero product", Disjunction(eq(s(j), 0), eq(s(j), 2)), [eq(s(j) * (1 - s(j)), 0)]),
    ("zero product", Disjunction(eq(s(j), 0), eq(t, 0)), [eq(s(j) + t, 0)]),
    ("another index", Exists(Conjunction(ne(j, k), le(s(j), t)), EVERY), [SOME, eq(w(k), 1)]),
    ("another index", Exists(Conjunction(ne(j, k), le(s(j), t)), EVERY), [SOME, eq(w(i), 0)]),
    ("another index", Exists(Conjunction(ne(j, k), le(t, s(j))), EVERY), [SOME, eq(w(k), 0)]),
    ("limit", eq(Limit(exp(-1 / tau), tau, 0), 1)),
    ("limit", eq(Limit(1 / tau, tau, 0), 0)),
    ("limit", eq(Limit(exp(-t / tau), tau, 0), 0)),  # t may be negative
    ("limit", eq(Limit(1 / (tau - 1), tau, 0), -1)),  # not defined at tau = 1
    ("squeeze", eq(Limit(s(j), tau, 0), t), SQUEEZED, (), [le(tau, 1)]),
    ("squeeze", eq(Limit(s(j), tau, 0), 0), SQUEEZED),
    ("squeeze", eq(Limit(s(j), tau, 0), t), [SQUEEZED[1], *SQUEEZED[1:]]),
    ("squeeze", eq(Limit(s(j), tau, 0), t), SQUEEZED[:3]),
    ("derivative", eq(SLOPE, total(s(j) * exp(s(j)))), [], (MOVED,)),
    ("derivative", eq(SLOPE, total(s(j) * w(j) * exp(s(j)))), [], (MOVED + tau,)),
    ("derivative", eq(SLOPE, total(s(j) * w(j) * exp(s(j))))),
    ("derivative", eq(Limit(log(tau) / tau, tau, 0), 0), [], (log(tau),)),
    ("derivative", eq(Limit((1 / (t + tau) - 1 / t) / tau, tau, 0), -1 / t**2), [],
     (1 / (t + tau),)),
    ("derivative", eq(Limit(tau / (tau + g(i)), tau, 0), 0), [], (tau**2 / (tau + g(i)),)),
    ("tangent", lt(1 + t, exp(t)), [], (Lambda(x, exp(x)), 0, t)),
    ("tangent", le(1 - t, exp(t)), [], (Lambda(x, exp(x)), 0, t)),
    ("tangent", le(2 - t, 1 / t), [], (Lambda(y, 1 / y), 1, t)),  # t may be negative
    ("tangent", le(0, t**3), [], (Lambda(x, x**3), 0, t)),
    ("induction", every(le(s(j), t), 1, N + 2), INDUCED),  # the step is known for j = 1..N
    ("induction", every(le(s(j), t), 2, N), INDUCED),
    ("induction", every(lt(s(j), t)), INDUCED),
    ("induction", every(le(s(j), t)), INDUCED, (), [le(0, s(j))]),
    ("induction", every(le(s(j), t)), INDUCED[:1]),
    ("induction", every(le(s(j), t)), [INDUCED[0], Implication(le(s(j + 1), t), le(s(j), t))]),
]  # fmt: skip


@pytest.mark.parametrize("case", GOOD, ids=lambda case: f"{case[0]}: {case[1]}"[:70])
def test_a_rule_decides_what_follows(case: Any) -> None:
    judge(*case)


@pytest.mark.parametrize("case", BAD, ids=lambda case: f"{case[0]}: {case[1]}"[:70])
def test_a_rule_refuses_what_does_not_follow(case: Any) -> None:
    with pytest.raises(Refused):
        judge(*case)


def test_every_rule_has_good_and_bad_cases() -> None:
    assert {case[0] for case in GOOD} == {case[0] for case in BAD} == set(RULES)


def start(**options: Any) -> Any:
    return Proof("example", "an example", SETTING, **options)


def step(
    proof: Any, conclusion: Any, rule: Any = "sign", premises: Any = (), parameters: Any = ()
) -> Any:
    return proof.step(conclusion, RULES[rule], *premises, parameters=parameters, why="Test.")


def test_a_false_step_that_a_rule_lets_through_is_caught_at_instances(monkeypatch: Any) -> None:
    lax = Rule("lax", lambda judgement: None)
    monkeypatch.setattr(kernel, "RULES", {"lax": lax})
    with pytest.raises(DerivationFailed, match="at instances"):
        start().step(eq(total(s(j)), total(s(j), 1, k)), lax, why="False unless k = N.")
    start().step(eq(total(s(j)), total(s(i).subs(i, j))), lax, why="True.")


def test_a_rule_that_is_not_in_the_table_is_refused() -> None:
    lax = Rule("sign", lambda judgement: None)
    with pytest.raises(DerivationFailed, match="a rule of the table"):
        start().step(le(0, 1), lax, why="A rule of the same name.")


@pytest.mark.parametrize(
    "false",
    [
        le(total(s(j)), 3),
        eq(total(s(j)) ** 2, total(s(j) ** 2)),
        every(lt(s(j), s(k))),
        Exists(gt(s(j), s(k)), EVERY),
        Equivalence(eq(s(i), s(j)), eq(i, j)),
        eq(Limit(exp(-t / tau), tau, 0), 0),
        lt(log(exp(t)), t),
    ],
    ids=str,
)
def test_even_an_argued_step_must_hold_at_instances(false: Any) -> None:
    with pytest.raises(DerivationFailed, match="at instances"):
        start().argue(false, why="It is false.")


def test_an_argued_step_is_counted_and_makes_the_derivation_not_general() -> None:
    proof = start()
    known = step(proof, lt(0, total(exp(s(j)))))
    assert proof.finish(all=known).general
    proof.argue(every(lt(0, exp(s(j)))), why="Exponentials are positive.")
    derivation = proof.finish(all=known)
    assert (derivation.argued, derivation.general) == (1, False)


def test_contradictory_hypotheses_are_refused() -> None:
    proof = start()
    proof.suppose(every(le(s(j), s(k) - 1)), why="Impossible at j = k.")
    with pytest.raises(DerivationFailed, match="0 of"):
        step(proof, lt(0, tau))


def test_an_impossible_assumption_is_refused() -> None:
    with pytest.raises(DerivationFailed, match="only 0 instances"):
        start().assume(lt(tau, 0), why="tau is positive.")


def test_an_assumption_must_be_discharged() -> None:
    proof = start()
    assumed = proof.assume(le(s(i), s(j)), why="Assume.")
    reached = step(proof, le(2 * s(i), 2 * s(j)), COMBINE, (assumed,), (2,))
    with pytest.raises(DerivationFailed, match="not discharged"):
        proof.finish(open=reached)
    closed = proof.discharge(assumed, reached, why="Closed.")
    derivation = proof.finish(closed=closed)
    expected = Implication(le(s(i), s(j)), le(2 * s(i), 2 * s(j)))
    assert derivation.conclusion("closed") == expected
    assert [shown.number for shown in derivation.support("closed")] == [1, 2, 3]


def test_only_an_assumption_can_be_discharged() -> None:
    proof = start()
    known = step(proof, lt(0, tau))
    with pytest.raises(DerivationFailed):
        proof.discharge(known, known, why="No assumption.")


def test_hypotheses_that_a_conclusion_rests_on_are_computed() -> None:
    proof = start()
    first = proof.suppose(every(le(0, s(j))), why="First.")
    proof.suppose(le(t, 0), why="Second, not used.")
    summed = step(proof, le(0, total(s(j))), "termwise", (first,))
    derivation = proof.finish(sum=summed)
    assert derivation.steps[summed - 1].assumptions == {first}
    assert len(derivation.hypotheses) == 2


def test_sizes_that_were_fixed_are_noticed() -> None:
    proof = Proof("example", "fixed", SETTING)
    known = step(proof, lt(0, Sum(exp(s(j)), (j, 1, 3))))
    derivation = proof.finish(all=known)
    assert (derivation.sizes, derivation.general) == ((), False)
    narrowed = start()
    narrowed.suppose(eq(N, 3), why="A size fixed by hypothesis.")
    known = step(narrowed, lt(0, total(exp(s(j)))))
    assert narrowed.finish(all=known).fixed == ("Eq(N, 3)",)
    assert not narrowed.finish(all=known).general
    concrete = Setting((), {j: (1, 4)}, (), (s,))
    proof = Proof("example", "concrete", concrete)
    known = step(proof, lt(0, exp(s(j))))
    assert not proof.finish(all=known).general


def test_letters_must_be_declared_and_premises_exist() -> None:
    with pytest.raises(DerivationFailed, match="declared letters"):
        step(start(), lt(0, exp(Symbol("u", real=True))))
    with pytest.raises(DerivationFailed, match="an earlier step"):
        step(start(), lt(0, tau), premises=(1,))
    with pytest.raises(TypeError):
        step(start(), lt(0, tau) & lt(1, tau))
    proof = start()
    step(proof, lt(0, tau))
    with pytest.raises(ValueError, match="before the first step"):
        proof.suppose(le(t, 0), why="Too late.")


def test_an_index_of_a_range_that_may_be_empty_is_refused() -> None:
    with pytest.raises(ValueError, match="may be empty"):
        Proof("example", "hidden hypothesis", Setting((N,), {k: (1, N), j: (1, k - 1)}))


def test_what_is_not_defined_is_no_conclusion() -> None:
    proof = start()
    premise = proof.assume(le(2, s(j)), why="A premise.")
    with pytest.raises(DerivationFailed, match="not decided nonzero"):
        step(proof, le(2 + 1 / t, s(j) + 1 / t), COMBINE, (premise,), (1,))
