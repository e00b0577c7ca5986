"""Certificates of points and selections, and what spoils them."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from headproof.proofs_check.certificates.zonotope import place, selected
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.producers.zonotope.models import HEXAGON
from headproof.symbolic.errors import InputError
from headproof.symbolic.zonotope.membership import membership
from headproof.symbolic.zonotope.saturation import selection
from headproof.symbolic.zonotope.zonotope import Zonotope


def check(certificate: Any) -> None:
    check_certificate(json.loads(json.dumps(certificate)))


CASES: dict[str, tuple[Callable[[], Any], str, int, Any]] = {
    "interior": (lambda: place("", membership(HEXAGON, ("1/2", "1/3"))), "beta", 0, 2),
    "boundary": (lambda: place("", membership(HEXAGON, (2, 1))), "beta", 1, 3),
    "boundary-functional": (lambda: place("", membership(HEXAGON, (2, 1))), "u", 1, 5),
    "outside": (lambda: place("", membership(HEXAGON, (3, 3))), "p", 0, 0),
    "vertex": (lambda: selected("", selection(HEXAGON, (1, 1, 1))), "s", 0, -1),
    "no-vertex": (lambda: selected("", selection(HEXAGON, (1, 1, -1))), "y", 0, 2),
    "no-vertex-signs": (lambda: selected("", selection(HEXAGON, (1, 1, -1))), "s", 0, 2),
}


@pytest.mark.parametrize("name", CASES)
def test_accepted_and_spoilt(name: str) -> None:
    make, key, index, value = CASES[name]
    good = make()
    check(good)
    spoilt = copy.deepcopy(good)
    instance = spoilt["data"]["family"]["instances"][0]
    assert instance[key][index] != value
    instance[key][index] = value
    if name == "outside":
        instance["p"][1] = 0
    with pytest.raises(Rejected):
        check(spoilt)


def test_nothing_moves_is_no_reason() -> None:
    empty = selected("", selection(HEXAGON, (1, 1, -1)))
    empty["data"]["family"]["instances"][0]["y"] = [0, 0, 0]
    with pytest.raises(Rejected):
        check(empty)


def test_a_generator_of_zero_is_no_reason() -> None:
    zonotope = Zonotope((0, 0), ((1, 0), (0, 0)))
    good = selected("", selection(zonotope, (1, -1)))
    check(good)  # a vertex: the zero generator is passed over
    trick = selected("", selection(Zonotope((0, 0), ((1, 0), (1, 0))), (1, -1)))
    check(trick)
    trick["data"]["family"]["instances"][0] |= {"G": [[1, 0], [0, 0]], "y": [0, 1]}
    with pytest.raises(Rejected):
        check(trick)


def test_a_point_has_nothing_to_show() -> None:
    with pytest.raises(InputError, match="at least one generator"):
        place("", membership(Zonotope((0,), ()), (0,)))
