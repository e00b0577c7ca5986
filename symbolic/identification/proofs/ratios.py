"""C1, C2 and C4: the shares of the table, for all sizes.

The numbers of unidentified parameters are the dimensions of commutants as `stabiliser.dimension`
derives them from solved intertwiners, with the sizes as symbols; what is typed here are the shares
that are to come out. A share p/q is stated without division: q unidentified = p total.
"""

from __future__ import annotations

from typing import Any

from sympy import Integer, Rational, fraction, together

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import SIGN
from ...derivations.setting import Setting, size
from ...derivations.statement import eq, lt
from ..stabiliser import dimension

TABLE = "identification.query-key"
NEVER = "identification.never-identified"
BLOCK = "identification.block"

H, G, n, m, r = (size(name) for name in ("H", "G", "n", "m", "r"))
MEANING = {
    "H": "the number of heads",
    "G": "the number of key/value groups",
    "n": "the dimension of a head",
    "m": "the number of planes of a head",
    "r": "query heads of a group",
}


def _proof(claim: str, title: str, *sizes: Any) -> Proof:
    return Proof(claim, title, Setting(sizes, {}, meaning={s.name: MEANING[s.name] for s in sizes}))


def _share(proof: Proof, unidentified: Any, share: Any, total: Any, why: str) -> int:
    """Denominator times unidentified = numerator times total."""
    upper, lower = fraction(together(share))
    return proof.step(eq(lower * unidentified, upper * total), NORMAL_FORM, why=why)


def _planes(count: Any) -> Any:
    """Planes with frequencies of their own: so many times the commutant of one."""
    return count * dimension([("complex", Integer(1))])


def heads() -> Derivation:
    """H heads, d = H n: H n^2 = 1/(2H) of 2 d^2; normalised H (n(n - 1)/2 + 2).

    Conclusions: ``plain``, ``norm``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "Shares of multi-head attention", H, n)
    why = "One commutant of the identity a head; 2 d^2 parameters."
    plain = _share(proof, H * dimension([("real", n)]), 1 / (2 * H), 2 * (H * n) ** 2, why)
    norm = proof.step(
        eq(H * (dimension([("real", n)], "orthogonal") + 2), H * (n * (n - 1) / 2 + 2)),
        NORMAL_FORM,
        why="Normalised queries and keys: rotations, and two lengths.",
    )
    return proof.finish(plain=plain, norm=norm)


def one_head() -> Derivation:
    """One head of dimension d: half of 2 d^2. Conclusion: ``half``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "The share of one head", n)
    half = _share(proof, dimension([("real", n)]), Rational(1, 2), 2 * n**2, "The case n = d.")
    return proof.finish(half=half)


def rotated() -> Derivation:
    """H heads of m planes, d = 2 H m: 1/(2d), or 1/(4H) when all planes turn alike.

    Conclusions: ``distinct``, ``equal``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "Shares with rotations", H, m)
    d = 2 * H * m
    why = "m commutants of one plane a head."
    distinct = _share(proof, H * _planes(m), 1 / (2 * d), 2 * d**2, why)
    why = "One commutant of m planes a head."
    equal = _share(proof, H * dimension([("complex", m)]), 1 / (4 * H), 2 * d**2, why)
    return proof.finish(distinct=distinct, equal=equal)


def groups() -> Derivation:
    """G groups of r heads, H = G r, d = H n: G/(H (H + G)). Conclusion: ``plain``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "The share of grouped attention", G, r, n)
    total = G * r
    why = "One commutant a group; d n (H + G) parameters."
    share = G / (total * (total + G))
    found = _share(proof, G * dimension([("real", n)]), share, total * n * n * (total + G), why)
    return proof.finish(plain=found)


def rotated_groups() -> Derivation:
    """The same with m frequencies, d = 2 H m: G/(d (H + G)). Conclusion: ``rotated``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "The share of grouped attention with rotations", G, r, m)
    total = G * r
    d = 2 * total * m
    why = "m commutants of one plane a group."
    found = _share(proof, G * _planes(m), G / (d * (total + G)), 2 * d * m * (total + G), why)
    return proof.finish(rotated=found)


def single_group() -> Derivation:
    """One group of H heads (MQA): 1/(H (H + 1)). Conclusion: ``single``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(TABLE, "The share of multi-query attention", H, n)
    total = H * n * n * (H + 1)
    why = "One commutant; d n (H + 1) parameters."
    found = _share(proof, dimension([("real", n)]), 1 / (H * (H + 1)), total, why)
    return proof.finish(single=found)


def never() -> Derivation:
    """0 < H n^2 for every H and n: something always remains. Conclusion: ``positive``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(NEVER, "Something is always left", H, n)
    left = H * dimension([("real", n)])
    positive = proof.step(lt(0, left), SIGN, why="A product of positive numbers.")
    return proof.finish(positive=positive)


def finest() -> Derivation:
    """H = d, n = 1: a scale a head, 1/(2d) of 2 d^2, and 0 < 1/(2d).

    Conclusions: ``share``, ``positive``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(NEVER, "As many heads as dimensions", H)
    why = "The commutant of one coordinate is a scale; d = H."
    share = _share(proof, H * dimension([("real", Integer(1))]), 1 / (2 * H), 2 * H**2, why)
    positive = proof.step(lt(0, 1 / (2 * H)), SIGN, why="H is positive.")
    return proof.finish(share=share, positive=positive)


def block() -> Derivation:
    """All four matrices, d = H n: 1/(2H) of 4 d^2. Conclusion: ``plain``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(BLOCK, "The share of a block", H, n)
    why = "The commutant of the identity twice a head."
    found = _share(proof, 2 * H * dimension([("real", n)]), 1 / (2 * H), 4 * (H * n) ** 2, why)
    return proof.finish(plain=found)


def rotated_block() -> Derivation:
    """With m frequencies a head, d = 2 H m: 1/(4d) + 1/(4H). Conclusion: ``rotated``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof(BLOCK, "The share of a block with rotations", H, m)
    d = 2 * H * m
    unidentified = H * _planes(m) + H * dimension([("real", 2 * m)])
    why = "Rotations between queries and keys, nothing between values and the output."
    found = _share(proof, unidentified, 1 / (4 * d) + 1 / (4 * H), 4 * d**2, why)
    return proof.finish(rotated=found)
