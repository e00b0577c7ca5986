"""Claim A12, tropical.stability-scope: what a temperature preserves, and where that ends."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from hypothesis import strategies as st

from ....symbolic.enclosures.ball import softmax
from ....symbolic.regions.network import Box as Domain
from ....symbolic.regions.network import Network
from ....symbolic.regions.network_document import parse
from ....symbolic.tropical.proofs import stability_scope as proof
from ....symbolic.tropical.stability import Stability, stability
from ...certificates import counterexample
from ...certificates.boxes import Box, prove
from ...certificates.formula import (
    at,
    every,
    exp,
    forall,
    iff,
    implies,
    length,
    log,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.tropical.stability_scope import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from ...strategies import Scores, scores, temperatures
from .soft_output import ROUNDING, distance

SHOWN = 50
TAU, X = var("tau"), var("x")

Case = tuple[Scores, Fraction]


def order(_: Context) -> Outcome:
    """The weights are ordered as the scores are, for every N."""
    return derived(proof.derivation(), "order")


def threshold(_: Context) -> Outcome:
    """The threshold of the gap, for every N."""
    return derived(proof.threshold(), "threshold")


def route(_: Context) -> Outcome:
    """A carried error does not change who wins, for every dimension."""
    return derived(proof.route(), "route")


def layers(_: Context) -> Outcome:
    """The recursion of the errors, for every number of layers."""
    return derived(proof.layers(), "layers")


def search_order(context: Context) -> Outcome:
    """Look for scores whose weights are ordered otherwise."""

    def holds(case: Case) -> bool:
        s, tau = case
        p = softmax(s, tau)
        return all(
            p[i].lower <= p[j].upper and (s[i] == s[j] or p[i].lower < p[j].upper)
            for i in range(len(s))
            for j in range(len(s))
            if s[i] <= s[j]
        )

    examples = 150 if context.profile is Profile.QUICK else 2000
    strategy = st.tuples(scores(max_count=6, spread=12), temperatures())
    result = search(strategy, holds, examples=examples, seed=context.seed)
    n = length("s")

    def weight(i: str) -> Any:
        return exp(at("s", var(i)) / TAU) / sum_over("k", n, exp(at("s", var("k")) / TAU))

    ordered = iff(weight("i") <= weight("j"), at("s", var("i")) <= at("s", var("j")))
    formula = implies(TAU > 0, forall("i", n, forall("j", n, ordered)))

    def refutation(case: Case) -> dict[str, Certificate]:
        instance = {"s": list(case[0]), "tau": case[1]}
        return {"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)}

    return searched(result, "scores (ties, huge and tiny spreads) and tau; N <= 6", refutation)


def second_layer(_: Context) -> Outcome:
    """A first layer softened enough turns the argmax of the second."""
    soft = (exp(2 * X / TAU) - 1) / (exp(2 * X / TAU) + 1)
    c = var("c")
    formula = implies(every(X > 0, TAU > 0, X + 1 > c), X + soft > c)
    instance = {"x": Fraction(1, 10), "tau": 1, "c": 1}
    made = counterexample.certificate(ID, formula, instance, digits=SHOWN)
    turned = stability(_two_layers(), temperature=1, at=[Fraction(1, 10)])
    return Outcome(
        Finding.VIOLATED,
        scope="two layers in one dimension",
        certificates={"case": made, "network": turned.certificate(ID)},
        detail="layer 1: keys and values +-1; layer 2 compares y with 1: hard 11/10, soft 1/5",
    )


def tanh(_: Context) -> Outcome:
    """Two keys +-1 with values +-1: near the wall the error is not small."""
    error = 2 / (1 + exp(2 * X / TAU))
    formula = implies(every(X > 0, TAU > 0), error <= Fraction(2, 4))
    certificates = {
        f"tau-over-{10**n}": counterexample.certificate(
            ID, formula, {"x": Fraction(1, 10 ** (n + 1)), "tau": Fraction(1, 10**n)}, digits=SHOWN
        )
        for n in (0, 2, 4)
    }
    return Outcome(
        Finding.VIOLATED, scope="tanh(x/tau) at x = tau/10, D = 2", certificates=certificates
    )


def smaller_gap(_: Context) -> Outcome:
    """With 1 - 2 eps in place of 1 - eps the bound is missed."""
    eps, gap, count = var("eps"), var("gap"), var("K")
    rho = count * exp(-gap / TAU)
    formula = implies(
        every(
            TAU > 0, eps > 0, eps < Fraction(1, 2), gap >= TAU * log(count * (1 - 2 * eps) / eps)
        ),
        rho / (1 + rho) <= eps,
    )
    instance = {"eps": Fraction(1, 4), "gap": Fraction(7, 10), "tau": 1, "K": 1}
    return Outcome(
        Finding.VIOLATED,
        scope="N = 2, eps = 1/4",
        certificates={"case": counterexample.certificate(ID, formula, instance, digits=SHOWN)},
    )


def boxes(context: Context) -> Outcome:
    """The threshold over boxes of eps, of the gap beyond it and of temperatures."""
    eps, beyond = var("eps"), var("beyond")
    made = []
    for count in (1, 3, 7) if context.profile is Profile.QUICK else (1, 2, 3, 7, 63, 1023):
        # Delta/tau = log(K (1 - eps)/eps) + beyond, and D = 1.
        scaled = log(count * (1 - eps) / eps) + beyond
        rho = count * exp(-scaled)
        sides = {"eps": (Fraction(1, 100), Fraction(1, 3)), "beyond": (Fraction(0), Fraction(4))}
        made.append(Box(f"K-{count}", eps - rho / (1 + rho), sides, lower=-Fraction(1, 1000)))
        reached = {"eps": sides["eps"], "beyond": (Fraction(1, 10), Fraction(4))}
        made.append(Box(f"K-{count}-beyond", eps - rho / (1 + rho), reached, lower=0))
    certificates, numbers = prove(ID, tuple(made))
    return Outcome(
        Finding.HOLDS,
        scope="eps in [1/100, 1/3], gaps from the threshold to 4 temperatures beyond",
        certificates=certificates,
        numbers=numbers,
        detail="up to 1/1000 at the threshold itself, where the bound is attained",
    )


def networks(context: Context) -> Outcome:
    """Concrete networks: the certified route, by recursion and by balls; points and boxes."""
    random = Random(context.seed)
    wanted = 6 if context.profile is Profile.QUICK else 30
    certificates: dict[str, Certificate] = {}
    recursion = 0
    share, parts = Fraction(1), 0
    for tau in (Fraction(1, 8), Fraction(1, 2)):
        while len(certificates) < wanted * (1 if tau < Fraction(1, 4) else 2):
            network = parse(_document(random, random.randint(1, 3)))
            point = [Fraction(random.randint(-4, 4), 3) for _ in range(network.dimension)]
            found = stability(network, temperature=tau, at=point)
            if found.tie is not None or not found.follows:
                continue
            certificates[f"point{len(certificates)}"] = found.certificate(ID)
            recursion += found.recursion is not None
            lower = [x - Fraction(1, 500) for x in point]
            upper = [x + Fraction(1, 500) for x in point]
            around = Network(network.dimension, network.layers, Domain(tuple(lower), tuple(upper)))
            region = stability(around, temperature=tau, limit=64)
            if region.follows:
                certificates[f"box{len(certificates)}"] = region.certificate(ID)
            share, parts = min(share, region.share), parts + region.parts
    return Outcome(
        Finding.HOLDS,
        scope=f"{len(certificates)} points and boxes of random networks of 1 to 3 layers",
        certificates=certificates,
        numbers={
            "certified points and boxes": len(certificates),
            "points at which the recursion alone suffices": recursion,
            "parts of the boxes": parts,
            "least share of a box certified": str(share),
        },
    )


def search_networks(context: Context) -> Outcome:
    """Look for a network in which the recursion's condition holds and its bound does not.

    The soft network is run once more by mpmath, and the hard one exactly: their distance must not
    exceed what the recursion says.
    """

    def asked(seed: int) -> tuple[Stability, list[Fraction]]:
        random = Random(seed)
        network = parse(_document(random, random.randint(1, 3)))
        point = [Fraction(random.randint(-6, 6), 2) for _ in range(network.dimension)]
        tau = Fraction(2) ** random.randint(-4, 3)
        return stability(network, temperature=tau, at=point), point

    def holds(seed: int) -> bool:
        found, point = asked(seed)
        if found.recursion is None:
            return True
        if not found.follows:
            return False
        return distance(found.network, point, found.temperature) <= found.recursion + ROUNDING

    examples = 40 if context.profile is Profile.QUICK else 500
    result = search(st.integers(0, 2**32), holds, examples=examples, seed=context.seed)

    def refutation(seed: int) -> dict[str, Certificate]:
        found, _ = asked(seed)
        return {"departs": found.certificate(ID)} if found.departs is not None else {}

    return searched(result, "random networks, 1 to 3 layers, with residuals and ReLU", refutation)


def _two_layers() -> Network:
    return parse(
        {
            "dimension": 1,
            "layers": [
                {"heads": [{"keys": [[-1], [1]], "values": [[-1], [1]]}]},
                {"heads": [{"keys": [[0], [1]], "biases": [0, -1], "values": [[0], [1]]}]},
            ],
        }
    )


def _document(random: Random, depth: int) -> dict[str, Any]:
    """A network with small rational weights: residuals, linear maps, ReLU layers, biases."""
    d = random.randint(1, 2)

    def rows(count: int, width: int, below: int = 1) -> list[list[str | int]]:
        return [[_number(random, below) for _ in range(width)] for _ in range(count)]

    made = []
    for _ in range(depth):
        heads = []
        for _ in range(random.randint(1, 2)):
            n = random.randint(2, 4)
            heads.append({"keys": rows(n, d), "biases": rows(1, n)[0], "values": rows(n, d)})
        layer: dict[str, Any] = {"heads": heads}
        if random.random() < 0.3:
            layer["linear"] = rows(d, d, 2)
        if random.random() < 0.5:
            layer["ffn"] = {
                "w1": rows(2, d),
                "b1": rows(1, 2)[0],
                "w2": rows(d, 2, 4),
                "b2": rows(1, d)[0],
            }
        made.append(layer)
    return {"dimension": d, "layers": made}


def _number(random: Random, below: int) -> str | int:
    value = Fraction(random.randint(-4, 4), below * random.choice((1, 2, 3)))
    return value.numerator if value.denominator == 1 else str(value)
