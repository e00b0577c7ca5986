"""E2, recovery.uniqueness: one pole is eliminated with one node.

    (t_n + r_n) S(t_i) - (t_last + r_n) S(t_last) = (t_last - t_i) sum_{h < n} C'_h/(t_i + r_h)

removes the last pole of S(t) = sum_h C_h/(t + r_h) with the last node:
C'_h = C_h (r_n - r_h)/(t_last + r_h). So the residues of n poles determine those of n - 1 poles.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, index, size
from ...derivations.statement import ForAll, Implication, eq, lt
from .poles import CLAIM, C, divided, h, i, model, r, row, squared, squares, t, terms, vanishing

n, k = size("n"), index("k")


def next_row(n: Any, h: Any) -> Any:
    """C(n, h) from row n + 1."""
    return C(n + 1, h) * (r(n + 1) - r(h)) / (t(n + 1) + r(h))


def elimination() -> Derivation:
    """From n poles to n + 1: the step of the induction, for every n >= 1.

    Conclusion: ``step``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (n,),
        {i: (1, n), h: (1, n), k: (1, n + 1)},
        families=(C, r, t),
        meaning={
            "n": "a number of poles",
            "t": "the nodes, numbers of copies",
            "r": "the poles are at -r(h): r = exp(-x^T W_h w)",
            "C": "the residues C(n + 1, h) of n + 1 poles, and C(n, h) of n poles",
        },
    )
    proof = Proof(CLAIM, "One pole is eliminated with one node", setting, choose=_row)
    poles = proof.suppose(ForAll(lt(r(h), r(n + 1)), (h, 1, n)), why="The last pole is apart.")
    nodes = proof.suppose(ForAll(lt(t(i), t(n + 1)), (i, 1, n)), why="The last node is apart.")
    rows = proof.suppose(
        ForAll(eq(C(n, h), next_row(n, h)), (h, 1, n)), why="This defines row n by row n + 1."
    )
    return proof.finish(step=_one_more(proof, poles, nodes, rows))


def _one_more(proof: Proof, poles: int, nodes: int, rows: int) -> int:
    """From n poles to n + 1."""
    known = Implication(vanishing(n), squares(n))
    before = proof.assume(known, why="Suppose it for n poles.")
    assumed = proof.assume(vanishing(n + 1), why="Suppose that n + 1 poles vanish at n + 1 nodes.")

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    apart = at(nodes, lt(t(i), t(n + 1)), i, "Node n + 1 and node i.")
    distinct = at(poles, lt(r(h), r(n + 1)), h, "Pole n + 1 and pole h.")
    entry = at(rows, eq(C(n, h), next_row(n, h)), h, "At h.")

    # Row n vanishes at the nodes 1..n.
    weight = (t(i) + r(n + 1)) / (t(i) + r(h)) - (t(n + 1) + r(n + 1)) / (t(n + 1) + r(h))
    less = eq((t(n + 1) - t(i)) * C(n, h) / (t(i) + r(h)), C(n + 1, h) * weight)
    term = proof.step(
        less,
        COMBINATION,
        entry,
        parameters=((t(n + 1) - t(i)) / (t(i) + r(h)),),
        why="The last pole is eliminated.",
    )
    every = proof.step(ForAll(less, (h, 1, n)), GENERALISATION, term, why="h was arbitrary.")
    sums = proof.step(
        eq((t(n + 1) - t(i)) * row(n, i), Sum(C(n + 1, h) * weight, (h, 1, n))),
        TERMWISE,
        every,
        why="Sum over the first n poles.",
    )
    split = proof.step(
        eq(
            Sum(C(n + 1, h) * weight, (h, 1, n)),
            (t(i) + r(n + 1)) * row(n + 1, i) - (t(n + 1) + r(n + 1)) * row(n + 1, n + 1),
        ),
        NORMAL_FORM,
        why="The terms of pole n + 1 cancel.",
    )
    nodewise = terms(proof, assumed, row(n + 1, k), (k, 1, n + 1))
    here = at(nodewise, eq(row(n + 1, i), 0), i, "At node i.")
    there = at(nodewise, eq(row(n + 1, n + 1), 0), n + 1, "At node n + 1.")
    scaled = proof.step(
        eq((t(n + 1) - t(i)) * row(n, i), 0),
        COMBINATION,
        sums,
        split,
        here,
        there,
        parameters=(1, 1, t(i) + r(n + 1), -(t(n + 1) + r(n + 1))),
        why="Both sums vanish.",
    )
    gone = divided(proof, scaled, row(n, i), t(n + 1) - t(i), apart)
    fewer = squared(proof, gone, row(n, i), (i, 1, n))
    small = proof.step(squares(n), CONSEQUENCE, before, fewer, why="So row n is zero.")

    # Row n + 1 is zero.
    zero = terms(proof, small, C(n, h), (h, 1, n))
    times = proof.step(
        eq((r(n + 1) - r(h)) * C(n + 1, h), 0),
        COMBINATION,
        at(zero, eq(C(n, h), 0), h, "At h."),
        entry,
        parameters=(t(n + 1) + r(h), -(t(n + 1) + r(h))),
        why="Multiply by t + r > 0.",
    )
    own = divided(proof, times, C(n + 1, h), r(n + 1) - r(h), distinct)
    shares = proof.step(
        ForAll(eq(C(n + 1, h) / (t(n + 1) + r(h)), 0), (h, 1, n)),
        GENERALISATION,
        proof.step(
            eq(C(n + 1, h) / (t(n + 1) + r(h)), 0),
            COMBINATION,
            own,
            parameters=(1 / (t(n + 1) + r(h)),),
            why="Divide.",
        ),
        why="h was arbitrary.",
    )
    rest = proof.step(
        eq(Sum(C(n + 1, h) / (t(n + 1) + r(h)), (h, 1, n)), 0),
        TERMWISE,
        shares,
        why="The first n poles give nothing.",
    )
    last = proof.step(
        eq(C(n + 1, n + 1), 0),
        COMBINATION,
        there,
        rest,
        parameters=(t(n + 1) + r(n + 1), -(t(n + 1) + r(n + 1))),
        why="So nor does the last one.",
    )
    total = squared(proof, own, C(n + 1, h), (h, 1, n))
    after = proof.step(
        squares(n + 1),
        COMBINATION,
        total,
        last,
        parameters=(1, C(n + 1, n + 1)),
        why="And the last one.",
    )
    larger = proof.discharge(assumed, after, why="For n + 1 poles.")
    return proof.discharge(before, larger, why="From n to n + 1.")


def _row(random: Random) -> Choice:
    """The same, one row of it."""
    number = random.randint(1, 3)
    return Choice({n: number}, model(random, number + 1))
