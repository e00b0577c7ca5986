"""Topic order: incremental learning on high-order Markov chains, and what heads look for.

Claims G1 to G5, and T3a to T3c on trained heads of this topic and of topic hierarchy.
"""

from .certified_routing import CLAIM as CERTIFIED_ROUTING
from .competition import CLAIM as COMPETITION
from .early_stopping import CLAIM as EARLY_STOPPING
from .misspecified import CLAIM as MISSPECIFIED
from .read_off import CLAIM as READ_OFF
from .skeleton import CLAIM as SKELETON
from .stages import CLAIM as STAGES
from .surrogate import CLAIM as SURROGATE

CLAIMS = (
    MISSPECIFIED,
    SURROGATE,
    STAGES,
    COMPETITION,
    EARLY_STOPPING,
    SKELETON,
    READ_OFF,
    CERTIFIED_ROUTING,
)
