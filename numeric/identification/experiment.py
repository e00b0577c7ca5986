"""How much of a training step lies inside the fibre, and what takes it out (claims C6, C7).

For each layer and each optimiser a copy task is trained and the share of every step of W_Q and W_K
inside the fibre's tangent is recorded: the exact projection, not a sample of directions. Around
that stand the measurements that need no long training:
  drift      the conserved quantity over a fixed time, for step sizes lr, lr/2, lr/4;
  moves      the loss after a finite move along the fibre, and after a random one of the same size;
  decay      the share of a weight decay step, before and after balancing;
  repairs    one Adam step from a balanced point: raw, projected, followed by a plain SVD, followed
             by an SVD rotated back (Procrustes), at lr, lr/2, lr/4; what each does to the logits;
             and how much of the Adam step after a balancing is inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import sqrt
from statistics import fmean
from types import MappingProxyType

import torch
from torch import Tensor, nn
from torch.optim import SGD, Adam, AdamW, Optimizer

from ..experiment import Experiment, Journal, Measurements, stream_seed
from .copy_task import CopyModel, Layer, copy_loss, sequences
from .factors import QueryKey
from .fibre import imbalance, relative_imbalance, tangent_part
from .muon import Muon
from .optimiser import FibreProjected, rebalance
from .rebalancing import balanced
from .sign_descent import SignDescent


@dataclass(frozen=True)
class Config:
    """The settings.

    Args:
        d: width of the model.
        heads: numbers of heads of the plain layers.
        tokens: V.
        length: of what is copied.
        batch: sequences of a step.
        steps: of each training.
        drift_steps: steps at the largest step size.
    """

    d: int = 32
    heads: tuple[int, ...] = (1, 2, 4, 8)
    tokens: int = 16
    length: int = 8
    batch: int = 32
    steps: int = 200
    drift_steps: int = 20

    def layers(self) -> Mapping[str, Layer]:
        """Name -> layer: the plain ones, and one with groups, rotations and biases."""
        plain = {f"H={h}": Layer(h, h) for h in self.heads}
        most = max(h for h in self.heads if self.d // h >= 4)
        shared = Layer(most, max(1, most // 2), rotated=True, bias=True)
        return plain | {f"H={most}, G={shared.kv_heads}, RoPE": shared}


OPTIMISERS: Mapping[str, Callable[[Iterator[nn.Parameter]], Optimizer]] = MappingProxyType(
    {
        "SGD": lambda p: SGD(p, lr=0.3),
        "momentum": lambda p: SGD(p, lr=0.1, momentum=0.9),
        "Adam": lambda p: Adam(p, lr=3e-3),
        "Adam, beta1 = 0": lambda p: Adam(p, lr=3e-3, betas=(0.0, 0.999)),
        "AdamW": lambda p: AdamW(p, lr=3e-3, weight_decay=0.1),
        "sign descent": lambda p: SignDescent(p, lr=1e-3),
        "Muon": lambda p: Muon(p, lr=0.02),
    }
)


def run(config: Config, seed: int, journal: Journal) -> Measurements:
    """Train every layer with every optimiser, and measure the rest.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the parts that are done.

    Returns:
        What the criteria look at, as JSON.
    """
    layers = config.layers()
    work = [(name, layer, kind) for name, layer in layers.items() for kind in OPTIMISERS]
    done = 0
    trained: dict[str, dict[str, Measurements]] = {}
    for name, layer, kind in work:
        shares = journal.part(
            f"train-{done}",
            lambda part, layer=layer, kind=kind: _train(config, layer, kind, seed, part),  # type: ignore[misc]
        )
        trained.setdefault(name, {})[kind] = shares
        done += 1
        journal.advance(done, len(work) + len(layers), dict)
    found = {}
    for name, layer in layers.items():
        found[name] = journal.part(
            f"look-{done}",
            lambda part, layer=layer: _look(config, layer, seed),  # type: ignore[misc]
        )
        done += 1
        journal.advance(done, len(work) + len(layers), dict)
    return {"trained": trained, "looked": found}


def _model(config: Config, layer: Layer, seed: int) -> CopyModel:
    return CopyModel(
        config.d,
        layer,
        tokens=config.tokens,
        length=config.length,
        seed=stream_seed(seed, "model"),
    )


def _batches(config: Config, seed: int, name: str = "data") -> Iterator[Tensor]:
    generator = torch.Generator().manual_seed(stream_seed(seed, name))
    while True:
        yield sequences(
            config.batch, tokens=config.tokens, length=config.length, generator=generator
        )


def _train(config: Config, layer: Layer, kind: str, seed: int, journal: Journal) -> Measurements:
    """The loss and the shares of the gradient and of the step, at every step."""
    model, batches = _model(config, layer, seed), _batches(config, seed)
    optimiser = OPTIMISERS[kind](model.parameters())
    losses, gradients, steps = [], [], []
    for _ in range(config.steps):
        losses.append(_backward(model, next(batches)))
        gradients.append(_share(model.pair, model.pair.factors(), _gradient))
        before = _copied(model)
        at = model.pair.factors(before.__getitem__)
        optimiser.step()
        steps.append(_share(model.pair, at, lambda p, old=before: p.detach() - old[p]))  # type: ignore[misc]
    return {"loss": losses, "gradient": gradients, "step": steps}


def _look(config: Config, layer: Layer, seed: int) -> Measurements:
    """What is measured at one point: a model that is learning the task."""
    model, batches = _model(config, layer, seed), _batches(config, seed)
    optimiser = Adam(model.parameters(), lr=1e-2)
    for _ in range(config.steps // 4):
        _backward(model, next(batches))
        optimiser.step()
    made = next(_batches(config, seed, "look"))
    return {
        "drift": [_drift(config, layer, seed, halvings) for halvings in range(3)],
        "moves": _moves(model, made, seed),
        "decay": _decay(model),
        "repairs": _repairs(model, made),
    }


def _drift(config: Config, layer: Layer, seed: int, halvings: int) -> float:
    """How far gradient descent takes what the flow conserves, over a fixed time, relative to it."""
    model = _model(config, layer, seed)
    made = next(_batches(config, seed))
    before = imbalance(*model.pair.factors(), model.pair.commutant)
    sgd = SGD(model.parameters(), lr=0.1 / 2**halvings)
    for _ in range(config.drift_steps * 2**halvings):
        _backward(model, made)
        sgd.step()
    after = imbalance(*model.pair.factors(), model.pair.commutant)
    return float((after - before).norm() / before.norm())


@torch.no_grad()
def _moves(model: CopyModel, made: Tensor, seed: int) -> Measurements:
    """The change of the loss by a finite move along the fibre and by a random one as long."""
    pair = model.pair
    generator = torch.Generator().manual_seed(stream_seed(seed, "moves"))
    left, right = pair.factors()
    d_k = pair.commutant.head_dim

    def drawn(shape: tuple[int, ...]) -> Tensor:
        return torch.randn(shape, generator=generator, dtype=torch.float64)

    x = pair.commutant.matrix(*pair.commutant.blocks(drawn((len(left), d_k, d_k))))
    g = torch.linalg.matrix_exp(0.3 * x / sqrt(d_k))
    along = left @ g - left, right @ torch.linalg.inv(g).mT - right
    size = sum(part.square().sum() for part in along)
    random = [drawn(tuple(part.shape)) for part in along]
    scale = (size / sum(part.square().sum() for part in random)).sqrt()
    start = float(copy_loss(model, made))
    changes = {}
    for name, move in (("along", along), ("random", [scale * part for part in random])):
        pair.add(*move)
        changes[name] = abs(float(copy_loss(model, made)) - start)
        pair.add(*(-part for part in move))
    weights = left.square().sum() + right.square().sum()
    return {**changes, "size": float((size / weights).sqrt())}


def _decay(model: CopyModel) -> Measurements:
    """The share of a step of weight decay, which is along the weights themselves."""
    pair = model.pair
    left, right = pair.factors()
    new = balanced(left, right, pair.commutant, near=(left, right))
    return {
        "before": tangent_part(left, right, left, right, pair.commutant).share,
        "balanced": tangent_part(*new, *new, pair.commutant).share,
        "imbalance": float(relative_imbalance(left, right, pair.commutant).max()),
    }


def _repairs(model: CopyModel, made: Tensor) -> Measurements:
    """One Adam step from a balanced point, and four things to do about it."""
    pair = model.pair
    rebalance(pair)
    kept = _copied(model)
    at = pair.factors(kept.__getitem__)
    found: dict[str, list[float]] = {
        name: [] for name in ("raw", "projected", "svd", "procrustes", "logits", "blind", "next")
    }
    for halvings in range(3):
        rate = 3e-3 / 2**halvings

        def step(lr: float = rate) -> tuple[Tensor, Tensor]:
            _restore(kept)
            _backward(model, made)
            Adam(model.parameters(), lr=lr).step()
            return tuple(part.clone() for part in pair.factors())  # type: ignore[return-value]

        def share(left: Tensor, right: Tensor) -> float:
            return tangent_part(*at, left - at[0], right - at[1], pair.commutant).share

        raw = step()
        found["raw"].append(share(*raw))
        logits = model(made[:, :-1]).detach()
        found["svd"].append(share(*balanced(*raw, pair.commutant)))
        turned = balanced(*raw, pair.commutant, near=at)
        found["procrustes"].append(share(*turned))
        with torch.no_grad():
            pair.add(turned[0] - raw[0], turned[1] - raw[1])
        found["logits"].append(_change(model(made[:, :-1]).detach(), logits))
        found["next"].append(_next_share(model, made, rate))
        plain = QueryKey(pair.query, pair.key, pair.heads, pair.kv_heads)
        left, right = step()
        blind = balanced(left, right, plain.commutant, near=(left, right))
        with torch.no_grad():
            pair.add(blind[0] - left, blind[1] - right)
        found["blind"].append(_change(model(made[:, :-1]).detach(), logits))
        _restore(kept)
        _backward(model, made)
        adam = Adam(model.parameters(), lr=rate)
        with FibreProjected(adam, [pair]):
            adam.step()
        found["projected"].append(share(*pair.factors()))
    _restore(kept)
    return found


def _next_share(model: CopyModel, made: Tensor, lr: float) -> float:
    """The share of Adam's next step, from the point where the model is."""
    _backward(model, made)
    before = _copied(model)
    at = model.pair.factors(before.__getitem__)
    Adam(model.parameters(), lr=lr).step()
    return _share(model.pair, at, lambda p: p.detach() - before[p])


def _change(a: Tensor, b: Tensor) -> float:
    return float((a - b).abs().max() / b.abs().max())


def _backward(model: CopyModel, made: Tensor) -> float:
    model.zero_grad()
    loss = copy_loss(model, made)
    loss.backward()  # type: ignore[no-untyped-call]
    return float(loss.detach())


def _gradient(parameter: nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


def _copied(model: nn.Module) -> dict[nn.Parameter, Tensor]:
    return {parameter: parameter.detach().clone() for parameter in model.parameters()}


@torch.no_grad()
def _restore(kept: dict[nn.Parameter, Tensor]) -> None:
    for parameter, value in kept.items():
        parameter.copy_(value)


def _share(
    pair: QueryKey, at: tuple[Tensor, Tensor], reading: Callable[[nn.Parameter], Tensor]
) -> float:
    """The share of a step of the pair inside the tangent at a point, inert key biases included."""
    part = tangent_part(*at, *pair.factors(reading), pair.commutant)
    inert = float(pair.inert(reading).square().sum())
    whole = part.whole + inert
    return (part.inside + inert) / whole if whole else 0.0


def summary(shares: list[float]) -> dict[str, float]:
    """First, least, mean and largest share of a training.

    Args:
        shares: at least one, in the order of the steps.

    Example:
        >>> summary([0.5, 0.25])
        {'first': 0.5, 'least': 0.25, 'mean': 0.375, 'largest': 0.5}
    """
    return {
        "first": shares[0],
        "least": min(shares),
        "mean": fmean(shares),
        "largest": max(shares),
    }


EXPERIMENT = Experiment(
    "identification",
    "Shares of training steps inside the fibre of W_Q and W_K, and what takes them out.",
    {
        "smoke": Config(d=8, heads=(2,), tokens=4, length=3, batch=4, steps=4, drift_steps=2),
        "quick": Config(steps=60),
        "full": Config(steps=200),
        "paper": Config(d=64, steps=2000, tokens=32, length=16, batch=64),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 10},
    run,
)
