"""Soft networks along the hard route: against a simulation at 60 digits, and the corner cases."""

import json
from fractions import Fraction
from random import Random
from typing import Any

import mpmath
import pytest

from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.producers.tropical.stability_scope import _document
from headproof.symbolic.errors import InputError, LimitReached, NotInClass
from headproof.symbolic.regions.network import Network
from headproof.symbolic.regions.network_document import parse
from headproof.symbolic.tropical.stability import stability

MP = mpmath.mp.clone()
MP.dps = 60
SIGN = {"keys": [[-1], [1]], "values": [[-1], [1]]}
STEP = {"keys": [[0], [1]], "biases": [0, -1], "values": [[0], [1]]}
TWO: dict[str, Any] = {"dimension": 1, "layers": [{"heads": [SIGN]}, {"heads": [STEP]}]}


def mpf(value: Any) -> Any:
    return MP.mpf(Fraction(value).numerator) / Fraction(value).denominator


def soft(network: Network, point: list[Fraction], tau: Fraction) -> tuple[Any, Any]:
    x, route = [mpf(v) for v in point], []
    for layer in network.layers:
        y = list(x) if layer.linear is None else [_dot(row, x) for row in layer.linear]
        chosen = []
        for head in layer.heads:
            s = [_dot(k, x) + mpf(b) for k, b in zip(head.keys, head.biases, strict=True)]
            w = [MP.exp((a - max(s)) / mpf(tau)) for a in s]
            chosen.append(s.index(max(s)))
            for c in range(len(y)):
                y[c] += _dot([v[c] for v in head.values], w) / MP.fsum(w)
        route.append(tuple(chosen))
        if layer.ffn is not None:
            f = layer.ffn
            up = [max(_dot(r, y) + mpf(b), 0) for r, b in zip(f.w1, f.b1, strict=True)]
            y = [a + _dot(r, up) + mpf(b) for a, r, b in zip(y, f.w2, f.b2, strict=True)]
        x = y
    return tuple(route), x


def _dot(row: Any, x: Any) -> Any:
    return MP.fsum(mpf(a) * b for a, b in zip(row, x, strict=True))


@pytest.mark.parametrize("seed", range(40))
def test_random_networks_against_a_simulation(seed: int) -> None:
    random = Random(seed)
    network = parse(_document(random, random.randint(1, 3)))
    point = [Fraction(random.randint(-6, 6), 2) for _ in range(network.dimension)]
    tau = Fraction(2) ** random.randint(-4, 3)
    found = stability(network, temperature=tau, at=point)
    if found.tie is not None:
        return
    route, output = soft(network, point, tau)
    assert (route == found.route) == found.follows
    check_certificate(json.loads(json.dumps(found.certificate())))
    if found.follows:
        hard = [mpf(v) for v in network.evaluate(point)]
        off = MP.sqrt(MP.fsum((a - b) ** 2 for a, b in zip(output, hard, strict=True)))
        assert found.error is not None
        assert off <= mpf(found.error) + MP.mpf(10) ** -45
        if off > MP.mpf(10) ** -30:  # at a point the bound is the error itself
            assert mpf(found.error) <= off * (1 + MP.mpf(10) ** -6)


def test_a_smaller_error_is_not_accepted() -> None:
    certificate = stability(TWO, temperature=Fraction(1, 40), at=[Fraction(1, 10)]).certificate()
    error = Fraction(certificate["data"]["error"]) * Fraction(99, 100)
    with pytest.raises(Rejected, match="more than stated"):
        check_certificate({**certificate, "data": {**certificate["data"], "error": str(error)}})


def test_the_recursion_is_that_of_the_claim() -> None:
    found = stability(TWO, temperature=Fraction(1, 40), at=[Fraction(1, 10)])
    t = MP.mpf(1) / 40
    rho = MP.exp(-(MP.mpf(1) / 5) / t)
    first = 2 * rho / (1 + rho)
    rho = MP.exp(-(MP.mpf(1) / 10 - first) / t)
    assert found.recursion is not None
    assert abs(mpf(found.recursion) - (first + rho / (1 + rho))) < MP.mpf(10) ** -20


def test_ties_and_departures() -> None:
    tie = stability(TWO, temperature=1, at=[0])
    assert (tie.follows, tie.error) == (False, None)
    with pytest.raises(NotInClass, match="tie"):
        tie.certificate()
    gone = stability(TWO, temperature=1, at=[Fraction(1, 10)])
    assert gone.departs is not None
    assert (gone.departs.layer, gone.departs.key, gone.follows) == (1, 0, False)
    check_certificate(json.loads(json.dumps(gone.certificate())))


def test_repeated_keys_share_a_win() -> None:
    head = {"keys": [[1], [1], [-1]], "values": [[0], [4], [0]]}
    found = stability({"dimension": 1, "layers": [{"heads": [head]}]}, temperature=1, at=[1])
    assert (found.follows, found.tie) == (True, None)
    check_certificate(json.loads(json.dumps(found.certificate())))


def test_heads_that_cancel_leave_a_tie() -> None:
    one = {"keys": [[1], [-1]], "values": [[1], [-1]]}
    even = {"keys": [[1], [-1]], "values": [[-1], [1]]}
    undo = {"heads": [one, even], "residual": False}
    network = {"dimension": 1, "layers": [undo, {"heads": [one]}]}
    assert stability(network, temperature=1, at=[1]).tie is not None
    half = {"keys": [[0], [0]], "biases": [0, 0], "values": [[1], [1]]}
    assert stability({"dimension": 1, "layers": [{"heads": [half]}]}, temperature=1, at=[1]).follows


@pytest.mark.parametrize(
    ("network", "error"),
    [
        ({"dimension": 1, "layers": []}, 0),
        ({"dimension": 1, "layers": [{"heads": []}]}, 0),
        ({"dimension": 1, "layers": [{"heads": [{"keys": [[3]], "values": [[1]]}]}]}, 0),
    ],
)
def test_degenerate_networks(network: Any, error: int) -> None:
    found = stability(network, temperature=1, at=[5])
    assert found.follows
    assert found.error == error
    check_certificate(json.loads(json.dumps(found.certificate())))


def test_domains() -> None:
    inside = stability({**TWO, "domain": {"lower": ["1/4"], "upper": [2]}}, temperature="1/8")
    assert inside.follows
    assert inside.share == 1
    check_certificate(json.loads(json.dumps(inside.certificate())))
    domain = {"lower": [-1], "upper": ["3/2"]}
    leaves = stability({**TWO, "domain": domain}, temperature="1/64")
    assert (leaves.follows, leaves.departs is None) == (False, False)
    one = {"dimension": 1, "layers": [{"heads": [SIGN]}], "domain": domain}
    across = stability(one, temperature="1/64", limit=60)
    assert across.follows is None
    assert Fraction(1, 2) < across.share < 1
    with pytest.raises(LimitReached, match="of the box is decided"):
        across.certificate()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"temperature": 0, "at": [1]}, "positive"),
        ({"temperature": 0.5, "at": [1]}, "temperature"),
        ({"temperature": 1, "at": [0.1]}, "at"),
        ({"temperature": 1, "at": [1, 2]}, "1 numbers"),
        ({"temperature": 1}, "domain"),
    ],
)
def test_bad_input(arguments: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        stability(TWO, **arguments)
