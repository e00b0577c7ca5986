"""The groups of claim equivariance.price, each with its real irreducibles and a natural action.

All real irreducibles of these groups have a rational form: those of complex type (C_3, C_4, A_4)
are rational of dimension 2, that of quaternionic type (Q_8) is rational of dimension 4. A test
compares the list with the character table (`characters`): sum n^2 / dim End = |G|.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from types import MappingProxyType

from ..errors import InputError
from .group import Group, permutation_group
from .representation import Representation, direct_sum, representation
from .subgroups import SubgroupClasses, subgroup_classes

_ROTATION_3 = ((0, -1), (1, -1))
_MIRROR_3 = ((0, 1), (1, 0))
_ROTATION_4 = ((0, -1), (1, 0))
_PLANE_MIRROR = ((1, 0), (0, -1))
_ONE, _MINUS, _UNIT = ((1,),), ((-1,),), ((1, 0), (0, 1))
_I = ((0, -1, 0, 0), (1, 0, 0, 0), (0, 0, 0, -1), (0, 0, 1, 0))
_J = ((0, 0, -1, 0), (0, 0, 0, 1), (1, 0, 0, 0), (0, -1, 0, 0))
_THIRD_TURN = ((0, 0, 1), (1, 0, 0), (0, 1, 0))
_INVERSE_TURN = ((0, 1, 0), (0, 0, 1), (1, 0, 0))
_HALF_TURN = ((-1, 0, 0), (0, -1, 0), (0, 0, 1))
_QUARTER_TURN = ((0, -1, 0), (1, 0, 0), (0, 0, 1))
_IMPROPER_TURN = ((0, 1, 0), (-1, 0, 0), (0, 0, -1))


@dataclass(frozen=True)
class Named:
    """A group with a name.

    Args:
        name: such as ``S_3``.
        group: as permutations.
        irreducibles: its real irreducibles, the trivial one first.
        natural: the action that the tables use, on queries, keys and values.
        action: the same in words.
    """

    name: str
    group: Group
    irreducibles: tuple[Representation, ...]
    natural: Representation
    action: str

    @cached_property
    def classes(self) -> SubgroupClasses:
        """Its subgroups up to conjugacy."""
        return subgroup_classes(self.group)


_LIBRARY = MappingProxyType(
    {
        "C_2": (((1, 0),), ((_ONE,), (_MINUS,)), (0, 1), "diag(1, -1) of the plane"),
        "C_3": (((1, 2, 0),), ((_ONE,), (_ROTATION_3,)), (1,), "a third turn of the plane"),
        "C_4": (
            ((1, 2, 3, 0),),
            ((_ONE,), (_MINUS,), (_ROTATION_4,)),
            (2,),
            "a quarter turn of the plane",
        ),
        "V_4": (
            ((1, 0, 2, 3), (0, 1, 3, 2)),
            ((_ONE, _ONE), (_ONE, _MINUS), (_MINUS, _ONE), (_MINUS, _MINUS)),
            (2, 1),
            "diag(+-1, +-1) of the plane",
        ),
        "S_3": (
            ((1, 2, 0), (1, 0, 2)),
            ((_ONE, _ONE), (_ONE, _MINUS), (_ROTATION_3, _MIRROR_3)),
            (2,),
            "the symmetries of a triangle",
        ),
        "D_4": (
            ((1, 2, 3, 0), (3, 2, 1, 0)),
            (
                (_ONE, _ONE),
                (_ONE, _MINUS),
                (_MINUS, _ONE),
                (_MINUS, _MINUS),
                (_ROTATION_4, _PLANE_MIRROR),
            ),
            (4,),
            "the symmetries of a square",
        ),
        "Q_8": (
            ((1, 2, 3, 0, 5, 6, 7, 4), (4, 7, 6, 5, 2, 1, 0, 3)),
            ((_ONE, _ONE), (_ONE, _MINUS), (_MINUS, _ONE), (_MINUS, _MINUS), (_I, _J)),
            (4,),
            "the quaternions by multiplication from the left",
        ),
        "A_4": (
            ((1, 2, 0, 3), (1, 0, 3, 2)),
            ((_ONE, _ONE), (_ROTATION_3, _UNIT), (_THIRD_TURN, _HALF_TURN)),
            (2,),
            "the rotations of a tetrahedron",
        ),
        "S_4": (
            ((1, 2, 3, 0), (1, 2, 0, 3)),
            (
                (_ONE, _ONE),
                (_MINUS, _ONE),
                (_MIRROR_3, _ROTATION_3),
                (_QUARTER_TURN, _INVERSE_TURN),
                (_IMPROPER_TURN, _INVERSE_TURN),
            ),
            (3,),
            "the rotations of a cube",
        ),
    }
)

NAMES = tuple(_LIBRARY)
"""The groups that `named` knows."""


@cache
def named(name: str) -> Named:
    """One of the groups C_2, C_3, C_4, V_4, S_3, D_4, Q_8, A_4, S_4.

    Raises:
        InputError: another name.

    Example:
        >>> [len(named(name).group) for name in NAMES]
        [2, 3, 4, 4, 6, 8, 8, 12, 24]
    """
    if name not in _LIBRARY:
        raise InputError(f"one of {', '.join(NAMES)}", repr(name), where="group")
    generators, images, summands, action = _LIBRARY[name]
    group = permutation_group(generators)
    irreducibles = tuple(representation(group, each) for each in images)
    natural = direct_sum(*(irreducibles[k] for k in summands))
    return Named(name, group, irreducibles, natural, action)
