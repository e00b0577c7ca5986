"""Identification of an architecture: its counts, why, and what a change would buy."""

from .identification import Identification, identify

__all__ = ["Identification", "identify"]
