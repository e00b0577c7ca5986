"""B6, ensemble.monotonicity, the covariance of two heads by their principal angles.

X ~ N(0, I_d), kernels K_h = exp(-a |Pi_h X|^2/2) at the query 0. In the plane of the i-th pair of
principal vectors, coordinates x along the first and y across, |Pi_h X|^2 + |Pi_g X|^2 is the form
x^2 + (c x + z y)^2 with c, z the cosine and sine of the angle, and the Gaussian integral
E exp(-Q/2) = det(I + Q)^(-1/2), the one thing that is not derived here, gives the factor
((1+a)^2 - a^2 c^2)^(-1/2). Everything else is: the determinant, and the order.

u_i = z_i^2 = 1 - c_i^2 stands for the squared sines: then (1+a)^2 - a^2 c^2 = 1 + 2a + a^2 u.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Lambda, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE, VANISHING_SUM
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq, le, lt
from .isotropic import CLAIM

k = size("k")
i, j = index("i"), index("j")
a = Symbol("a", positive=True)
_Y = Symbol("y", nonnegative=True)
_SPAN = (i, 1, k)


def _factor(sine: Any) -> Any:
    """The logarithm of the factor that one angle adds to E[K_h K_g] / (E K)^2, at least 1."""
    return (log((1 + a) ** 2) - log(1 + 2 * a + a**2 * sine)) / 2


_FUNCTION = Lambda(_Y, _factor(_Y))


def determinant() -> Derivation:
    """In the plane of one pair of principal vectors, for c^2 + z^2 = 1.

    Conclusions: ``block`` (det(I + a (Pi_h + Pi_g)) = (1+a)^2 - a^2 c^2), ``sines`` (the same as
    1 + 2a + a^2 u with u = z^2), in each of the k planes.

    Raises:
        DerivationFailed: a step is not decided.
    """
    c, z = family("c"), family("z")
    setting = Setting(
        (k,),
        {i: (1, k)},
        (a,),
        (c, z),
        {
            "k": "the dimension of a head, the number of principal angles",
            "a": "1/b^2, b the bandwidth",
            "c": "their cosines",
            "z": "their sines",
        },
    )
    proof = Proof(
        CLAIM, "The determinant of one pair of principal vectors", setting, choose=_angles
    )
    circle = proof.suppose(ForAll(eq(c(i) ** 2 + z(i) ** 2, 1), _SPAN), why="Cosines and sines.")
    one = proof.step(
        eq(c(i) ** 2 + z(i) ** 2, 1), INSTANCE, circle, parameters=(i,), why="At one angle."
    )
    block = (1 + a + a * c(i) ** 2) * (1 + a * z(i) ** 2) - (a * c(i) * z(i)) ** 2
    found = proof.step(
        eq(block, (1 + a) ** 2 - a**2 * c(i) ** 2),
        COMBINATION,
        one,
        parameters=(a + a**2,),
        why="The form is [[1 + a + a c^2, a c z], [a c z, 1 + a z^2]].",
    )
    sines = proof.step(
        eq((1 + a) ** 2 - a**2 * c(i) ** 2, 1 + 2 * a + a**2 * z(i) ** 2),
        COMBINATION,
        one,
        parameters=(-(a**2),),
        why="c^2 = 1 - z^2.",
    )
    return proof.finish(
        block=proof.step(
            ForAll(eq(block, (1 + a) ** 2 - a**2 * c(i) ** 2), _SPAN),
            GENERALISATION,
            found,
            why="i was arbitrary.",
        ),
        sines=proof.step(
            ForAll(eq((1 + a) ** 2 - a**2 * c(i) ** 2, 1 + 2 * a + a**2 * z(i) ** 2), _SPAN),
            GENERALISATION,
            sines,
            why="i was arbitrary.",
        ),
    )


def derivation() -> Derivation:
    """For every k, a > 0, squared sines u and w in [0, 1].

    With L(u) = (1/2) sum_i (log (1+a)^2 - log(1 + 2a + a^2 u_i)), the logarithm of
    n cov/sigma^2. Conclusions: ``increasing`` (w <= u in every angle and w_j < u_j in one: the
    covariance at w, whose cosines are greater, is greater), ``least`` (the covariance is at least
    sigma^2/n), ``orthogonal`` (it is sigma^2/n iff all angles are right).

    Raises:
        DerivationFailed: a step is not decided.
    """
    u, w = family("u", nonnegative=True), family("w", nonnegative=True)

    def whole(sines: Any) -> Any:
        return Sum(_factor(sines(i)), _SPAN)

    setting = Setting(
        (k,),
        {i: (1, k), j: (1, k)},
        (a,),
        (u, w),
        {
            "k": "the dimension of a head, the number of principal angles",
            "a": "1/b^2, b the bandwidth",
            "u": "the squared sines of the principal angles of two heads",
            "w": "those of another pair of heads",
        },
        {"L(u)": whole(u), "L(w)": whole(w)},
    )
    proof = Proof(CLAIM, "The covariance of two heads", setting, choose=_sines)
    top = proof.suppose(ForAll(le(u(i), 1), _SPAN), why="Squared sines are at most 1.")
    less = proof.suppose(ForAll(le(w(i), u(i)), _SPAN), why="No cosine is less at w.")
    each = proof.step(le(w(i), u(i)), INSTANCE, less, parameters=(i,), why="At one angle.")
    grows = proof.step(
        le(_factor(u(i)), _factor(w(i))),
        MONOTONE,
        each,
        parameters=(_FUNCTION,),
        why="The factor decreases in the squared sine.",
    )
    before, after = (i, 1, j - 1), (i, j + 1, k)
    sums = []
    for span in (before, after):
        part = proof.step(
            ForAll(le(_factor(u(i)), _factor(w(i))), span),
            GENERALISATION,
            grows,
            why="i was arbitrary.",
        )
        sums.append(
            proof.step(
                le(Sum(_factor(u(i)), span), Sum(_factor(w(i)), span)),
                TERMWISE,
                part,
                why="Sum over the other angles.",
            )
        )
    strict = proof.assume(lt(w(j), u(j)), why="The cosine of angle j is greater at w.")
    more = proof.step(
        lt(_factor(u(j)), _factor(w(j))),
        MONOTONE,
        strict,
        parameters=(_FUNCTION,),
        why="Strictly so at j.",
    )
    greater = proof.step(
        lt(whole(u), whole(w)),
        COMBINATION,
        *sums,
        more,
        parameters=(1, 1, 1),
        why="The sums are split at j.",
    )
    larger = proof.step(
        lt(exp(whole(u)), exp(whole(w))),
        MONOTONE,
        greater,
        parameters=(Lambda(Symbol("x", real=True), exp(Symbol("x", real=True))),),
        why="exp increases.",
    )
    increasing = proof.discharge(strict, larger, why="Whenever one of them is.")

    below = proof.step(le(u(i), 1), INSTANCE, top, parameters=(i,), why="At one angle.")
    floor = proof.step(
        le(0, _factor(u(i))),
        MONOTONE,
        below,
        parameters=(_FUNCTION,),
        why="At a right angle the factor is 1: 1 + 2a + a^2 = (1+a)^2.",
    )
    floors = proof.step(
        ForAll(le(0, _factor(u(i))), _SPAN), GENERALISATION, floor, why="i was arbitrary."
    )
    total = proof.step(le(0, whole(u)), TERMWISE, floors, why="Sum over the angles.")
    least = proof.step(
        le(1, exp(whole(u))),
        MONOTONE,
        total,
        parameters=(Lambda(Symbol("x", real=True), exp(Symbol("x", real=True))),),
        why="exp 0 = 1.",
    )
    vanish = proof.step(
        Equivalence(eq(whole(u), 0), ForAll(eq(_factor(u(i)), 0), _SPAN)),
        VANISHING_SUM,
        floors,
        why="A sum of nonnegative terms.",
    )
    right = proof.step(
        Equivalence(eq(_factor(u(i)), 0), eq(u(i), 1)),
        MONOTONE,
        parameters=(_FUNCTION,),
        why="The factor is injective.",
    )
    all_right = proof.step(
        Equivalence(ForAll(eq(_factor(u(i)), 0), _SPAN), ForAll(eq(u(i), 1), _SPAN)),
        GENERALISATION,
        right,
        why="i was arbitrary.",
    )
    unit = proof.step(
        Equivalence(eq(exp(whole(u)), 1), eq(whole(u), 0)),
        MONOTONE,
        parameters=(Lambda(Symbol("x", real=True), exp(Symbol("x", real=True))),),
        why="exp is injective.",
    )
    orthogonal = proof.step(
        Equivalence(eq(exp(whole(u)), 1), ForAll(eq(u(i), 1), _SPAN)),
        CONSEQUENCE,
        unit,
        vanish,
        all_right,
        why="Chain the equivalences.",
    )
    return proof.finish(increasing=increasing, least=least, orthogonal=orthogonal)


def room() -> Derivation:
    """Two heads of dimension k can be orthogonal in R^d only if 2 k <= d.

    From the bound of claim B5 for H = 2, HDI <= 2 (1 - k/d). Conclusion: ``room``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    d, hdi = size("d"), Symbol("D", real=True)
    setting = Setting(
        (d, k),
        {},
        (hdi,),
        meaning={
            "d": "the width of the residual stream",
            "k": "the dimension of a head",
            "D": "the HDI of two heads",
        },
    )
    proof = Proof(CLAIM, "Room for two orthogonal heads", setting, choose=_two)
    bound = proof.suppose(le(hdi, 2 * (1 - k / d)), why="Claim B5, H = 2.")
    whole = proof.assume(eq(hdi, 1), why="Suppose that they are orthogonal.")
    fits = proof.step(
        le(2 * k, d),
        COMBINATION,
        bound,
        whole,
        parameters=(d, -d),
        why="Multiply by d.",
    )
    return proof.finish(room=proof.discharge(whole, fits, why="Then there is room."))


def _angles(random: Random) -> Choice:
    """Rational points of the circle."""
    chosen = [random.choice(((3, 4, 5), (0, 1, 1), (1, 0, 1), (-5, 12, 13))) for _ in range(4)]
    return Choice(
        {},
        {
            "c": lambda n: Fraction(chosen[int(n) - 1][0], chosen[int(n) - 1][2]),
            "z": lambda n: Fraction(chosen[int(n) - 1][1], chosen[int(n) - 1][2]),
        },
    )


def _sines(random: Random) -> Choice:
    """Squared sines, all 1 now and then, and others that are not greater."""
    full = random.random() < 0.3
    upper = [Fraction(1) if full else Fraction(random.randint(0, 4), 4) for _ in range(4)]
    lower = [x * Fraction(random.randint(0, 2), 2) for x in upper]
    return Choice({}, {"u": lambda n: upper[int(n) - 1], "w": lambda n: lower[int(n) - 1]})


def _two(random: Random) -> Choice:
    width, rank = random.randint(1, 6), random.randint(1, 3)
    bound = 2 * (1 - Fraction(rank, width))
    value = random.choice((bound, bound - 1, min(Fraction(1), bound)))
    return Choice({size("d"): width, k: rank, Symbol("D", real=True): value})
