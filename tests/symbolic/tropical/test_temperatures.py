"""The bracket of temperatures: against a solution in closed form, and what has no answer."""

import json
from fractions import Fraction
from typing import Any

import mpmath
import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.symbolic.errors import InputError, LimitReached, NotInClass
from headproof.symbolic.tropical.temperatures import largest_temperature

MP = mpmath.mp.clone()
MP.dps = 60
SIGN = {"keys": [[-1], [1]], "values": [[-1], [1]]}
STEP = {"keys": [[0], [1]], "biases": [0, -1], "values": [[0], [1]]}
TWO: dict[str, Any] = {"dimension": 1, "layers": [{"heads": [SIGN]}, {"heads": [STEP]}]}


def mpf(value: Any) -> Any:
    return MP.mpf(Fraction(value).numerator) / Fraction(value).denominator


def test_largest_temperature() -> None:
    found = largest_temperature(TWO, at=[Fraction(1, 10)], width=Fraction(1, 100))
    assert found.above is not None
    low, high = found.below.temperature, found.above.temperature
    # x + tanh(x/t) = 1, where the second layer changes its mind
    truth = MP.mpf(1) / 10 / MP.atanh(MP.mpf(9) / 10)
    assert mpf(low) <= truth <= mpf(high)
    assert high - low <= high / 100
    for end in (found.below, found.above):
        check_certificate(json.loads(json.dumps(end.certificate())))


def test_what_has_no_largest_temperature() -> None:
    with pytest.raises(NotInClass, match="tie"):
        largest_temperature(TWO, at=[0])
    with pytest.raises(InputError, match="width"):
        largest_temperature(TWO, at=[1], width=0)
    with pytest.raises(InputError, match="limit"):
        largest_temperature(TWO, at=[1], limit=0)
    across = TWO | {"domain": {"lower": [-1], "upper": [1]}}
    with pytest.raises(LimitReached, match="within a cell"):
        largest_temperature(across, limit=8)
