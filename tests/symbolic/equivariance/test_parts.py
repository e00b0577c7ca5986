"""The real irreducibles in representations and in the images of forms."""

import pytest

from headproof.symbolic.equivariance.library import named
from headproof.symbolic.equivariance.parts import Part, image_parts, parts
from headproof.symbolic.equivariance.representation import direct_sum
from headproof.symbolic.errors import InputError


def test_parts_are_counted_with_their_type() -> None:
    C_3, Q_8 = named("C_3"), named("Q_8")
    line, plane = C_3.irreducibles
    assert parts(direct_sum(plane, line, plane)) == (Part(1, "R", 1), Part(2, "C", 2))
    assert parts(Q_8.natural) == (Part(4, "H", 1),)


def test_the_image_of_a_form() -> None:
    C_3 = named("C_3")
    rho = direct_sum(*C_3.irreducibles)
    # The invariant form 1 + (x^2 - x y + y^2), then its parts.
    whole = ((1, 0, 0), (0, 2, -1), (0, -1, 2))
    everything = frozenset(range(3))
    assert image_parts(rho, everything, whole) == (Part(1, "R", 1), Part(2, "C", 1))
    plane = ((0, 0, 0), (0, 2, -1), (0, -1, 2))
    assert image_parts(rho, everything, plane) == (Part(2, "C", 1),)
    assert image_parts(rho, everything, ((0,) * 3,) * 3) == ()
    assert image_parts(rho, frozenset([0]), ((1, 0, 0), (0, 1, 0), (0, 0, 0))) == (Part(1, "R", 2),)
    with pytest.raises(InputError, match="the subgroup fixes"):
        image_parts(rho, everything, ((0, 1, 0), (0, 0, 0), (0, 0, 0)))
