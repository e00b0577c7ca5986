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

LINE = Zonotope((0,), ((1,), (0,), (-1,)))


def check(certificate: Any) -> None:
    check_certificate(json.loads(json.dumps(certificate)))


CASES: dict[str, tuple[Callable[[], Any], str, int, Any]] = {
    "interior": (lambda: place("", membership(HEXAGON, ("1/2", "1/3"))), "beta", 0, 2),
    "boundary": (lambda: place("", membership(HEXAGON, (2, 1))), "beta", 1, 3),
    "boundary-functional": (lambda: place("", membership(HEXAGON, (2, 1))), "u", 1, 5),
    "outside": (lambda: place("", membership(HEXAGON, (3, 3))), "p", 0, 0),
    "vertex": (lambda: selected("", selection(HEXAGON, (1, 1, 1))), "s", 0, -1),
    "no-vertex": (lambda: selected("", selection(HEXAGON, (1, 1, -1))), "y", 0, 2),
    "line": (lambda: selected("", selection(LINE, (1, 1, 1))), "y", 0, 2),
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


SHAPES: dict[str, tuple[str, dict[str, Any]]] = {
    "fewer-coordinates": ("interior", {"c": [0], "p": ["1/2", 99]}),
    "no-coordinates": ("interior", {"c": [], "p": []}),
    "longer-point": ("interior", {"p": ["1/2", "1/3", 99]}),
    "longer-generator": ("interior", {"G": [[1, 0, 99], [0, 1], [1, 1]]}),
    "more-coefficients": ("interior", {"beta": ["1/4", "1/12", "1/4", 99]}),
    "longer-functional": ("outside", {"u": [2, 0, 99]}),
    "vertex-of-nothing": ("vertex", {"c": []}),  # the centre: all zero without coordinates
    "vertex-of-a-shadow": ("vertex", {"c": [0]}),
    "more-signs": ("vertex", {"s": [1, 1, 1, -1]}),
    "no-vertex-of-a-shadow": ("line", {"G": [[1, 0], [0, 1], [-1, 1]]}),  # a vertex
    "more-weights": ("no-vertex", {"y": [1, 1, 1, 99]}),
}


@pytest.mark.parametrize("name", SHAPES)
def test_coordinates_that_nobody_looks_at_are_refused(name: str) -> None:
    of, changes = SHAPES[name]
    good = CASES[of][0]()
    good["data"]["family"]["instances"][0] |= changes
    with pytest.raises(Rejected):
        check(good)


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
