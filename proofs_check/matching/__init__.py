"""Attention-only decoders matched with a given one: configurations, document, table."""

from .matching import Report, match

__all__ = ["Report", "match"]
