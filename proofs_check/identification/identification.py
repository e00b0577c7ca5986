"""The counts of an architecture, their reasons, their certificate, and what a change would buy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from ...symbolic.display import facts, listing
from ...symbolic.errors import InputError
from ...symbolic.identification.architecture import Architecture, parse
from ...symbolic.identification.counts import Answer, Counts, Source, model_count
from ..evidence import Json
from .hugging_face import Reading, read_configuration
from .variants import Variant, variants

LATENT = (
    "The counts of latent projections are added up by structure and supported by exact Jacobians "
    "of small layers: there is no proof for all sizes, and no certificate."
)


@dataclass(frozen=True)
class Identification:
    """What the function cannot see of an architecture's parameters.

    Args:
        name: the model_type, or "configuration".
        architecture: of every layer.
        variants: the layer as it is, and with one thing changed.
        notes: what the counts leave out.
    """

    name: str
    architecture: Architecture
    variants: tuple[Variant, ...]
    notes: tuple[str, ...] = ()

    @property
    def counts(self) -> Counts:
        """The counts of one layer."""
        return self.variants[0].counts

    @property
    def model(self) -> Answer:
        """The attention of all layers, read through norms like theirs."""
        return model_count(self.architecture)

    @property
    def parts(self) -> Mapping[str, Answer]:
        """The answers by name, in the order in which they are shown."""
        counts = self.counts
        return {"qk": counts.qk, "vo": counts.vo, "block": counts.block, "model": self.model}

    def _repr_html_(self) -> str:
        """The counts, as a notebook shows them."""
        rows = [
            (name, answer.count.total, answer.count.unidentified, answer.count.ratio)
            for name, answer in self.parts.items()
            if answer.count is not None
        ]
        told = facts(
            self.name, [("width", self.architecture.d_model), ("heads", self.architecture.heads)]
        )
        return told + listing(("part", "parameters", "not seen", "ratio"), rows, count=len(rows))

    def certificate(self, *, claim: str = "identify") -> dict[str, Json]:
        """The certificate of the block's count, for the independent checker.

        Raises:
            InputError: latent projections, which have none, or a case that is not covered.
        """
        from ..certificates.rank import certificate

        return certificate(claim, self.architecture, "block")

    def document(self, *, certificate: str | None = None) -> dict[str, Json]:
        """As JSON has it."""
        return {
            "name": self.name,
            "architecture": self.architecture.document,
            **{name: _written(answer) for name, answer in self.parts.items()},
            "reasons": {
                name: [{"dimension": s.dimension, "why": s.why} for s in merged(answer)]
                for name, answer in self.parts.items()
                if name in ("qk", "vo", "block")
            },
            "changes": [
                {
                    "change": variant.name,
                    "architecture": variant.architecture.document,
                    "qk": _written(variant.counts.qk),
                    "block": _written(variant.counts.block),
                }
                for variant in self.variants[1:]
            ],
            "notes": list(self.notes),
            "certificate": certificate,
        }


def identify(config: Mapping[str, Any] | Architecture | str | Path) -> Identification:
    """Count what attention cannot see of its parameters, for an architecture.

    Args:
        config: {"d_model": .., "heads": .., ..} (the format of ``headproof identify``), a Hugging
            Face configuration (it has a "model_type"), a file or folder that holds either, or an
            `Architecture`.

    Raises:
        InputError: unknown keys, a model_type that is not known, or sizes that do not fit.

    Example:
        >>> found = identify({"d_model": 4096, "heads": 32, "kv_heads": 8, "rope": "distinct"})
        >>> found.counts.qk.count.unidentified, found.counts.qk.count.ratio
        (1024, Fraction(1, 20480))
    """
    if isinstance(config, Architecture):
        return _identified(Reading("configuration", config))
    if isinstance(config, str | Path):
        file = Path(config) / "config.json" if Path(config).is_dir() else Path(config)
        return identify_document(_loaded(file), str(file))
    return identify_document(config, "config")


def identify_document(document: Any, where: str) -> Identification:
    """Identify what a JSON object describes, in either format.

    Args:
        document: the object.
        where: for messages.

    Raises:
        InputError: it is neither a Hugging Face configuration nor an architecture.
    """
    if not isinstance(document, Mapping):
        raise InputError("an object", type(document).__name__, where=where)
    if "model_type" in document or "num_attention_heads" in document:
        reading = read_configuration(document, where)
    else:
        reading = Reading("configuration", parse(document))
    return _identified(reading)


def _identified(reading: Reading) -> Identification:
    a, notes = reading.architecture, reading.notes
    if a.mla is not None:
        notes = (*notes, LATENT)
    return Identification(reading.name, a, variants(a), notes)


def merged(answer: Answer) -> tuple[Source, ...]:
    """The sources with the same reason as one, the largest first."""
    total: dict[str, int] = {}
    for source in answer.sources:
        total[source.why] = total.get(source.why, 0) + source.dimension
    ordered = sorted(total.items(), key=lambda item: -item[1])
    return tuple(Source(dimension, why) for why, dimension in ordered)


def _loaded(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise InputError("a file that can be read", str(error.strerror), where=str(file)) from None
    except (ValueError, RecursionError) as error:
        raise InputError("JSON", str(error), where=str(file)) from None


def _written(answer: Answer) -> dict[str, Json]:
    if answer.count is None:
        return {"unidentified": None, "total": None, "ratio": None, "reason": answer.reason}
    ratio: Fraction = answer.count.ratio
    return {
        "unidentified": answer.count.unidentified,
        "total": answer.count.total,
        "ratio": ratio.numerator if ratio.denominator == 1 else str(ratio),
    }
