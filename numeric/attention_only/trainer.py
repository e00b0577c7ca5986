"""Training a decoder: one step, and many of them with measures on the way.

AdamW with decay on matrices only, linear warm-up and linear decay, clipped gradients. The same
`Updater` serves one process, several (each takes its slice of one batch that all of them draw, so
that the mean of their gradients is that of one process up to rounding) and mixed precision.
A loss that is not finite ends a training: it is recorded, not hidden.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any, TypeAlias

import torch
from torch import Tensor, nn
from torch.nn import functional

from ..experiment import Journal, Measurements, State, stream_seed
from .model import Decoder
from .text import windows

Batch: TypeAlias = tuple[Tensor, Tensor]
"""Symbols ``(B, n)`` and what follows each of them, -100 where nothing is asked."""

Draw: TypeAlias = Callable[[torch.Generator], Batch]
"""What draws a batch."""

_ROWS = 16
"""Sequences measured at once."""


@dataclass(frozen=True)
class TrainerSettings:
    """How a decoder is trained.

    Args:
        steps: updates.
        batch: sequences in an update.
        rate: the largest learning rate.
        warmup: steps of linear increase.
        decay_from: the share of steps after which the rate falls linearly to a twentieth.
        weight_decay: of matrices.
        clip: the largest norm of a gradient.
    """

    steps: int
    batch: int = 8
    rate: float = 4e-3
    warmup: int = 50
    decay_from: float = 0.6
    weight_decay: float = 0.1
    clip: float = 1.0

    def rate_at(self, step: int) -> float:
        """The learning rate of an update, counted from 0.

        Args:
            step: the update.

        Example:
            >>> settings = TrainerSettings(steps=100, rate=1.0, warmup=10)
            >>> settings.rate_at(0), settings.rate_at(50), round(settings.rate_at(99), 3)
            (0.1, 1.0, 0.05)
        """
        rising = min(1.0, (step + 1) / max(self.warmup, 1))
        begun, last = self.decay_from * self.steps, self.steps - 1
        fallen = max(0.0, step - begun) / max(last - begun, 1e-9)
        return self.rate * rising * (1 - 0.95 * min(fallen, 1.0))


class Updater:
    """A model with its optimiser.

    Args:
        model: a decoder, or one wrapped for several processes.
        settings: of the training.
        autocast: the type for mixed precision; None for the weights' own.
    """

    def __init__(
        self, model: nn.Module, settings: TrainerSettings, *, autocast: torch.dtype | None = None
    ) -> None:
        self.model, self.settings, self.autocast = model, settings, autocast
        inner = getattr(model, "module", model)
        assert isinstance(inner, nn.Module)
        self._inner = inner
        parameters = list(model.parameters())
        self._parameters = parameters
        self.device = parameters[0].device
        groups = [
            {
                "params": [p for p in parameters if p.ndim >= 2],
                "weight_decay": settings.weight_decay,
            },
            {"params": [p for p in parameters if p.ndim < 2], "weight_decay": 0.0},
        ]
        self.optimiser = torch.optim.AdamW(
            groups, lr=settings.rate, betas=(0.9, 0.95), eps=1e-8, fused=True
        )

    def step(self, batch: Batch, number: int) -> Tensor:
        """One update; the loss before it, detached.

        Args:
            batch: on the device of the model.
            number: of the update, from 0.

        Returns:
            (), in nats; it may be not finite, which is not refused here.
        """
        tokens, targets = batch
        for group in self.optimiser.param_groups:
            group["lr"] = self.settings.rate_at(number)
        with self._precision():
            logits = self.model(tokens)
        loss = functional.cross_entropy(logits.flatten(0, 1).float(), targets.flatten())
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self._parameters, self.settings.clip)
        self.optimiser.step()
        return loss.detach()

    def state(self) -> dict[str, Any]:
        """Weights and optimiser; the same from one process or several."""
        return {"model": self._inner.state_dict(), "optimiser": self.optimiser.state_dict()}

    def restore(self, state: State) -> None:
        """Go back to what `state` returned."""
        self._inner.load_state_dict(state["model"])
        self.optimiser.load_state_dict(state["optimiser"])

    def _precision(self) -> AbstractContextManager[object]:
        if self.autocast is None:
            return nullcontext()
        return torch.autocast(self.device.type, self.autocast)


Measure = Callable[[int, Decoder], Measurements]


def fit(
    model: Decoder,
    draw: Draw,
    settings: TrainerSettings,
    seed: int,
    journal: Journal,
    *,
    measure: Measure | None = None,
    every: int = 50,
) -> Measurements:
    """Train a model in place.

    Args:
        model: with its initial weights.
        draw: of batches.
        settings: of the training.
        seed: of the batches.
        journal: keeps the state every ``every`` steps.
        measure: called before training and after every ``every`` steps, last after the end.
        every: steps between two measures.

    Returns:
        ``losses``, means over ``every`` steps; ``largest``, the largest loss after the warm-up;
        ``measured``; and ``diverged``, the step at which the loss, or a weight at a measure, was
        not finite, or None.
    """
    updater = Updater(model, settings)
    generator = torch.Generator().manual_seed(stream_seed(seed, "batches"))
    step, losses, recent, largest = 0, [], [], 0.0
    measured: list[Measurements] = []
    diverged: int | None = None
    if (state := journal.resume()) is not None:
        updater.restore(state["updater"])
        generator.set_state(state["generator"])
        step, losses, largest = state["step"], list(state["losses"]), state["largest"]
        measured = list(state["measured"])
    elif measure is not None:
        measured.append({"step": 0, **measure(0, model)})

    def whole() -> State:
        return {
            "updater": updater.state(),
            "generator": generator.get_state(),
            "step": step,
            "losses": losses,
            "largest": largest,
            "measured": measured,
        }

    while step < settings.steps and diverged is None:
        loss = float(updater.step(draw(generator), step))
        step += 1
        if not math.isfinite(loss):
            diverged = step
            break
        measuring = step % every == 0 or step == settings.steps
        if measuring and not finite_weights(model):
            diverged = step  # the loss before the update was finite, the weights after it are not
            break
        recent.append(loss)
        if step > settings.warmup:
            largest = max(largest, loss)
        if measuring:
            losses.append(sum(recent) / len(recent))
            recent = []
            if measure is not None:
                measured.append({"step": step, **measure(step, model)})
            journal.advance(step, settings.steps, whole)
    return {"losses": losses, "largest": largest, "measured": measured, "diverged": diverged}


def text_batches(symbols: Tensor, context: int, batch: int) -> Draw:
    """Batches of random windows of a text.

    Args:
        symbols: ``(m,)``, m > n.
        context: n.
        batch: B.

    Returns:
        Draws ``(B, n)``; raises ValueError where the text is shorter than a window.
    """

    def draw(generator: torch.Generator) -> Batch:
        return shifted(windows(symbols, context + 1, batch, generator))

    return draw


def shifted(sequences: Tensor) -> Batch:
    """Sequences ``(B, n + 1)`` as a batch: each symbol is followed by the next."""
    return sequences[:, :-1], sequences[:, 1:]


def finite_weights(model: nn.Module) -> bool:
    """Whether every weight is finite; after an update they may not be, though its loss was."""
    return all(bool(weight.isfinite().all()) for weight in model.parameters())


@torch.no_grad()
def token_losses(model: Decoder, sequences: Tensor) -> Tensor:
    """The loss of every prediction in sequences ``(B, n + 1)``: ``(B, n)``, in nats.

    Args:
        model: the decoder.
        sequences: symbols, n at most the context.
    """
    found = []
    for rows in sequences.split(_ROWS):  # type: ignore[no-untyped-call]
        logits = model(rows[:, :-1]).float()
        losses = functional.cross_entropy(
            logits.flatten(0, 1), rows[:, 1:].flatten(), reduction="none"
        )
        found.append(losses.view(len(rows), -1))
    return torch.cat(found)
