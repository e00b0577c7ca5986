"""Topic identification: which parameters the function cannot see (claims C3, C6, C7)."""

from .biases import CLAIM as BIASES
from .gradient import CLAIM as GRADIENT
from .rebalancing import CLAIM as REBALANCING

CLAIMS = (BIASES, GRADIENT, REBALANCING)
