"""Topic zonotope: matrix zonotopic attention (claims T2a to T2f)."""

from .containment import CLAIM as CONTAINMENT
from .equivariance import CLAIM as EQUIVARIANCE
from .identification import CLAIM as IDENTIFICATION
from .saturation import CLAIM as SATURATION
from .separation import CLAIM as SEPARATION
from .training import CLAIM as TRAINING

CLAIMS = (EQUIVARIANCE, CONTAINMENT, SATURATION, SEPARATION, IDENTIFICATION, TRAINING)
