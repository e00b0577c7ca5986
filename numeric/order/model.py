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
    """
    model = LagAttention(*start)
    groups = [
        {"params": [model.maps], "lr": settings.rate, "weight_decay": settings.decay},
        {"params": [model.scores], "lr": settings.score_rate, "weight_decay": 0.0},
    ]
    optimiser: torch.optim.Optimizer = (
        torch.optim.Adam(groups) if settings.optimiser == "adam" else torch.optim.SGD(groups)
    )
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
        optimiser.load_state_dict(kept["optimiser"])

    def whole() -> State:
        return {
            "step": step,
            "tails": torch.from_numpy(tails),
            "maps": torch.stack(maps),
            "attention": torch.stack(attention),
            "random": random.bit_generator.state,
            "model": model.state_dict(),
            "optimiser": optimiser.state_dict(),
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
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        step += 1
        if step % settings.every == 0:
            maps.append(model.lag_maps().detach().clone())
            attention.append(model.scores.softmax(dim=1).detach().clone())
            journal.advance(step, settings.steps, whole)
    times = np.arange(len(maps)) * settings.every * settings.rate
    lag_maps: Array = torch.stack(maps).numpy()
    weights: Array = torch.stack(attention).numpy()
    return Trajectory(times.astype(np.float64), lag_maps, weights)
