"""A8, tropical.unbiased-maximum: when the largest number of vertices is N^H; zonotopes; Weibel.

The formula U(D, H, N) = R(D - 1, H, N) + C(H - 1, D - 1) is compared with N^H: equal for H < D,
where R(D - 1, H, N) is N^H already and the second term 0; N^D - (N - 1)^D + 1 at H = D; less for
H > D. For N = 2 it counts the vertices of zonotopes. All of this for symbolic D, H and N. Its
equality with Weibel's alternating sum is an identity of polynomials in H and N for each D, decided
for one D at a time (`weibel`): the general case would need a convolution of binomials.
"""

from __future__ import annotations

from typing import Any

from sympy import Integer, Mul, Sum, expand

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, size
from ...derivations.statement import Conjunction, ForAll, eq, le, lt
from ...errors import InputError
from .binomial import C, d, e, facts, h, j, k, m, n, p, partial, setting, true_powers

CLAIM = "tropical.unbiased-maximum"


def derivation() -> Derivation:
    """U(D, H, N) against N^H, and for N = 2, with D = d + 1.

    Conclusions: ``boundary`` (U(D, D, N) = N^D - (N - 1)^D + 1); ``less`` (U(D, D + e, N) <
    N^(D + e) for e >= 1, N >= 2); ``zonotope`` (sum_{j <= k} C(H, j) + C(H - 1, k) =
    2 sum_{j <= k} C(H - 1, j), for k = D - 1).

    Raises:
        DerivationFailed: a step is not decided.
    """
    H = d + e + 1
    letters = setting(
        H, d + 2, also={"R(d, H, N)": partial(H, d), "R(d, d + 1, N)": partial(d + 1, d)}
    )
    proof = Proof(CLAIM, "The formula for the most vertices", letters, choose=true_powers)
    known = facts(proof, H)

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    def pascal(row: Any, degree: Any) -> int:
        line = ForAll(eq(C(row + 1, k + 1), C(row, k) + C(row, k + 1)), (k, 0, H + 1))
        return at(
            at(known.pascal, line, row, "In this row."),
            eq(C(row + 1, degree + 1), C(row, degree) + C(row, degree + 1)),
            degree,
            "At this degree.",
        )

    # C(h, h) = 1
    before = proof.assume(eq(C(h, h), 1), why="Suppose that there is one way to choose all of h.")
    after = proof.step(
        eq(C(h + 1, h + 1), 1),
        COMBINATION,
        pascal(h, h),
        before,
        at(known.vanish, eq(C(h, h + 1), 0), h, "In the row h."),
        parameters=(1, 1, 1),
        why="Pascal's rule.",
    )
    diagonal = proof.step(
        ForAll(eq(C(h, h), 1), (h, 0, H + 1)),
        INDUCTION,
        at(known.first, eq(C(0, 0), 1), 0, "In the row 0."),
        proof.discharge(before, after, why="From h to h + 1."),
        why="Induction.",
    )
    top = at(diagonal, eq(C(d + 1, d + 1), 1), d + 1, "All d + 1 heads.")
    under = at(diagonal, eq(C(d, d), 1), d, "All d heads.")
    theorem = at(
        known.binomial, eq(partial(d + 1, d + 1), p(d + 1)), d + 1, "The binomial theorem."
    )
    boundary = proof.step(
        eq(partial(d + 1, d) + C(d, d), p(d + 1) - m(d + 1) + 1),
        COMBINATION,
        theorem,
        top,
        under,
        parameters=(1, -m(d + 1), 1),
        why="One term is missing at H = D, and C(D - 1, D - 1) = 1 is added.",
    )

    # m(j) >= 1
    before = proof.assume(le(1, m(k)), why="Suppose that n^k is at least 1.")
    after = proof.step(
        le(1, m(k + 1)),
        COMBINATION,
        before,
        at(known.powers_positive, lt(0, m(k)), k, "At k."),
        at(known.powers, eq(m(k + 1), n * m(k)), k, "At k."),
        parameters=(1, n - 1, -1),
        why="n is at least 1.",
    )
    start = proof.step(
        le(1, m(0)),
        COMBINATION,
        proof.step(le(1, 1), SIGN, why="One is one."),
        known.unit,
        parameters=(1, -1),
        why="n^0 = 1.",
    )
    powers = proof.step(
        ForAll(le(1, m(k)), (k, 0, H + 1)),
        INDUCTION,
        start,
        proof.discharge(before, after, why="From k to k + 1."),
        why="Induction: powers of n are at least 1.",
    )

    def positive(row: Any, degree: Any) -> int:
        line = ForAll(lt(0, C(row, k)), (k, 0, row))
        every = at(known.positive, line, row, "In this row.")
        return at(every, lt(0, C(row, degree)), degree, "At this degree.")

    product = proof.step(
        lt(0, C(H, j) * m(j)),
        SIGN,
        positive(H, j),
        at(known.powers_positive, lt(0, m(j)), j, "j at most H."),
        why="A product of positive numbers.",
    )
    every = proof.step(
        ForAll(le(0, C(H, j) * m(j)), (j, d + 2, H)),
        GENERALISATION,
        proof.step(
            le(0, C(H, j) * m(j)),
            SIGN,
            product,
            why="In particular not negative.",
        ),
        why="j was arbitrary.",
    )
    rest = proof.step(
        le(0, Sum(C(H, j) * m(j), (j, d + 2, H))), TERMWISE, every, why="The terms beyond d + 1."
    )
    split = proof.step(
        eq(
            partial(H, H),
            partial(H, d) + C(H, d + 1) * m(d + 1) + Sum(C(H, j) * m(j), (j, d + 2, H)),
        ),
        NORMAL_FORM,
        why="The sum is split after degree d and after degree d + 1.",
    )
    full = at(known.binomial, eq(partial(H, H), p(H)), H, "The binomial theorem.")
    two = pascal(H - 1, d)
    kept, gained = positive(H - 1, d), positive(H - 1, d + 1)
    large = at(powers, le(1, m(d + 1)), d + 1, "At d + 1.")
    power = at(known.powers_positive, lt(0, m(d + 1)), d + 1, "At d + 1.")
    short = proof.step(
        lt(partial(H, d) + C(H - 1, d), p(H)),
        COMBINATION,
        rest,
        split,
        full,
        two,
        large,
        gained,
        kept,
        power,
        parameters=(1, -1, 1, -m(d + 1), C(H - 1, d), m(d + 1), 0, 0),
        why="C(H, d+1) n^(d+1) = C(H-1, d) n^(d+1) + C(H-1, d+1) n^(d+1) > C(H-1, d).",
    )

    definition = ForAll(eq(m(k + 1), n * m(k)), (k, 0, H + 1))
    less = proof.step(
        Conjunction(lt(partial(H, d) + C(H - 1, d), p(H)), definition),
        CONSEQUENCE,
        short,
        known.powers,
        why="m(j) is n^j.",
    )

    def vertices(k: Any) -> Any:
        left = Sum(C(H, j), (j, 0, k)) + C(H - 1, k)
        return eq(left, 2 * Sum(C(H - 1, j), (j, 0, k)))

    before = proof.assume(vertices(k), why="Suppose it up to degree k.")
    after = proof.step(
        vertices(k + 1),
        COMBINATION,
        before,
        pascal(H - 1, k),
        parameters=(1, 1),
        why="Pascal's rule.",
    )
    start = proof.step(
        eq(C(H, 0) + C(H - 1, 0), 2 * C(H - 1, 0)),
        COMBINATION,
        at(known.first, eq(C(H, 0), 1), H, "In the row H."),
        at(known.first, eq(C(H - 1, 0), 1), H - 1, "In the row H - 1."),
        parameters=(1, -1),
        why="All are 1.",
    )
    zonotope = proof.step(
        ForAll(vertices(k), (k, 0, H)),
        INDUCTION,
        start,
        proof.discharge(before, after, why="From k to k + 1."),
        why="Induction on the degree.",
    )
    return proof.finish(boundary=boundary, less=less, zonotope=zonotope)


def weibel(dimension: int) -> Derivation:
    """U(D, H, N) is Weibel's alternating sum, for all H and N, at one dimension D >= 2.

    Both sides are polynomials in H and N: C(H - 1 - j, D - 1 - j) and the others are written out as
    H (H - 1) ... / j!. They count vertices for H >= D, where these are the binomial coefficients.

    Conclusion: ``weibel``.

    Raises:
        DerivationFailed: a step is not decided.
        InputError: the dimension is below 2.
    """
    if dimension < 2:
        raise InputError("a dimension of at least 2", str(dimension), where="dimension")
    N, H = size("N"), size("H")
    D = dimension
    setting = Setting(
        (N, H), {}, meaning={"N": "the number of keys of every head", "H": "the number of heads"}
    )
    proof = Proof(CLAIM, f"Weibel's form in dimension {D}", setting)
    alpha = 2 * (D % 2)
    ours = sum(chosen(H, j) * (N - 1) ** j for j in range(D)) + chosen(H - 1, D - 1)
    theirs = alpha + sum(
        (-1) ** (D - 1 - j) * chosen(H - 1 - j, D - 1 - j) * chosen(H, j) * (N**j - alpha)
        for j in range(1, D)
    )
    common = expand(ours)
    one = proof.step(eq(ours, common), NORMAL_FORM, why="Our form, multiplied out.")
    other = proof.step(eq(theirs, common), NORMAL_FORM, why="Weibel's form, multiplied out.")
    both = proof.step(
        eq(ours, theirs), COMBINATION, one, other, parameters=(1, -1), why="The same polynomial."
    )
    return proof.finish(weibel=both)


def weibel_in_space() -> Derivation:
    """Weibel's form in dimension 3, to be shown."""
    return weibel(3)


def chosen(x: Any, j: int) -> Any:
    """C(x, j) as a polynomial in x."""
    factors = [(x - t) / Integer(t + 1) for t in range(j)]
    return Mul(*factors)
