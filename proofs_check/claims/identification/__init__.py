"""Topic identification: which parameters the function cannot see (claims C1 to C7)."""

from .architectures import CLAIM as ARCHITECTURES
from .biases import CLAIM as BIASES
from .block import CLAIM as BLOCK
from .gradient import CLAIM as GRADIENT
from .never_identified import CLAIM as NEVER_IDENTIFIED
from .query_key import CLAIM as QUERY_KEY
from .rebalancing import CLAIM as REBALANCING

CLAIMS = (QUERY_KEY, NEVER_IDENTIFIED, BIASES, BLOCK, ARCHITECTURES, GRADIENT, REBALANCING)
