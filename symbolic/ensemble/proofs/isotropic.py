"""B6, ensemble.monotonicity, the model in which the sentence is true: isotropic linear errors.

Head h errs by <Pi_h, Z>/sqrt(k), Z having uncorrelated entries of variance v. The covariance of two
heads is then v <Pi_h, Pi_g>/k, and the variance of the average v tr(Pbar^2)/k = v/H_eff. The
entries of Pi_h are numbered by one index s = 1..S, S = d^2 (claim B5 has them by rows).
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import COMBINATION, RESCALING
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq, lt
from . import uncorrelated

CLAIM = "ensemble.monotonicity"

m, S, k = size("m"), size("S"), size("k")
h, g, s, t = (index(name) for name in "hgst")
H = m + 1
_HEADS = (h, 1, H)


def derivation() -> Derivation:
    """For all H = m + 1 >= 2, sizes, projectors of rank k (|Pi_h|^2 = k) and v > 0.

    Conclusions: ``error`` (MSE - bias^2 = v (1 + (H-1)(1 - HDI))/H = v/H_eff), ``decreasing`` (of
    two configurations of the same H and k the one of greater HDI has the lesser MSE, and
    conversely), ``aligned`` (HDI = 0: v), ``orthogonal`` (HDI = 1: v/H); ``norms``, ``pairs``,
    ``noise``, ``square`` (what their letters are).

    Raises:
        DerivationFailed: a step is not decided.
    """
    R, C = family("R"), family("C")
    v = Symbol("v", positive=True)
    p, q, b, V, W = (Symbol(name, real=True) for name in ("p", "q", "b", "V", "W"))
    entries = (s, 1, S)
    overlap = Sum(R(h, s) * R(g, s), entries)
    spans = (g, 1, h - 1), (g, h + 1, H)
    pairs = Sum(sum(Sum(overlap, span) for span in spans), _HEADS)
    own = Sum(Sum(R(h, s) ** 2, entries), _HEADS)

    def total(s: Any) -> Any:
        return Sum(R(h, s), _HEADS)

    summed = Sum(total(s) * Sum(total(t) * C(s, t), (t, 1, S)), entries)

    def index_of(letter: Any) -> Any:
        return 1 - letter / (H * m * k)

    def error(letter: Any) -> Any:
        return b**2 + v * (1 + m * (1 - index_of(letter))) / H

    setting = Setting(
        (m, S, k),
        {h: (1, H), g: (1, H), s: (1, S), t: (1, S)},
        (v, p, q, b, V, W),
        (R, C),
        {
            "m": "one less than the number of heads H = m + 1",
            "S": "the number of entries of a projector, d^2",
            "k": "the dimension of a head",
            "R": "R(h, s): the entries of the projector Pi_h",
            "C": "C(s, t): the covariance of the entries of Z",
            "v": "their variance",
            "p": "the sum of <Pi_h, Pi_g> over ordered pairs of different heads",
            "q": "the same for another configuration of as many heads",
            "b": "the bias, the same for both",
            "V": "the variance of the average",
            "W": "H^2 tr(Pbar^2)",
        },
        {"HDI": index_of(p), "HDI'": index_of(q)},
    )
    proof = Proof(CLAIM, "Isotropic linear errors", setting, choose=_heads)
    given = tuple(
        proof.suppose(statement, why="The entries of Z are uncorrelated, of variance v.")
        for statement in uncorrelated.hypotheses(C, s, t, S, v)
    )
    norms = proof.suppose(ForAll(eq(Sum(R(h, s) ** 2, entries), k), _HEADS), why="|Pi_h|_F^2 = k.")
    is_p = proof.suppose(eq(p, pairs), why="What p is.")
    is_V = proof.suppose(eq(V * H**2 * k, summed), why="What V is, by linearity.")
    is_W = proof.suppose(eq(W, Sum(total(s) ** 2, entries)), why="What W is.")
    collapsed = uncorrelated.collapse(
        proof, given, total, total, C=C, s=s, t=t, count=S, variance=v
    )
    squared = Sum(total(s) ** 2, entries)
    split = proof.step(
        eq(squared, pairs + own), NORMAL_FORM, why="A square of a sum over heads, split at g = h."
    )
    owned = proof.step(eq(own, H * k), TERMWISE, norms, why="H terms, each k.")
    counted = proof.step(
        eq(p, W - H * k),
        COMBINATION,
        is_p,
        split,
        owned,
        is_W,
        parameters=(1, -1, -1, -1),
        why="By definition: p = H (H-1) k (1 - HDI).",
    )
    spread = proof.step(
        eq(V * H**2 * k, v * W),
        COMBINATION,
        is_V,
        collapsed,
        is_W,
        parameters=(1, 1, -v),
        why="V = v |sum Pi_h|^2/(H^2 k).",
    )
    found = proof.step(
        eq(b**2 + V, error(p)),
        COMBINATION,
        spread,
        counted,
        parameters=(1 / (H**2 * k), -v / (H**2 * k)),
        why="Insert W = p + H k.",
    )
    decreasing = proof.step(
        Equivalence(lt(index_of(p), index_of(q)), lt(error(q), error(p))),
        RESCALING,
        parameters=(v * m / H,),
        why="The errors differ by v (H-1)/H times what the indices differ by.",
    )
    aligned = proof.step(eq(error(H * m * k), b**2 + v), NORMAL_FORM, why="p = H (H-1) k: HDI = 0.")
    orthogonal = proof.step(eq(error(0 * v), b**2 + v / H), NORMAL_FORM, why="p = 0: HDI = 1.")
    return proof.finish(
        error=found,
        decreasing=decreasing,
        aligned=aligned,
        orthogonal=orthogonal,
        pairs=is_p,
        norms=norms,
        noise=is_V,
        square=is_W,
    )


def _heads(random: Random) -> Choice:
    """Projectors on coordinates of the plane or of space, and what their letters are."""
    heads, width = random.randint(2, 3), random.randint(1, 2)
    rank = random.randint(1, width)
    rows = []
    for _ in range(heads):
        chosen = random.sample(range(width), rank)
        rows.append(
            [Fraction(int(a == b and a in chosen)) for a in range(width) for b in range(width)]
        )
    variance = Fraction(random.randint(1, 3))
    whole = sum((sum(row[e] for row in rows) ** 2 for e in range(width**2)), Fraction(0))
    letters: dict[str, Fraction | int] = {
        "p": whole - heads * rank,
        "V": variance * whole / (heads**2 * rank),
        "W": whole,
    }
    sizes: dict[Symbol, Fraction | int] = {m: heads - 1, S: width**2, k: rank}
    reals: dict[Symbol, Fraction | int] = {
        Symbol(name, real=True): x for name, x in letters.items()
    }
    return Choice(
        {**sizes, **reals, Symbol("v", positive=True): variance},
        {
            "R": lambda a, e: rows[int(a) - 1][int(e) - 1],
            "C": lambda a, e: variance if a == e else Fraction(0),
        },
    )
