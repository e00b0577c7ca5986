"""B1, ensemble.nadaraya-watson: softmax attention is a kernel regression with prior weights.

With K_j = exp(-|q - k_j|^2/2 tau) and c_j = exp(|k_j|^2/2 tau), exp(<q, k_j>/tau) is K_j c_j up to
exp(|q|^2/2 tau), which no weight sees. The weights without the priors, K_j/S with S = sum K, are
p_j = c_j K_j/T with T = sum c K iff c_j S = T for all j, that is iff all c_j are equal. This is so
at any one query, so that it does not matter whether the weights agree at one query or at all.
"""

from __future__ import annotations

from random import Random
from typing import Any

from sympy import Lambda, Sum, Symbol, exp, log

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice, rational
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.monotone import MONOTONE
from ...derivations.rules.order import COMBINATION, RESCALING
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import Equivalence, ForAll, eq

CLAIM = "ensemble.nadaraya-watson"

N, d = size("N"), size("d")
i, j, m, c = (index(name) for name in "ijmc")
q, k, v = family("q"), family("k"), family("v")
tau = Symbol("tau", positive=True)
_X, _Y = Symbol("x", real=True), Symbol("y", positive=True)


def _total(term: Any) -> Any:
    return Sum(term, (c, 1, d))


def _score(j: Any) -> Any:
    return exp(_total(q(c) * k(j, c)) / tau)


def _kernel(j: Any) -> Any:
    return exp(-_total((q(c) - k(j, c)) ** 2) / (2 * tau))


def _norm(j: Any) -> Any:
    return _total(k(j, c) ** 2)


def _prior(j: Any) -> Any:
    return exp(_norm(j) / (2 * tau))


def derivation() -> Derivation:
    """For all N, d, tau > 0, q, keys and values.

    Conclusions: ``factors`` (the exponential score is kernel times exp(|q|^2/2 tau) times prior);
    ``weights`` and ``output`` (attention is Nadaraya-Watson with these priors); ``plain`` (at any
    query, all weights are those without priors iff all |k_j| are equal); ``power`` (2 <q, k_j> is
    |q|^2 less |q - k_j|^2 - |k_j|^2: the priors are the weights of the power diagram of claim A2).

    Raises:
        DerivationFailed: a step is not decided.
    """
    every = (i, 1, N)
    S, T = Sum(_kernel(i), every), Sum(_kernel(i) * _prior(i), every)
    attention = _score(j) / Sum(_score(i), every)
    weighted, plain = _kernel(j) * _prior(j) / T, _kernel(j) / S
    setting = Setting(
        (N, d),
        {i: (1, N), j: (1, N), m: (1, N), c: (1, d)},
        (tau,),
        (q, k, v),
        {
            "N": "the number of keys",
            "d": "the dimension",
            "q": "the coordinates of the query",
            "k": "the coordinates of the keys",
            "v": "one coordinate of the values",
            "tau": "the temperature",
        },
        {
            "p_j": attention,
            "K_j": _kernel(j),
            "c_j": _prior(j),
            "K_m": _kernel(m),
            "c_m": _prior(m),
            "S": S,
            "T": T,
        },
    )
    proof = Proof(CLAIM, "Attention as kernel regression", setting, choose=_keys)
    factors = proof.step(
        eq(_score(j), _kernel(j) * exp(_total(q(c) ** 2) / (2 * tau)) * _prior(j)),
        NORMAL_FORM,
        why="2 <q, k> = |q|^2 + |k|^2 - |q - k|^2.",
    )
    power = proof.step(
        eq(
            2 * _total(q(c) * k(j, c)),
            _total(q(c) ** 2) - (_total((q(c) - k(j, c)) ** 2) - _norm(j)),
        ),
        NORMAL_FORM,
        why="The same before the exponential.",
    )
    weights = proof.step(
        eq(attention, weighted), NORMAL_FORM, why="exp(|q|^2/2 tau) cancels in the quotient."
    )
    mean = Sum(_score(i) * v(i), every) / Sum(_score(i), every)
    regression = Sum(_kernel(i) * _prior(i) * v(i), every) / T
    output = proof.step(eq(mean, regression), NORMAL_FORM, why="The same with the values.")

    same = eq(_prior(j) * S, T)
    agree = proof.step(
        Equivalence(eq(weighted, plain), same),
        RESCALING,
        parameters=(S * T / _kernel(j),),
        why="Multiply by S T/K_j.",
    )
    agree_all = proof.step(
        Equivalence(ForAll(eq(weighted, plain), (j, 1, N)), ForAll(same, (j, 1, N))),
        GENERALISATION,
        agree,
        why="j was arbitrary.",
    )
    norms = ForAll(eq(_norm(j), _norm(m)), (j, 1, N))
    forth, back = _forth(proof, same, S, T), _back(proof, norms, S, T)
    exact = Equivalence(ForAll(eq(weighted, plain), (j, 1, N)), norms)
    closed = proof.step(exact, CONSEQUENCE, agree_all, forth, back, why="Both directions.")
    return proof.finish(factors=factors, power=power, weights=weights, output=output, plain=closed)


def _forth(proof: Proof, same: Any, S: Any, T: Any) -> int:
    """If c_j S = T for all j, then all norms are that of key m."""
    agreed = proof.assume(ForAll(same, (j, 1, N)), why="Suppose that the weights agree.")
    at_j, at_m = (
        proof.step(
            eq(_prior(key) * S, T), INSTANCE, agreed, parameters=(key,), why=f"At key {key}."
        )
        for key in (j, m)
    )
    priors = proof.step(
        eq(_prior(j), _prior(m)),
        COMBINATION,
        at_j,
        at_m,
        parameters=(1 / S, -1 / S),
        why="Divide by S > 0.",
    )
    norms = proof.step(
        eq(_norm(j), _norm(m)),
        MONOTONE,
        priors,
        parameters=(Lambda(_Y, 2 * tau * log(_Y)),),
        why="log is injective.",
    )
    every = proof.step(
        ForAll(eq(_norm(j), _norm(m)), (j, 1, N)), GENERALISATION, norms, why="j was arbitrary."
    )
    return proof.discharge(agreed, every, why="One direction.")


def _back(proof: Proof, norms: Any, S: Any, T: Any) -> int:
    """If all norms are that of key m, then c_j S = T for all j."""
    equal = proof.assume(norms, why="Suppose that all norms are equal.")
    found = {}
    for key in (i, j):
        at = proof.step(
            eq(_norm(key), _norm(m)), INSTANCE, equal, parameters=(key,), why=f"At key {key}."
        )
        found[key] = proof.step(
            eq(_prior(key), _prior(m)),
            MONOTONE,
            at,
            parameters=(Lambda(_X, exp(_X / (2 * tau))),),
            why="The priors are functions of the norms.",
        )
    term = proof.step(
        eq(_kernel(i) * _prior(i), _kernel(i) * _prior(m)),
        COMBINATION,
        found[i],
        parameters=(_kernel(i),),
        why="Multiply by K_i.",
    )
    terms = proof.step(
        ForAll(eq(_kernel(i) * _prior(i), _kernel(i) * _prior(m)), (i, 1, N)),
        GENERALISATION,
        term,
        why="i was arbitrary.",
    )
    summed = proof.step(eq(T, _prior(m) * S), TERMWISE, terms, why="Sum over the keys.")
    one = proof.step(
        eq(_prior(j) * S, T),
        COMBINATION,
        found[j],
        summed,
        parameters=(S, -1),
        why="c_j S = c_m S = T.",
    )
    every = proof.step(
        ForAll(eq(_prior(j) * S, T), (j, 1, N)), GENERALISATION, one, why="j was arbitrary."
    )
    return proof.discharge(equal, every, why="The other direction.")


def _keys(random: Random) -> Choice:
    """Keys of one norm half of the time: one point with its coordinates' signs changed."""
    count, width = random.randint(1, 4), random.randint(1, 3)
    point = [rational(random) for _ in range(width)]
    turned = [[random.choice((-1, 1)) * x for x in point] for _ in range(count)]
    free = [[rational(random) for _ in range(width)] for _ in range(count)]
    keys = turned if random.random() < 0.5 else free
    return Choice({N: count, d: width}, {"k": lambda n, a: keys[int(n) - 1][int(a) - 1]})
