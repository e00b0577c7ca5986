"""D2: the closest depth misses the target by at most half a layer."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from sympy import Rational, Symbol

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.logic import CONSEQUENCE
from ...derivations.rules.order import COMBINATION
from ...derivations.setting import Setting, size
from ...derivations.statement import Disjunction, le, lt
from ..accounting import Scores, operations, parameters
from ..decoder import Decoder, Size

CLAIM = "attention_only.matching"

d, H, G, k, V, n, L = (size(name) for name in ("d", "H", "G", "d_k", "V", "n", "L"))
T = Symbol("T", real=True)
_SIZES = (d, H, G, k, V, n, L)


def by_parameters() -> Derivation:
    """One of two depths around a number of parameters misses it by at most half a layer.

    Conclusion: ``half``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    return _half("Half a layer of parameters", parameters)


def by_operations() -> Derivation:
    """The same for the operations of a training step, dense scores. Conclusion: ``half``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    return _half("Half a layer of operations", lambda made: _step(made, "dense"))


def by_causal_operations() -> Derivation:
    """The same for causal scores. Conclusion: ``half``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    return _half("Half a layer of causal operations", lambda made: _step(made, "causal"))


def _step(made: Decoder, scores: Scores) -> Size:
    return operations(made, scores=scores).training


def _half(title: str, cost: Callable[[Decoder], Size]) -> Derivation:
    def at(depth: Size) -> Size:
        return cost(
            Decoder(
                d_model=d,
                layers=depth,
                heads=H,
                kv_heads=G,
                head_dim=k,
                vocabulary=V,
                context=n,
            )
        )

    below, above = at(L), at(L + 1)
    sizes = tuple(letter for letter in _SIZES if letter in below.free_symbols)
    layer = (above - below).expand()

    def choose(random: Random) -> Choice:
        values = {letter: random.randint(1, 4) for letter in sizes}
        low, high = below.subs(values), above.subs(values)
        return Choice({**values, T: low + (high - low) * Rational(random.randint(0, 8), 8)})

    meaning = {
        "d": "the width of the residual stream",
        "H": "the number of query heads",
        "G": "the number of key/value heads",
        "d_k": "the dimension of a head",
        "V": "the size of the vocabulary",
        "n": "the length of the sequence",
        "L": "a depth of the attention-only decoder",
        "T": "the cost of the standard decoder",
    }
    letters = {letter.name for letter in sizes} | {"T"}
    setting = Setting(
        sizes, {}, (T,), meaning={name: meaning[name] for name in meaning if name in letters}
    )
    proof = Proof(CLAIM, title, setting, choose=choose)
    proof.suppose(le(below, T), why="L layers cost at most as much.")
    proof.suppose(le(T, above), why="One layer more costs at least as much.")
    far = proof.assume(lt(layer / 2, T - below), why="L layers miss by more than half a layer.")
    near = proof.step(
        le(above - T, layer / 2), COMBINATION, far, parameters=(1,), why="The rest of the layer."
    )
    either = proof.discharge(far, near, why="Then one layer more does not.")
    half = proof.step(
        Disjunction(le(T - below, layer / 2), le(above - T, layer / 2)),
        CONSEQUENCE,
        either,
        why="One of both.",
    )
    return proof.finish(half=half)
