"""Induction: what it proves, and everything that must stop it."""

from typing import Any

import pytest
from sympy import Sum

from headproof.symbolic.derivations.instance import Choice
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules.induction import INDUCTION
from headproof.symbolic.derivations.rules.logic import INSTANCE
from headproof.symbolic.derivations.rules.order import COMBINATION
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import ForAll, Implication, eq, le
from headproof.symbolic.errors import DerivationFailed

n = size("n")
h, k = index("h"), index("k")
s = family("s")


def triangle(k: Any) -> Any:
    """s(0) + ... + s(k) = k (k + 1) / 2."""
    return eq(Sum(s(h), (h, 0, k)), k * (k + 1) / 2)


def started(*, upper: Any = n - 1) -> tuple[Proof, int, int]:
    """A proof with the first case and the step from k to k + 1."""
    setting = Setting((n,), {k: (0, upper)}, (), (s,))
    proof = Proof(
        "example", "triangle", setting, choose=lambda random: Choice({}, {"s": lambda h: h})
    )
    terms = proof.suppose(ForAll(eq(s(k), k), (k, 0, n)), why="The terms.")
    zero = proof.step(eq(s(0), 0), INSTANCE, terms, parameters=(0,), why="At 0.")
    first = proof.step(eq(s(0), 0), COMBINATION, zero, parameters=(1,), why="One term.")
    before = proof.assume(triangle(k), why="Suppose it for k.")
    at = proof.step(eq(s(k + 1), k + 1), INSTANCE, terms, parameters=(k + 1,), why="At k + 1.")
    after = proof.step(
        triangle(k + 1), COMBINATION, before, at, parameters=(1, 1), why="One more term."
    )
    return proof, first, proof.discharge(before, after, why="From k to k + 1.")


def test_a_sum_of_different_terms() -> None:
    proof, first, step = started()
    every = proof.step(
        ForAll(triangle(k), (k, 0, n)), INDUCTION, first, step, why="Induction on k."
    )
    assert proof.finish(sum=every).general


@pytest.mark.parametrize(
    "goal",
    [
        ForAll(triangle(k), (k, 0, n + 1)),  # the step was shown up to n - 1 only
        ForAll(triangle(k), (k, 1, n)),  # begins elsewhere
        ForAll(triangle(k), (k, -1, n)),
        ForAll(eq(Sum(s(h), (h, 0, k)), k), (k, 0, n)),  # another statement
        triangle(n),
        ForAll(triangle(k), (k, 0, k)),  # its own index as the end
        ForAll(triangle(n), (h, 0, n)),  # no declared range
    ],
)
def test_another_goal_is_refused(goal: Any) -> None:
    proof, first, step = started()
    with pytest.raises(DerivationFailed) as failure:
        proof.step(goal, INDUCTION, first, step, why="False.")
    assert failure.value.rule == "induction"


def test_both_premises_are_needed() -> None:
    proof, first, step = started()
    goal = ForAll(triangle(k), (k, 0, n))
    for premises in ((first,), (step,), (step, first), (first, first), ()):
        with pytest.raises(DerivationFailed) as failure:
            proof.step(goal, INDUCTION, *premises, why="Incomplete.")
        assert failure.value.rule == "induction"


def test_an_index_that_an_open_assumption_names_is_not_arbitrary() -> None:
    setting = Setting((n,), {k: (0, n - 1)}, (), (s,))
    proof = Proof(
        "example", "open", setting, choose=lambda random: Choice({}, {"s": lambda h: -abs(h)})
    )
    start = proof.suppose(le(s(0), 0), why="The first case.")
    known = proof.suppose(Implication(le(s(k), 0), le(s(k + 1), 0)), why="At one k only.")
    with pytest.raises(DerivationFailed) as failure:
        proof.step(
            ForAll(le(s(k), 0), (k, 0, n)), INDUCTION, start, known, why="k is not arbitrary."
        )
    assert failure.value.rule == "induction"


def test_a_range_that_depends_on_the_index_fixes_it() -> None:
    setting = Setting((n,), {k: (0, n - 1), h: (0, k)}, (), (s,))
    proof = Proof(
        "example", "fixed", setting, choose=lambda random: Choice({}, {"s": lambda h: -abs(h)})
    )
    start = proof.suppose(le(s(0), 0), why="The first case.")
    every = proof.suppose(
        ForAll(Implication(le(s(k), 0), le(s(k + 1), 0)), (k, 0, n - 1)), why="The steps."
    )
    step = proof.step(
        Implication(le(s(k), 0), le(s(k + 1), 0)), INSTANCE, every, parameters=(k,), why="At k."
    )
    with pytest.raises(DerivationFailed) as failure:
        proof.step(ForAll(le(s(k), 0), (k, 0, n)), INDUCTION, start, step, why="h hangs on k.")
    assert failure.value.rule == "induction"
