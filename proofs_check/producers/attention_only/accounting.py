"""Claim D1, attention_only.accounting: parameters and operations to the unit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st
from sympy import Symbol, fraction, together

from ....symbolic.attention_only.accounting import (
    SCORES,
    Scores,
    attention_matrices,
    block_operations,
    ffn_matrices,
    operations,
    parameters,
)
from ....symbolic.attention_only.decoder import Decoder
from ....symbolic.attention_only.proofs import accounting as proofs
from ...certificates import counterexample, identity
from ...certificates.formula import Expression, equal, var
from ...certificates.polynomial import polynomial
from ...claim import Context, Profile
from ...claims.attention_only.accounting import ID
from ...evidence import Certificate, Finding, Outcome
from ...matching.hugging_face import read_decoder
from ...outcomes import derived, searched
from ...search import search
from .models import Case, cases, counted, learned, model

LLAMA = Decoder(
    d_model=4096,
    layers=32,
    heads=32,
    kv_heads=8,
    ffn=14336,
    gated=True,
    vocabulary=128256,
    context=8192,
    tied=False,
)
"""The shape of Llama 3 8B."""


def derive_share(_: Context) -> Outcome:
    """Two thirds."""
    return derived(proofs.share(), "attention", "plain", "gated")


def derive_depth(_: Context) -> Outcome:
    """Three times the depth."""
    return derived(proofs.depth(), "three", "grouped", "gated")


def derive_compute(_: Context) -> Outcome:
    """Both ratios, and their bounds."""
    return derived(
        proofs.compute(), "dense", "deeper", "less", "causal", "causal-deeper", "causal-less"
    )


def derive_training(_: Context) -> Outcome:
    """Three forward passes."""
    return derived(proofs.training(), "dense", "causal", "attention-only")


def large_decoder(_: Context) -> Outcome:
    """The share in the shape of Llama 3 8B is 1344/1664 = 21/26."""
    letters = LLAMA.symbolic()
    names = {symbol: str(symbol) for symbol in letters.values()}
    hidden = polynomial(ffn_matrices(letters), names)
    attention = polynomial(attention_matrices(letters), names)
    used = sorted(
        {str(s) for m in (ffn_matrices, attention_matrices) for s in m(letters).free_symbols}
    )
    instance = {str(s): value for s, value in LLAMA.values().items() if str(s) in used}
    formula = equal(3 * hidden, 2 * (hidden + attention))
    return Outcome(
        Finding.VIOLATED,
        scope="the shape of Llama 3 8B",
        certificates={"llama": counterexample.certificate(ID, formula, instance)},
        detail=f"{ffn_matrices(LLAMA):,} of {ffn_matrices(LLAMA) + attention_matrices(LLAMA):,}",
    )


def ratios(_: Context) -> Outcome:
    """Both ratios as identities of rational functions of d and n, decided by the checker."""
    d, n, H = Symbol("d", positive=True), Symbol("n", positive=True), Symbol("H", positive=True)
    made = Decoder(d_model=d, layers=1, heads=H, ffn=4 * d, vocabulary=1, context=n)
    x, y = var("d"), var("n")
    expected: Mapping[Scores, Expression] = {
        "dense": (6 * x + y) / (2 * x + y),
        "causal": (12 * x + y + 1) / (4 * x + y + 1),
    }
    certificates: dict[str, Certificate] = {}
    for scores in SCORES:
        standard = block_operations(made, scores=scores)
        ratio = fraction(together(standard / block_operations(made.without_ffn(), scores=scores)))
        above, below = (polynomial(part.expand(), {d: "d", n: "n"}) for part in ratio)
        certificates[scores] = identity.certificate(
            ID, variables={"d": (), "n": ()}, left=above / below, right=expected[scores]
        )
    return Outcome(Finding.HOLDS, scope="every d and n", certificates=certificates)


def search_counted(context: Context) -> Outcome:
    """Look for a torch model whose counts differ from the formulas by one unit."""

    def holds(case: Case) -> bool:
        made = model(case.decoder)
        if learned(made) != parameters(case.decoder):
            return False
        for scores in SCORES:
            found = counted(made, case.batch, case.tokens, scores)
            due = operations(case.decoder, tokens=case.tokens, batch=case.batch, scores=scores)
            if found != (due.forward, due.backward):
                return False
        return True

    examples = 20 if context.profile is Profile.QUICK else 200
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "decoders with every option, built in torch", lambda _: {})


def search_formulas(context: Context) -> Outcome:
    """Look for sizes at which the formula for symbols and the count of integers differ."""

    def holds(case: Case) -> bool:
        letters, values = case.decoder.symbolic(), case.decoder.values()
        if parameters(letters).subs(values) != parameters(case.decoder):
            return False
        return all(
            operations(letters, scores=scores).training.subs(values)
            == operations(case.decoder, scores=scores).training
            for scores in SCORES
        )

    examples = 20 if context.profile is Profile.QUICK else 200
    result = search(cases(), holds, examples=examples, seed=context.seed)
    return searched(result, "decoders with symbols for sizes", lambda _: {})


def library_models(context: Context) -> Outcome:
    """Look for a model of the transformers library with another number of parameters."""

    def holds(config: dict[str, Any]) -> bool:
        return bool(library_parameters(config) == parameters(read_decoder(config)[0]))

    result = search(configurations(), holds, examples=40, seed=context.seed)
    return searched(result, "configurations of the transformers library", lambda _: {})


@st.composite
def configurations(draw: st.DrawFn) -> dict[str, Any]:
    """Small configurations of every model_type that is read."""
    kind = draw(
        st.sampled_from(("gpt2", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "gemma", "phi3"))
    )
    groups, ratio = draw(st.integers(1, 2)), draw(st.integers(1, 2))
    heads = groups * ratio
    d_k = 2 * draw(st.integers(1, 2))
    common = {"model_type": kind, "vocab_size": draw(st.integers(3, 7))}
    if draw(st.booleans()):
        common["tie_word_embeddings"] = draw(st.booleans())
    layers, width = draw(st.integers(1, 2)), heads * d_k
    if kind == "gpt2":
        sizes = {"n_embd": width, "n_head": heads, "n_layer": layers, "n_positions": 8}
        return {**common, **sizes, **({"n_inner": 5} if draw(st.booleans()) else {})}
    common |= {
        "hidden_size": width,
        "num_attention_heads": heads,
        "num_hidden_layers": layers,
        "intermediate_size": draw(st.integers(1, 9)),
        "max_position_embeddings": 8,
    }
    if kind == "gpt_neox":  # a quarter of a head is rotated, an even number of coordinates
        return {**common, "hidden_size": 8 * heads}
    common["num_key_value_heads"] = groups
    if kind not in ("phi3", "mistral"):
        common["head_dim"] = 2 * draw(st.integers(1, 3))
    if kind == "llama":
        common["mlp_bias"], common["attention_bias"] = draw(st.booleans()), draw(st.booleans())
    return common


def library_parameters(config: Mapping[str, Any]) -> int:
    """Numbers that the library's model learns, built without weights."""
    import torch
    from transformers import AutoConfig, AutoModelForCausalLM

    given = dict(config)
    kind = given.pop("model_type")
    special = dict.fromkeys(("pad_token_id", "bos_token_id", "eos_token_id"), 0)
    built = AutoConfig.for_model(kind, **given, **special)
    with torch.device("meta"):
        model_class: Any = AutoModelForCausalLM
        return learned(model_class.from_config(built))


def search_three_times(context: Context) -> Outcome:
    """Refute that three times the depth costs as many operations."""
    sizes = st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4), st.integers(1, 8))

    def holds(case: tuple[int, int, int, int]) -> bool:
        heads, d_k, layers, n = case
        d = heads * d_k
        made = Decoder(d_model=d, layers=layers, heads=heads, ffn=4 * d, vocabulary=1, context=n)
        deep = made.without_ffn(layers=3 * layers)
        return bool(block_operations(deep) == block_operations(made))

    result = search(sizes, holds, examples=50, seed=context.seed)

    def refutation(case: tuple[int, int, int, int]) -> dict[str, Certificate]:
        heads, d_k, layers, n = case
        d, m, L = (Symbol(s, integer=True, positive=True) for s in ("d", "n", "L"))
        H = Symbol("H", positive=True)
        made = Decoder(d_model=d, layers=L, heads=H, ffn=4 * d, vocabulary=1, context=m)
        names = {d: "d", m: "n", L: "L"}
        formula = equal(
            polynomial(block_operations(made.without_ffn(layers=3 * L)), names),
            polynomial(block_operations(made), names),
        )
        instance = {"d": heads * d_k, "n": n, "L": layers}
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "decoders of width H d_k with f = 4 d", refutation)
