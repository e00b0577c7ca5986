"""E3, recovery.algorithm: how many value queries the schedule has.

F(0) once, and 2H copies for each of d^2 pairs (x_i, w_j), of d(d - 1) pairs (x_i, w_1 + w_j) and of
d - 1 pairs (x_1 + x_i, w_1). When H is read off the first pair, that one is asked for a bound B.
"""

from __future__ import annotations

from sympy import Sum

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.setting import Setting, index, size
from ...derivations.statement import eq

CLAIM = "recovery.algorithm"


H, d, B = size("H"), size("d"), size("B")
i, j = index("i"), index("j")
BASE = Sum(2 * H, (i, 1, d), (j, 1, d))
SUMS = Sum(2 * H, (i, 1, d), (j, 2, d)) + Sum(2 * H, (i, 2, d))
MEANING = {
    "H": "the number of heads",
    "d": "the dimension of the tokens",
    "i": "the row of x_i",
    "j": "the column of w_j",
}


def derivation() -> Derivation:
    """For all H, d: the schedule has 4 H d^2 - 2H + 1 queries.

    Conclusion: ``count``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting((H, d), {i: (1, d), j: (1, d)}, meaning=MEANING)
    proof = Proof(CLAIM, "The number of value queries", setting)
    count = proof.step(
        eq(1 + BASE + SUMS, 4 * H * d**2 - 2 * H + 1),
        NORMAL_FORM,
        why="d^2 + d (d - 1) + (d - 1) = 2 d^2 - 1 pairs.",
    )
    return proof.finish(count=count)


def detected() -> Derivation:
    """For all H, d and bounds B: 2B + 1 + 2H (2 d^2 - 2) queries if H is read off the first pair.

    Conclusion: ``detected``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    meaning = {**MEANING, "B": "the bound on the number of heads"}
    setting = Setting((H, d, B), {i: (1, d), j: (1, d)}, meaning=meaning)
    proof = Proof(CLAIM, "The number when H is read off the first pair", setting)
    count = proof.step(
        eq(1 + 2 * B + (BASE - 2 * H) + SUMS, 2 * B + 1 + 2 * H * (2 * d**2 - 2)),
        NORMAL_FORM,
        why="The first pair is asked 2B times instead of 2H.",
    )
    return proof.finish(detected=count)
