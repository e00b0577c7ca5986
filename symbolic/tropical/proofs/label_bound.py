"""A7 and A9: a cell is known by the keys that win in it, so heads have at most N_1 ... N_H cells.

The heads are overlaid one after the other. Each cuts a cell, which is convex, into at most as many
full-dimensional pieces as it has keys. Nothing else is used, so the heads may also be those of H
layers, each reading what the earlier ones left.
"""

from __future__ import annotations

from fractions import Fraction
from math import prod
from random import Random
from typing import Any

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, eq, le

CLAIM = "tropical.maximum"

H = size("H")
h, q = index("h"), index("q")
c, w, p = family("c", integer=True, nonnegative=True), family("w"), family("p")
N = family("N", nonnegative=True)


def derivation() -> Derivation:
    """c(H) <= N_1 ... N_H, where c(h) counts the cells of the first h heads, for all H and N_h.

    Conclusion: ``labels``; for equal sizes the product is N^H.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (H,),
        {h: (0, H - 1)},
        (),
        (c, w, p, N),
        {
            "N": "N(h), the number of keys of head h",
            "H": "the number of heads",
            "c": "c(h), the number of cells of the first h heads together",
            "w": "w(h, q), into how many cells head h + 1 cuts cell q of the first h heads",
            "p": "products p(h) = N_1 ... N_h",
        },
    )
    proof = Proof(CLAIM, "At most one cell a label", setting, choose=_cuts)

    whole = proof.suppose(eq(c(0), 1), why="Without heads there is one cell, the whole space.")
    cut = proof.suppose(
        ForAll(eq(c(h + 1), Sum(w(h, q), (q, 1, c(h)))), (h, 0, H - 1)),
        why="The cells of h + 1 heads are the pieces into which head h + 1 cuts those of h heads.",
    )
    few = proof.suppose(
        ForAll(ForAll(le(w(h, q), N(h + 1)), (q, 1, c(h))), (h, 0, H - 1)),
        why="At most one piece for each key of the head: where a key wins is convex.",
    )
    one = proof.suppose(eq(p(0), 1), why="p(h) is the product.")
    power = proof.suppose(
        ForAll(eq(p(h + 1), N(h + 1) * p(h)), (h, 0, H - 1)), why="p(h) is the product."
    )

    def at(every: int, statement: Any) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(h,), why="At head h + 1.")

    pieces = Sum(w(h, q), (q, 1, c(h)))
    counted = at(cut, eq(c(h + 1), pieces))
    each = at(few, ForAll(le(w(h, q), N(h + 1)), (q, 1, c(h))))
    summed = proof.step(
        le(pieces, N(h + 1) * c(h)), TERMWISE, each, why="At most so many for each of c(h)."
    )
    before = proof.assume(le(c(h), p(h)), why="Suppose the bound for h heads.")
    after = proof.step(
        le(c(h + 1), p(h + 1)),
        COMBINATION,
        counted,
        summed,
        before,
        at(power, eq(p(h + 1), N(h + 1) * p(h))),
        parameters=(1, 1, N(h + 1), -1),
        why="c(h + 1) <= N c(h) <= N p(h) = p(h + 1), N being that of head h + 1.",
    )
    start = proof.step(
        le(c(0), p(0)), COMBINATION, whole, one, parameters=(1, -1), why="Both are 1."
    )
    every = proof.step(
        ForAll(le(c(h), p(h)), (h, 0, H)),
        INDUCTION,
        start,
        proof.discharge(before, after, why="From h to h + 1."),
        why="Induction on the number of heads.",
    )
    bound = proof.step(le(c(H), p(H)), INSTANCE, every, parameters=(H,), why="For all H heads.")
    powers = ForAll(eq(p(h + 1), N(h + 1) * p(h)), (h, 0, H - 1))
    labels = proof.step(
        Conjunction(le(c(H), p(H)), eq(p(0), 1), powers),
        CONSEQUENCE,
        bound,
        one,
        power,
        why="p(H) is N_1 ... N_H.",
    )
    return proof.finish(labels=labels)


def _cuts(random: Random) -> Choice:
    """Cells that are cut into 0 to N_h pieces, one head after the other."""
    heads = random.randint(1, 3)
    keys: list[int] = [random.randint(1, 3) for _ in range(heads)]
    seed = random.getrandbits(32)

    def pieces(h: int, q: int) -> int:
        return Random(f"{seed}:{h}:{q}").randint(0, keys[h])

    counts = [1]
    for h_ in range(heads):
        counts.append(sum(pieces(h_, q_) for q_ in range(1, counts[-1] + 1)))
    return Choice(
        {H: heads},
        {
            "c": lambda h: Fraction(counts[h]),
            "w": lambda h, q: Fraction(pieces(h, q)),
            "p": lambda h: Fraction(prod(keys[:h])),
            "N": lambda h: Fraction(keys[h - 1]),
        },
    )
