"""The attention model and its training on sampled chains (claims G3, G4).

The smallest transformer that can show the effect: the scores depend on the position only, so a head
is a distribution over lags and a linear map. Every step draws the next symbols of running chains,
all of whose windows are its batch; what is learnt is measured on the population, not on the batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import torch
from torch import Tensor, nn

from ..experiment import Journal, State
from .chain import Array, Chain, windows_of
from .flow import Trajectory

_BETAS, _EPSILON = (0.9, 0.999), 1e-8
"""Of Adam, as usual."""


class LagAttention(nn.Module):
    """f(z) = sum_h sum_l softmax(p_h)_l A_h z_l on centred one-hots.

    Args:
        maps: ``(H, V, V)``, the initial A.
        scores: ``(H, L)``, the initial p.
    """

    def __init__(self, maps: Array, scores: Array) -> None:
        """Start from the given values."""
        super().__init__()
        self.maps = nn.Parameter(torch.from_numpy(maps.copy()))
        self.scores = nn.Parameter(torch.from_numpy(scores.copy()))

    def lag_maps(self) -> Tensor:
        """``(L, V, V)``: W_l = sum_h a_hl A_h."""
        return torch.einsum("hl,hab->lab", self.scores.softmax(dim=1), self.maps)

    def forward(self, windows: Tensor) -> Tensor:
        """``(B, L)`` symbols, newest first -> ``(B, V)``."""
        symbols = self.maps.shape[1]
        maps = self.lag_maps()  # (L, V, V)
        centred = maps - maps.mean(dim=2, keepdim=True)  # A_h z = A_h (e_x - 1/V)
        lags = torch.arange(windows.shape[1])
        picked = centred.transpose(1, 2).reshape(-1, symbols)  # row l V + x is W_l z(x)
        return picked[lags * symbols + windows].sum(dim=1)


@dataclass(frozen=True)
class TrainingSettings:
    """How the model is trained.

    Args:
        objective: the loss.
        optimiser: plain gradient descent or Adam.
        rate: the learning rate of the maps.
        score_rate: that of the scores.
        decay: weight decay of the maps, as a term of the gradient.
        steps: how many.
        chains: how many run side by side.
        length: symbols that each adds in a step.
        every: steps between two records.
    """

    objective: Literal["squared", "cross-entropy"] = "squared"
    optimiser: Literal["sgd", "adam"] = "sgd"
    rate: float = 0.25
    score_rate: float = 5.0
    decay: float = 1e-3
    steps: int = 2400
    chains: int = 64
    length: int = 64
    every: int = 4


class Update:
    """One step of plain gradient descent or of Adam, for the maps and the scores.

    Both are a few lines; `torch.optim` loads torch's compiler first, which takes longer than the
    smallest experiment. A test compares the two.

    Args:
        settings: rates, decay, optimiser.
        model: whose gradients are followed.
    """

    def __init__(self, settings: TrainingSettings, model: LagAttention) -> None:
        """Begin without moments."""
        self._adam = settings.optimiser == "adam"
        self._groups = (
            (model.maps, settings.rate, settings.decay),
            (model.scores, settings.score_rate, 0.0),
        )
        self.moments = [torch.zeros_like(p) for p, _, _ in self._groups for _ in range(2)]

    @torch.no_grad()
    def __call__(self, step: int) -> None:
        """Follow the gradients; ``step`` counts from 1."""
        for k, (parameter, rate, decay) in enumerate(self._groups):
            assert parameter.grad is not None
            gradient = parameter.grad + decay * parameter
            if self._adam:
                first, second = self.moments[2 * k : 2 * k + 2]
                first += (1 - _BETAS[0]) * (gradient - first)
                second += (1 - _BETAS[1]) * (gradient.square() - second)
                spread = (second / (1 - _BETAS[1] ** step)).sqrt() + _EPSILON
                gradient = first / (1 - _BETAS[0] ** step) / spread
            parameter.sub_(rate * gradient)


def fit(
    chain: Chain,
    settings: TrainingSettings,
    start: tuple[Array, Array],
    seed: int,
    journal: Journal,
) -> Trajectory:
    """Train the model; times are steps times the learning rate of the maps.

    Args:
        chain: that makes the data.
        settings: of the training.
        start: the initial A and p.
        seed: of the data.
        journal: keeps the state.

    Returns:
        The start and every ``every``-th step.
    """
    model = LagAttention(*start)
    update = Update(settings, model)
    V, L = chain.symbols, chain.window
    random = np.random.default_rng(seed)
    tails = chain.sample(settings.chains, 0, random)
    step = 0
    maps: list[Tensor] = [model.lag_maps().detach().clone()]
    attention: list[Tensor] = [model.scores.softmax(dim=1).detach().clone()]
    if (kept := journal.resume()) is not None:
        step, tails = kept["step"], kept["tails"].numpy()
        maps, attention = list(kept["maps"]), list(kept["attention"])
        random.bit_generator.state = kept["random"]
        model.load_state_dict(kept["model"])
        update.moments = list(kept["moments"])

    def whole() -> State:
        return {
            "step": step,
            "tails": torch.from_numpy(tails),
            "maps": torch.stack(maps),
            "attention": torch.stack(attention),
            "random": random.bit_generator.state,
            "model": model.state_dict(),
            "moments": update.moments,
        }

    while step < settings.steps:
        chains = chain.extend(tails, settings.length, random)
        tails = chains[:, -L:].copy()
        windows = torch.from_numpy(windows_of(chains, L))  # (chains * length, L + 1)
        found = model(windows[:, 1:])
        if settings.objective == "squared":
            target = nn.functional.one_hot(windows[:, 0], V).double() - 1 / V
            loss = 0.5 * (found - target).square().sum(dim=1).mean()
        else:
            loss = nn.functional.cross_entropy(found, windows[:, 0])
        model.zero_grad()
        loss.backward()
        step += 1
        update(step)
        if step % settings.every == 0:
            maps.append(model.lag_maps().detach().clone())
            attention.append(model.scores.softmax(dim=1).detach().clone())
            journal.advance(step, settings.steps, whole)
    times = np.arange(len(maps)) * settings.every * settings.rate
    lag_maps: Array = torch.stack(maps).numpy()
    weights: Array = torch.stack(attention).numpy()
    return Trajectory(times.astype(np.float64), lag_maps, weights)
