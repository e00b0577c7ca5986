"""Claims G3 to G5: each producer holds one criterion against the experiment ``order``."""

from __future__ import annotations

from ...claim import Context
from ...claims.order import criteria
from ...evidence import Outcome
from ...training.evidence import trained

NAME = "order"


def plateaus(context: Context) -> Outcome:
    """The flow rests at the additive losses."""
    return trained(context, NAME, criteria.PLATEAUS)


def additive(context: Context) -> Outcome:
    """The second plateau is additive."""
    return trained(context, NAME, criteria.ADDITIVE)


def bayes(context: Context) -> Outcome:
    """The second plateau is Bayes: false."""
    return trained(context, NAME, criteria.BAYES)


def sgd(context: Context) -> Outcome:
    """SGD follows the flow."""
    return trained(context, NAME, criteria.SGD)


def importance(context: Context) -> Outcome:
    """Importance, not recency."""
    return trained(context, NAME, criteria.IMPORTANCE)


def every_start(context: Context) -> Outcome:
    """Importance without exception: false."""
    return trained(context, NAME, criteria.EVERY_START)


def heads(context: Context) -> Outcome:
    """Fewer and more heads than lags."""
    return trained(context, NAME, criteria.HEADS)


def entropy(context: Context) -> Outcome:
    """Cross-entropy and Adam."""
    return trained(context, NAME, criteria.ENTROPY)


def competition(context: Context) -> Outcome:
    """Competition, then cooperation."""
    return trained(context, NAME, criteria.COMPETITION)


def undecayed(context: Context) -> Outcome:
    """Without decay the heads stay mixed."""
    return trained(context, NAME, criteria.UNDECAYED)


def specialised(context: Context) -> Outcome:
    """Without decay the heads specialise: false."""
    return trained(context, NAME, criteria.SPECIALISED)


def equal_rates(context: Context) -> Outcome:
    """Slow scores blur the first plateau."""
    return trained(context, NAME, criteria.EQUAL_RATES)


def stopping(context: Context) -> Outcome:
    """Few samples: an intermediate stage is best."""
    return trained(context, NAME, criteria.STOPPING)


def enough(context: Context) -> Outcome:
    """Many samples: stopping early gains nothing."""
    return trained(context, NAME, criteria.ENOUGH)


def harmless(context: Context) -> Outcome:
    """Few samples and training on: false."""
    return trained(context, NAME, criteria.HARMLESS)
