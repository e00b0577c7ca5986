"""Matched decoders of a configuration, with their certificate, document and table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ...symbolic.attention_only.accounting import Scores
from ...symbolic.attention_only.decoder import Decoder, parse
from ...symbolic.attention_only.matching import Counted, Match, Matching, Vary
from ...symbolic.attention_only.matching import match as match_decoder
from ...symbolic.display import preformatted
from ...symbolic.rational import write
from ..evidence import Json
from .hugging_face import read_decoder


@dataclass(frozen=True)
class Report:
    """A matching with what is said beside it.

    Args:
        name: the model_type, or "decoder".
        matching: as found.
        notes: what the costs leave out.
    """

    name: str
    matching: Matching
    notes: tuple[str, ...] = ()

    def _repr_html_(self) -> str:
        """What the command line tells, as a notebook shows it."""
        from .lines import matching_lines

        return preformatted(matching_lines(self))

    def certificate(self, claim: str = "") -> dict[str, Json]:
        """The certificate that nothing in the family is closer."""
        from ..certificates.matching import certificate

        return certificate(claim, self.matching)

    def document(self, *, certificate: str | None = None) -> dict[str, Json]:
        """As JSON has it."""
        m = self.matching
        return {
            "name": self.name,
            "tokens": m.tokens,
            "scores": m.scores,
            "vary": m.vary,
            "standard": _counted(m.standard),
            "depth": {
                **_counted(m.in_place),
                "residual": {
                    "parameters": write(_share(m.in_place.parameters, m.standard.parameters)),
                    "operations": write(_share(m.in_place.operations, m.standard.operations)),
                },
            },
            **{match.by: _match(match) for match in m.matches},
            "notes": list(self.notes),
            "certificate": certificate,
        }


def match(
    config: Mapping[str, Any] | Decoder,
    *,
    tokens: int | None = None,
    scores: Scores = "causal",
    vary: Vary = "depth",
    where: str = "config",
) -> Report:
    """Find the attention-only decoders that match a standard one.

    Args:
        config: a decoder; or an object with the names of `Decoder` as keys, or that of a Hugging
            Face config.json.
        tokens: length of a sequence, for the operations; the context by default.
        scores: ``causal`` counts the scores that are not masked, ``dense`` all of them.
        vary: free is the ``depth``, the ``width``, or ``both``.
        where: for messages.

    Raises:
        InputError: a configuration that is not read, or a decoder without feed-forward layers.

    Example:
        >>> found = match({"d_model": 64, "layers": 4, "heads": 4, "ffn": 256,
        ...                "vocabulary": 96, "context": 128})
        >>> found.matching.match("parameters").members
        ((4, 12),)
    """
    notes: tuple[str, ...] = ()
    name = "decoder"
    if isinstance(config, Decoder):
        made = config
    elif "model_type" in config:
        made, notes = read_decoder(config, where)
        name = str(config["model_type"])
    else:
        made = parse(config, where)
    return Report(name, match_decoder(made, tokens=tokens, scores=scores, vary=vary), notes)


def _counted(counted: Counted) -> dict[str, Json]:
    c = counted.decoder
    return {
        "layers": c.layers,
        "d_model": c.d_model,
        "heads": c.heads,
        "kv_heads": c.groups,
        "head_dim": c.d_k,
        "ffn": c.ffn,
        "parameters": counted.parameters,
        "operations": counted.operations,
    }


def _match(match: Match) -> dict[str, Json]:
    return {
        "target": match.target,
        "mismatch": match.mismatch,
        "decoders": [
            {**_counted(counted), "residual": write(match.residual(k))}
            for k, counted in enumerate(match.found)
        ],
    }


def _share(value: int, target: int) -> Fraction:
    return Fraction(value - target, target)
