"""Claims D3 to D6: each producer holds one criterion against the experiment ``attention-only``."""

from __future__ import annotations

from ...claim import Context
from ...claims.attention_only import criteria
from ...claims.attention_only.published import FIGURES
from ...evidence import Inconclusive, Outcome
from ...training.evidence import trained

NAME = "attention-only"


def published(context: Context) -> Outcome:
    """A figure of the paper: only its own scale could settle it.

    Raises:
        Inconclusive: always, with the command.
    """
    raise Inconclusive(FIGURES[context.statement].why_not_run)


def ordering(context: Context) -> Outcome:
    """In place, FLOPs, parameters."""
    return trained(context, NAME, criteria.ORDERING)


def closes(context: Context) -> Outcome:
    """Depth closes half of the gap."""
    return trained(context, NAME, criteria.CLOSES)


def costs(context: Context) -> Outcome:
    """Deletion in place costs."""
    return trained(context, NAME, criteria.COSTS)


def plain(context: Context) -> Outcome:
    """Without QK-norm."""
    return trained(context, NAME, criteria.PLAIN)


def free(context: Context) -> Outcome:
    """Deletion is free: false."""
    return trained(context, NAME, criteria.FREE)


def parametric(context: Context) -> Outcome:
    """Facts and pairs."""
    return trained(context, NAME, criteria.PARAMETRIC)


def grounded(context: Context) -> Outcome:
    """Symbols grounded in context, symbols recalled."""
    return trained(context, NAME, criteria.GROUNDED)


def low_context(context: Context) -> Outcome:
    """The gap by context."""
    return trained(context, NAME, criteria.LOW_CONTEXT)


def context_lost(context: Context) -> Outcome:
    """Pairs are lost: false."""
    return trained(context, NAME, criteria.CONTEXT_LOST)


def settles(context: Context) -> Outcome:
    """QK first."""
    return trained(context, NAME, criteria.SETTLES)


def relocates(context: Context) -> Outcome:
    """Rank goes to W_O."""
    return trained(context, NAME, criteria.RELOCATES)


def content_rank(context: Context) -> Outcome:
    """Content accumulates rank."""
    return trained(context, NAME, criteria.CONTENT_RANK)


def routing_rank(context: Context) -> Outcome:
    """Routing has the larger rank: false."""
    return trained(context, NAME, criteria.ROUTING_RANK)


def needs_norm(context: Context) -> Outcome:
    """Without QK-norm it does not learn."""
    return trained(context, NAME, criteria.NEEDS_NORM)


def all_learn(context: Context) -> Outcome:
    """Every arm learns."""
    return trained(context, NAME, criteria.ALL_LEARN)


def tolerates(context: Context) -> Outcome:
    """QK-norm tolerates a large learning rate."""
    return trained(context, NAME, criteria.TOLERATES)


def none_learns(context: Context) -> Outcome:
    """With feed-forward layers it does not learn: false."""
    return trained(context, NAME, criteria.NONE_LEARNS)
