"""The rules of derivations: decision procedures, each with its soundness in its docstring.

Nothing outside this table can decide a step.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from .derivative import DERIVATIVE
from .equality import NORMAL_FORM
from .induction import INDUCTION
from .judgement import Judgement, Refused, Rule
from .limit import LIMIT, SQUEEZE
from .logic import ANOTHER_INDEX, CONSEQUENCE, GENERALISATION, INSTANCE, ZERO_PRODUCT
from .monotone import MONOTONE
from .order import COMBINATION, RESCALING, SIGN
from .summation import EMPTY_SUM, TERMWISE, VANISHING_SUM, VANISHING_TERMS, WEIGHTED_MEAN
from .tangent import TANGENT

RULES: Mapping[str, Rule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            NORMAL_FORM,
            SIGN,
            COMBINATION,
            RESCALING,
            MONOTONE,
            TANGENT,
            TERMWISE,
            VANISHING_SUM,
            EMPTY_SUM,
            VANISHING_TERMS,
            WEIGHTED_MEAN,
            INSTANCE,
            GENERALISATION,
            CONSEQUENCE,
            ZERO_PRODUCT,
            ANOTHER_INDEX,
            LIMIT,
            SQUEEZE,
            DERIVATIVE,
            INDUCTION,
        )
    }
)
"""Every rule by name."""

__all__ = ["RULES", "Judgement", "Refused", "Rule"]
