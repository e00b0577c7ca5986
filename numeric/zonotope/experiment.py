"""The experiment ``zonotope``: matrix zonotopic attention on set tasks (T2f).

On every task a set transformer with zonotopic values and one with plain values of as many
parameters see the same batches; on the made task also one with a set-dependent bias.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
from torch import nn

from ..experiment import Experiment, Journal, Measurements, State, stream_seed
from .attention import ValueMap
from .set_transformer import SetConfig, SetTransformer, matched, permutation_difference
from .tasks import TASKS, MeanDependent, SetTask

MADE = "mean-dependent"
"""The task that a set-dependent value map solves."""


@dataclass(frozen=True)
class ZonotopeConfig:
    """The settings.

    Args:
        steps: updates on each task.
        made_steps: updates on the made task.
        batch: sets in an update.
        rate: of Adam, falling to zero along a cosine.
        tested: sets to measure on.
        every: steps between two points of the curve.
    """

    steps: int = 400
    made_steps: int = 1200
    batch: int = 64
    rate: float = 2e-3
    tested: int = 2048
    every: int = 100


def run(config: ZonotopeConfig, seed: int, journal: Journal) -> Measurements:
    """Everything for one seed.

    Args:
        config: the settings.
        seed: of every draw.
        journal: keeps the trainings that are done.

    Returns:
        By task and value map what `train` returns.
    """
    tasks: dict[str, SetTask] = {**TASKS, MADE: MeanDependent(stream_seed(seed, "teacher"))}
    found: dict[str, dict[str, Measurements]] = {}
    for name, task in tasks.items():
        arms: tuple[ValueMap, ...] = ("zonotope", "plain")
        if name == MADE:
            arms = (*arms, "bias")
        steps = config.made_steps if name == MADE else config.steps
        found[name] = {
            arm: journal.part(f"{name}-{arm}", partial(train, config, task, arm, steps, seed))
            for arm in arms
        }
    return found


def train(
    config: ZonotopeConfig,
    task: SetTask,
    values: ValueMap,
    steps: int,
    seed: int,
    journal: Journal,
) -> Measurements:
    """Train one set transformer and measure it on sets drawn anew, the same for all arms.

    Drawn anew is not unseen where sets are few: see `tasks.Unique`.

    Args:
        config: the settings.
        task: on sets.
        values: the value map.
        steps: updates, at least 1.
        seed: of weights, batches and tested sets.
        journal: keeps the state, so that a run that is stopped goes on.

    Returns:
        Parameters, loss, its curve, and how far a permutation moves the outputs, as JSON.
    """
    inputs, outputs, seeds = task.shape
    sizes = SetConfig(inputs, outputs, seeds)
    model = SetTransformer(matched(sizes, values), seed=stream_seed(seed, "weights"))
    optimiser = torch.optim.Adam(model.parameters(), lr=config.rate, fused=True)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    generator = torch.Generator().manual_seed(stream_seed(seed, "batches"))
    fresh = torch.Generator().manual_seed(stream_seed(seed, "tested"))
    x, target = task.draw(config.tested, fresh)
    step, curve = 0, []
    if (state := journal.resume()) is not None:
        step, curve = state["step"], list(state["curve"])
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        generator.set_state(state["generator"])

    def whole() -> State:
        return {
            "step": step,
            "curve": curve,
            "model": model.state_dict(),
            "optimiser": optimiser.state_dict(),
            "schedule": schedule.state_dict(),
            "generator": generator.get_state(),
        }

    def tested() -> float:
        with torch.no_grad():
            return float(task.loss(model(x), target))

    while step < steps:
        sets, wanted = task.draw(config.batch, generator)
        loss = task.loss(model(sets), wanted)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        step += 1
        if step % config.every == 0 or step == steps:
            curve.append({"step": step, "loss": tested()})
            journal.advance(step, steps, whole)
    return {
        "parameters": model.parameter_count(),
        "loss": curve[-1]["loss"],
        "curve": curve,
        "scale": float(model(x).detach().abs().max()),
        "permuted": permutation_difference(model, x, fresh),
    }


EXPERIMENT = Experiment(
    "zonotope",
    "Matrix zonotopic attention on set tasks, against as many plain parameters (claim T2f).",
    {
        "smoke": ZonotopeConfig(steps=4, made_steps=4, batch=8, tested=32, every=2),
        "quick": ZonotopeConfig(steps=200, made_steps=400),
        "full": ZonotopeConfig(),
        "paper": ZonotopeConfig(steps=20000, made_steps=20000, batch=256, every=1000),
    },
    {"smoke": 1, "quick": 2, "full": 5, "paper": 10},
    run,
)
