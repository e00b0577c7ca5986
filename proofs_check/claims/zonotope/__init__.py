"""Topic zonotope: matrix zonotopic attention (claims T2a to T2f)."""

from .containment import CLAIM as CONTAINMENT
from .equivariance import CLAIM as EQUIVARIANCE
from .identification import CLAIM as IDENTIFICATION
from .saturation import CLAIM as SATURATION
from .separation import CLAIM as SEPARATION

CLAIMS = (EQUIVARIANCE, CONTAINMENT, SATURATION, SEPARATION, IDENTIFICATION)
