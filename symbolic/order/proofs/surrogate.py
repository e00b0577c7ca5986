"""G2, order.surrogate: the flow of a tensor factorisation, its symmetries and what it conserves.

With a, b of shape (H, K) and R = T - a^T b the flow da/dt = b R^T, db/dt = a R is minus the
gradient of |R|_F^2 / 2; the loss depends on a^T b only, which every invertible mixing of heads
leaves as it is, while the flow commutes with orthogonal mixings; a a^T - b b^T is conserved. T is
any matrix: the diagonal one of the claim is an instance. Time derivatives enter by the product
rule, written out.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Rational, Sum, Symbol

from ...derivation import Derivation
from ...instance import Choice
from ...proof import Proof
from ...rules.equality import NORMAL_FORM
from ...rules.logic import GENERALISATION, INSTANCE
from ...rules.order import COMBINATION
from ...rules.summation import TERMWISE
from ...setting import Setting, family, index, size
from ...statement import ForAll, eq

CLAIM = "order.surrogate"

_H, _K = size("H"), size("K")
_h, _g, _f, _i, _j, _k, _l = (index(name) for name in "hgfijkl")
_a, _b, _R, _T, _u = (family(name) for name in "abRTu")
_MEANING = {
    "H": "the number of heads",
    "K": "the number of modes",
    "a": "a(h, j): how much head h looks at mode j",
    "b": "b(h, k): what head h writes of mode k",
    "R": "R(j, k): the residual, target minus a^T b",
    "T": "T(j, k): the target",
}


def _heads(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _H)


def _modes(letter: Any) -> tuple[Any, Any, Any]:
    return (letter, 1, _K)


def _da(h: Any, j: Any) -> Any:
    """(b R^T)(h, j)."""
    return Sum(_b(h, _i) * _R(j, _i), _modes(_i))


def _db(h: Any, k: Any) -> Any:
    """(a R)(h, k)."""
    return Sum(_a(h, _i) * _R(_i, k), _modes(_i))


def conservation() -> Derivation:
    """For all H, K, a, b and residuals R: the time derivative of a a^T - b b^T is 0.

    Conclusion: ``conserved``: for heads h, g the product rule gives 0.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _i: (1, _K), _j: (1, _K)},
        families=(_a, _b, _R),
        meaning=_MEANING,
    )
    proof = Proof(CLAIM, "What the flow conserves", setting)
    gain = Sum(_da(_h, _j) * _a(_g, _j) + _a(_h, _j) * _da(_g, _j), _modes(_j))
    loss = Sum(_db(_h, _j) * _b(_g, _j) + _b(_h, _j) * _db(_g, _j), _modes(_j))
    same = proof.step(
        eq(gain - loss, 0),
        NORMAL_FORM,
        why="Both products are the sums of b(h,i) R(j,i) a(g,j) and a(h,j) R(j,i) b(g,i).",
    )
    row = proof.step(ForAll(eq(gain - loss, 0), _heads(_g)), GENERALISATION, same, why="Any g.")
    both = proof.step(
        ForAll(ForAll(eq(gain - loss, 0), _heads(_g)), _heads(_h)),
        GENERALISATION,
        row,
        why="Any h.",
    )
    return proof.finish(conserved=both)


def gradient() -> Derivation:
    """For all H, K, T, a, b and directions u: the flow is minus the gradient of the loss.

    With L = |T - a^T b|_F^2 / 2 and R = T - a^T b, along a + s u
    L(s) = L(0) - s <u, b R^T> + s^2 |u^T b|^2 / 2, and along b + s u
    L(s) = L(0) - s <u, a R> + s^2 |a^T u|^2 / 2. Conclusions: ``first``, ``second``, and the
    residuals after the move, ``first-residual``, ``second-residual``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    s = Symbol("s", real=True)
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _j: (1, _K), _k: (1, _K)},
        (s,),
        (_a, _b, _R, _T, _u),
        {**_MEANING, "u": "a direction in which a or b moves", "s": "how far"},
    )
    proof = Proof(CLAIM, "The flow descends the loss", setting, choose=_residual)
    over_h, over_j, over_k = _heads(_h), _modes(_j), _modes(_k)
    half, residual = Rational(1, 2), _R(_j, _k)
    meant = _T(_j, _k) - Sum(_a(_h, _j) * _b(_h, _k), over_h)
    known = proof.suppose(ForAll(ForAll(eq(residual, meant), over_k), over_j), why="What R is.")
    row = proof.step(
        ForAll(eq(residual, meant), over_k), INSTANCE, known, parameters=(_j,), why="At mode j."
    )
    entry = proof.step(eq(residual, meant), INSTANCE, row, parameters=(_k,), why="At mode k.")

    def total(term: Any) -> Any:
        return Sum(term, over_k, over_j)

    of_b = Sum(_u(_h, _j) * Sum(_b(_h, _k) * residual, over_k), over_j, over_h)
    of_a = Sum(_u(_h, _k) * Sum(_a(_h, _j) * residual, over_j), over_k, over_h)
    named = {}
    for name, moved, change, along in (
        ("first", (_a(_h, _j) + s * _u(_h, _j)) * _b(_h, _k), _u(_h, _j) * _b(_h, _k), of_b),
        ("second", _a(_h, _j) * (_b(_h, _k) + s * _u(_h, _k)), _a(_h, _j) * _u(_h, _k), of_a),
    ):
        slope = Sum(change, over_h)
        named[f"{name}_residual"] = proof.step(
            eq(_T(_j, _k) - Sum(moved, over_h), residual - s * slope),
            COMBINATION,
            entry,
            parameters=(-1,),
            why="The residual after the move.",
        )
        named[name] = proof.step(
            eq(
                half * total((residual - s * slope) ** 2),
                half * total(residual**2) - s * along + s**2 * half * total(slope**2),
            ),
            NORMAL_FORM,
            why="The square, expanded, and the sums over h, j and k exchanged.",
        )
    return proof.finish(**named)


def invariance() -> Derivation:
    """For all H, K, a, b and invertible G with inverse transpose P: mixing heads keeps a^T b.

    Conclusion: ``invariant``: (G a)^T (P b) = a^T b, where P is known by G^T P b = b.

    Raises:
        DerivationFailed: a step is not decided.
    """
    G, P = family("G"), family("P")
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _f: (1, _H), _j: (1, _K), _k: (1, _K)},
        families=(_a, _b, G, P),
        meaning={
            **_MEANING,
            "G": "G(h, g): how the heads of a are mixed",
            "P": "P(h, g): the inverse transpose of G",
        },
    )
    proof = Proof(CLAIM, "Mixing heads", setting, choose=_mixed)
    over_f, over_g, over_h = _heads(_f), _heads(_g), _heads(_h)
    inverse = Sum(Sum(G(_h, _g) * P(_h, _f), over_h) * _b(_f, _k), over_f)
    known = proof.suppose(
        ForAll(ForAll(eq(inverse, _b(_g, _k)), over_g), _modes(_k)), why="G^T P = 1, applied to b."
    )
    of_mode = proof.step(
        ForAll(eq(inverse, _b(_g, _k)), over_g), INSTANCE, known, parameters=(_k,), why="At mode k."
    )
    head = proof.step(
        eq(inverse, _b(_g, _k)), INSTANCE, of_mode, parameters=(_g,), why="At head g."
    )
    weighted = proof.step(
        eq(_a(_g, _j) * inverse, _a(_g, _j) * _b(_g, _k)),
        COMBINATION,
        head,
        parameters=(_a(_g, _j),),
        why="Times a(g, j).",
    )
    for_all = proof.step(
        ForAll(eq(_a(_g, _j) * inverse, _a(_g, _j) * _b(_g, _k)), over_g),
        GENERALISATION,
        weighted,
        why="g was arbitrary.",
    )
    product = Sum(_a(_g, _j) * _b(_g, _k), over_g)
    summed = proof.step(
        eq(Sum(_a(_g, _j) * inverse, over_g), product), TERMWISE, for_all, why="Summed."
    )
    mixed = Sum(Sum(G(_h, _g) * _a(_g, _j), over_g) * Sum(P(_h, _f) * _b(_f, _k), over_f), over_h)
    exchanged = proof.step(
        eq(mixed, Sum(_a(_g, _j) * inverse, over_g)), NORMAL_FORM, why="The sums are exchanged."
    )
    invariant = proof.step(
        eq(mixed, product), COMBINATION, exchanged, summed, parameters=(1, 1), why="Together."
    )
    return proof.finish(invariant=invariant)


def equivariance() -> Derivation:
    """For all H, K, a, b, R and G: the flow commutes with G acting on a and b alike.

    Conclusions: ``first`` ((G b) R^T = G (b R^T)), ``second`` ((G a) R = G (a R)). That R stays the
    same needs G^T G = 1 (`invariance` at P = G): the flow commutes with orthogonal mixings.

    Raises:
        DerivationFailed: a step is not decided.
    """
    G = family("G")
    setting = Setting(
        (_H, _K),
        {_h: (1, _H), _g: (1, _H), _i: (1, _K), _j: (1, _K)},
        families=(_a, _b, _R, G),
        meaning={**_MEANING, "G": "G(h, g): how heads are mixed"},
    )
    proof = Proof(CLAIM, "The flow of mixed heads", setting)
    over_g, over_i = _heads(_g), _modes(_i)
    named = {}
    for name, part, residual in (("first", _b, _R(_j, _i)), ("second", _a, _R(_i, _j))):
        mixed = Sum(Sum(G(_h, _g) * part(_g, _i), over_g) * residual, over_i)
        after = Sum(G(_h, _g) * Sum(part(_g, _i) * residual, over_i), over_g)
        named[name] = proof.step(
            eq(mixed, after), NORMAL_FORM, why="The sums over heads and modes are exchanged."
        )
    return proof.finish(**named)


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


def _residual(random: Random) -> Choice:
    """Small integer a, b and T, and the residual that they define."""
    H, K = random.randint(1, 3), random.randint(1, 3)
    a, b, T = (
        [[random.randint(-3, 3) for _ in range(K)] for _ in range(rows)] for rows in (H, H, K)
    )

    def residual(j: Any, k: Any) -> Fraction:
        j, k = int(j) - 1, int(k) - 1
        return Fraction(T[j][k] - sum(a[h][j] * b[h][k] for h in range(H)))

    def table(values: list[list[int]]) -> Any:
        return lambda i, j: Fraction(values[int(i) - 1][int(j) - 1])

    families = {"a": table(a), "b": table(b), "T": table(T), "R": residual}
    return Choice({_H: H, _K: K}, families)


def _mixed(random: Random) -> Choice:
    """An invertible integer mixing, by row operations, and its inverse transpose."""
    H = random.randint(1, 4)
    G = [[Fraction(int(i == j)) for j in range(H)] for i in range(H)]
    P = [row[:] for row in G]
    for _ in range(random.randint(0, 4) if H > 1 else 0):
        i, j = random.sample(range(H), 2)
        c = random.randint(-2, 2)
        # Row i of G gains c times row j; of the inverse transpose row j loses c times row i.
        G[i] = [x + c * y for x, y in zip(G[i], G[j], strict=True)]
        P[j] = [x - c * y for x, y in zip(P[j], P[i], strict=True)]
    return Choice(
        {_H: H},
        {
            "G": lambda h, g: G[int(h) - 1][int(g) - 1],
            "P": lambda h, g: P[int(h) - 1][int(g) - 1],
        },
    )


def _partly_learnt(random: Random) -> Choice:
    """A residual of which the first k rows vanish and the rest is diagonal."""
    k, m = random.randint(1, 3), random.randint(1, 3)
    alpha = [Fraction(random.randint(-9, 9), random.randint(1, 4)) for _ in range(k + m)]

    def residual(j: Any, i: Any) -> Fraction:
        return alpha[int(j) - 1] if j == i and j > k else Fraction(0)

    return Choice(
        {size("k"): k, size("m"): m}, {"R": residual, "alpha": lambda j: alpha[int(j) - 1]}
    )
