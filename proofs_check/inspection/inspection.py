"""A checkpoint looked at with the whole theory: shapes, biases, diversity, identification, text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...numeric.checkpoint import ROLES, TEXT, Checkpoint, Role
from ...numeric.checkpoint.running import runnable
from ...numeric.ensemble.diversity import LayerDiversity
from ...symbolic.display import preformatted
from ...symbolic.errors import InputError
from ...symbolic.identification.architecture import Architecture
from ...symbolic.identification.counts import Answer, Count, identify_architecture
from .balance import Balance, balance
from .diversity import Diversity, Progress, layer_document, measured
from .on_text import TextInspection, inspect_text
from .opening import Source, opened, threads, told


@dataclass(frozen=True)
class BiasNorms:
    """The norms of one layer's bias for one projection.

    Args:
        whole: |b|.
        heads: of each head's part; empty for the output.
    """

    whole: float
    heads: tuple[float, ...]


@dataclass(frozen=True)
class Unidentified:
    """The count of one pair of projections in one layer.

    Args:
        count: by formula; None if none applies.
        reason: why none applies.
    """

    count: Count | None
    reason: str = ""


@dataclass(frozen=True)
class Inspection:
    """What `inspect_checkpoint` found.

    Args:
        diversity: of the heads.
        biases: for each layer of `diversity`, projection -> norms, where there is a bias.
        balance: for each layer of `diversity`, how far its factors are from balanced.
        query_key: unidentified parameters of W_Q, W_K and their biases, of every layer.
        value_output: the same for W_V and W_O.
        text: what the model does on a text; None if it was not run.
        not_run: why it was not run.
    """

    diversity: Diversity
    biases: tuple[Mapping[Role, BiasNorms], ...]
    balance: tuple[Balance, ...]
    query_key: Unidentified
    value_output: Unidentified
    text: TextInspection | None
    not_run: str

    @property
    def checkpoint(self) -> Checkpoint:
        """The model."""
        return self.diversity.checkpoint

    @property
    def layers(self) -> tuple[LayerDiversity, ...]:
        """What the weights of each layer say."""
        return self.diversity.layers

    def _repr_html_(self) -> str:
        """What the command line tells, as a notebook shows it."""
        from .lines import inspection_lines, model_line

        return preformatted([model_line(self.diversity), "", *inspection_lines(self)])

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        model = self.checkpoint.model
        whole = self.diversity.document()
        whole["layers"] = [
            layer_document(layer)
            | {
                "biases": {
                    role: {"norm": norms.whole, "by_head": list(norms.heads)}
                    for role, norms in biases.items()
                },
                "imbalance": {"qk": list(weights.qk), "vo": list(weights.vo)},
            }
            for layer, biases, weights in zip(self.layers, self.biases, self.balance, strict=True)
        ]
        return whole | {
            "shapes": {
                role: [self.checkpoint.heads(role), model.head_dim, model.d] for role in ROLES
            },
            "unidentified": {
                "qk": _count(self.query_key),
                "vo": _count(self.value_output),
            },
            "text": None if self.text is None else self.text.document(),
            "not_run": self.not_run,
        }


def inspect_checkpoint(
    source: Source,
    *,
    config: Mapping[str, Any] | None = None,
    layers: Sequence[int] | None = None,
    text: str | None = None,
    run: bool = True,
    seed: int = 0,
    progress: Progress | None = None,
) -> Inspection:
    """Look at a checkpoint: head diversity, biases, identification, and its heads on a text.

    Args:
        source: a Hugging Face folder (config.json and safetensors); or a safetensors file, a torch
            module or a state dict, which are not run.
        config: of a state dict: as in config.json.
        layers: whose weights are looked at, from 0; all by default.
        text: what the model reads; a built-in paragraph by default.
        run: whether to run the model where the extra ``checkpoint`` and a tokenizer are there.
        seed: of the draws from the null law.
        progress: called after each layer.

    Raises:
        InputError: the source is no such model, damaged, or the text does not fit.

    Example:
        >>> from torch import nn
        >>> found = inspect_checkpoint(nn.MultiheadAttention(8, 2))
        >>> found.query_key.count.ratio  # (8^2/2, b_K: 8, LayerNorm: 2 8)/(2 8^2 + 2 8)
        Fraction(7, 18)
    """
    label, checkpoint = opened(source, config)
    found = measured(label, checkpoint, layers=layers, seed=seed, progress=progress)
    with told():
        biases = tuple(_norms(checkpoint, layer.layer) for layer in found.layers)
        weights = tuple(balance(checkpoint, layer.layer) for layer in found.layers)
        on_text, reason = None, "not asked for"
        if run:
            folder = Path(label) if Path(label).is_dir() else None
            reason = "only a folder can be run" if folder is None else runnable(folder)
            if folder is not None and not reason:
                words = TEXT if text is None else text
                with threads(checkpoint):
                    on_text = inspect_text(folder, checkpoint, words, progress=progress)
    if text is not None and on_text is None:
        raise InputError("a model that can be run on the text", reason, where=label)
    return Inspection(found, biases, weights, *unidentified(checkpoint), on_text, reason)


def unidentified(checkpoint: Checkpoint) -> tuple[Unidentified, Unidentified]:
    """The counts of one layer: of W_Q, W_K and of W_V, W_O, with their biases and gains."""
    model = checkpoint.model
    normed = checkpoint.layout.qk_norm
    biases = tuple(role[0] for role in ROLES if checkpoint.biased(role))
    # Its gains and biases are no parameters of these two parts.
    centred = model.family in ("bert", "gpt2") or model.model_type == "starcoder2"
    counts = identify_architecture(
        Architecture(
            d_model=model.d,
            heads=model.heads,
            kv_heads=model.kv_heads,
            head_dim=model.head_dim,
            rope="distinct" if model.rotary_dim else "none",
            rotary_dim=model.rotary_dim,
            bias=biases,
            qk_norm=normed,
            qk_norm_gain=normed,
            input_norm="layer" if centred else "rms",
            input_norm_bias=centred,
        )
    )
    values = _counted(counts.vo)
    reasons = {
        "relative positions enter the scores": model.positions == "relative",
        "the scores are capped and the keys have a bias": model.softcap and "k" in biases,
    }
    for reason, applies in reasons.items():
        if applies:
            return Unidentified(None, f"no formula: {reason}"), values
    return _counted(counts.qk), values


def _counted(answer: Answer) -> Unidentified:
    if answer.count is None:
        return Unidentified(None, f"no formula: {answer.reason}")
    return Unidentified(answer.count)


def _norms(checkpoint: Checkpoint, layer: int) -> Mapping[Role, BiasNorms]:
    found: dict[Role, BiasNorms] = {}
    for role in ROLES:
        bias = checkpoint.bias(layer, role)
        if bias is not None:
            heads = () if role == "output" else tuple(bias.norm(dim=-1).tolist())
            found[role] = BiasNorms(float(bias.norm()), heads)
    return found


def _count(found: Unidentified) -> dict[str, Any]:
    if found.count is None:
        return {"unidentified": None, "total": None, "ratio": None, "reason": found.reason}
    ratio = found.count.ratio
    return {
        "unidentified": found.count.unidentified,
        "total": found.count.total,
        "ratio": ratio.numerator if ratio.denominator == 1 else str(ratio),
        "reason": "",
    }
