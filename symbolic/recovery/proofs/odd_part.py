"""E5, recovery.feed-forward: the odd part of a feed-forward layer on attention is attention.

Scores x_n^T W x_j are even in the tokens, values odd, hence so are the outputs o of the heads; and
relu(y) - relu(-y) = y. So F(X) - F(-X) = sum_k a_k b_k^T o(X): the layer becomes linear.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Mul, Sum, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Conjunction, ForAll, Implication, eq, le, lt

CLAIM = "recovery.feed-forward"

N, n, d = size("N"), size("n"), size("d")
k, j, i, b = index("k"), index("j"), index("i"), index("b")
W, x, token = family("W"), family("x"), family("t")
s, u = family("s"), family("u")
a, y, on, off = family("a"), family("y"), family("p"), family("g")


def derivation() -> Derivation:
    """For all lengths n, dimensions d and widths N of the layer.

    Conclusions: ``score`` (even); ``output`` (odd); ``layer``: sum_k a_k relu(y_k) - sum_k a_k
    relu(-y_k) = sum_k a_k y_k.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (N, n, d),
        {k: (1, N), j: (1, n), i: (1, d), b: (1, d)},
        families=(W, x, token, s, u, a, y, on, off),
        meaning={
            "N": "the number of neurons",
            "n": "the length of the sequence",
            "d": "the dimension of the tokens",
            "W": "the bilinear form of the scores of a head",
            "x": "the token that attends",
            "t": "any token of the sequence",
            "s": "the scores of the tokens",
            "u": "one entry of the values of the tokens",
            "y": "y(k) = b_k.o(X), what neuron k gets",
            "a": "a(k), what neuron k is weighted by",
            "p": "p(k) = relu(y(k))",
            "g": "g(k) = relu(-y(k))",
        },
    )
    proof = Proof(
        CLAIM, "The odd part of a feed-forward layer on attention", setting, choose=_neurons
    )
    here = Implication(le(0, y(k)), Conjunction(eq(on(k), y(k)), eq(off(k), 0)))
    there = Implication(lt(y(k), 0), Conjunction(eq(on(k), 0), eq(off(k), -y(k))))
    active = proof.suppose(ForAll(here, (k, 1, N)), why="This is relu at y and -y for y >= 0.")
    idle = proof.suppose(ForAll(there, (k, 1, N)), why="And for y < 0.")

    minus = Sum(Mul(-x(i), W(i, b), -token(b), evaluate=False), (i, 1, d), (b, 1, d))
    score = proof.step(
        eq(minus, Sum(x(i) * W(i, b) * token(b), (i, 1, d), (b, 1, d))),
        NORMAL_FORM,
        why="Two signs cancel.",
    )
    weights = Sum(exp(s(j)), (j, 1, n))
    output = proof.step(
        eq(
            Sum(exp(s(j)) * -u(j), (j, 1, n)) / weights,
            -(Sum(exp(s(j)) * u(j), (j, 1, n)) / weights),
        ),
        NORMAL_FORM,
        why="Equal weights, opposite values.",
    )
    first = proof.step(here, INSTANCE, active, parameters=(k,), why="At neuron k.")
    second = proof.step(there, INSTANCE, idle, parameters=(k,), why="At neuron k.")
    positive = _case(proof, le(0, y(k)), first, (eq(on(k), y(k)), eq(off(k), 0)))
    negative = _case(proof, lt(y(k), 0), second, (eq(on(k), 0), eq(off(k), -y(k))))
    odd = proof.step(
        eq(on(k) - off(k), y(k)), CONSEQUENCE, positive, negative, why="In both cases."
    )
    term = eq(a(k) * on(k) - a(k) * off(k), a(k) * y(k))
    every = proof.step(
        ForAll(term, (k, 1, N)),
        GENERALISATION,
        proof.step(term, COMBINATION, odd, parameters=(a(k),), why="Multiply by a(k)."),
        why="k was arbitrary.",
    )
    layer = proof.step(
        eq(
            Sum(a(k) * on(k), (k, 1, N)) - Sum(a(k) * off(k), (k, 1, N)),
            Sum(a(k) * y(k), (k, 1, N)),
        ),
        TERMWISE,
        every,
        why="Sum over the neurons.",
    )
    return proof.finish(score=score, output=output, layer=layer)


def _case(proof: Proof, case: Any, rule: int, values: tuple[Any, Any]) -> int:
    """In a case of the sign of y: relu(y) - relu(-y) = y."""
    assumed = proof.assume(case, why="In this case.")
    parts = [
        proof.step(value, CONSEQUENCE, assumed, rule, why="By the definition.") for value in values
    ]
    reached = proof.step(
        eq(on(k) - off(k), y(k)), COMBINATION, *parts, parameters=(1, -1), why="Subtract."
    )
    return proof.discharge(assumed, reached, why="The case is closed.")


def _neurons(random: Random) -> Choice:
    """Inputs of either sign, with their relus."""
    inputs = [rational(random) for _ in range(random.randint(1, 4))]
    zero = Fraction(0)
    return Choice(
        {N: len(inputs), n: random.randint(1, 3), d: random.randint(1, 3)},
        {
            "y": lambda k: inputs[k - 1],
            "p": lambda k: max(inputs[k - 1], zero),
            "g": lambda k: max(-inputs[k - 1], zero),
        },
    )
