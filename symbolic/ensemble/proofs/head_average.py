"""B2, ensemble.head-average: averaged heads are averaged kernel regressions.

A head sees a query and keys through its own projections, so it is claim B1 in its own coordinates.
The derivation holds for any coordinates u(h, a) and z(h, i, a); projections Q_h^T x and P_h^T k_i,
with one frame for both or two, are the case that the claim speaks about.
"""

from __future__ import annotations

from typing import Any

from sympy import Sum, Symbol, exp

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import GENERALISATION
from ...derivations.rules.order import COMBINATION
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, eq

CLAIM = "ensemble.head-average"


def derivation() -> Derivation:
    """For all H, N, d_k, tau > 0 and all coordinates of queries and keys in the heads.

    Conclusions: ``heads`` (each head is a Nadaraya-Watson estimator on its own coordinates, with
    its own priors), ``average`` (their uniform average is that of the estimators).

    Raises:
        DerivationFailed: a step is not decided.
    """
    H, N, k = size("H"), size("N"), size("k")
    h, i, a = index("h"), index("i"), index("a")
    u, z, v = family("u"), family("z"), family("v")
    tau = Symbol("tau", positive=True)

    def total(term: Any) -> Any:
        return Sum(term, (a, 1, k))

    score = exp(total(u(h, a) * z(h, i, a)) / tau)
    kernel = exp(-total((u(h, a) - z(h, i, a)) ** 2) / (2 * tau))
    prior = exp(total(z(h, i, a) ** 2) / (2 * tau))
    every, heads = (i, 1, N), (h, 1, H)
    head = Sum(score * v(h, i), every) / Sum(score, every)
    estimator = Sum(kernel * prior * v(h, i), every) / Sum(kernel * prior, every)
    setting = Setting(
        (H, N, k),
        {h: heads[1:], i: every[1:], a: (1, k)},
        (tau,),
        (u, z, v),
        {
            "H": "the number of heads",
            "N": "the number of keys",
            "k": "the dimension of a head",
            "u": "u(h, a): the coordinates of the query in head h, Q_h^T x",
            "z": "z(h, i, a): those of key i, P_h^T k_i",
            "v": "v(h, i): one coordinate of the values of head h",
            "tau": "the temperature",
        },
        {"A_h": head, "E_h": estimator},
    )
    proof = Proof(CLAIM, "Attention heads as an ensemble of estimators", setting)
    one = proof.step(eq(head, estimator), NORMAL_FORM, why="Claim B1 in the coordinates of head h.")
    each = proof.step(
        ForAll(eq(head, estimator), heads), GENERALISATION, one, why="h was arbitrary."
    )
    summed = proof.step(
        eq(Sum(head, heads), Sum(estimator, heads)), TERMWISE, each, why="Sum over the heads."
    )
    mean = proof.step(
        eq(Sum(head, heads) / H, Sum(estimator, heads) / H),
        COMBINATION,
        summed,
        parameters=(1 / H,),
        why="Divide by H.",
    )
    return proof.finish(heads=each, average=mean)
