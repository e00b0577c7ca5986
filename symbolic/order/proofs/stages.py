"""G2, order.surrogate: plateau heights, and stages where every mode has a head of its own.

From such a start, balanced and along one mode, the equations decouple and are solved in closed
form: mode k is half learnt exactly at log(1/eps) / alpha_k. From a general start the same times are
approached as eps tends to 0; that is not derived here.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Rational, Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "order.surrogate"

_K = size("K")
_k, _l = (index(name) for name in "kl")
_R = family("R")
_MEANING = {
    "K": "the number of modes",
    "R": "R(j, k): the residual, target minus a^T b",
}


def _modes(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _K)


def plateaus() -> Derivation:
    """For all k, m and strengths: the loss when the first k of k + m modes are learnt.

    Conclusion: ``height``: |R|_F^2 / 2 is half the sum of alpha_j^2 over j > k.

    Raises:
        DerivationFailed: a step is not decided.
    """
    k, m = size("k"), size("m")
    n = k + m
    p, q, alpha = index("p"), index("q"), family("alpha")
    every, before, after = (_l, 1, n), (_l, 1, p - 1), (_l, p + 1, n)
    learnt, others = (q, 1, k), (p, k + 1, n)
    off = Sum(_R(p, _l) ** 2, before) + Sum(_R(p, _l) ** 2, after)
    setting = Setting(
        (k, m),
        {q: (1, k), p: (k + 1, n)},
        families=(_R, alpha),
        meaning={
            "k": "the number of modes learnt",
            "m": "the number of modes not learnt",
            "R": _MEANING["R"],
            "alpha": "alpha(j): the strength of mode j",
        },
    )
    proof = Proof(CLAIM, "Plateau heights", setting, choose=_partly_learnt)
    done = proof.suppose(
        ForAll(eq(Sum(_R(q, _l) ** 2, every), 0), learnt), why="The rows of learnt modes vanish."
    )
    apart = proof.suppose(ForAll(eq(off, 0), others), why="The others vanish off the diagonal.")
    own = proof.suppose(ForAll(eq(_R(p, p), alpha(p)), others), why="On it nothing is learnt.")
    apart_p = proof.step(eq(off, 0), INSTANCE, apart, parameters=(p,), why="At mode p.")
    own_p = proof.step(eq(_R(p, p), alpha(p)), INSTANCE, own, parameters=(p,), why="At mode p.")
    split = proof.step(
        eq(Sum(_R(p, _l) ** 2, every), off + _R(p, p) ** 2), NORMAL_FORM, why="Split at l = p."
    )
    row = proof.step(
        eq(Sum(_R(p, _l) ** 2, every), alpha(p) ** 2),
        COMBINATION,
        split,
        apart_p,
        own_p,
        parameters=(1, 1, _R(p, p) + alpha(p)),
        why="R(p,p)^2 - alpha(p)^2 is a product.",
    )
    rows = proof.step(
        ForAll(eq(Sum(_R(p, _l) ** 2, every), alpha(p) ** 2), others),
        GENERALISATION,
        row,
        why="p was arbitrary.",
    )
    upper = proof.step(
        eq(Sum(_R(q, _l) ** 2, every, learnt), 0), TERMWISE, done, why="Summed over learnt modes."
    )
    height = Sum(alpha(p) ** 2, others)
    lower = proof.step(
        eq(Sum(_R(p, _l) ** 2, every, others), height), TERMWISE, rows, why="Over the others."
    )
    total = Sum(_R(q, _l) ** 2, every, (q, 1, n))
    parts = proof.step(
        eq(
            total,
            Sum(_R(q, _l) ** 2, every, learnt) + Sum(_R(p, _l) ** 2, every, others),
        ),
        NORMAL_FORM,
        why="Split after row k.",
    )
    half = Rational(1, 2)
    level = proof.step(
        eq(half * total, half * height),
        COMBINATION,
        parts,
        upper,
        lower,
        parameters=(half, half, half),
        why="Add up.",
    )
    return proof.finish(height=level)


def aligned() -> Derivation:
    """For all K and strengths: modes with a head of their own are learnt one by one.

    If head k starts with a_k = b_k along mode k, it stays there: the strength u = a_k b_k obeys
    u' = (a_k^2 + b_k^2)(alpha_k - u) = 2 u (alpha_k - u). With l = log(1/eps) and the start
    u(0) = alpha_k eps^2 / (1 + eps^2) the solution is u(t) = alpha_k / (1 + e), where
    e = exp(2 l - 2 alpha_k t). Conclusions: ``solution`` (its derivative, by the quotient rule, is
    2 u (alpha_k - u)), ``start``, ``half``: u - alpha_k / 2 is alpha_k (1 - e) / (2 + 2 e), so that
    u is alpha_k / 2 exactly when e = 1, which is at t = l / alpha_k.

    Raises:
        DerivationFailed: a step is not decided.
    """
    alpha = family("alpha", positive=True)
    ell, t = Symbol("ell", real=True), Symbol("t", real=True)
    setting = Setting(
        (_K,),
        {_k: (1, _K)},
        (ell, t),
        (alpha,),
        {
            "K": "the number of modes",
            "alpha": "alpha(k): the strength of mode k",
            "ell": "log(1/eps) for a start of size eps",
            "t": "time",
        },
    )
    proof = Proof(CLAIM, "Modes with a head of their own", setting)
    every, own = _modes(_k), alpha(_k)

    def strength(time: Any) -> Any:
        return own / (1 + exp(2 * ell - 2 * own * time))

    decay = exp(2 * ell - 2 * own * t)
    named = {}
    for name, statement, why in (
        (
            "solution",
            eq(2 * own**2 * decay / (1 + decay) ** 2, 2 * strength(t) * (own - strength(t))),
            "The quotient rule on the left; both are 2 alpha^2 e / (1 + e)^2.",
        ),
        (
            "start",
            eq(strength(0) * (1 + exp(-2 * ell)), own * exp(-2 * ell)),
            "exp(2 l) times exp(-2 l) is 1.",
        ),
        (
            "half",
            eq(strength(t) - own / 2, own * (1 - decay) / (2 + 2 * decay)),
            "A common denominator.",
        ),
    ):
        one = proof.step(statement, NORMAL_FORM, why=why)
        named[name] = proof.step(
            ForAll(statement, every), GENERALISATION, one, why="k was arbitrary."
        )
    return proof.finish(**named)


def _partly_learnt(random: Random) -> Choice:
    """A residual of which the first k rows vanish and the rest is diagonal."""
    k, m = random.randint(1, 3), random.randint(1, 3)
    alpha = [Fraction(random.randint(-9, 9), random.randint(1, 4)) for _ in range(k + m)]

    def residual(j: Any, i: Any) -> Fraction:
        return alpha[int(j) - 1] if j == i and j > k else Fraction(0)

    return Choice(
        {size("k"): k, size("m"): m}, {"R": residual, "alpha": lambda j: alpha[int(j) - 1]}
    )
