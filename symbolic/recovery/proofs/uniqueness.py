"""E2, recovery.uniqueness: a constant plus n simple poles that vanishes at n + 1 nodes is zero.

The difference of two functions of a query of copies is K + sum_h a_h/(t + r_h), the sum over the
poles of both. Subtracting the value at the last node removes K; then `elimination` removes a pole
with a node, and the statement goes up by induction on n. The family C(n, h) is this elimination,
run from the top.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, Implication, eq, lt, substitute
from .elimination import elimination, n
from .poles import CLAIM, C, divided, h, i, model, r, row, squared, squares, t, terms, vanishing

M = size("M")
p, k = index("p"), index("k")
a = family("a")
K = Symbol("K", real=True)
TOP, LAST = M + 1, M + 2
"""The number of poles and the number of nodes."""


def function(i: Any) -> Any:
    """K + sum_h a_h/(t_i + r_h)."""
    return K + Sum(a(h) / (t(i) + r(h)), (h, 1, TOP))


def derivation() -> Derivation:
    """For all n = M + 1 >= 2 poles: zero at n + 1 nodes implies K = 0 and all a_h = 0.

    The last hypothesis is what `elimination` derives, taken from it: its conclusion under its
    hypotheses, at every p.

    Conclusions: ``cauchy`` (n poles without a constant, zero at n nodes, for every n <= M + 1);
    ``unique`` (with the constant, at n + 1 nodes).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (M,),
        {p: (1, M), i: (1, TOP), h: (1, TOP), k: (1, LAST)},
        (K,),
        (C, a, r, t),
        {
            "M": "M + 1 is the number of poles, those of both functions",
            "t": "the nodes, in ascending order: numbers of copies",
            "r": "the poles are at -r(h), in ascending order of r: r = exp(-x^T W_h w)",
            "K": "the difference of the constants",
            "a": "the differences of the residues",
            "C": "row M + 1 is a(h)/(t(M + 2) + r(h)); row p follows from row p + 1",
        },
    )
    proof = Proof(
        CLAIM, "A constant and simple poles are determined by their values", setting, choose=_zero
    )
    lemma = elimination()
    given = [substitute(hypothesis, {n: p}) for hypothesis in lemma.hypotheses]
    everywhere = [
        proof.suppose(ForAll(statement, (p, 1, M)), why="What the elimination asks for.")
        for statement in given
    ]
    last_node = proof.suppose(ForAll(lt(t(i), t(LAST)), (i, 1, TOP)), why="So is the last node.")
    first = proof.suppose(
        ForAll(eq(C(TOP, h), a(h) / (t(LAST) + r(h))), (h, 1, TOP)),
        why="This defines the last row.",
    )
    step = substitute(lemma.conclusion("step"), {n: p})
    derived = Implication(Conjunction(*given), step)
    eliminated = proof.suppose(
        ForAll(derived, (p, 1, M)), why="One pole is eliminated with one node: derived by itself."
    )
    premises = [
        proof.step(statement, INSTANCE, number, parameters=(p,), why="At p.")
        for number, statement in zip(everywhere, given, strict=True)
    ]
    use = proof.step(derived, INSTANCE, eliminated, parameters=(p,), why="At p.")
    cauchy = proof.step(
        ForAll(Implication(vanishing(p), squares(p)), (p, 1, TOP)),
        INDUCTION,
        _one_pole(proof),
        proof.step(step, CONSEQUENCE, use, *premises, why="What it asks for is given."),
        why="Induction on the number of poles.",
    )
    return proof.finish(cauchy=cauchy, unique=_with_constant(proof, last_node, first, cauchy))


def _one_pole(proof: Proof) -> int:
    """Row 1 vanishes at node 1 only if it is zero."""
    only = C(1, 1) / (t(1) + r(1))
    assumed = proof.assume(eq(only**2, 0), why="Suppose that one pole vanishes at one node.")
    zero = proof.step(
        eq(C(1, 1) ** 2, 0),
        COMBINATION,
        assumed,
        parameters=((t(1) + r(1)) ** 2,),
        why="Multiply by (t + r)^2 > 0.",
    )
    return proof.discharge(assumed, zero, why="One pole.")


def _with_constant(proof: Proof, nodes: int, first: int, cauchy: int) -> int:
    """The constant costs one node."""

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    given = ForAll(eq(function(k), 0), (k, 1, LAST))
    assumed = proof.assume(given, why="Suppose that the function vanishes at all nodes.")
    here = at(assumed, eq(function(i), 0), i, "At node i.")
    there = at(assumed, eq(function(LAST), 0), LAST, "At the last node.")
    apart = at(nodes, lt(t(i), t(LAST)), i, "The last node and node i.")
    entry = at(first, eq(C(TOP, h), a(h) / (t(LAST) + r(h))), h, "At h.")
    change = a(h) / (t(i) + r(h)) - a(h) / (t(LAST) + r(h))
    same = eq((t(LAST) - t(i)) * C(TOP, h) / (t(i) + r(h)), change)
    sums = proof.step(
        eq((t(LAST) - t(i)) * row(TOP, i), Sum(change, (h, 1, TOP))),
        TERMWISE,
        proof.step(
            ForAll(same, (h, 1, TOP)),
            GENERALISATION,
            proof.step(
                same,
                COMBINATION,
                entry,
                parameters=((t(LAST) - t(i)) / (t(i) + r(h)),),
                why="Two fractions are subtracted.",
            ),
            why="h was arbitrary.",
        ),
        why="Sum over the poles.",
    )
    scaled = proof.step(
        eq((t(LAST) - t(i)) * row(TOP, i), 0),
        COMBINATION,
        sums,
        here,
        there,
        parameters=(1, 1, -1),
        why="The constant cancels.",
    )
    gone = divided(proof, scaled, row(TOP, i), t(LAST) - t(i), apart)
    poles = squared(proof, gone, row(TOP, i), (i, 1, TOP))
    use = at(cauchy, Implication(vanishing(TOP), squares(TOP)), TOP, "For all poles.")
    small = proof.step(squares(TOP), CONSEQUENCE, use, poles, why="So the last row is zero.")
    zero = terms(proof, small, C(TOP, h), (h, 1, TOP))
    own = proof.step(
        eq(a(h), 0),
        COMBINATION,
        at(zero, eq(C(TOP, h), 0), h, "At h."),
        entry,
        parameters=(t(LAST) + r(h), -(t(LAST) + r(h))),
        why="Multiply by t + r > 0.",
    )
    every = proof.step(ForAll(eq(a(h), 0), (h, 1, TOP)), GENERALISATION, own, why="h arbitrary.")
    share = eq(a(h) / (t(LAST) + r(h)), 0)
    rest = proof.step(
        eq(Sum(a(h) / (t(LAST) + r(h)), (h, 1, TOP)), 0),
        TERMWISE,
        proof.step(
            ForAll(share, (h, 1, TOP)),
            GENERALISATION,
            proof.step(share, COMBINATION, own, parameters=(1 / (t(LAST) + r(h)),), why="Divide."),
            why="h was arbitrary.",
        ),
        why="The poles give nothing.",
    )
    constant = proof.step(
        eq(K, 0), COMBINATION, there, rest, parameters=(1, -1), why="So the constant is zero."
    )
    both = proof.step(
        Conjunction(eq(K, 0), ForAll(eq(a(h), 0), (h, 1, TOP))),
        CONSEQUENCE,
        constant,
        every,
        why="Both.",
    )
    return proof.discharge(assumed, both, why="Only the zero function vanishes at all nodes.")


def _zero(random: Random) -> Choice:
    """Ascending poles and nodes; residues that are all zero, or arbitrary."""
    last = random.randint(1, 2)
    letters: dict[Any, Any] = {M: last}
    families = model(random, last + 1)
    if not any(families["a"](place) for place in range(1, last + 2)):
        letters[K] = 0
    return Choice(letters, families)
