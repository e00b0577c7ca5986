"""The experiment ``hierarchy``: what a transformer on nested structure uses (claims F3 to F7, T3).

Two languages with the same measurements, Dyck words and template sentences; a small model on short
words whose weights are kept, for certificates; and the skeletons of heads that were trained on
chains, beside those of the transformers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from ..experiment import Experiment, Journal, Measurements, stream_seed
from ..order.chain import Chain
from ..order.flow import FlowSettings
from ..order.skeleton import skeleton as chain_skeleton
from .decodable import ablations, probed
from .dyck import DyckWords
from .language import Language
from .measure import (
    attention,
    by_distance,
    examples,
    interventions,
    right_closers,
    skeleton,
)
from .model import ModelSettings, Transformer
from .sentences import Sentences
from .small import SmallSettings, small
from .targets import draw
from .training import TrainingSettings, fit

CHAIN = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
PERMUTED = Chain(5, (0.15, 0.55, 0.3), (1, 2, 3), (3, 1, 2))


@dataclass(frozen=True)
class MeasureSettings:
    """How much is measured.

    Args:
        edges: of the intervals of distances.
        each: queries in every interval.
        probes: sequences for the probes, half of them to judge.
        ranks: of the subspaces that are removed.
        draws: random subspaces of each rank.
    """

    edges: tuple[int, ...] = (1, 2, 5, 10, 20, 65)
    each: int = 80
    probes: int = 160
    ranks: tuple[int, ...] = (1, 2, 4, 8, 12, 16, 24)
    draws: int = 3


_WORDS = DyckWords()
_TRAINING = TrainingSettings()
_SENTENCES = Sentences(depth=4, word=24)
_SENTENCE_TRAINING = TrainingSettings(steps=1200)
_SENTENCE_MEASURE = MeasureSettings(edges=(1, 2, 3, 6, 10, 25))
_SMALL = SmallSettings()
_FLOW = FlowSettings()


@dataclass(frozen=True)
class HierarchyConfig:
    """The settings.

    Args:
        words: the Dyck words.
        training: on them.
        measure: on them.
        sentences: of the template.
        sentence_training: on them.
        sentence_measure: on them.
        small: the small model.
        widths: further widths of the model on Dyck words.
        flow: of the heads on chains.
    """

    words: DyckWords = _WORDS
    training: TrainingSettings = _TRAINING
    measure: MeasureSettings = MeasureSettings()
    sentences: Sentences = _SENTENCES
    sentence_training: TrainingSettings = _SENTENCE_TRAINING
    sentence_measure: MeasureSettings = _SENTENCE_MEASURE
    small: SmallSettings = _SMALL
    widths: tuple[int, ...] = ()
    flow: FlowSettings = _FLOW


def run(config: HierarchyConfig, seed: int, journal: Journal) -> Measurements:
    """Everything for one seed.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the parts that are done.

    Returns:
        By language, by chain and for the small model what was measured, as JSON.

    Raises:
        ValueError: no closer at any of the distances was found.
    """

    def on(
        language: Language,
        training: TrainingSettings,
        measure: MeasureSettings,
        name: str,
        part: Journal,
    ) -> Measurements:
        model, losses = fit(language, training, stream_seed(seed, name), part)
        return measured(language, training, measure, model, losses, stream_seed(seed, name))

    found: dict[str, Measurements] = {}
    parts: dict[str, tuple[Language, TrainingSettings, MeasureSettings]] = {
        "dyck": (config.words, config.training, config.measure),
        "sentences": (config.sentences, config.sentence_training, config.sentence_measure),
    }
    for width in config.widths:
        other = replace(config.training, model=replace(config.training.model, width=width))
        parts[f"dyck-{width}"] = (config.words, other, config.measure)
    for name, (language, training, measure) in parts.items():
        found[name] = journal.part(name, partial(on, language, training, measure, name))
    start = stream_seed(seed, "start")
    chains = {
        "three-heads": (CHAIN, config.flow),
        "permuted": (PERMUTED, config.flow),
        "two-heads": (CHAIN, replace(config.flow, heads=2)),
        "no-decay": (CHAIN, replace(config.flow, decay=0.0)),
    }
    for name, (chain, flow) in chains.items():
        found[name] = journal.part(name, partial(chain_skeleton, chain, flow, start))
    found["small"] = journal.part("small", partial(small, config.small, stream_seed(seed, "small")))
    return found


def measured(
    language: Language,
    training: TrainingSettings,
    settings: MeasureSettings,
    model: Transformer,
    losses: list[float],
    seed: int,
) -> Measurements:
    """All measurements on a trained model.

    Args:
        language: that the model was trained on.
        training: how; its sizes are those of the untrained control.
        settings: how much is measured.
        model: the trained one.
        losses: of the training, passed on.
        seed: of queries, controls and the untrained model.

    Returns:
        Losses, accuracy by distance, attention, interventions, probes and ablations, as JSON.

    Raises:
        ValueError: no closer at any of the distances was found.
    """
    random = np.random.default_rng(stream_seed(seed, "queries"))
    queries = draw(language, settings.edges, settings.each, random)
    bins = len(settings.edges) - 1
    batch = language.sample(settings.probes, random)
    untrained = Transformer(
        language.symbols, language.length, training.model, seed=stream_seed(seed, "weights")
    )
    clean = right_closers(model, language, queries)
    far = np.flatnonzero(queries.bin == bins - 2)
    return {
        "losses": losses,
        "classes": language.classes,
        "edges": list(settings.edges),
        "accuracy": by_distance(clean, queries, bins),
        "attention": attention(model, queries),
        "interventions": interventions(model, language, queries, bins, seed % 2**32),
        "skeleton": skeleton(model, language, queries, bins),
        "probes": probed(model, untrained, language, batch, seed % 2**32),
        "ablations": ablations(
            model, language, queries, batch, settings.ranks, seed % 2**32, settings.draws
        ),
        "example": examples(model, queries, int(far[0]) if len(far) else 0),
    }


_TINY = MeasureSettings(edges=(1, 2, 5, 17), each=6, probes=16, ranks=(1, 2), draws=1)

EXPERIMENT = Experiment(
    "hierarchy",
    "Transformers on Dyck words and nested sentences: decodable against used (claims F3-F7).",
    {
        "smoke": HierarchyConfig(
            words=DyckWords(2, 3, 16),
            training=TrainingSettings(ModelSettings(8), steps=6, batch=8),
            measure=_TINY,
            sentence_training=TrainingSettings(ModelSettings(8), steps=6, batch=8),
            sentence_measure=_TINY,
            small=SmallSettings(
                DyckWords(2, 3, 16), TrainingSettings(ModelSettings(8, factor=2), 6, 8), longest=4
            ),
            flow=FlowSettings(time=60.0, samples=61),
        ),
        "quick": HierarchyConfig(
            training=TrainingSettings(steps=1600),
            sentence_training=TrainingSettings(steps=700),
            measure=MeasureSettings(each=50, probes=120, draws=2),
            sentence_measure=MeasureSettings(edges=(1, 2, 3, 6, 10, 25), each=50, draws=2),
        ),
        "full": HierarchyConfig(),
        "paper": HierarchyConfig(
            words=DyckWords(20, 10, 128),
            training=TrainingSettings(ModelSettings(64), steps=20000, batch=64),
            measure=MeasureSettings(
                edges=(1, 2, 5, 10, 20, 40, 129),
                each=400,
                probes=1000,
                ranks=(1, 2, 4, 8, 16, 24, 32),
            ),
            sentence_training=TrainingSettings(ModelSettings(64), steps=10000, batch=64),
            widths=(16, 32),
        ),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 10},
    run,
)
