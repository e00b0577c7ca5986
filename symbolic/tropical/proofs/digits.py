"""A9, tropical.depth: the network that reads off digits finds every sequence of digits.

Counted from the last layer, the unit of layer r + 1 is w(r), with w(r + 1) = N w(r), and y(r + 1)
is what this layer sees: y(r + 1) = i(r + 1) w(r) + y(r) with a digit 0 <= i <= N - 1. Its scores
are s_j = j y - w j (j + 1) / 2. Whatever the digits, key i(r + 1) beats all others strictly and
leaves y(r): so every one of the N^L sequences of digits is the label of a full-dimensional cell.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, eq, le, lt

CLAIM = "tropical.depth"

N, L = size("N"), size("L")
r, k = index("r"), index("k")
i, w, y = family("i"), family("w"), family("y")


def score(j: Any) -> Any:
    """The score of key j in the layer of unit w(r), which sees y(r + 1)."""
    return j * y(r + 1) - w(r) * j * (j + 1) / 2


def derivation() -> Derivation:
    """Every sequence of digits is read off with strict margins, for all N and L.

    Conclusions: ``remainder`` (0 < y(r) < w(r) for r = 0..L); ``digit`` (key i(r + 1) beats the
    keys k + 1 above and k + 1 below it, k = 0..N - 1, at every layer).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (N, L),
        {r: (0, L - 1), k: (0, N - 1)},
        (),
        (i, w, y),
        {
            "N": "the number of keys, the base",
            "L": "the number of layers",
            "i": "i(r), the digit that is to be read off by layer r from the end",
            "w": "w(r), the unit of layer r + 1 from the end",
            "y": "y(r), what is left before the last r layers",
        },
    )
    proof = Proof(CLAIM, "Every sequence of digits has a cell", setting, choose=_digits)

    unit = proof.suppose(lt(0, w(0)), why="The smallest unit is positive.")
    units = proof.suppose(ForAll(eq(w(r + 1), N * w(r)), (r, 0, L - 1)), why="Units are powers.")
    low = proof.suppose(ForAll(le(0, i(r + 1)), (r, 0, L - 1)), why="Digits of base N.")
    high = proof.suppose(ForAll(le(i(r + 1), N - 1), (r, 0, L - 1)), why="Digits of base N.")
    positive = proof.suppose(lt(0, y(0)), why="Strictly inside the smallest cell.")
    small = proof.suppose(lt(y(0), w(0)), why="Strictly inside the smallest cell.")
    left = proof.suppose(
        ForAll(eq(y(r + 1), i(r + 1) * w(r) + y(r)), (r, 0, L - 1)),
        why="A layer takes its digit away.",
    )

    def at(every: int, statement: Any) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(r,), why="At r.")

    larger, taken = (
        at(units, eq(w(r + 1), N * w(r))),
        at(left, eq(y(r + 1), i(r + 1) * w(r) + y(r))),
    )
    least, most = at(low, le(0, i(r + 1))), at(high, le(i(r + 1), N - 1))

    before = proof.assume(lt(0, w(r)), why="Suppose it for r.")
    after = proof.step(
        lt(0, w(r + 1)), COMBINATION, before, larger, parameters=(N, -1), why="N times as much."
    )
    all_units = proof.step(
        ForAll(lt(0, w(r)), (r, 0, L)),
        INDUCTION,
        unit,
        proof.discharge(before, after, why="From r to r + 1."),
        why="Induction: units are positive.",
    )
    here = at(all_units, lt(0, w(r)))

    before = proof.assume(lt(0, y(r)), why="Suppose it for r.")
    after = proof.step(
        lt(0, y(r + 1)),
        COMBINATION,
        before,
        least,
        here,
        taken,
        parameters=(1, w(r), 0, -1),
        why="A digit is not negative.",
    )
    all_positive = proof.step(
        ForAll(lt(0, y(r)), (r, 0, L)),
        INDUCTION,
        positive,
        proof.discharge(before, after, why="From r to r + 1."),
        why="Induction: something is left.",
    )
    before = proof.assume(lt(y(r), w(r)), why="Suppose it for r.")
    after = proof.step(
        lt(y(r + 1), w(r + 1)),
        COMBINATION,
        before,
        most,
        here,
        taken,
        larger,
        parameters=(1, w(r), 0, 1, -1),
        why="y(r + 1) < (N - 1) w(r) + w(r).",
    )
    all_small = proof.step(
        ForAll(lt(y(r), w(r)), (r, 0, L)),
        INDUCTION,
        small,
        proof.discharge(before, after, why="From r to r + 1."),
        why="Induction: less than one unit is left.",
    )
    remainder = proof.step(
        Conjunction(ForAll(lt(0, y(r)), (r, 0, L)), ForAll(lt(y(r), w(r)), (r, 0, L))),
        CONSEQUENCE,
        all_positive,
        all_small,
        why="Both.",
    )

    some, less = at(all_positive, lt(0, y(r))), at(all_small, lt(y(r), w(r)))
    digit = i(r + 1)
    steps = k + 1
    below = proof.step(
        lt(score(digit - steps), score(digit)),
        COMBINATION,
        some,
        here,
        taken,
        parameters=(steps, steps * k / 2, -steps),
        why="The margin is (k + 1) (y(r) + k w(r) / 2).",
    )
    above = proof.step(
        lt(score(digit + steps), score(digit)),
        COMBINATION,
        less,
        here,
        taken,
        parameters=(steps, steps * k / 2, steps),
        why="The margin is (k + 1) (w(r) - y(r) + k w(r) / 2).",
    )
    beats = proof.step(
        Conjunction(
            lt(score(digit - steps), score(digit)),
            lt(score(digit + steps), score(digit)),
        ),
        CONSEQUENCE,
        below,
        above,
        why="Every other key lies below or above.",
    )
    return proof.finish(remainder=remainder, digit=beats)


def _digits(random: Random) -> Choice:
    """Digits of some base, a unit and a remainder below it."""
    base, layers = random.randint(1, 4), random.randint(1, 4)
    digits = [random.randint(0, base - 1) for _ in range(layers + 1)]
    units = [Fraction(base**t, base**layers) for t in range(layers + 1)]
    seen = [units[0] * Fraction(random.randint(1, 4), 5)]
    for t in range(layers):
        seen.append(digits[t + 1] * units[t] + seen[t])
    return Choice(
        {N: base, L: layers},
        {"i": lambda r: Fraction(digits[r]), "w": lambda r: units[r], "y": lambda r: seen[r]},
    )
