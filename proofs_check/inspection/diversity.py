"""The diversity of a model's heads against the law of random subspaces (claims B4, B5, B8)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from torch import Tensor

from ...numeric.checkpoint import Checkpoint, Role
from ...numeric.ensemble.diversity import (
    ANGLE_LEVELS,
    LayerDiversity,
    RoleDiversity,
    layer_diversity,
)
from ...numeric.ensemble.null_law import NullLaw, null_law
from ...numeric.ensemble.spectra import Spectrum
from ...symbolic.display import preformatted
from .opening import Source, chosen, described, opened, threads, told

Progress = Callable[[int, int], None]
"""Called with how many layers are done and how many there are."""


@dataclass(frozen=True)
class Diversity:
    """What the weights say about the heads.

    Args:
        label: the model's folder, file or class.
        checkpoint: the model.
        layers: those asked for.
        laws: number of subspaces -> the null law; none for fewer than two.
    """

    label: str
    checkpoint: Checkpoint
    layers: tuple[LayerDiversity, ...]
    laws: Mapping[int, NullLaw]

    def law(self, role: Role) -> NullLaw | None:
        """The law of as many random subspaces as the projection has."""
        return self.laws.get(self.checkpoint.heads(role))

    def _repr_html_(self) -> str:
        """What the command line tells, as a notebook shows it."""
        from .lines import diversity_lines, model_line

        return preformatted([model_line(self), "", *diversity_lines(self)])

    def document(self) -> dict[str, Any]:
        """As JSON has it: numbers that are none are null."""
        return {
            **described(self.label, self.checkpoint),
            "null": [law_document(law) for _, law in sorted(self.laws.items())],
            "layers": [layer_document(layer) for layer in self.layers],
        }


def head_diversity(
    source: Source,
    *,
    config: Mapping[str, Any] | None = None,
    layers: Sequence[int] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Diversity:
    """The subspaces and products of the heads, layer by layer.

    Args:
        source: a Hugging Face folder, a safetensors file with config.json beside it, a torch
            module, or a state dict.
        config: of a state dict: as in config.json.
        layers: which, from 0; all by default.
        seed: of the draws from the null law.
        progress: called after each layer.

    Raises:
        InputError: the source is none of these, damaged, or has no such layer.

    Example:
        >>> from torch import nn
        >>> head_diversity(nn.MultiheadAttention(8, 2)).layers[0].role("key").heads
        2
    """
    label, checkpoint = opened(source, config)
    return measured(label, checkpoint, layers=layers, seed=seed, progress=progress)


def measured(
    label: str,
    checkpoint: Checkpoint,
    *,
    layers: Sequence[int] | None,
    seed: int,
    progress: Progress | None,
) -> Diversity:
    """The same for a model that is open."""
    model = checkpoint.model
    numbers = chosen(checkpoint, layers)
    found = []
    with told(), threads(checkpoint):
        for done, layer in enumerate(numbers, 1):
            found.append(layer_diversity(checkpoint, layer))
            if progress:
                progress(done, len(numbers))
        laws = {
            count: null_law(model.d, model.head_dim, count, seed=seed)
            for count in sorted({model.heads, model.kv_heads})
            if count > 1
        }
    return Diversity(label, checkpoint, tuple(found), laws)


def law_document(law: NullLaw) -> dict[str, Any]:
    """The null law."""
    return {
        "subspaces": law.heads,
        "hdi": {
            "mean": law.index_mean,
            "deviation": law.index_deviation,
            "quantiles": _quantiles(law.index_quantiles),
            "draws": law.index_draws,
        },
        "overlap": {
            "mean": law.overlap_mean,
            "deviation": law.overlap_deviation,
            "quantiles": _quantiles(law.overlap_quantiles),
            "draws": law.draws,
        },
        "seed": law.seed,
    }


def layer_document(layer: LayerDiversity) -> dict[str, Any]:
    """One layer."""
    return {
        "layer": layer.layer,
        "subspaces": {entry.role: role_document(entry) for entry in layer.roles},
        "qk": [spectrum_document(spectrum) for spectrum in layer.qk],
        "ov": [spectrum_document(spectrum) for spectrum in layer.ov],
        "duplicates": [list(pair) for pair in layer.duplicates],
    }


def role_document(entry: RoleDiversity) -> dict[str, Any]:
    """The subspaces of one projection."""
    angles = zip(ANGLE_LEVELS, entry.angles, strict=False)
    return {
        "heads": entry.heads,
        "hdi": entry.index,
        "effective_heads": entry.effective,
        "attainable_hdi": entry.attainable,
        "hdi_by_query_head": entry.by_query_head,
        "counted": entry.heads - len(entry.deficient),
        "rank_deficient": [{"head": h, "rank": entry.ranks[h]} for h in entry.deficient],
        "same_subspace": [list(pair) for pair in entry.same],
        "angles": {str(level): angle for level, angle in angles},
        "overlap": matrix(entry.kernel),
        "largest_cosine": matrix(entry.nearest),
    }


def spectrum_document(spectrum: Spectrum) -> dict[str, Any]:
    """The singular values of one product."""
    return {
        "values": list(spectrum.values),
        "stable_rank": spectrum.stable_rank,
        "effective_rank": spectrum.effective_rank,
        "repeated": [list(group) for group in spectrum.repeated],
    }


def matrix(values: Tensor) -> list[list[float | None]]:
    """A matrix, null where it is not a number."""
    return [[None if math.isnan(v) else v for v in row] for row in values.tolist()]


def _quantiles(quantiles: Mapping[float, float]) -> dict[str, float]:
    return {str(level): value for level, value in quantiles.items()}
