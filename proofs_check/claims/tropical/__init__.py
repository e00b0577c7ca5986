"""Topic tropical: attention at zero temperature (claims A1 to A6)."""

from .cells import CLAIM as CELLS
from .dequantisation import CLAIM as DEQUANTISATION
from .overlay import CLAIM as OVERLAY
from .power_diagram import CLAIM as POWER_DIAGRAM
from .rational_map import CLAIM as RATIONAL_MAP
from .routing_limit import CLAIM as ROUTING_LIMIT

CLAIMS = (DEQUANTISATION, POWER_DIAGRAM, ROUTING_LIMIT, RATIONAL_MAP, CELLS, OVERLAY)
