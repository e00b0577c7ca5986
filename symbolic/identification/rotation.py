"""Rotations by rational angles, modulo the prime of `modular.tangent`."""

from __future__ import annotations

import numpy as np

from ..errors import InputError
from ..modular.tangent import PRIME, Residues
from .architecture import Architecture

TRIPLES = ((3, 4, 5), (5, 12, 13), (8, 15, 17), (20, 21, 29), (12, 35, 37), (9, 40, 41))
"""The hypotenuses are different primes, so no two of the angles are related."""


def rotation(a: Architecture, distance: int) -> Residues:
    """The rotation of a head at a distance, modulo the prime, one angle a plane.

    Raises:
        InputError: more planes than there are angles.
    """
    found = np.eye(a.head_dim, dtype=np.int64)
    start = a.head_dim - a.rotary_dim if a.mla is not None else 0
    for plane in range(a.rotary_dim // 2):
        place = 0 if a.rope == "equal" else plane
        if place >= len(TRIPLES):
            raise InputError(f"at most {len(TRIPLES)} frequencies", str(a.rotary_dim // 2))
        x, y, z = TRIPLES[place]
        inverse = pow(z, -1, PRIME)
        turn = np.array([[x, -y], [y, x]], dtype=np.int64) * inverse % PRIME
        whole = np.eye(2, dtype=np.int64)
        for _ in range(distance):
            whole = whole @ turn % PRIME
        at = slice(start + 2 * plane, start + 2 * plane + 2)
        found[at, at] = whole
    return found
