"""Trained evidence for equivariant attention: the experiment ``equivariance`` and its criteria."""

from __future__ import annotations

from ...claim import Context
from ...claims.equivariance import criteria
from ...evidence import Outcome
from ...training.evidence import trained

NAME = "equivariance"


def own(context: Context) -> Outcome:
    """The own type fits."""
    return trained(context, NAME, criteria.OWN)


def other(context: Context) -> Outcome:
    """The other type stays above its floor."""
    return trained(context, NAME, criteria.OTHER)


def many(context: Context) -> Outcome:
    """Many fixed heads fit a free orbit: false on purpose."""
    return trained(context, NAME, criteria.MANY)


def covering(context: Context) -> Outcome:
    """The covering type fits both witnesses."""
    return trained(context, NAME, criteria.COVERING)
