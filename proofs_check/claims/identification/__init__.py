"""Topic identification: which parameters the function cannot see (claim C3)."""

from .biases import CLAIM as BIASES

CLAIMS = (BIASES,)
