"""T2b: outputs are made of coefficients inside the cube, for all sizes.

With beta_i = tanh(t_i) = 1 - 2/(exp(2 t_i) + 1), an output is C xbar + sum beta_i G_i xbar, where
xbar = sum_j p_j x_j whatever the weights p_j are, and -1 < beta_i < 1: it belongs to the image of
the open cube, the relative interior of the zonotope (Rockafellar, Convex Analysis, 6.6).
"""

from __future__ import annotations

from sympy import Sum, exp

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq, lt

CLAIM = "zonotope.containment"


def derivation() -> Derivation:
    """For all n, d, p, g, weights, tokens and matrices.

    Conclusions: ``output`` (the output in terms of the mean), ``above`` and ``below`` (-1 < beta_i
    and beta_i < 1 for all i).

    Raises:
        DerivationFailed: a step is not decided.
    """
    n, d, p, g = (size(name) for name in "ndpg")
    j, c, r, i = (index(name) for name in "jcri")
    w, x, C, G, t = (family(name) for name in ("w", "x", "C", "G", "t"))
    tokens, columns, every = (j, 1, n), (c, 1, d), (i, 1, g)
    setting = Setting(
        (n, d, p, g),
        {j: (1, n), c: (1, d), r: (1, p), i: (1, g)},
        (),
        (w, x, C, G, t),
        {
            "n": "the number of tokens",
            "d": "the dimension of the tokens",
            "p": "the dimension of the outputs",
            "g": "the number of generators",
            "w": "w(j): the attention weights",
            "x": "x(j, c): the tokens",
            "C": "C(r, c): the centre",
            "G": "G(i, r, c): the generators",
            "t": "t(i): what tanh is taken of; beta_i = 1 - 2/(exp(2 t(i)) + 1)",
        },
    )
    growth = exp(2 * t(i))
    beta = 1 - 2 / (growth + 1)
    proof = Proof(CLAIM, "Outputs come from the open cube", setting)
    tanh = (exp(t(i)) - exp(-t(i))) / (exp(t(i)) + exp(-t(i)))
    proof.step(eq(tanh, beta), NORMAL_FORM, why="The coefficient is tanh.")
    value = C(r, c) + Sum(beta * G(i, r, c), every)
    mean = Sum(w(j) * x(j, c), tokens)
    output = proof.step(
        eq(
            Sum(w(j) * Sum(value * x(j, c), columns), tokens),
            Sum(C(r, c) * mean, columns) + Sum(beta * Sum(G(i, r, c) * mean, columns), every),
        ),
        NORMAL_FORM,
        why="The value matrix does not depend on j, and sums change their order.",
    )
    gap = proof.step(lt(0, 2 / (growth + 1)), SIGN, why="An exponential is positive.")
    small = proof.step(lt(beta, 1), COMBINATION, gap, parameters=(1,), why="1 - beta.")
    rise = proof.step(lt(0, 2 * growth / (growth + 1)), SIGN, why="Likewise.")
    large = proof.step(lt(-1, beta), COMBINATION, rise, parameters=(1,), why="1 + beta.")
    below = proof.step(ForAll(lt(beta, 1), every), GENERALISATION, small, why="i was arbitrary.")
    above = proof.step(ForAll(lt(-1, beta), every), GENERALISATION, large, why="i was arbitrary.")
    return proof.finish(output=output, above=above, below=below)
