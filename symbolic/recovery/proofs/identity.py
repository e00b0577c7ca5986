"""E1, recovery.identity: what a query of copies answers, as a function of the number of copies.

All copies of x + w have one score, so a head sees two tokens, the copies with weight m z_h and x
with weight 1, where z_h = exp(x^T W_h w): the factor exp(x^T W_h x) is common to both and cancels.
Its output is (m z_h v.(x + w) + v.x)/(1 + m z_h), which is v.(x + w) less v.w/(1 + m z_h).

Two derivations. In `bilinear` the entries of W_h, v_h, x and w are seen; in `derivation` only the
four numbers that they give a head, as arbitrary reals: sums four deep would cost minutes.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Sum, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "recovery.identity"

H, M, d = size("H"), size("M"), size("d")
m, h, j = index("m"), index("h"), index("j")
L, q, c, e = family("L"), family("q"), family("c"), family("e")
HEADS = (h, 1, H)

COPIES = Sum(exp(q(h) + L(h)), (j, 1, m))
OUT = (Sum(exp(q(h) + L(h)) * (e(h) + c(h)), (j, 1, m)) + exp(q(h)) * e(h)) / (COPIES + exp(q(h)))
"""The output of head h: values of the m copies and of x by their weights, over all weights."""


def bilinear() -> Derivation:
    """Score and value of x + w are those of x plus x^T W w and v.w, for every d.

    Conclusions: ``score``, ``value``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    a, b = index("a"), index("b")
    W, v, x, w = family("W"), family("v"), family("x"), family("w")
    setting = Setting(
        (d,),
        {a: (1, d), b: (1, d)},
        families=(W, v, x, w),
        meaning={
            "d": "the dimension of the tokens",
            "W": "the bilinear form of the scores of a head",
            "v": "the functional of its values",
            "x": "the token that attends",
            "w": "the difference between a copy and x",
        },
    )
    proof = Proof(CLAIM, "Score and value of a copy", setting)

    def score(token: Any) -> Any:
        return Sum(x(a) * W(a, b) * token(b), (a, 1, d), (b, 1, d))

    def value(token: Any) -> Any:
        return Sum(v(a) * token(a), (a, 1, d))

    def copy(i: Any) -> Any:
        return x(i) + w(i)

    return proof.finish(
        score=proof.step(
            eq(score(copy), score(x) + score(w)), NORMAL_FORM, why="The score is bilinear."
        ),
        value=proof.step(
            eq(value(copy), value(x) + value(w)), NORMAL_FORM, why="The value is linear."
        ),
    )


def derivation() -> Derivation:
    """For all H and m >= 0: F(m) = V.(x + w) - sum_h (v_h.w)/(1 + m z_h), V = sum_h v_h.

    Conclusions: ``identity``; ``start`` (F(0) = V.x); ``proper``, the form that is interpolated:
    F(m) - F(0) = m sum_h (v_h.w)/(m + rho_h), rho_h = 1/z_h.

    Raises:
        DerivationFailed: a step is not decided.
    """
    Z, rho = exp(L(h)), exp(-L(h))
    setting = Setting(
        (H, M),
        {m: (0, M), h: (1, H)},
        families=(L, q, c, e),
        meaning={
            "H": "the number of heads",
            "M": "the largest number of copies",
            "m": "the number of copies of x + w in the query",
            "q": "q(h) = x^T W_h x, the score of x",
            "L": "L(h) = x^T W_h w: the score of x + w is q(h) + L(h)",
            "e": "e(h) = v_h.x, the value of x",
            "c": "c(h) = v_h.w: the value of x + w is e(h) + c(h)",
        },
        abbreviations={"z_h": Z, "rho_h": rho, "out_h": OUT},
    )
    proof = Proof(
        CLAIM, "A query of copies is a rational function of their number", setting, choose=_few
    )
    whole = Sum(e(h), HEADS) + Sum(c(h), HEADS)
    gap = c(h) / (1 + m * Z)
    head = proof.step(
        eq(OUT, e(h) + c(h) - gap),
        NORMAL_FORM,
        why="The m copies have one score; exp(x^T W_h x) cancels.",
    )
    summed = proof.step(
        eq(Sum(OUT, HEADS), Sum(e(h) + c(h) - gap, HEADS)),
        TERMWISE,
        _every(proof, head, eq(OUT, e(h) + c(h) - gap)),
        why="F(m) is the sum of the heads.",
    )
    identity = proof.step(
        eq(Sum(OUT, HEADS), whole - Sum(gap, HEADS)),
        COMBINATION,
        summed,
        parameters=(1,),
        why="V.(x + w) is the sum of the values of x + w.",
    )
    start = proof.step(
        eq(whole - Sum(c(h) / (1 + 0 * Z), HEADS), Sum(e(h), HEADS)),
        NORMAL_FORM,
        why="At m = 0 every denominator is 1.",
    )
    part = eq(c(h) - gap, m * (c(h) / (m + rho)))
    share = proof.step(part, NORMAL_FORM, why="1 - 1/(1 + m z) = m z/(1 + m z), and z = 1/rho.")
    poles = m * Sum(c(h) / (m + rho), HEADS)
    shares = proof.step(
        eq(Sum(c(h) - gap, HEADS), poles),
        TERMWISE,
        _every(proof, share, part),
        why="Sum over the heads.",
    )
    proper = proof.step(
        eq(Sum(OUT, HEADS) - Sum(e(h), HEADS), poles),
        COMBINATION,
        identity,
        shares,
        parameters=(1, 1),
        why="F(m) - F(0).",
    )
    return proof.finish(identity=identity, start=start, proper=proper)


def _every(proof: Proof, step: int, statement: Any) -> int:
    return proof.step(ForAll(statement, HEADS), GENERALISATION, step, why="h was arbitrary.")


def _few(random: Random) -> Choice:
    """One or two heads, up to two copies: exponentials at 60 digits are what an instance costs."""
    return Choice({letter: random.randint(1, 2) for letter in (H, M)})
