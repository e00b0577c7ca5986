"""T2d: no attention with static values computes what one zonotopic head does.

On tokens that are all equal to x the scores do not matter: attention with static values gives sum_h
V_h x, whatever its heads, and twice that at 2 x. The zonotopic head with C = c, one generator a and
the coefficient tanh(t x) of one number x gives more than twice as much at 2 x.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Lambda, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq, lt

CLAIM = "zonotope.separation"


def static() -> Derivation:
    """For all H, n, d, all values and any attention weights at x and at 2 x.

    Conclusion: ``doubled`` (the output at n tokens 2 x is twice that at n tokens x).

    Raises:
        DerivationFailed: a step is not decided.
    """
    H, n, d = (size(name) for name in "Hnd")
    h, j, c = (index(name) for name in "hjc")
    u, w, V, x = (family(name) for name in ("u", "w", "V", "x"))
    heads, tokens, columns = (h, 1, H), (j, 1, n), (c, 1, d)
    setting = Setting(
        (H, n, d),
        {h: (1, H), j: (1, n), c: (1, d)},
        (),
        (u, w, V, x),
        {
            "H": "the number of heads",
            "n": "the number of tokens, all equal",
            "d": "the dimension of the tokens",
            "u": "u(h, j): the attention weights on tokens x",
            "w": "w(h, j): the attention weights on tokens 2 x",
            "V": "V(h, c): a row of the values of head h, static",
            "x": "x(c): the token",
        },
    )
    proof = Proof(CLAIM, "Static values are homogeneous on equal tokens", setting, choose=_weights)

    def total(weights: Any) -> Any:
        return eq(Sum(weights(h, j), tokens), 1)

    one = proof.suppose(ForAll(total(u), heads), why="Weights sum to one at x.")
    two = proof.suppose(ForAll(total(w), heads), why="Weights sum to one at 2 x.")
    value = Sum(V(h, c) * x(c), columns)

    def collapse(weights: Any, given: int) -> int:
        """The sum over heads and tokens is the sum of the values."""
        at = proof.step(total(weights), INSTANCE, given, parameters=(h,), why="In head h.")
        scaled = proof.step(
            eq(value * Sum(weights(h, j), tokens), value),
            COMBINATION,
            at,
            parameters=(value,),
            why="Times the value of the token.",
        )
        every = proof.step(
            ForAll(eq(value * Sum(weights(h, j), tokens), value), heads),
            GENERALISATION,
            scaled,
            why="h was arbitrary.",
        )
        summed = eq(Sum(value * Sum(weights(h, j), tokens), heads), Sum(value, heads))
        return proof.step(summed, TERMWISE, every, why="Sum over the heads.")

    first, second = collapse(u, one), collapse(w, two)

    def output(weights: Any, factor: int) -> Any:
        read = Sum(V(h, c) * (factor * x(c)), columns)
        return Sum(weights(h, j) * read, tokens, heads)

    apart = proof.step(
        eq(
            output(w, 2) - 2 * output(u, 1),
            2 * Sum(value * Sum(w(h, j), tokens), heads)
            - 2 * Sum(value * Sum(u(h, j), tokens), heads),
        ),
        NORMAL_FORM,
        why="The values do not depend on j.",
    )
    doubled = proof.step(
        eq(output(w, 2), 2 * output(u, 1)),
        COMBINATION,
        apart,
        second,
        first,
        parameters=(1, 2, -2),
        why="Both are twice the sum of the values.",
    )
    return proof.finish(doubled=doubled)


def zonotopic() -> Derivation:
    """For all n, any weights of sum one, and c, a, t, x with a, t, x > 0.

    Conclusion: ``more`` (the output at n tokens 2 x is more than twice that at n tokens x).

    Raises:
        DerivationFailed: a step is not decided.
    """
    n, j = size("n"), index("j")
    u, w = family("u"), family("w")
    c = Symbol("c", real=True)
    a, t, x = (Symbol(name, positive=True) for name in ("a", "t", "x"))
    tokens = (j, 1, n)
    setting = Setting(
        (n,),
        {j: (1, n)},
        (c, a, t, x),
        (u, w),
        {
            "n": "the number of tokens, all equal",
            "u": "u(j): the attention weights on tokens x",
            "w": "w(j): the attention weights on tokens 2 x",
            "c": "the centre, a number",
            "a": "the generator",
            "t": "the slope of the coefficient, in the mean of the tokens",
            "x": "the token, a number",
        },
    )
    proof = Proof(CLAIM, "A zonotopic head is not homogeneous", setting, choose=_weights)
    one = proof.suppose(eq(Sum(u(j), tokens), 1), why="Weights sum to one at x.")
    two = proof.suppose(eq(Sum(w(j), tokens), 1), why="Weights sum to one at 2 x.")

    def beta(token: Any) -> Any:
        return 1 - 2 / (exp(2 * t * token) + 1)

    def value(token: Any) -> Any:
        return (c + a * beta(token)) * token

    def output(weights: Any, token: Any) -> Any:
        return Sum(weights(j) * value(token), tokens)

    double = 2 * x
    s = Symbol("s", real=True)
    further = proof.step(lt(2 * t * x, 2 * t * double), SIGN, why="t x is positive.")
    larger = proof.step(
        lt(exp(2 * t * x), exp(2 * t * double)),
        MONOTONE,
        further,
        parameters=(Lambda(s, exp(s)),),
        why="exp is increasing.",
    )
    low, high = exp(2 * t * x), exp(2 * t * double)
    more = proof.step(
        lt(2 * value(x), value(double)),
        COMBINATION,
        larger,
        parameters=(4 * a * x / ((low + 1) * (high + 1)),),
        why="2 a x (tanh(2 t x) - tanh(t x)).",
    )
    first = proof.step(
        eq(output(u, x), value(x) * Sum(u(j), tokens)), NORMAL_FORM, why="No j in the value."
    )
    second = proof.step(
        eq(output(w, double), value(double) * Sum(w(j), tokens)), NORMAL_FORM, why="Likewise."
    )
    result = proof.step(
        lt(2 * output(u, x), output(w, double)),
        COMBINATION,
        more,
        first,
        one,
        second,
        two,
        parameters=(1, 2, 2 * value(x), -1, -value(double)),
        why="The weights sum to one.",
    )
    return proof.finish(more=result)


def _weights(random: Random) -> Choice:
    """Weights of sum one, for every head its own."""
    heads, tokens = random.randint(1, 3), random.randint(1, 3)

    def drawn() -> Any:
        rows = [[Fraction(random.randint(-3, 3)) for _ in range(tokens)] for _ in range(heads)]
        for row in rows:
            row[0] += 1 - sum(row)
        return lambda *place: rows[int(place[0]) - 1 if len(place) == 2 else 0][int(place[-1]) - 1]

    return Choice({size("H"): heads, size("n"): tokens}, {"u": drawn(), "w": drawn()})
