"""Topic recovery: every head from value queries (claims E1 to E7)."""

from .algorithm import CLAIM as ALGORITHM
from .baselines import CLAIM as BASELINES
from .conditioning import CLAIM as CONDITIONING
from .equivalence import CLAIM as EQUIVALENCE
from .feed_forward import CLAIM as FEED_FORWARD
from .identity import CLAIM as IDENTITY
from .uniqueness import CLAIM as UNIQUENESS

CLAIMS = (IDENTITY, UNIQUENESS, ALGORITHM, CONDITIONING, FEED_FORWARD, BASELINES, EQUIVALENCE)
