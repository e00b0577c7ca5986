"""Training on fresh sequences: AdamW, a warm-up and a linear decay (claim F3)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from ..experiment import Journal, State, stream_seed
from .language import Language
from .model import ModelSettings, Transformer, rounded

_MODEL = ModelSettings()


@dataclass(frozen=True)
class TrainingSettings:
    """How a model is trained.

    Args:
        model: its size.
        steps: how many.
        batch: sequences a step, all new.
        rate: the largest learning rate.
        warmup: steps until it is reached.
        decay_from: the share of the steps after which it falls linearly to 0.
        bits: the weights end as multiples of 2^-bits.
    """

    model: ModelSettings = _MODEL
    steps: int = 2000
    batch: int = 32
    rate: float = 3e-3
    warmup: int = 100
    decay_from: float = 0.6
    bits: int = 14

    def factor(self, step: int) -> float:
        """The learning rate at a step, in units of the largest.

        Example:
            >>> settings = TrainingSettings(steps=10, warmup=2, decay_from=0.5)
            >>> [round(settings.factor(step), 2) for step in (0, 1, 2, 5, 9)]
            [0.5, 1.0, 1.0, 1.0, 0.2]
        """
        begin = self.decay_from * self.steps
        rising = (step + 1) / max(self.warmup, 1)
        falling = (self.steps - step) / max(self.steps - begin, 1)
        return min(1.0, rising, falling)


def fit(
    language: Language, settings: TrainingSettings, seed: int, journal: Journal
) -> tuple[Transformer, list[float]]:
    """A trained model, rounded, and the mean losses of a hundredth of the steps each.

    Args:
        language: that makes the data; a symbol that only pads counts as any other.
        settings: of the training.
        seed: of weights and data.
        journal: keeps the state.

    Raises:
        ValueError: a weight that float32 does not hold at the precision of the settings.
    """
    model = Transformer(
        language.symbols, language.length, settings.model, seed=stream_seed(seed, "weights")
    )
    random = np.random.default_rng(stream_seed(seed, "data"))
    optimiser = torch.optim.AdamW(
        model.parameters(), lr=settings.rate, betas=(0.9, 0.98), weight_decay=0.01
    )
    step, losses = 0, list[float]()
    if (kept := journal.resume()) is not None:
        step, losses = kept["step"], list(kept["losses"])
        random.bit_generator.state = kept["random"]
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])

    def whole() -> State:
        return {
            "step": step,
            "losses": losses,
            "random": random.bit_generator.state,
            "model": model.state_dict(),
            "optimiser": optimiser.state_dict(),
        }

    every = max(settings.steps // 100, 1)
    while step < settings.steps:
        total = 0.0
        until = min(step + every, settings.steps)
        of = until - step
        while step < until:
            for group in optimiser.param_groups:
                group["lr"] = settings.rate * settings.factor(step)
            tokens = torch.from_numpy(language.sample(settings.batch, random).tokens)
            logits = model(tokens[:, :-1])
            loss = nn.functional.cross_entropy(
                logits.reshape(-1, language.symbols), tokens[:, 1:].reshape(-1)
            )
            optimiser.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimiser.step()
            total += loss.item()
            step += 1
        losses.append(total / of)
        journal.advance(step, settings.steps, whole)
    rounded(model, settings.bits)
    model.eval()
    return model, losses
