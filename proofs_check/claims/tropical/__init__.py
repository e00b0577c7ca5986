"""Topic tropical: attention at zero temperature (claims A1 to A12)."""

from .cells import CLAIM as CELLS
from .depth import CLAIM as DEPTH
from .dequantisation import CLAIM as DEQUANTISATION
from .derivative_stability import CLAIM as DERIVATIVE_STABILITY
from .maximum import CLAIM as MAXIMUM
from .overlay import CLAIM as OVERLAY
from .power_diagram import CLAIM as POWER_DIAGRAM
from .rational_map import CLAIM as RATIONAL_MAP
from .routing_limit import CLAIM as ROUTING_LIMIT
from .stability_scope import CLAIM as STABILITY_SCOPE
from .unbiased_maximum import CLAIM as UNBIASED_MAXIMUM
from .value_stability import CLAIM as VALUE_STABILITY

CLAIMS = (
    DEQUANTISATION,
    POWER_DIAGRAM,
    ROUTING_LIMIT,
    RATIONAL_MAP,
    CELLS,
    OVERLAY,
    MAXIMUM,
    UNBIASED_MAXIMUM,
    DEPTH,
    VALUE_STABILITY,
    DERIVATIVE_STABILITY,
    STABILITY_SCOPE,
)
