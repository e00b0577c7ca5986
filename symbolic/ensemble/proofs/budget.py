"""B7, ensemble.budget: the head dimension that a budget of H d_k = D coordinates asks for.

F(x) = A exp(-alpha x) + B exp(g x) x with g = log C > 0 and B = sigma^2/(n D). F'' > 0 for x >= 0,
so F lies above its tangents. The point delta at which F' vanishes is given by Lambert's
function: delta = (w/k - 1)/g with w e^w = k e^k M, w > 0, k = (alpha + g)/g and
M = alpha A n D/sigma^2.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Lambda, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.logic import CONSEQUENCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, RESCALING, SIGN
from ...derivations.rules.tangent import TANGENT
from ...derivations.setting import Setting
from ...derivations.statement import Conjunction, Equivalence, Implication, eq, le, lt, ne
from .budget_curve import CLAIM, MEANING, A, B, D, M, alpha, error, g, minimised, n, slope, v, x

y, low, high, t = (Symbol(name, nonnegative=True) for name in ("y", "l", "u", "t"))
delta, w = Symbol("delta", real=True), Symbol("w", positive=True)
_Z, _R = Symbol("z", nonnegative=True), Symbol("x_1", real=True)
_P = Symbol("y_1", positive=True)

KAPPA = (alpha + g) / g


def _size(x: Any) -> Any:
    """M as a function of the dimension that is best for it."""
    return exp((alpha + g) * x) * (1 + g * x)


def derivation() -> Derivation:
    """For all n, D, A, alpha, v > 0 and C = e^g > 1.

    Conclusions: ``convex`` (F lies above its tangents, strictly), ``stationary`` (F'(delta) = 0),
    ``unique`` (F(delta) < F(x) for every other x >= 0, if delta >= 0), ``threshold`` (t <= delta
    iff (1 + g t) exp((alpha + g) t) <= M), ``positive`` (0 < delta iff 1 < M), ``integer`` (for
    l <= delta <= u no x <= l is better than l and no x >= u better than u); ``value`` and
    ``formula`` (what delta is: delta = (w/k - 1)/g, w e^w = k e^k M).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (n, D),
        {},
        (A, alpha, g, v, x, y, low, high, t, delta, w),
        meaning=MEANING
        | {
            "delta": "the minimiser",
            "w": "the value of Lambert's function",
            "x": "another dimension",
            "y": "another dimension",
            "l": "a dimension that is not above delta: its floor",
            "u": "one that is not below: its ceiling",
            "t": "a threshold",
        },
        abbreviations={"M": M},
    )
    W = KAPPA * (1 + g * delta)
    proof = Proof(CLAIM, "The head budget at fixed bandwidth", setting, choose=_parameters)
    value = proof.suppose(
        eq(w * exp(w), KAPPA * exp(KAPPA) * M), why="w > 0 is Lambert's W(kappa e^kappa M)."
    )
    formula = proof.suppose(eq(delta, (w / KAPPA - 1) / g), why="What delta is.")
    solved = proof.step(
        eq(w, W), COMBINATION, formula, parameters=(-(alpha + g),), why="Solve for w."
    )
    raised = proof.step(
        eq(exp(w), exp(W)),
        MONOTONE,
        solved,
        parameters=(Lambda(_R, exp(_R)),),
        why="Both sides are exponents.",
    )
    lambert = proof.step(
        eq(W * exp(W), KAPPA * exp(KAPPA) * M),
        COMBINATION,
        value,
        solved,
        raised,
        parameters=(1, -exp(w), -W),
        why="Insert w.",
    )
    sign = proof.step(lt(0, w), SIGN, why="The positive branch.")
    branch = proof.step(
        lt(0, 1 + g * delta),
        COMBINATION,
        sign,
        solved,
        parameters=(1 / KAPPA, 1 / KAPPA),
        why="w/kappa = 1 + g delta.",
    )
    stationary = proof.step(
        eq(slope(delta), 0),
        COMBINATION,
        lambert,
        parameters=(exp(-alpha * delta - KAPPA) / KAPPA * B,),
        why="kappa g = alpha + g, so that W - kappa = (alpha + g) delta.",
    )
    convex = _convex(proof)
    unique = _unique(proof, stationary)
    threshold = _threshold(proof, lambert, branch)
    integer = _integer(proof, stationary)
    return proof.finish(
        convex=convex,
        stationary=stationary,
        value=value,
        formula=formula,
        unique=unique,
        threshold=threshold[0],
        positive=threshold[1],
        integer=integer,
    )


def _sign(proof: Proof, letter: Any) -> int:
    return proof.step(le(0, letter), SIGN, why="A dimension.")


_ERROR, _SLOPE = Lambda(_Z, error(_Z)), Lambda(_Z, slope(_Z))


def _convex(proof: Proof) -> int:
    """F(x) + F'(x) (y - x) < F(y) for x != y."""
    apart = proof.assume(ne(x, y), why="Two dimensions.")
    above = proof.step(
        lt(error(x) + slope(x) * (y - x), error(y)),
        TANGENT,
        apart,
        parameters=(_ERROR, x, y),
        why="F'' = alpha^2 A exp(-alpha x) + B exp(g x) g (2 + g x) > 0.",
    )
    return proof.discharge(apart, above, why="Whenever they differ.")


def _unique(proof: Proof, stationary: int) -> int:
    """If delta >= 0, then F(delta) < F(x) for every other x >= 0."""
    nonnegative = proof.assume(le(0, delta), why="The minimiser is a dimension.")
    apart = proof.assume(ne(delta, x), why="Another dimension.")
    above = proof.step(
        lt(error(delta) + slope(delta) * (x - delta), error(x)),
        TANGENT,
        apart,
        nonnegative,
        parameters=(_ERROR, delta, x),
        why="F lies above its tangent at delta.",
    )
    less = proof.step(
        lt(error(delta), error(x)),
        COMBINATION,
        above,
        stationary,
        parameters=(1, -(x - delta)),
        why="The tangent is horizontal.",
    )
    other = proof.discharge(apart, less, why="Whenever it differs from delta.")
    return proof.discharge(nonnegative, other, why="Whenever delta >= 0.")


def _threshold(proof: Proof, lambert: int, branch: int) -> tuple[int, int]:
    """Decide t <= delta iff (1 + g t) exp((alpha + g) t) <= M; 0 < delta iff 1 < M."""
    W, bound = KAPPA * (1 + g * delta), KAPPA * (1 + g * t)
    product = Lambda(_P, _P * exp(_P))
    found = []
    for relation, at, target in ((le, bound, _size(t)), (lt, KAPPA, exp(g * 0))):
        value = at * exp(at)
        order = proof.step(
            Equivalence(relation(value, W * exp(W)), relation(at, W)),
            MONOTONE,
            branch,
            parameters=(product,),
            why="W e^W increases for W > 0.",
        )
        dimension = t if relation is le else 0
        distance = proof.step(
            Equivalence(relation(at, W), relation(dimension, delta)),
            RESCALING,
            parameters=(1 / (alpha + g),),
            why="W - kappa (1 + g t) = (alpha + g)(delta - t).",
        )
        sizes = proof.step(
            Equivalence(relation(value, KAPPA * exp(KAPPA) * M), relation(target, M)),
            RESCALING,
            parameters=(exp(-KAPPA) / KAPPA,),
            why="Divide by kappa e^kappa.",
        )
        there, back = (
            _same_size(proof, lambert, relation, value, W * exp(W), flip=flip) for flip in (0, 1)
        )
        found.append(
            proof.step(
                Equivalence(relation(dimension, delta), relation(target, M)),
                CONSEQUENCE,
                order,
                distance,
                sizes,
                there,
                back,
                why="Chain the equivalences.",
            )
        )
    return found[0], found[1]


def _same_size(
    proof: Proof, lambert: int, relation: Any, value: Any, product: Any, *, flip: int
) -> int:
    """Decide value R W e^W if (or only if) value R kappa e^kappa M."""
    sides = (relation(value, product), relation(value, KAPPA * exp(KAPPA) * M))
    given, goal = sides if not flip else sides[::-1]
    known = proof.assume(given, why="Suppose one.")
    reached = proof.step(
        goal,
        COMBINATION,
        known,
        lambert,
        parameters=(1, -1 if flip else 1),
        why="The two are equal.",
    )
    return proof.discharge(known, reached, why="Then the other.")


def _integer(proof: Proof, stationary: int) -> int:
    """If l <= delta <= u, then F(l) <= F(x) for x <= l, and F(u) <= F(x) for x >= u."""
    between = [
        proof.assume(statement, why="l and u are on both sides of delta.")
        for statement in (le(low, delta), le(delta, high))
    ]
    nonnegative = proof.step(
        le(0, delta), COMBINATION, between[0], _sign(proof, low), parameters=(1, 1), why="l >= 0."
    )
    found = []
    upper = _sign(proof, high)
    for letter, given, beyond in ((low, between[0], le(x, low)), (high, between[1], le(high, x))):
        ends = (letter, delta) if letter is low else (delta, letter)
        steeper = proof.step(
            le(slope(ends[0]), slope(ends[1])),
            MONOTONE,
            given,
            nonnegative,
            upper,
            parameters=(_SLOPE,),
            why="F' increases.",
        )
        outside = proof.assume(beyond, why="A dimension beyond it.")
        line = proof.step(
            le(error(letter) + slope(letter) * (x - letter), error(x)),
            TANGENT,
            parameters=(_ERROR, letter, x),
            why="F lies above its tangent there.",
        )
        sign = -1 if letter is low else 1
        flat = proof.step(
            le(0, sign * slope(letter)),
            COMBINATION,
            steeper,
            stationary,
            parameters=(1, 1 if letter is low else -1),
            why="F'(delta) = 0.",
        )
        distance = sign * (x - letter)
        product = proof.step(
            le(0, sign * slope(letter) * distance),
            COMBINATION,
            flat,
            outside,
            parameters=(distance, 0),
            why="Both factors are nonnegative.",
        )
        no_better = proof.step(
            le(error(letter), error(x)),
            COMBINATION,
            line,
            product,
            parameters=(1, 1),
            why="The tangent rises on this side.",
        )
        found.append(proof.discharge(outside, no_better, why="Whatever lies beyond."))
    both = proof.step(
        Conjunction(
            Implication(le(x, low), le(error(low), error(x))),
            Implication(le(high, x), le(error(high), error(x))),
        ),
        CONSEQUENCE,
        *found,
        why="Both sides.",
    )
    for given in reversed(between):
        both = proof.discharge(given, both, why="Whenever l and u are so.")
    return both


def _parameters(random: Random) -> Choice:
    """A minimiser, and to 80 digits the A for which it is one, rational for delta = 0 only."""
    values = {
        letter: Fraction(random.randint(1, 3), random.randint(1, 2)) for letter in (alpha, g, v)
    }
    sizes = {n: random.randint(1, 3), D: random.randint(1, 3)}
    least = -Fraction(9, 10) / values[g]
    best = random.choice((Fraction(0), Fraction(1), Fraction(1, 2), Fraction(5, 3), least / 2))
    scale = values[v] / (values[alpha] * sizes[n] * sizes[D])
    floor = max(Fraction(0), best)
    chosen = {
        A: minimised(values[alpha], values[g], best) * scale,
        delta: best,
        w: (values[alpha] + values[g]) / values[g] * (1 + values[g] * best),
        low: floor * random.choice((Fraction(1), Fraction(1, 2))),
        high: floor + random.choice((Fraction(0), Fraction(1, 3))),
        t: random.choice((floor, Fraction(1), Fraction(0))),
        x: random.choice((floor, Fraction(2), Fraction(0))),
    }
    return Choice({**sizes, **values, **chosen})
