"""Topic tropical: attention at zero temperature (claims A1, A2, A3 and A5)."""

from .cells import CLAIM as CELLS
from .dequantisation import CLAIM as DEQUANTISATION
from .power_diagram import CLAIM as POWER_DIAGRAM
from .routing_limit import CLAIM as ROUTING_LIMIT

CLAIMS = (DEQUANTISATION, POWER_DIAGRAM, ROUTING_LIMIT, CELLS)
