"""Trained checkpoints: their attention weights, and their heads on a text."""

from .architecture import Architecture
from .checkpoint import Checkpoint, from_module, from_state_dict, open_checkpoint, open_weights
from .failure import CheckpointError
from .layout import ROLES, Role
from .text import (
    PACKAGE,
    TEXT,
    HeadInput,
    default_model_dir,
    exact,
    exact_head,
    exact_head_between,
    real_heads,
)

__all__ = [
    "PACKAGE",
    "ROLES",
    "TEXT",
    "Architecture",
    "Checkpoint",
    "CheckpointError",
    "HeadInput",
    "Role",
    "default_model_dir",
    "exact",
    "exact_head",
    "exact_head_between",
    "from_module",
    "from_state_dict",
    "open_checkpoint",
    "open_weights",
    "real_heads",
]
