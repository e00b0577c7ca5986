"""Claim T2f: each producer holds one criterion against the experiment ``zonotope``."""

from __future__ import annotations

from ...claim import Context
from ...claims.zonotope import criteria
from ...evidence import Outcome
from ...training.evidence import trained

NAME = "zonotope"


def common_tasks(context: Context) -> Outcome:
    """Maximum, unique, mixture."""
    return trained(context, NAME, criteria.COMMON_TASKS)


def made_task(context: Context) -> Outcome:
    """The value map depends on the mean."""
    return trained(context, NAME, criteria.MADE)


def beyond_bias(context: Context) -> Outcome:
    """Against a set-dependent bias."""
    return trained(context, NAME, criteria.BEYOND_BIAS)


def permuted(context: Context) -> Outcome:
    """Invariance in floats."""
    return trained(context, NAME, criteria.PERMUTED)


def worse(context: Context) -> Outcome:
    """The plain model wins: false."""
    return trained(context, NAME, criteria.WORSE)
