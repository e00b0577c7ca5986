"""Topic equivariance: finite groups that permute the heads of attention (claims T1a to T1d)."""

from .hidden import CLAIM as HIDDEN
from .permutation import CLAIM as PERMUTATION
from .price import CLAIM as PRICE
from .strata import CLAIM as STRATA

CLAIMS = (PERMUTATION, STRATA, HIDDEN, PRICE)
