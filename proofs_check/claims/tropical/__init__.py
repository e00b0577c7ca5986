"""Topic tropical: attention at zero temperature (claims A1 to A9)."""

from .cells import CLAIM as CELLS
from .depth import CLAIM as DEPTH
from .dequantisation import CLAIM as DEQUANTISATION
from .maximum import CLAIM as MAXIMUM
from .overlay import CLAIM as OVERLAY
from .power_diagram import CLAIM as POWER_DIAGRAM
from .rational_map import CLAIM as RATIONAL_MAP
from .routing_limit import CLAIM as ROUTING_LIMIT
from .unbiased_maximum import CLAIM as UNBIASED_MAXIMUM

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
)
