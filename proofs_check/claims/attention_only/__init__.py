"""Topic attention_only: decoders without feed-forward layers (claims D1 to D6)."""

from .accounting import CLAIM as ACCOUNTING
from .depth import CLAIM as DEPTH
from .matching import CLAIM as MATCHING
from .recall import CLAIM as RECALL
from .spectra import CLAIM as SPECTRA
from .training import CLAIM as TRAINING

CLAIMS = (ACCOUNTING, MATCHING, TRAINING, RECALL, SPECTRA, DEPTH)
