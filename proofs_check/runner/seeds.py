"""Seeds: every producer draws from a stream of its own.

The seed depends on the run's seed and on two names only, never on the order in which claims run or
on the process that runs them: that is what makes ``--jobs 8`` give the bits of ``--jobs 1``, and
what lets one claim be repeated alone. SHA-256 keeps streams of neighbouring seeds unrelated.
"""

from __future__ import annotations

import hashlib
import json


def producer_seed(run_seed: int, claim: str, producer: str) -> int:
    """The seed of one producer, an integer below 2^63.

    Args:
        run_seed: of the whole run.
        claim: the claim's id.
        producer: the producer's name.

    Example:
        >>> producer_seed(0, "tropical.cells", "search") == producer_seed(0, "tropical.cells", "s")
        False
    """
    text = json.dumps([run_seed, claim, producer])  # a list: no two triples share a text
    digest = hashlib.sha256(text.encode()).digest()
    return int.from_bytes(digest[:8], "big") >> 1  # 63 bits: torch and numpy both take it
