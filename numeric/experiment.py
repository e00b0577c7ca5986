"""Experiments: what is trained, at which sizes, over how many seeds, and how it is kept.

To add one, write ``numeric/<topic>/experiment.py`` with

* a frozen dataclass of the settings (numbers, strings, booleans and tuples of them),
* a plain function ``run(config, seed, journal)`` that returns what it measured as JSON,
* ``EXPERIMENT = Experiment(...)`` with one config and one number of seeds for each profile,

and name it in ``proofs_check/training/registry.py`` with its criteria and its plots. ``headproof
train`` and the claims call the same function and share what it finished.

A run depends on its config and its seed and on nothing else: every generator is seeded from
`stream_seed`, and nothing reads the clock. Long work goes in intervals. At the end of each it calls
``journal.advance`` with a function that returns the whole state (model, optimiser, generators, what
was measured so far); the journal decides whether that is written. A run that is killed goes on from
the last state written and must come to the identical result, so the state has to be complete. Work
that falls into independent pieces (a training, its controls) goes through ``journal.part``, which
keeps the JSON that each piece returned and does not run it a second time.

    def run(config: Config, seed: int, journal: Journal) -> Measurements:
        main = journal.part("main", lambda part: train(config, seed, part))
        control = journal.part("permuted", lambda part: train(permuted(config), seed, part))
        return {"main": main, "permuted": control}

    def train(config: Config, seed: int, journal: Journal) -> Measurements:
        generator = torch.Generator().manual_seed(stream_seed(seed, "train"))
        step, losses = 0, []
        if (state := journal.resume()) is not None:
            step, losses = state["step"], state["losses"]
            generator.set_state(state["generator"])

        def whole() -> State:
            return {"step": step, "losses": losses, "generator": generator.get_state()}

        while step < config.steps:
            ...  # an interval of steps
            journal.advance(step, config.steps, whole)
        return {"losses": losses}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, is_dataclass
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

PROFILES = ("smoke", "quick", "full", "paper")
"""The mechanics in seconds; a look in two minutes; what a claim rests on; the published scale."""

Measurements: TypeAlias = Any
"""What a run measured: a value that ``json.dumps`` writes, without NaN."""

State: TypeAlias = Mapping[str, Any]
"""All that a run needs to go on: numbers, strings, tensors, and lists and dicts of them."""

Config = TypeVar("Config")


class Journal(Protocol):
    """Where a run keeps its state and tells how far it is."""

    def resume(self) -> State | None:
        """The state kept last; None at the beginning."""

    def advance(self, step: int, of: int, state: Callable[[], State]) -> None:
        """Tell that ``step`` of ``of`` steps are done; keep the state if it is time to."""

    def part(self, name: str, run: Callable[[Journal], Measurements]) -> Measurements:
        """What ``run`` returns, given a journal of its own; what it returned before, if it ended.

        Args:
            name: unique among the parts of this journal: letters, digits, hyphens.
            run: returns JSON.
        """


class NoJournal:
    """A journal that keeps nothing: for tests, and for use as a library."""

    def resume(self) -> State | None:
        """Always the beginning."""
        return None

    def advance(self, step: int, of: int, state: Callable[[], State]) -> None:
        """Keep nothing."""

    def part(self, name: str, run: Callable[[Journal], Measurements]) -> Measurements:
        """Run it, and return what would be read back."""
        return json.loads(json.dumps(run(self), allow_nan=False))


@dataclass(frozen=True)
class Experiment(Generic[Config]):
    """Something that is trained and measured.

    Args:
        name: as on the command line: lower-case letters, digits, hyphens.
        summary: one line.
        configs: profile -> settings, for every profile of `PROFILES`.
        seeds: profile -> how many seeds it takes; at least 5 under ``"full"``.
        run: trains one seed and returns what it measured.

    Raises:
        ValueError: a profile is missing, or a claim could not rest on the seeds of "full".

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass(frozen=True)
        ... class Toss:
        ...     coins: int
        >>> Experiment("toss", "Coins.", {p: Toss(3) for p in PROFILES},
        ...            {"smoke": 1, "quick": 2, "full": 5, "paper": 9},
        ...            lambda config, seed, journal: {"heads": seed % config.coins}).seeds["full"]
        5
    """

    name: str
    summary: str
    configs: Mapping[str, Config]
    seeds: Mapping[str, int]
    run: Callable[[Config, int, Journal], Measurements]

    def __post_init__(self) -> None:
        """Refuse an experiment that some command could not run."""
        for what, given in (("configs", self.configs), ("seeds", self.seeds)):
            if set(given) != set(PROFILES):
                raise ValueError(f"{self.name}: {what} for {sorted(given)}, expected {PROFILES}")
            object.__setattr__(self, what, MappingProxyType(dict(given)))
        if min(self.seeds.values()) < 1 or self.seeds["full"] < 5:
            raise ValueError(f"{self.name}: expected at least 1 seed, and 5 under full")
        for profile, config in self.configs.items():
            if not is_dataclass(config) or isinstance(config, type):
                raise ValueError(f"{self.name}: the config of {profile} is no dataclass")


def settings(config: object) -> Measurements:
    """A config as JSON, with the name of its class.

    Raises:
        ValueError: it is no dataclass.
    """
    if not is_dataclass(config) or isinstance(config, type):
        raise ValueError(f"expected a dataclass, found {type(config).__name__}")
    return json.loads(json.dumps({"class": type(config).__name__, **asdict(config)}))


def stream_seed(seed: int, name: str) -> int:
    """The seed of one generator of a run, an integer below 2^63.

    Streams of neighbouring seeds, or of two names, are unrelated.

    Example:
        >>> stream_seed(0, "data") == stream_seed(0, "model")
        False
    """
    digest = hashlib.sha256(json.dumps([seed, name]).encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1
