"""Topic attention_only: decoders without feed-forward layers (claims D1 to D6)."""

from .accounting import CLAIM as ACCOUNTING
from .matching import CLAIM as MATCHING

CLAIMS = (ACCOUNTING, MATCHING)
