"""Claims F3 to F7, T3a, T3b: each producer holds one criterion against the experiment."""

from __future__ import annotations

from ...claim import Context
from ...claims.hierarchy import criteria, head_criteria
from ...evidence import Outcome
from ...training.evidence import trained

NAME = "hierarchy"


def learns(context: Context) -> Outcome:
    """Closing brackets at every distance."""
    return trained(context, NAME, criteria.LEARNS)


def forgets(context: Context) -> Outcome:
    """Long distances are lost: false."""
    return trained(context, NAME, criteria.FORGETS)


def decodes(context: Context) -> Outcome:
    """Probes and random labels."""
    return trained(context, NAME, criteria.DECODES)


def selective(context: Context) -> Outcome:
    """Probes against an untrained model."""
    return trained(context, NAME, criteria.SELECTIVE)


def distance(context: Context) -> Outcome:
    """Distance is learnt: false."""
    return trained(context, NAME, criteria.DISTANCE)


def contrast(context: Context) -> Outcome:
    """The published contrast."""
    return trained(context, NAME, criteria.CONTRAST)


def same_type(context: Context) -> Outcome:
    """Another bracket of the same type."""
    return trained(context, NAME, criteria.SAME_TYPE)


def specific(context: Context) -> Outcome:
    """The mask in all layers is specific: false."""
    return trained(context, NAME, criteria.SPECIFIC)


def last_layer(context: Context) -> Outcome:
    """The last layer alone."""
    return trained(context, NAME, criteria.LAST_LAYER)


def spared(context: Context) -> Outcome:
    """Another bracket of the same type in the last layer."""
    return trained(context, NAME, criteria.SPARED)


def empty_ablation(context: Context) -> Outcome:
    """What is left after the ablation."""
    return trained(context, NAME, criteria.EMPTY_ABLATION)


def as_random(context: Context) -> Outcome:
    """Many directions of depth against random ones."""
    return trained(context, NAME, criteria.AS_RANDOM)


def in_sentences(context: Context) -> Outcome:
    """The contrast in sentences."""
    return trained(context, NAME, criteria.IN_SENTENCES)


def subject(context: Context) -> Outcome:
    """Other subjects in sentences."""
    return trained(context, NAME, criteria.SUBJECT)


def any_subject(context: Context) -> Outcome:
    """Any subject will do: false."""
    return trained(context, NAME, criteria.ANY_SUBJECT)


def looks(context: Context) -> Outcome:
    """The head of the small model."""
    return trained(context, NAME, head_criteria.LOOKS)


def chain_skeleton(context: Context) -> Outcome:
    """Chains at temperature 0."""
    return trained(context, NAME, head_criteria.CHAIN_SKELETON)


def dyck_skeleton(context: Context) -> Outcome:
    """Dyck words at temperature 0."""
    return trained(context, NAME, head_criteria.DYCK_SKELETON)


def whole_skeleton(context: Context) -> Outcome:
    """All heads at temperature 0: false."""
    return trained(context, NAME, head_criteria.WHOLE_SKELETON)


def undecayed_skeleton(context: Context) -> Outcome:
    """Mixed heads at temperature 0."""
    return trained(context, NAME, head_criteria.UNDECAYED_SKELETON)


def lags(context: Context) -> Outcome:
    """Lags from scores."""
    return trained(context, NAME, head_criteria.LAGS)


def stack_rule(context: Context) -> Outcome:
    """The rule of the small model's head."""
    return trained(context, NAME, head_criteria.STACK_RULE)


def last_opening(context: Context) -> Outcome:
    """It looks at the last opening symbol: false."""
    return trained(context, NAME, head_criteria.LAST_OPENING)
