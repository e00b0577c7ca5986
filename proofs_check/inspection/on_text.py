"""A model read on a text: which biases matter (C3), and where its heads look (A5, A10)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...numeric.checkpoint import Checkpoint, Role
from ...numeric.checkpoint.running import RunningModel
from ...numeric.identification.key_bias import key_bias_effect
from ...numeric.tropical.skeleton import CellShare, Skeleton, skeleton

INERT = 1e-10
"""Outputs that change by less than this times the largest output have not changed: six orders
above the rounding of float64, six below what a bias that matters does."""

BIASES: tuple[Role, ...] = ("query", "key", "value")

MEDIAN = 0.5


@dataclass(frozen=True)
class BiasTest:
    """What zeroing one kind of bias in all layers does to the outputs.

    Args:
        role: whose biases.
        change: largest change of an output, relative to the largest output.
        expected_inert: whether the theory says that nothing changes; None where it is silent.
    """

    role: Role
    change: float
    expected_inert: bool | None

    @property
    def inert(self) -> bool:
        """Whether the outputs are unchanged to rounding."""
        return self.change <= INERT

    @property
    def as_expected(self) -> bool | None:
        """Whether it is what the theory says."""
        return None if self.expected_inert is None else self.inert is self.expected_inert


@dataclass(frozen=True)
class KeyBiasLayer:
    """The weights of one layer with and without its key bias, on the same inputs.

    Args:
        change: the largest change of a weight.
        bound: the largest rounding bound.
        within: whether every change is within its own bound.
    """

    change: float
    bound: float
    within: bool


@dataclass(frozen=True)
class TextInspection:
    """What a model does on a text.

    Args:
        tokens: how many.
        biases: one test for each kind of bias that the model has.
        key_bias: layer by layer; empty where positions enter the scores or there is no key bias.
        heads: layer by layer, head by head; empty where positions enter the scores.
        causal: whether a token sees only those before it.
    """

    tokens: int
    biases: tuple[BiasTest, ...]
    key_bias: tuple[KeyBiasLayer, ...]
    heads: tuple[tuple[Skeleton, ...], ...]
    causal: bool

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {
            "tokens": self.tokens,
            "causal": self.causal,
            "inert_below": INERT,
            "biases": [
                {
                    "role": test.role,
                    "relative_change": test.change,
                    "inert": test.inert,
                    "expected_inert": test.expected_inert,
                    "as_expected": test.as_expected,
                }
                for test in self.biases
            ],
            "key_bias_by_layer": [
                {"change": one.change, "bound": one.bound, "within": one.within}
                for one in self.key_bias
            ],
            "skeleton": [[_skeleton(head) for head in layer] for layer in self.heads],
        }


def inspect_text(
    folder: Path,
    checkpoint: Checkpoint,
    text: str,
    *,
    skeletons: bool = True,
    progress: Callable[[int, int], None] | None = None,
) -> TextInspection:
    """Run the model.

    Args:
        folder: with tokenizer.json.
        checkpoint: the same folder, opened.
        text: what the model reads.
        skeletons: whether to look at the keys of every head, which takes most of the time.
        progress: called after each layer.

    Raises:
        CheckpointError: no tokenizer, or a text that is too short or too long.
    """
    running = RunningModel(folder, checkpoint, text)
    plain = running.output()
    scale = float(plain.abs().max())
    tests = []
    for role in BIASES:
        if checkpoint.biased(role):
            change = float((running.output([role]) - plain).abs().max()) / scale
            tests.append(BiasTest(role, change, _expected(checkpoint, role)))
    absolute = checkpoint.model.positions == "absolute"
    layers = running.layers() if absolute else []
    key_bias, heads = [], []
    for done, layer in enumerate(layers, 1):
        if checkpoint.biased("key"):
            queries = layer.queries + layer.query_bias.unsqueeze(1)
            effect = key_bias_effect(queries, layer.keys, layer.key_bias)
            change, bound = float(effect.change.max()), float(effect.bound.max())
            key_bias.append(KeyBiasLayer(change, bound, effect.inert))
        if not skeletons:
            continue
        heads.append(
            tuple(
                skeleton(q, b, k, causal=running.causal)
                for q, b, k in zip(
                    layer.queries,
                    layer.query_bias,
                    layer.keys + layer.key_bias.unsqueeze(1),
                    strict=True,
                )
            )
        )
        if progress:
            progress(done, len(layers))
    return TextInspection(
        len(running.tokens), tuple(tests), tuple(key_bias), tuple(heads), running.causal
    )


def _expected(checkpoint: Checkpoint, role: Role) -> bool | None:
    """What C3 says of a bias: a key bias is inert iff nothing but a sum stands before softmax.

    Of the others it says that they matter generically; a bias of exactly zero does not.
    """
    used = any(
        bool((bias != 0).any())
        for layer in range(checkpoint.model.layers)
        if (bias := checkpoint.bias(layer, role)) is not None
    )
    if role == "key":
        if checkpoint.model.positions == "absolute" and not checkpoint.layout.qk_norm:
            return True
        return None if checkpoint.model.positions == "relative" or not used else False
    return False if used else None


def _skeleton(head: Skeleton) -> dict[str, Any]:
    leads = head.leads[head.leads.isfinite()]
    return {
        "everywhere": _share(head.everywhere),
        "mixed": _share(head.mixed),
        "unvisited": head.unvisited,
        "positions": head.positions,
        "median_lead": float(leads.quantile(MEDIAN)) if len(leads) else None,
        "certified": {str(eps): n for eps, n in head.certified.items()},
        "heavy": {str(eps): n for eps, n in head.heavy.items()},
    }


def _share(share: CellShare) -> dict[str, int]:
    return {
        "keys": share.keys,
        "wins": share.wins,
        "never": share.never,
        "undecided": share.undecided,
    }
