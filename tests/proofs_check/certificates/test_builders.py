"""What the builders write, the checker accepts; what is false, it rejects."""

import json
from fractions import Fraction
from typing import Any

import pytest

from headproof.proofs_check.certificates import (
    ball,
    counterexample,
    exhaustive,
    farkas,
    identity,
)
from headproof.proofs_check.certificates.formula import (
    at,
    exp,
    forall,
    iff,
    length,
    log,
    max_over,
    sum_over,
    var,
)
from headproof.proofs_check.checker import check_file
from headproof.symbolic.cones.hull import Hull
from headproof.symbolic.errors import InputError
from headproof.symbolic.rational import write

HALF = Fraction(1, 2)


@pytest.fixture
def answer(tmp_path: Any) -> Any:
    def of(certificate: Any) -> Any:
        path = tmp_path / "certificate.json"
        path.write_text(json.dumps(certificate))
        return check_file(path).answer

    return of


def hull(
    points: Any, vertices: Any, others: Any, *, repeated: Any = (), upper: bool = False
) -> dict[str, Any]:
    """The certificate of a hull as it is told, true or not."""
    told = Hull(points, upper, tuple(sorted(vertices)), vertices, others, dict(repeated))
    return told.certificate("a.b")


@pytest.mark.parametrize(("weight", "expected"), [(HALF, "valid"), (Fraction(1, 3), "invalid")])
def test_hull(answer: Any, weight: Any, expected: Any) -> None:
    certificate = hull(
        [[0, 0], [HALF, 2], [1, 0], [HALF, 0], [1, 0]],
        vertices={0: [-8, -1], 1: [0, 1], 2: [8, -1]},
        others={3: [(0, weight), (2, 1 - weight)]},
        repeated={4: 2},
    )
    assert answer(certificate) == expected


def test_upper_hull(answer: Any) -> None:
    lifted = [[-1, 0], [0, 0], [1, 0], [0, -3]]
    both = [(0, HALF), (2, HALF)]
    good = hull(lifted, vertices={0: [-1, 1], 2: [1, 1]}, others={1: both, 3: both}, upper=True)
    assert answer(good) == "valid"
    bad = hull(lifted, vertices={0: [-1, 1], 1: [0, 1], 2: [1, 1]}, others={3: both}, upper=True)
    assert answer(bad) == "invalid"


@pytest.mark.parametrize(("bound", "expected"), [(0, "valid"), (1, "invalid")])
def test_farkas(answer: Any, bound: Any, expected: Any) -> None:
    rows: list[farkas.Row] = [([1, -1], "<", 0), ([-1, 1], "<=", bound)]
    assert answer(farkas.certificate("a.b", rows, [1, 1])) == expected


SHAPES = {"x": (2,), "k": (2,)}
C = var("c")
POWER = sum_over("c", 2, (at("x", C) - at("k", C)) ** 2)
EXPANDED = sum_over("c", 2, at("x", C) ** 2 - 2 * at("x", C) * at("k", C) + at("k", C) ** 2)


@pytest.mark.parametrize("grid", [None, identity.integer_grid(SHAPES, 2)])
@pytest.mark.parametrize(("extra", "expected"), [(0, "valid"), (1, "invalid")])
def test_identity(answer: Any, grid: Any, extra: Any, expected: Any) -> None:
    certificate = identity.certificate(
        "a.b", variables=SHAPES, left=POWER, right=EXPANDED + extra, grid=grid
    )
    assert answer(certificate) == expected


@pytest.mark.parametrize(("x", "expected"), [(HALF, "invalid"), (2, "valid")])
def test_counterexample(answer: Any, x: Any, expected: Any) -> None:
    certificate = counterexample.certificate("a.b", var("x") ** 2 <= var("x"), {"x": x})
    assert answer(certificate) == expected


def test_counterexample_with_enclosures(answer: Any) -> None:
    tau, n = var("tau"), length("s")
    soft = tau * log(sum_over("j", n, exp(at("s", var("j")) / tau)))
    formula = soft - max_over("j", n, at("s", var("j"))) <= tau * log(n) / 2
    instance = {"tau": HALF, "s": [1, 1, Fraction(9, 10)]}
    assert answer(counterexample.certificate("a.b", formula, instance, digits=30)) == "valid"
    true = soft - max_over("j", n, at("s", var("j"))) <= tau * log(n)
    assert answer(counterexample.certificate("a.b", true, instance, digits=30)) == "invalid"


@pytest.mark.parametrize(("low", "expected"), [(0, "valid"), (HALF, "invalid")])
def test_ball(answer: Any, low: Any, expected: Any) -> None:
    certificate = ball.certificate(
        "a.b",
        exp(var("x")) - var("x") * at("a", 0),
        box={"x": (-1, 1)},
        given={"a": [1]},
        enclosure=(low, None),
        digits=20,
        tree=ball.Split(("x",), 0, below=ball.Split(("x",), -HALF)),
    )
    assert answer(certificate) == expected


@pytest.mark.parametrize("digits", [None, 20])
def test_exhaustive(answer: Any, digits: Any) -> None:
    j = var("j")
    entries = exhaustive.Entries((3,), range(-1, 2))
    scale = exhaustive.Entries((), (HALF, 2))
    family = exhaustive.Grid({"s": entries, "t": scale})
    best = max_over("j", 3, at("s", j))
    scaled = max_over("j", 3, var("t") * at("s", j))
    left, right = (exp(scaled), exp(var("t") * best)) if digits else (scaled, var("t") * best)
    formula = left <= right + (1 if digits else 0)
    certificate = exhaustive.certificate("a.b", family, formula, digits=digits)
    assert certificate["data"]["count"] == family.count == len(list(family)) == 54
    assert answer(certificate) == "valid"
    strict = exhaustive.certificate("a.b", family, left < right, digits=digits)
    assert answer(strict) == "invalid"


def test_cases(answer: Any) -> Any:
    """Every configuration of three integers in {-1, 0, 1}: each hull has its reasons."""
    family = exhaustive.Grid({"k": exhaustive.Entries((3, 1), range(-1, 2))})

    def reasons(points: Any) -> Any:
        values = [point[0] for point in points]
        low, high = values.index(min(values)), values.index(max(values))
        vertices = {low: [-1], high: [1]}
        repeated = {i: values.index(v) for i, v in enumerate(values) if values.index(v) != i}
        others = {
            i: [(low, HALF), (high, HALF)]
            for i in range(3)
            if i not in vertices and i not in repeated
        }
        return hull(points, vertices=vertices, others=others, repeated=repeated)

    cases = [(instance, reasons(instance["k"])) for instance in family]
    complete = exhaustive.by_cases("a.b", family, cases, bind={"points": "k"})
    assert complete["data"]["count"] == 27
    assert answer(complete) == "valid"
    missing = exhaustive.by_cases("a.b", family, cases[1:], bind={"points": "k"})
    assert answer(missing) == "invalid"


def test_listed(answer: Any) -> None:
    family = exhaustive.Listed([{"x": 1}, {"x": HALF}])
    assert answer(exhaustive.certificate("a.b", family, 0 < var("x"))) == "valid"
    assert answer(exhaustive.certificate("a.b", family, var("x") < 1)) == "invalid"


def test_cases_must_speak_of_their_instance() -> None:
    family = exhaustive.Listed([{"k": [[0]]}])
    other = hull([[1]], vertices={0: [0]}, others={})
    with pytest.raises(InputError, match="points equal to k"):
        exhaustive.by_cases("", family, [({"k": [[0]]}, other)], bind={"points": "k"})
    with pytest.raises(InputError, match="one kind"):
        exhaustive.by_cases("", family, [], bind={"points": "k"})


def test_long_numbers(answer: Any) -> None:
    big = 10**5000 + 1
    certificate = counterexample.certificate(
        "a.b", var("x") * var("y") < 0, {"x": -big, "y": Fraction(-7, big)}
    )
    assert certificate["data"]["instance"]["x"].startswith("-0x")
    assert answer(certificate) == "valid"
    assert write(10**4000 - 1) == 10**4000 - 1
    assert write(10**4000) == hex(10**4000)


@pytest.mark.parametrize("value", [0.5, True, "1/2", None, 1j])
def test_inexact_numbers_are_refused(value: Any) -> None:
    with pytest.raises(InputError):
        write(value)


def test_quantified_formula(answer: Any) -> None:
    """At N = 3 scores: j is a winner exactly if no score is larger."""
    j, i = var("j"), var("i")
    winner = at("s", j) >= max_over("i", 3, at("s", i))
    formula = forall("j", 3, iff(winner, forall("i", 3, at("s", i) <= at("s", j))))
    family = exhaustive.Grid({"s": exhaustive.Entries((3,), range(3))})
    assert answer(exhaustive.certificate("a.b", family, formula)) == "valid"
