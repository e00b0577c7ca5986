"""The key of a claim: one digest of all that its result depends on.

A result is used again, from the cache or an interrupted run, only under the same key. Sources are
digested as a whole (see `sources`); what they do not settle is which functions a claim declares,
since another registry may give the same id to another claim.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import partial

from ..claim import Claim, Producer, Profile
from ..deferred import Deferred
from ..evidence import Json
from . import sources


def key(
    claim: Claim,
    *,
    profile: Profile,
    seed: int,
    source: str,
    versions: Mapping[str, Json],
    components: Mapping[str, Json],
) -> str:
    """The digest of all that a claim's result depends on, in hexadecimal.

    Args:
        claim: as declared.
        profile: how much work is done.
        seed: of the run.
        source: digest of the package.
        versions: of the libraries.
        components: those found, with their versions.
    """
    parts: Mapping[str, Json] = {
        "claim": claim.id,
        "producers": [_declared(producer) for producer in claim.producers],
        "profile": profile.value,
        "seed": seed,
        "source": source,
        "outside": sources.outside_digest(claim),
        "versions": versions,
        "components": components,
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _declared(producer: Producer) -> list[Json]:
    """What a producer is called and which function it calls, with the arguments bound to it."""
    function, bound = producer.produce, []
    while isinstance(function, partial):
        bound.append(repr((function.args, sorted(function.keywords.items()))))
        function = function.func
    if isinstance(function, Deferred):
        named = [function.module, function.function]
    else:
        named = [getattr(function, "__module__", ""), getattr(function, "__qualname__", "")]
    return [producer.name, producer.statement, producer.kind.value, *named, bound]
