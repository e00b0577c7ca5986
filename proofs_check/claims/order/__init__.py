"""Topic order: incremental learning on high-order Markov chains (claims G1 to G5)."""

from .competition import CLAIM as COMPETITION
from .early_stopping import CLAIM as EARLY_STOPPING
from .misspecified import CLAIM as MISSPECIFIED
from .stages import CLAIM as STAGES
from .surrogate import CLAIM as SURROGATE

CLAIMS = (MISSPECIFIED, SURROGATE, STAGES, COMPETITION, EARLY_STOPPING)
