"""headproof: the mathematics of transformer attention, stated, settled and certified.

The names below are the public interface. They are loaded when they are first used:
``import headproof`` loads neither torch nor sympy. docs/api.md documents each of them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from headproof.oracle.ball import BallOracle
    from headproof.oracle.exact import ExactOracle
    from headproof.oracle.floats import FloatOracle
    from headproof.oracle.model import Head, head
    from headproof.oracle.protocol import Oracle
    from headproof.oracle.recovery.recover import recover
    from headproof.oracle.recovery.recovery import Recovery
    from headproof.proofs_check.api import CheckReport, check, verify
    from headproof.proofs_check.claim import (
        Claim,
        Context,
        Expectation,
        Paper,
        Producer,
        Profile,
        Role,
        Statement,
    )
    from headproof.proofs_check.cluster.connection import cluster
    from headproof.proofs_check.evidence import Finding, Kind, Outcome
    from headproof.proofs_check.identification import Identification, identify
    from headproof.proofs_check.inspection import head_diversity, inspect_checkpoint
    from headproof.proofs_check.inspection.diversity import Diversity
    from headproof.proofs_check.inspection.inspection import Inspection
    from headproof.proofs_check.matching import match
    from headproof.proofs_check.matching.matching import Report as MatchReport
    from headproof.proofs_check.plotting import plot
    from headproof.proofs_check.registry import Registry
    from headproof.proofs_check.registry import build as build_registry
    from headproof.proofs_check.registry import load as load_registry
    from headproof.proofs_check.report.page import render as write_report
    from headproof.proofs_check.runner.run import Run
    from headproof.proofs_check.training.run import Training, train
    from headproof.proofs_check.verdict import Verdict
    from headproof.symbolic.catalogue import derivations as derive
    from headproof.symbolic.catalogue import render as render_derivation
    from headproof.symbolic.cones.hull import Hull, convex_hull, upper_hull
    from headproof.symbolic.derivations.derivation import Derivation
    from headproof.symbolic.ensemble.allocation import Allocation, head_budget
    from headproof.symbolic.equivariance.symmetry import Symmetry, symmetry
    from headproof.symbolic.errors import (
        CertificateInvalid,
        Degenerate,
        DerivationFailed,
        HeadproofError,
        InputError,
        LimitReached,
        NotInClass,
        PrecisionExhausted,
    )
    from headproof.symbolic.minkowski.minkowski_sum import MinkowskiSum, minkowski_sum
    from headproof.symbolic.minkowski.overlay import Overlay, overlay
    from headproof.symbolic.regions.linear_regions import RegionTree, linear_regions
    from headproof.symbolic.tropical.polynomial import TropicalPolynomial, polynomial
    from headproof.symbolic.tropical.stability import Stability, stability
    from headproof.symbolic.tropical.temperatures import Temperatures, largest_temperature

__version__ = "0.1.0"

_HOMES = {
    "Allocation": "headproof.symbolic.ensemble.allocation",
    "BallOracle": "headproof.oracle.ball",
    "build_registry": "headproof.proofs_check.registry:build",
    "CertificateInvalid": "headproof.symbolic.errors",
    "check": "headproof.proofs_check.api",
    "CheckReport": "headproof.proofs_check.api",
    "Claim": "headproof.proofs_check.claim",
    "cluster": "headproof.proofs_check.cluster.connection",
    "Context": "headproof.proofs_check.claim",
    "convex_hull": "headproof.symbolic.cones.hull",
    "Degenerate": "headproof.symbolic.errors",
    "Derivation": "headproof.symbolic.derivations.derivation",
    "DerivationFailed": "headproof.symbolic.errors",
    "derive": "headproof.symbolic.catalogue:derivations",
    "Diversity": "headproof.proofs_check.inspection.diversity",
    "ExactOracle": "headproof.oracle.exact",
    "Expectation": "headproof.proofs_check.claim",
    "Finding": "headproof.proofs_check.evidence",
    "FloatOracle": "headproof.oracle.floats",
    "Head": "headproof.oracle.model",
    "head": "headproof.oracle.model",
    "head_budget": "headproof.symbolic.ensemble.allocation",
    "head_diversity": "headproof.proofs_check.inspection",
    "HeadproofError": "headproof.symbolic.errors",
    "Hull": "headproof.symbolic.cones.hull",
    "Identification": "headproof.proofs_check.identification",
    "identify": "headproof.proofs_check.identification",
    "InputError": "headproof.symbolic.errors",
    "inspect_checkpoint": "headproof.proofs_check.inspection",
    "Inspection": "headproof.proofs_check.inspection.inspection",
    "Kind": "headproof.proofs_check.evidence",
    "largest_temperature": "headproof.symbolic.tropical.temperatures",
    "LimitReached": "headproof.symbolic.errors",
    "linear_regions": "headproof.symbolic.regions.linear_regions",
    "load_registry": "headproof.proofs_check.registry:load",
    "match": "headproof.proofs_check.matching",
    "MatchReport": "headproof.proofs_check.matching.matching:Report",
    "minkowski_sum": "headproof.symbolic.minkowski.minkowski_sum",
    "MinkowskiSum": "headproof.symbolic.minkowski.minkowski_sum",
    "NotInClass": "headproof.symbolic.errors",
    "Oracle": "headproof.oracle.protocol",
    "Outcome": "headproof.proofs_check.evidence",
    "Overlay": "headproof.symbolic.minkowski.overlay",
    "overlay": "headproof.symbolic.minkowski.overlay",
    "Paper": "headproof.proofs_check.claim",
    "plot": "headproof.proofs_check.plotting",
    "polynomial": "headproof.symbolic.tropical.polynomial",
    "PrecisionExhausted": "headproof.symbolic.errors",
    "Producer": "headproof.proofs_check.claim",
    "Profile": "headproof.proofs_check.claim",
    "recover": "headproof.oracle.recovery.recover",
    "Recovery": "headproof.oracle.recovery.recovery",
    "RegionTree": "headproof.symbolic.regions.linear_regions",
    "Registry": "headproof.proofs_check.registry",
    "render_derivation": "headproof.symbolic.catalogue:render",
    "Role": "headproof.proofs_check.claim",
    "Run": "headproof.proofs_check.runner.run",
    "Stability": "headproof.symbolic.tropical.stability",
    "stability": "headproof.symbolic.tropical.stability",
    "Statement": "headproof.proofs_check.claim",
    "Symmetry": "headproof.symbolic.equivariance.symmetry",
    "symmetry": "headproof.symbolic.equivariance.symmetry",
    "Temperatures": "headproof.symbolic.tropical.temperatures",
    "train": "headproof.proofs_check.training.run",
    "Training": "headproof.proofs_check.training.run",
    "TropicalPolynomial": "headproof.symbolic.tropical.polynomial",
    "upper_hull": "headproof.symbolic.cones.hull",
    "Verdict": "headproof.proofs_check.verdict",
    "verify": "headproof.proofs_check.api",
    "write_report": "headproof.proofs_check.report.page:render",
}
"""Name -> module, or ``module:name`` where the module calls it otherwise."""

__all__ = [
    "Allocation",
    "BallOracle",
    "CertificateInvalid",
    "CheckReport",
    "Claim",
    "Context",
    "Degenerate",
    "Derivation",
    "DerivationFailed",
    "Diversity",
    "ExactOracle",
    "Expectation",
    "Finding",
    "FloatOracle",
    "Head",
    "HeadproofError",
    "Hull",
    "Identification",
    "InputError",
    "Inspection",
    "Kind",
    "LimitReached",
    "MatchReport",
    "MinkowskiSum",
    "NotInClass",
    "Oracle",
    "Outcome",
    "Overlay",
    "Paper",
    "PrecisionExhausted",
    "Producer",
    "Profile",
    "Recovery",
    "RegionTree",
    "Registry",
    "Role",
    "Run",
    "Stability",
    "Statement",
    "Symmetry",
    "Temperatures",
    "Training",
    "TropicalPolynomial",
    "Verdict",
    "__version__",
    "build_registry",
    "check",
    "cluster",
    "convex_hull",
    "derive",
    "head",
    "head_budget",
    "head_diversity",
    "identify",
    "inspect_checkpoint",
    "largest_temperature",
    "linear_regions",
    "load_registry",
    "match",
    "minkowski_sum",
    "overlay",
    "plot",
    "polynomial",
    "recover",
    "render_derivation",
    "stability",
    "symmetry",
    "train",
    "upper_hull",
    "verify",
    "write_report",
]


def __getattr__(name: str) -> Any:
    """Load an exported name on first use (PEP 562)."""
    if name not in _HOMES:
        raise AttributeError(f"module 'headproof' has no attribute {name!r}")
    module, _, there = _HOMES[name].partition(":")
    value = getattr(import_module(module), there or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The exported names."""
    return sorted(__all__)
