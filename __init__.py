"""headproof: the mathematics of transformer attention, stated, settled and certified.

The names below are loaded when they are first used: ``import headproof`` loads neither torch nor
sympy.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headproof.oracle.recovery.recover import recover
    from headproof.proofs_check.api import check, verify
    from headproof.proofs_check.identification import identify
    from headproof.proofs_check.inspection import inspect_checkpoint
    from headproof.proofs_check.matching import match
    from headproof.symbolic.ensemble.allocation import head_budget
    from headproof.symbolic.equivariance.symmetry import symmetry
    from headproof.symbolic.hull import convex_hull
    from headproof.symbolic.minkowski import minkowski_sum
    from headproof.symbolic.overlay import overlay
    from headproof.symbolic.regions import linear_regions
    from headproof.symbolic.tropical.stability import stability

__version__ = "0.1.0"

_HOMES = {
    "check": "headproof.proofs_check.api",
    "convex_hull": "headproof.symbolic.hull",
    "head_budget": "headproof.symbolic.ensemble.allocation",
    "identify": "headproof.proofs_check.identification",
    "inspect_checkpoint": "headproof.proofs_check.inspection",
    "linear_regions": "headproof.symbolic.regions",
    "match": "headproof.proofs_check.matching",
    "minkowski_sum": "headproof.symbolic.minkowski",
    "overlay": "headproof.symbolic.overlay",
    "recover": "headproof.oracle.recovery.recover",
    "symmetry": "headproof.symbolic.equivariance.symmetry",
    "stability": "headproof.symbolic.tropical.stability",
    "verify": "headproof.proofs_check.api",
}

__all__ = [
    "__version__",
    "check",
    "convex_hull",
    "head_budget",
    "identify",
    "inspect_checkpoint",
    "linear_regions",
    "match",
    "minkowski_sum",
    "overlay",
    "recover",
    "stability",
    "symmetry",
    "verify",
]


def __getattr__(name: str) -> Any:
    """Load an exported name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'headproof' has no attribute {name!r}")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The exported names."""
    return sorted(__all__)
