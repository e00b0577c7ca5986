"""Topic recovery: every head from value queries (claims E1 to E7)."""

from .algorithm import CLAIM as ALGORITHM
from .equivalence import CLAIM as EQUIVALENCE
from .identity import CLAIM as IDENTITY
from .uniqueness import CLAIM as UNIQUENESS

CLAIMS = (IDENTITY, UNIQUENESS, ALGORITHM, EQUIVALENCE)
