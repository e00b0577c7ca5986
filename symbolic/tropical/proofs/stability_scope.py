"""A12, tropical.stability-scope: what survives a temperature, and through how many layers.

The order of the weights is that of the scores at every temperature. How close to the walls the
bound of A10 is useful is a threshold for the gap. Through several layers an error is carried along:
it moves the scores, by at most its length times that of the difference of two keys, and as long
as the gaps outweigh that the same keys win; then the error grows as the recursion says.
"""

from __future__ import annotations

from fractions import Fraction
from math import isqrt
from random import Random

from sympy import Lambda, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.induction import INDUCTION
from ...derivations.rules.logic import CONSEQUENCE, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, Implication, eq, le, lt

CLAIM = "tropical.stability-scope"

N, K, d, L = size("N"), size("K"), size("d"), size("L")
i, j, k, b = index("i"), index("j"), index("k"), index("b")
s, q, r = family("s"), family("q"), family("r")
e, delta, eta = family("e"), family("delta"), family("eta")
A, F = family("A", nonnegative=True), family("F", nonnegative=True)
tau, z, D = (Symbol(name, positive=True) for name in ("tau", "z", "D"))
rest, n, G = Symbol("epsilon", positive=True), Symbol("n", positive=True), Symbol("G", real=True)
Delta, x = Symbol("Delta", real=True), Symbol("x", real=True)


def derivation() -> Derivation:
    """For all N, tau: the weights are ordered as the scores are, so the argmax is the same.

    Conclusions: ``order`` (p_i <= p_j iff s_i <= s_j).

    Raises:
        DerivationFailed: a step is not decided.
    """
    total = Sum(exp(s(k) / tau), (k, 1, N))
    setting = Setting(
        (N,),
        {i: (1, N), j: (1, N)},
        (tau,),
        (s,),
        {"N": "the number of keys", "s": "the scores", "tau": "the temperature"},
        {"Z": total},
    )
    proof = Proof(CLAIM, "The partition is preserved", setting)
    order = proof.step(
        Equivalence(le(exp(s(i) / tau) / total, exp(s(j) / tau) / total), le(s(i), s(j))),
        MONOTONE,
        parameters=(Lambda(x, exp(x / tau) / total),),
        why="exp(x/tau)/Z increases with x.",
    )
    return proof.finish(order=order)


def threshold() -> Derivation:
    """For all K: D rho/(1 + rho) <= eps D iff Delta >= tau log(K (1 - eps)/eps), eps in (0, 1).

    z stands for (1 - eps)/eps, any positive number, so that eps = 1/(1 + z).
    Conclusion: ``threshold``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (K,),
        {},
        (tau, z, D, Delta),
        (),
        {
            "K": "the number N - 1 of the other keys",
            "z": "(1 - eps)/eps, eps the relative error that is allowed",
            "D": "the largest distance of a value from the winner's",
            "Delta": "the gap",
            "tau": "the temperature",
        },
    )
    proof = Proof(CLAIM, "The threshold of the gap", setting)
    rho = K * exp(-Delta / tau)
    found = proof.step(
        Equivalence(le(D * rho / (1 + rho), D / (1 + z)), le(tau * log(K * z), Delta)),
        MONOTONE,
        parameters=(Lambda(x, D * (1 - 1 / (1 + K * exp(-x / tau)))),),
        why="The bound of A10 falls with the gap.",
    )
    return proof.finish(threshold=found)


def route() -> Derivation:
    """For all d: a carried error within delta does not change who wins while G > delta n.

    Conclusion: ``route``, the score of the winner stays ahead.

    Raises:
        DerivationFailed: a step is not decided.
    """
    every = (b, 1, d)
    moved = Sum(q(b) * r(b), every)
    setting = Setting(
        (d,),
        {b: (1, d)},
        (rest, n, G),
        (q, r),
        {
            "d": "the dimension of the layer's input",
            "q": "the error of the input",
            "r": "the key that wins minus another",
            "epsilon": "a bound on the length of the error",
            "n": "a bound on the length of r",
            "G": "how far the other key is behind without the error",
        },
    )
    proof = Proof(CLAIM, "A carried error and the route", setting, choose=_carried)
    carried = proof.suppose(le(Sum(q(b) ** 2, every), rest**2), why="The carried error.")
    keys = proof.suppose(le(Sum(r(b) ** 2, every), n**2), why="The distance of the keys.")
    ahead = proof.suppose(lt(0, G - rest * n), why="The gap outweighs both.")
    square = Sum((n * q(b) + rest * r(b)) ** 2, every)
    sign = proof.step(le(0, square), SIGN, why="A sum of squares.")
    opened = proof.step(
        eq(
            square,
            n**2 * Sum(q(b) ** 2, every) + 2 * n * rest * moved + rest**2 * Sum(r(b) ** 2, every),
        ),
        NORMAL_FORM,
        why="Multiply out.",
    )
    scale = 1 / (2 * n * rest)
    least = proof.step(
        le(-rest * n, moved),
        COMBINATION,
        sign,
        opened,
        carried,
        keys,
        parameters=(scale, scale, scale * n**2, scale * rest**2),
        why="The Cauchy-Schwarz inequality.",
    )
    stays = proof.step(
        lt(0, G + moved), COMBINATION, ahead, least, parameters=(1, 1), why="Add both."
    )
    return proof.finish(route=stays)


def layers() -> Derivation:
    """For all L: the carried errors stay below the recursion, delta' = F (A delta + eta).

    A is the Lipschitz constant of the linear map (0 without a residual), eta the sum over heads
    of D_h rho_h/(1 + rho_h), F the Lipschitz constant of the feed-forward layer.
    Conclusion: ``layers``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    span = (k, 0, L - 1)
    setting = Setting(
        (L,),
        {k: (0, L - 1)},
        (),
        (e, delta, eta, A, F),
        {
            "L": "the number of layers",
            "e": "e(k): the length of the error before layer k",
            "delta": "the bounds carried along",
            "eta": "what the heads of a layer add",
            "A": "the Lipschitz constants of the linear maps",
            "F": "the Lipschitz constants of the feed-forward layers",
        },
    )
    proof = Proof(CLAIM, "Error through the layers", setting, choose=_errors)
    first = proof.suppose(le(e(0), delta(0)), why="The error of the input.")
    kept = le(e(k), delta(k))
    grows = le(e(k + 1), F(k) * (A(k) * e(k) + eta(k)))
    layer = proof.suppose(
        ForAll(Implication(kept, grows), span),
        why="While the error is within its bound the route is kept, and A10 holds.",
    )
    carried = proof.suppose(
        ForAll(eq(delta(k + 1), F(k) * (A(k) * delta(k) + eta(k))), span), why="The recursion."
    )
    assumed = proof.assume(kept, why="Suppose it before layer k.")
    here = proof.step(Implication(kept, grows), INSTANCE, layer, parameters=(k,), why="At layer k.")
    grown = proof.step(grows, CONSEQUENCE, here, assumed, why="The route is kept.")
    bound = proof.step(
        eq(delta(k + 1), F(k) * (A(k) * delta(k) + eta(k))),
        INSTANCE,
        carried,
        parameters=(k,),
        why="At layer k.",
    )
    after = proof.step(
        le(e(k + 1), delta(k + 1)),
        COMBINATION,
        grown,
        assumed,
        bound,
        parameters=(1, F(k) * A(k), -1),
        why="The bound grows with what is carried.",
    )
    step = proof.discharge(assumed, after, why="From layer k to layer k + 1.")
    every = proof.step(
        ForAll(kept, (k, 0, L)), INDUCTION, first, step, why="Induction on the layers."
    )
    return proof.finish(layers=every)


def _carried(random: Random) -> Choice:
    """Vectors within their lengths, and a gap that just outweighs them."""
    dimension = random.randint(1, 3)
    error, keys = ([rational(random) for _ in range(dimension)] for _ in range(2))
    lengths = [Fraction(isqrt(int(4 * sum(t * t for t in row))) + 1, 2) for row in (error, keys)]
    gap = lengths[0] * lengths[1] + Fraction(1, random.randint(1, 9))
    return Choice(
        {d: dimension, rest: lengths[0], n: lengths[1], G: gap},
        {"q": lambda b: error[b - 1], "r": lambda b: keys[b - 1]},
    )


def _errors(random: Random) -> Choice:
    """Errors at or below the recursion."""
    count = random.randint(1, 4)
    linear, after = ([abs(rational(random)) for _ in range(count)] for _ in range(2))
    added = [abs(rational(random)) for _ in range(count)]
    bounds = [abs(rational(random))]
    for a, f, more in zip(linear, after, added, strict=True):
        bounds.append(f * (a * bounds[-1] + more))
    errors = [bounds[0]]
    for a, f, more in zip(linear, after, added, strict=True):
        errors.append(f * (a * errors[-1] + more) * Fraction(random.randint(1, 2), 2))
    return Choice(
        {L: count},
        {
            "e": lambda k: errors[k],
            "delta": lambda k: bounds[k],
            "eta": lambda k: added[k],
            "A": lambda k: linear[k],
            "F": lambda k: after[k],
        },
    )
