"""Kind route: samples, schema, and mutants against a simulation at many digits."""

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any

import mpmath
import pytest

from headproof.proofs_check.checker import (
    KINDS,
    Rejected,
    Unreadable,
    check_certificate,
    check_file,
)
from headproof.proofs_check.checker import route as kind

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "route").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "route-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"
MP = mpmath.mp.clone()
MP.dps = 60


def test_the_kind_is_registered() -> None:
    assert KINDS["route"] is kind.check


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "route")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"route/{name}"]


def test_every_reason_belongs_to_a_sample() -> None:
    assert {name.removeprefix("route/") for name in REASONS} == set(SAMPLES) - set(GOOD)


@pytest.fixture(scope="module")
def validator(validators: Callable[[str], Any]) -> Any:
    return validators("route")


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: str, validator: Any) -> None:
    validator.validate(json.loads(SAMPLES[name].read_text()))


@pytest.mark.parametrize("name", ["incomplete-no-error", "incomplete-half", "wrong-both"])
def test_schema_refuses_malformed_sample(name: str, validator: Any) -> None:
    assert not validator.is_valid(json.loads(SAMPLES[name].read_text()))


def number(value: Any) -> Any:
    exact = Fraction(value)
    return MP.mpf(exact.numerator) / exact.denominator


def dot(row: Any, x: Any) -> Any:
    return MP.fsum(number(a) * b for a, b in zip(row, x, strict=True))


def simulate(network: Any, point: Any, temperature: Any, *, hard: bool) -> Any:
    """The route and the output of a network, straight from the definition."""
    x, route = [number(value) for value in point], []
    for layer in network["layers"]:
        linear, heads = layer.get("linear"), layer["heads"]
        y = None
        if layer.get("residual", True):
            y = list(x) if linear is None else [dot(row, x) for row in linear]
        chosen = []
        for head in heads:
            biases = head.get("biases", [0] * len(head["keys"]))
            s = [dot(k, x) + number(b) for k, b in zip(head["keys"], biases, strict=True)]
            top = max(s)
            chosen.append(s.index(top))
            w = [
                MP.mpf(abs(a - top) < 1e-40) if hard else MP.exp((a - top) / number(temperature))
                for a in s
            ]
            out = [dot(column, w) / MP.fsum(w) for column in zip(*head["values"], strict=True)]
            y = out if y is None else [a + b for a, b in zip(y, out, strict=True)]
        route.append(chosen)
        assert y is not None
        if "ffn" in layer:
            f = layer["ffn"]
            up = [max(dot(r, y) + number(b), 0) for r, b in zip(f["w1"], f["b1"], strict=True)]
            y = [a + dot(r, up) + number(b) for a, r, b in zip(y, f["w2"], f["b2"], strict=True)]
        x = y
    return route, x


def true(data: Any) -> bool:
    """What the certificate states, at the corners and the middle of its parts."""

    def parts(tree: Any, box: Any) -> Any:
        if "split" not in tree:
            yield tree["route"], box
            return
        i, at = tree["split"], tree["at"]
        yield from parts(tree["below"], [*box[:i], [box[i][0], at], *box[i + 1 :]])
        yield from parts(tree["above"], [*box[:i], [at, box[i][1]], *box[i + 1 :]])

    for route, box in parts(data["tree"], data["box"]):
        ends = [(Fraction(a), Fraction(b)) for a, b in box]
        for weight in (Fraction(0), Fraction(1, 2), Fraction(1)):
            point = [a + (b - a) * weight for a, b in ends]
            at = (data["network"], point, data["temperature"])
            (taken, exact), (soft, found) = simulate(*at, hard=True), simulate(*at, hard=False)
            if taken != route:
                return False
            if "departs" in data:
                layer, head, _ = data["departs"]
                return bool(soft[layer][head] != route[layer][head])
            off = MP.sqrt(MP.fsum((a - b) ** 2 for a, b in zip(exact, found, strict=True)))
            if soft != route or off > number(data["error"]) + MP.mpf(10) ** -40:
                return False
    return True


def places(value: Any, path: Any = ()) -> Any:
    if isinstance(value, dict | list):
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[step], (*path, step))
    else:
        yield path


CHANGES: tuple[Callable[[Fraction], Fraction], ...] = (
    lambda v: v + 1,
    lambda v: -v,
    lambda v: v / 2,
    lambda v: v - 1,
)


@pytest.mark.parametrize("name", GOOD)
def test_mutants_are_rejected_or_still_true(name: str) -> None:
    certificate = json.loads(SAMPLES[name].read_text())
    assert true(certificate["data"])
    rejected = 0
    for path in places(certificate["data"]):
        for change in CHANGES:
            data = deepcopy(certificate["data"])
            spot = data
            for step in path[:-1]:
                spot = spot[step]
            if isinstance(spot[path[-1]], bool):
                continue
            value = change(Fraction(spot[path[-1]]))
            spot[path[-1]] = int(value) if value.denominator == 1 else str(value)
            try:
                check_certificate({**certificate, "data": data})
            except (Rejected, Unreadable):
                rejected += 1
                continue
            assert true(data), (path, value)
    assert rejected > 10


def test_values_beyond_the_exponents_are_rejected_not_raised() -> None:
    huge = "1" + "0" * 3900
    growing = {"heads": [], "linear": [[huge]]}
    data = {
        "network": {"dimension": 1, "layers": [growing] * 40},
        "temperature": 1,
        "digits": 20,
        "box": [[1, 1]],
        "tree": {"route": [[]] * 40},
        "error": 1,
    }
    certificate = {"format": "headproof-certificate/1", "kind": "route", "claim": "", "data": data}
    with pytest.raises(Rejected, match="overflow"):
        check_certificate(certificate)
