"""The theory applied to a user's model: what ``headproof inspect`` and ``diversity`` tell."""

from .diversity import Diversity, head_diversity
from .inspection import Inspection, inspect_checkpoint

__all__ = ["Diversity", "Inspection", "head_diversity", "inspect_checkpoint"]
