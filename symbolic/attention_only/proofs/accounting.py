"""D1: shares and depths that follow from the counts, for all sizes.

Every count is computed by `accounting` from a decoder whose sizes are symbols; what is typed here
are the ratios that are to come out. L_S and L_T are the depths of the attention-only and of the
standard decoder.
"""

from __future__ import annotations

from sympy import Rational, Symbol

from ...derivations.derivation import Derivation
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.order import RESCALING, SIGN
from ...derivations.setting import Setting, size
from ...derivations.statement import Equivalence, eq, lt
from ..accounting import (
    SCORES,
    attention_matrices,
    block_operations,
    ffn_matrices,
    operations,
)
from ..decoder import Decoder, Size

CLAIM = "attention_only.accounting"

d, H, G, k, f, V, n = (size(name) for name in ("d", "H", "G", "d_k", "f", "V", "n"))
shallow, deep = size("L_T"), size("L_S")
MEANING = {
    "d": "the width of the residual stream",
    "H": "the number of query heads",
    "G": "the number of key/value heads",
    "d_k": "the dimension of a head",
    "f": "the width of the feed-forward layer",
    "V": "the size of the vocabulary",
    "n": "the length of the sequence",
    "L_T": "the depth of the standard decoder",
    "L_S": "the depth of the attention-only decoder",
}


def _proof(title: str, *sizes: Symbol) -> Proof:
    return Proof(CLAIM, title, Setting(sizes, {}, meaning={s.name: MEANING[s.name] for s in sizes}))


def _decoder(*, hidden: Size, gated: bool = False, plain: bool = True) -> Decoder:
    """A standard decoder; ``plain``: H heads that fill the width."""
    return Decoder(
        d_model=H * k if plain else d,
        layers=shallow,
        heads=H,
        kv_heads=H if plain else G,
        head_dim=k,
        ffn=hidden,
        gated=gated,
        vocabulary=V,
        context=n,
    )


def share() -> Derivation:
    """With H d_k = d a block has 4 d^2 + 8 d^2 entries: the feed-forward layer holds two thirds.

    Conclusions: ``attention`` (4 d^2), ``plain`` (two matrices, f = 4 d: 3 x = 2 of the whole),
    ``gated`` (three matrices, f = 8 d/3: the same).

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof("Two thirds of a block's matrices are feed-forward", H, k)
    width = H * k
    plain, gated = _decoder(hidden=4 * width), _decoder(hidden=Rational(8, 3) * width, gated=True)
    four = proof.step(
        eq(attention_matrices(plain), 4 * width**2), NORMAL_FORM, why="W_Q, W_K, W_V, W_O."
    )
    named: dict[str, int] = {}
    for name, made in (("plain", plain), ("gated", gated)):
        hidden, whole = ffn_matrices(made), ffn_matrices(made) + attention_matrices(made)
        why = "Entries of the matrices of one block."
        named[name] = proof.step(eq(3 * hidden, 2 * whole), NORMAL_FORM, why=why)
    return proof.finish(attention=four, **named)


def depth() -> Derivation:
    """Equal numbers of matrix entries: three times the depth; for grouped heads in general.

    Conclusions: ``three`` (H d_k = d, f = 4 d: iff L_S = 3 L_T), ``grouped`` and ``gated`` (any
    sizes: iff 2 d_k (H + G) L_S = (2 d_k (H + G) + m f) L_T, m = 2 matrices or 3).

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof("Depth at equal parameters", H, G, k, d, f, shallow, deep)

    def entries(made: Decoder) -> Size:
        return made.layers * (attention_matrices(made) + ffn_matrices(made))

    plain = _decoder(hidden=4 * H * k)
    three = proof.step(
        Equivalence(
            eq(entries(plain.without_ffn(layers=deep)), entries(plain)), eq(deep, 3 * shallow)
        ),
        RESCALING,
        parameters=(1 / (4 * H**2 * k**2),),
        why="Divide by the entries of one attention layer.",
    )
    named = {"three": three}
    for name, gated in (("grouped", False), ("gated", True)):
        made = _decoder(hidden=f, gated=gated, plain=False)
        heads = 2 * k * (H + G)
        named[name] = proof.step(
            Equivalence(
                eq(entries(made.without_ffn(layers=deep)), entries(made)),
                eq(heads * deep, (heads + (3 if gated else 2) * f) * shallow),
            ),
            RESCALING,
            parameters=(1 / d,),
            why="Divide by the width, which every matrix has.",
        )
    return proof.finish(**named)


def compute() -> Derivation:
    """Equal operations of the blocks, H d_k = d and f = 4 d.

    Conclusions: ``dense`` (iff (2 d + n) L_S = (6 d + n) L_T), ``causal`` (iff (4 d + n + 1) L_S =
    (12 d + n + 1) L_T), ``deeper`` and ``less`` (both ratios lie between 1 and 3: 2 d + n < 6 d + n
    < 3 (2 d + n)), ``causal-deeper`` and ``causal-less`` (the same).

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof("Depth at equal operations", H, k, n, shallow, deep)
    width = H * k
    made = _decoder(hidden=4 * width)
    named: dict[str, int] = {}
    sides = {
        "dense": (2 * width + n, 6 * width + n, 4),
        "causal": (4 * width + n + 1, 12 * width + n + 1, 2),
    }
    for scores in SCORES:
        less, more, factor = sides[scores]
        named[scores] = proof.step(
            Equivalence(
                eq(
                    block_operations(made.without_ffn(layers=deep), scores=scores),
                    block_operations(made, scores=scores),
                ),
                eq(less * deep, more * shallow),
            ),
            RESCALING,
            parameters=(1 / (factor * n * width),),
            why=f"Divide by {factor} n d.",
        )
        prefix = "" if scores == "dense" else "causal_"
        named[f"{prefix}deeper"] = proof.step(lt(less, more), SIGN, why="4 d or 8 d is positive.")
        named[f"{prefix}less"] = proof.step(lt(more, 3 * less), SIGN, why="n is positive.")
    return proof.finish(**named)


def training() -> Derivation:
    """A training step takes three times the operations of a forward pass.

    Conclusions: ``dense``, ``causal``, for grouped heads and a gated feed-forward layer of any
    sizes, and ``attention-only``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = _proof("A training step is three forward passes", H, G, k, d, f, V, n, shallow)
    made = _decoder(hidden=f, gated=True, plain=False)
    named: dict[str, int] = {}
    for scores in SCORES:
        counted = operations(made, scores=scores)
        why = "Two products for the derivatives of each product."
        named[scores] = proof.step(eq(counted.training, 3 * counted.forward), NORMAL_FORM, why=why)
    counted = operations(made.without_ffn())
    named["attention_only"] = proof.step(
        eq(counted.training, 3 * counted.forward), NORMAL_FORM, why="The same without the layer."
    )
    return proof.finish(**named)
