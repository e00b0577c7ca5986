"""An experiment that takes no time: a random walk and the same walk with larger steps."""

import os
import signal
from dataclasses import dataclass
from typing import Any

import torch

from headproof.numeric.experiment import PROFILES, Experiment, Journal, State, stream_seed
from headproof.proofs_check.training.criterion import Criterion
from headproof.proofs_check.training.registry import Entry


@dataclass(frozen=True)
class Walk:
    steps: int
    size: float = 1.0


def walk(config: Walk, seed: int, journal: Journal) -> dict[str, Any]:
    generator = torch.Generator().manual_seed(stream_seed(seed, "walk"))
    step, place = 0, torch.zeros(2, dtype=torch.float64)
    if (state := journal.resume()) is not None:
        step, place = state["step"], state["place"]
        generator.set_state(state["generator"])

    def whole() -> State:
        return {"step": step, "place": place, "generator": generator.get_state()}

    while step < config.steps:
        place = place + config.size * torch.randn(2, generator=generator, dtype=torch.float64)
        step += 1
        journal.advance(step, config.steps, whole)
        # What a test asks for: a death without warning, once, in the middle of the second part.
        fuse = os.environ.get("FAKE_DEATH", "")
        if fuse and os.path.exists(fuse) and config.size > 1 and step == config.steps // 2:
            os.remove(fuse)
            os.kill(os.getpid(), signal.SIGKILL)
    return {"place": place.tolist(), "norm": float(place.norm())}


def run(config: Walk, seed: int, journal: Journal) -> dict[str, Any]:
    large = Walk(config.steps, 3.0)
    return {
        "main": journal.part("main", lambda part: walk(config, seed, part)),
        "large": journal.part("large", lambda part: walk(large, seed, part)),
    }


EXPERIMENT = Experiment(
    "walk",
    "A random walk.",
    {profile: Walk(40) for profile in PROFILES},
    {"smoke": 1, "quick": 2, "full": 5, "paper": 6},
    run,
)

SCALES = Criterion(
    "scales",
    "fake.walk",
    "The walk of steps three times as large ends three times as far away, within 10^-9.",
    lambda found: abs(found["large"]["norm"] - 3 * found["main"]["norm"]) < 1e-9,
    {"norm": lambda found: found["main"]["norm"]},
)
NEAR = Criterion(
    "near",
    "fake.walk",
    "The walk ends within 1 of its beginning.",
    lambda found: found["main"]["norm"] < 1,
    {"norm": lambda found: found["main"]["norm"]},
)
CRITERIA = (SCALES, NEAR)
ENTRY = Entry("A random walk.", "fake_experiment:EXPERIMENT", "fake_experiment:CRITERIA")
