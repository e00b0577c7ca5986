"""Hypothesis profiles: the same cases in every run, no database, no deadline."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=50,
    derandomize=True,
    database=None,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "thorough", parent=settings.get_profile("quick"), max_examples=2000, derandomize=False
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
