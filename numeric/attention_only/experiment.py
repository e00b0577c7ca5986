"""The experiment ``attention-only``: what deleting feed-forward layers costs, and where.

A standard decoder and its attention-only counterparts (same depth, same training FLOPs, same
parameters) see the same batches of the same text and are measured on the same windows, so that a
difference of losses has far less noise than a loss. Recall on a made task and the depth study have
parts of their own. Everything is small: only orderings can be expected to carry over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, partial

import torch
from torch import Tensor

from ..experiment import Experiment, Journal, Measurements, stream_seed
from .matching import attention_only, parameter_count, training_flops
from .model import Decoder, DecoderConfig
from .recall import RecallTask, Suggestions, accuracy, kinds
from .spectra import KINDS, distance, settling, singular_values, summary, weights
from .text import SYMBOLS, Text, library_source, windows
from .trainer import Batch, TrainerSettings, fit, text_batches, token_losses

EDGES = (0, 4, 16, 64)
"""Where the bins of context length begin; the last one is open."""

GRAM = 6
"""How many symbols a suggestion of the text looks at."""

SETTLED = 0.25
"""A spectrum has settled when it has this share of its way left."""

_STANDARD = DecoderConfig(SYMBOLS, 128, 64, 4, 4, ffn_width=256, qk_norm=True)
_TRAINING = TrainerSettings(600)
_TASK = RecallTask(values=16)
_RECALLER = DecoderConfig(_TASK.symbols, 48, 32, 2, 2, ffn_width=128, qk_norm=True)
_RECALLING = TrainerSettings(500, 24, 6e-3, weight_decay=0.01)
_DEEP = DecoderConfig(SYMBOLS, 64, 32, 48, 2)
_DESCENDING = TrainerSettings(100, 8, warmup=20)


@dataclass(frozen=True)
class AttentionOnlyConfig:
    """The settings.

    Args:
        text_bytes: of the library's sources.
        standard: the decoder with feed-forward layers and QK-norm.
        training: of the four matchings.
        windows: of validation text.
        every: steps between two measures; fewer where that would leave less than five.
        task: of recall.
        recaller: the standard decoder of recall.
        recalling: its training.
        deep: the attention-only decoder of the depth study.
        descending: its training.
        fast: the over-large learning rate of the depth study.
    """

    text_bytes: int = 8_000_000
    standard: DecoderConfig = _STANDARD
    training: TrainerSettings = _TRAINING
    windows: int = 256
    every: int = 50
    task: RecallTask = _TASK
    recaller: DecoderConfig = _RECALLER
    recalling: TrainerSettings = _RECALLING
    deep: DecoderConfig = _DEEP
    descending: TrainerSettings = _DESCENDING
    fast: float = 3e-2


def run(config: AttentionOnlyConfig, seed: int, journal: Journal) -> Measurements:
    """Everything for one seed.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the parts that are done.

    Returns:
        By arm what was measured, as JSON; None where a loss is not finite.

    Raises:
        ValueError: the running Python has no library sources to train on.
    """
    text = library_text(config.text_bytes)
    standard = config.standard
    plain = replace(standard, qk_norm=False)
    arms = {
        "standard": standard,
        "in-place": attention_only(standard, "in-place"),
        "flops": attention_only(standard, "flops"),
        "parameters": attention_only(standard, "parameters"),
        "standard-plain": plain,
        "parameters-plain": attention_only(plain, "parameters"),
    }
    found: dict[str, Measurements] = {"text": text.provenance()}
    for name, arm in arms.items():
        spectra = name in ("standard", "parameters")
        found[name] = journal.part(
            name, partial(on_text, config, arm, config.training, text, seed, spectra)
        )
    found["recall"] = {
        name: journal.part(f"recall-{name}", partial(recall, config, name, seed))
        for name in ("standard", "parameters")
    }
    deep, fast = config.deep, replace(config.descending, rate=config.fast)
    depth = {
        "bare": (deep, config.descending),
        "qk-norm": (replace(deep, qk_norm=True), config.descending),
        "gates": (replace(deep, residual_gates=True), config.descending),
        "ffn": (replace(deep, ffn_width=4 * deep.width), config.descending),
        "bare-fast": (deep, fast),
        "qk-norm-fast": (replace(deep, qk_norm=True), fast),
    }
    found["depth"] = {
        name: journal.part(f"depth-{name}", partial(on_text, config, arm, by, text, seed, False))
        for name, (arm, by) in depth.items()
    }
    found["unigram"] = unigram_entropy(text)
    return found


def on_text(
    config: AttentionOnlyConfig,
    arm: DecoderConfig,
    training: TrainerSettings,
    text: Text,
    seed: int,
    with_spectra: bool,
    journal: Journal,
) -> Measurements:
    """Train a decoder on the text and measure it.

    Args:
        config: how much is measured.
        arm: the decoder.
        training: of it.
        text: to train and to measure on.
        seed: of weights and batches.
        with_spectra: whether singular values are measured.
        journal: keeps the state, so that a run that is stopped goes on.
    """
    model = Decoder(arm, generator=_generator(seed, "weights"))
    probe = _windows(config, text, arm, seed)[: max(config.windows // 8, 1)]
    begun = weights(model)

    def measure(step: int, model: Decoder) -> Measurements:
        seen: dict[str, Measurements] = {"loss": _finite(token_losses(model, probe).mean())}
        if with_spectra:
            seen["values"] = {k: v.tolist() for k, v in singular_values(model).items()}
            seen["added"] = summary(singular_values(model, begun))
        return seen

    draw = text_batches(text.train, arm.context, training.batch)
    every = min(config.every, max(training.steps // 5, 1))
    made = fit(model, draw, training, seed, journal, measure=measure, every=every)
    measured = made["measured"]
    found: dict[str, Measurements] = {
        "layers": arm.layers,
        "parameters": parameter_count(arm),
        "training_flops_per_token": training_flops(arm) / arm.context,
        "diverged": made["diverged"],
        "largest": made["largest"],
        "steps": [each["step"] for each in measured],
        "curve": [each["loss"] for each in measured],
        **validation(config, model, arm, text, seed),
    }
    if with_spectra:
        found["spectra"] = through_training(measured)
    return found


def validation(
    config: AttentionOnlyConfig, model: Decoder, arm: DecoderConfig, text: Text, seed: int
) -> dict[str, Measurements]:
    """The loss on all windows, by bin of context length, and by where the answer is.

    Args:
        config: how many windows.
        model: the decoder.
        arm: its sizes.
        text: whose validation part is read.
        seed: of the windows.

    Returns:
        Means in nats; None where there is nothing, or a loss is not finite.
    """
    sequences = _windows(config, text, arm, seed)
    losses = token_losses(model, sequences).double()
    edges = [edge for edge in EDGES if edge < arm.context]
    bins = zip(edges, [*edges[1:], arm.context], strict=True)
    context, from_weights = kinds(suggestions(config.text_bytes), sequences)
    return {
        "loss": _finite(losses.mean()),
        "bins": [_finite(losses[:, low:high].mean()) for low, high in bins],
        "grounded": _finite(losses[context].mean()) if context.any() else None,
        "recalled": _finite(losses[from_weights].mean()) if from_weights.any() else None,
        "grounded_symbols": int(context.sum()),
        "recalled_symbols": int(from_weights.sum()),
    }


def through_training(measured: Measurements) -> Measurements:
    """When each kind of spectrum settles, and its ranks and norms over the steps.

    Args:
        measured: one entry a measure, as `on_text` makes them with spectra.
    """
    steps = [each["step"] for each in measured]
    values = {
        kind: [torch.tensor(each["values"][kind], dtype=torch.float64) for each in measured]
        for kind in KINDS
    }
    path = {kind: [distance(each, values[kind][-1]) for each in values[kind]] for kind in KINDS}
    return {
        "steps": steps,
        "settling": {kind: settling(steps, path[kind], SETTLED) for kind in KINDS},
        "distance": path,
        "whole": [
            summary({kind: values[kind][place] for kind in KINDS}) for place in range(len(steps))
        ],
        "added": [each["added"] for each in measured],
    }


def recall(config: AttentionOnlyConfig, name: str, seed: int, journal: Journal) -> Measurements:
    """Accuracy on facts and on pairs while a decoder learns both.

    Args:
        config: the task.
        name: ``"standard"`` or a matching.
        seed: of everything.
        journal: keeps the state, so that a run that is stopped goes on.
    """
    task, standard = config.task, config.recaller
    arm = standard if name == "standard" else attention_only(standard, name)
    table = task.facts(_generator(seed, "facts"))
    questions = _generator(seed, "questions")
    facts = task.fact_batch(table, 64, questions)
    pairs = task.pair_batch(64, questions)
    model = Decoder(arm, generator=_generator(seed, "weights"))

    def draw(generator: torch.Generator) -> Batch:
        return task.mixed_batch(table, config.recalling.batch, generator)

    def measure(step: int, model: Decoder) -> Measurements:
        return {"facts": accuracy(model, facts), "pairs": accuracy(model, pairs)}

    made = fit(model, draw, config.recalling, seed, journal, measure=measure, every=config.every)
    return {
        "layers": arm.layers,
        "parameters": parameter_count(arm),
        "diverged": made["diverged"],
        "curve": made["measured"],
    }


@cache
def library_text(size: int) -> Text:
    """The text, read once in a process."""
    return library_source(size)


@cache
def suggestions(size: int) -> Suggestions:
    """What its training part suggests."""
    return Suggestions(library_text(size).train, GRAM)


def unigram_entropy(text: Text) -> float:
    """The loss of a model that knows the frequencies of the symbols and nothing else.

    Args:
        text: whose validation part is measured.

    Returns:
        In nats; a symbol that training lacks counts as seen once.
    """
    share = torch.bincount(text.train.long(), minlength=SYMBOLS).double() / len(text.train)
    known = share[text.validation.long()].clamp(min=1 / len(text.train))
    return float(-known.log().mean())


def _windows(config: AttentionOnlyConfig, text: Text, arm: DecoderConfig, seed: int) -> Tensor:
    generator = _generator(seed, "validation")
    return windows(text.validation, arm.context + 1, config.windows, generator)


def _generator(seed: int, name: str) -> torch.Generator:
    return torch.Generator().manual_seed(stream_seed(seed, name))


def _finite(value: Tensor) -> float | None:
    return float(value) if bool(value.isfinite()) else None


_TINY = DecoderConfig(SYMBOLS, 32, 16, 2, 2, ffn_width=64, qk_norm=True)
_BRIEF = TrainerSettings(4, 4, warmup=2)

EXPERIMENT = Experiment(
    "attention-only",
    "Decoders without feed-forward layers: matchings, recall, spectra, depth (claims D3-D6).",
    {
        "smoke": AttentionOnlyConfig(
            text_bytes=200_000,
            standard=_TINY,
            training=_BRIEF,
            windows=8,
            every=2,
            recalling=TrainerSettings(4, 4, warmup=2),
            deep=DecoderConfig(SYMBOLS, 32, 16, 6, 2),
            descending=_BRIEF,
        ),
        "quick": AttentionOnlyConfig(
            training=TrainerSettings(150),
            windows=128,
            every=25,
            recalling=TrainerSettings(250, 24, 6e-3, weight_decay=0.01),
            deep=DecoderConfig(SYMBOLS, 64, 32, 24, 2),
            descending=TrainerSettings(50, 8, warmup=20),
        ),
        "full": AttentionOnlyConfig(),
        "paper": AttentionOnlyConfig(
            text_bytes=10**9,
            standard=DecoderConfig(SYMBOLS, 512, 256, 8, 8, ffn_width=1024, qk_norm=True),
            training=TrainerSettings(20000, 32, 1e-3, warmup=500),
            windows=1024,
            every=500,
            deep=DecoderConfig(SYMBOLS, 256, 128, 48, 4),
            descending=TrainerSettings(5000, 32, 1e-3, warmup=500),
            fast=1e-2,
        ),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 5},
    run,
)
"""Profile ``paper`` is as large as the text allows; the published scale needs a text of the user's
and `pretrain`."""
