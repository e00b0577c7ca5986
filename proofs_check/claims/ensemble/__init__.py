"""Topic ensemble: heads as an ensemble of estimators (claims B1 to B8)."""

from .budget import CLAIM as BUDGET
from .diversity_index import CLAIM as DIVERSITY_INDEX
from .error_decomposition import CLAIM as ERROR_DECOMPOSITION
from .head_average import CLAIM as HEAD_AVERAGE
from .monotonicity import CLAIM as MONOTONICITY
from .nadaraya_watson import CLAIM as NADARAYA_WATSON
from .principal_angles import CLAIM as PRINCIPAL_ANGLES
from .real_heads import CLAIM as REAL_HEADS

CLAIMS = (
    NADARAYA_WATSON,
    HEAD_AVERAGE,
    ERROR_DECOMPOSITION,
    PRINCIPAL_ANGLES,
    DIVERSITY_INDEX,
    MONOTONICITY,
    BUDGET,
    REAL_HEADS,
)
