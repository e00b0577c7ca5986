"""The experiments that there are: light declarations, loaded when they run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ...symbolic.errors import InputError
from ..runner.sources import module_digest
from .criterion import Criterion

if TYPE_CHECKING:
    from ...numeric.experiment import Experiment, Measurements
    from .plot import TrainingPlot


@dataclass(frozen=True)
class Entry:
    """An experiment by its names.

    Args:
        summary: one line, for ``headproof train --list``.
        experiment: ``"module:NAME"`` of the `Experiment`.
        criteria: ``"module:NAME"`` of a tuple of `Criterion`.
        plots: ``"module:function"`` from the measurements, seed by seed, to `TrainingPlot`
            objects; empty if it has none.
    """

    summary: str
    experiment: str
    criteria: str
    plots: str = ""

    @property
    def topic(self) -> str:
        """The topic of its claims, which is the package that its criteria stand in."""
        return self.criteria.partition(":")[0].split(".")[-2]

    def load(self) -> Experiment[Any]:
        """The experiment, with everything that it imports."""
        found: Experiment[Any] = _named(self.experiment)
        return found

    def source_digest(self) -> str:
        """The digest of the sources that it runs."""
        return module_digest(self.experiment.partition(":")[0])

    def load_criteria(self) -> tuple[Criterion, ...]:
        """Its criteria, in the order of the claims."""
        return tuple(_named(self.criteria))

    def load_plots(self) -> Callable[[Sequence[Measurements]], Sequence[TrainingPlot]] | None:
        """The function that draws its plots; None if it has none."""
        if not self.plots:
            return None
        found: Callable[[Sequence[Measurements]], Sequence[TrainingPlot]] = _named(self.plots)
        return found


EXPERIMENTS: Mapping[str, Entry] = MappingProxyType(
    {
        "attention-only": Entry(
            "Decoders without feed-forward layers: matchings, recall, spectra, depth (D3-D6).",
            "headproof.numeric.attention_only.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.attention_only.criteria:CRITERIA",
            "headproof.proofs_check.training.attention_only_plots:plots",
        ),
        "equivariance": Entry(
            "Equivariant attention of every type fits witnesses of two strata (claims T1b, T1d).",
            "headproof.numeric.equivariance.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.equivariance.criteria:CRITERIA",
            "headproof.proofs_check.training.equivariance_plots:plots",
        ),
        "hierarchy": Entry(
            "Transformers on Dyck words and nested sentences: decodable against used (F3-F7, T3).",
            "headproof.numeric.hierarchy.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.hierarchy.criteria:CRITERIA",
            "headproof.proofs_check.training.hierarchy_plots:plots",
        ),
        "identification": Entry(
            "Training steps inside the fibre of W_Q and W_K, and repairs (claims C6, C7).",
            "headproof.numeric.identification.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.identification.criteria:CRITERIA",
            "headproof.proofs_check.training.identification_plots:plots",
        ),
        "order": Entry(
            "Attention on a high-order Markov chain: lags are learnt one by one (claims G3-G5).",
            "headproof.numeric.order.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.order.criteria:CRITERIA",
            "headproof.proofs_check.training.order_plots:plots",
        ),
        "zonotope": Entry(
            "Matrix zonotopic attention on set tasks, against plain parameters (claim T2f).",
            "headproof.numeric.zonotope.experiment:EXPERIMENT",
            "headproof.proofs_check.claims.zonotope.criteria:CRITERIA",
            "headproof.proofs_check.training.zonotope_plots:plots",
        ),
    }
)
"""Every experiment, by the name that ``headproof train`` knows."""


def entry(name: str) -> Entry:
    """The experiment of that name.

    Raises:
        InputError: there is none.
    """
    if name not in EXPERIMENTS:
        near = get_close_matches(name, EXPERIMENTS, n=1)
        hint = f"did you mean {near[0]}?" if near else "see `headproof train --list`"
        raise InputError(f"one of {', '.join(EXPERIMENTS)}", repr(name), remedy=hint)
    return EXPERIMENTS[name]


def _named(path: str) -> Any:
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)
