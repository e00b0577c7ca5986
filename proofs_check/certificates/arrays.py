"""Numbers and arrays of numbers as the JSON of certificates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ...symbolic.rational import write
from ..evidence import Json

Array: TypeAlias = Any
"""A rational, or sequences of them nested to one depth."""


def write_array(value: Array) -> Json:
    """A number or nested sequences of numbers as JSON.

    Raises:
        InputError: an entry is no exact rational.

    Example:
        >>> from fractions import Fraction
        >>> write_array([(1, Fraction(1, 2)), (0, 0)])
        [[1, '1/2'], [0, 0]]
    """
    if isinstance(value, (list, tuple)):
        return [write_array(entry) for entry in value]
    return write(value)


def write_instance(instance: Mapping[str, Array]) -> dict[str, Json]:
    """Numbers and arrays by name as JSON.

    Raises:
        InputError: an entry is no exact rational.

    Example:
        >>> write_instance({"tau": 2, "s": [0, 1]})
        {'tau': 2, 's': [0, 1]}
    """
    return {name: write_array(value) for name, value in instance.items()}
