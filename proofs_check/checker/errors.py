"""The two ways in which a certificate fails, and how its numbers are shown in messages."""

from __future__ import annotations

from fractions import Fraction


class Rejected(Exception):
    """The certificate can be read and does not prove its statement."""


class Unreadable(Exception):
    """No certificate of this format, malformed, or larger than the limits."""


_SHOWN = 60


def show(value: object) -> str:
    """A value from a certificate, short and printable, whatever it is."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, (int, Fraction)):
        bits = max(abs(value.numerator), value.denominator).bit_length()
        return str(value) if bits < 4 * _SHOWN else f"a number of {bits} bits"
    if isinstance(value, str):
        text = ascii(value[:_SHOWN])
        return text if len(value) <= _SHOWN else f"{text[:-1]}...'"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    return type(value).__name__
