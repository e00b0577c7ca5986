"""A7, tropical.maximum: what the formula R(d, H, N) says, and why H > d heads miss some labels.

R(d, H, N) = sum_{j <= min(d, H)} C(H, j) (N - 1)^j is N^H for H <= d, by the binomial theorem, and
less for H > d and N >= 2. That no heads have more cells than R is not derived here (Montufar, Ren
and Zhang, arXiv 2104.08135); that they have at most N^H, and fewer if H > d, is: see
`label_bound` and `opposite_labels`.
"""

from __future__ import annotations

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.statement import ForAll, eq, lt
from .binomial import C, d, e, facts, j, m, p, partial, setting, true_powers

CLAIM = "tropical.maximum"


def derivation() -> Derivation:
    """R(d, H, N) for all d, H and N: its recurrence, its value for H <= d, less than N^H beyond.

    Conclusions: ``recurrence`` (R(k+1, h+1) = R(k+1, h) + (N-1) R(k, h), which is the deletion
    of a head); ``full`` (R(d, H, N) = N^H for H <= d,
    where the sum goes to H); ``less``
    (R(d, d + e, N) < N^(d + e) for e >= 1 and N >= 2).

    Raises:
        DerivationFailed: a step is not decided.
    """
    H = d + e
    letters = setting(H, d + 1, also={"R(d, H, N)": partial(H, d), "R(H, H, N)": partial(H, H)})
    proof = Proof(CLAIM, "The formula for the largest overlay", letters, choose=true_powers)
    known = facts(proof, H)

    full = proof.step(
        eq(partial(H, H), p(H)),
        INSTANCE,
        known.binomial,
        parameters=(H,),
        why="For all H heads: R(d, H, N) for d >= H.",
    )
    rows = proof.step(
        ForAll(lt(0, C(H, j)), (j, 0, H)),
        INSTANCE,
        known.positive,
        parameters=(H,),
        why="In the row H.",
    )
    chosen = proof.step(
        lt(0, C(H, j)), INSTANCE, rows, parameters=(j,), why="j between d + 1 and H."
    )
    power = proof.step(
        lt(0, m(j)), INSTANCE, known.powers_positive, parameters=(j,), why="j at most H."
    )
    term = proof.step(
        lt(0, C(H, j) * m(j)), SIGN, chosen, power, why="A product of positive numbers."
    )
    every = proof.step(
        ForAll(lt(0, C(H, j) * m(j)), (j, d + 1, H)), GENERALISATION, term, why="j was arbitrary."
    )
    rest = proof.step(
        lt(0, Sum(C(H, j) * m(j), (j, d + 1, H))),
        TERMWISE,
        every,
        why="There are e >= 1 terms beyond degree d.",
    )
    split = proof.step(
        eq(partial(H, H), partial(H, d) + Sum(C(H, j) * m(j), (j, d + 1, H))),
        NORMAL_FORM,
        why="The sum is split after degree d.",
    )
    less = proof.step(
        lt(partial(H, d), p(H)),
        COMBINATION,
        rest,
        split,
        full,
        parameters=(1, -1, 1),
        why="N^H is R(d, H, N) and the rest.",
    )
    return proof.finish(recurrence=known.recurrence, full=known.binomial, less=less)
