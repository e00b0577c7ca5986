"""Topic ensemble: heads as an ensemble of estimators (claims B4, B5, B8)."""

from .diversity_index import CLAIM as DIVERSITY_INDEX
from .principal_angles import CLAIM as PRINCIPAL_ANGLES
from .real_heads import CLAIM as REAL_HEADS

CLAIMS = (PRINCIPAL_ANGLES, DIVERSITY_INDEX, REAL_HEADS)
