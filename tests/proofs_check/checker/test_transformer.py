"""Kind transformer: samples, schema, mutants, and the fixed point against exact values."""

import json
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from random import Random
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
from headproof.proofs_check.checker import transformer as kind
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.fixed import Fixed, Vector, Weights

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "transformer").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "transformer-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"
MP = mpmath.mp.clone()
MP.dps = 60
P, BITS = 40, 6


def test_the_kind_is_registered() -> None:
    assert KINDS["transformer"] is kind.check


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "transformer")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"transformer/{name}"]


def test_every_reason_belongs_to_a_sample() -> None:
    assert {name.removeprefix("transformer/") for name in REASONS} == set(SAMPLES) - set(GOOD)


@pytest.mark.parametrize("name", GOOD)
def test_the_schema_accepts_good_samples_and_no_others_of_another_form(
    name: str, validators: Callable[[str], Any]
) -> None:
    validator = validators("transformer")
    validator.validate(json.loads(SAMPLES[name].read_text()))
    for bad in ("incomplete-no-looks", "wrong-key", "wrong-float", "wrong-precision"):
        assert not validator.is_valid(json.loads(SAMPLES[bad].read_text()))


def reference(data: Any, word: list[int]) -> list[Any]:
    """The scores of the last position at 60 digits, the whole sequence at once."""
    net = data["network"]
    unit = MP.mpf(2) ** -net["bits"]
    eps = MP.mpf(1) / 100000
    L, h = data["head"]
    tokens = [len(net["symbols"]) - 1, *word]
    x = [
        [(a + b) * unit for a, b in zip(net["symbols"][s], net["positions"][i], strict=True)]
        for i, s in enumerate(tokens)
    ]

    def affine(part: Any, row: Any) -> Any:
        return [
            MP.fdot(zip(w, row, strict=True)) * unit + b * unit
            for w, b in zip(part[0], part[1], strict=True)
        ]

    def norm(part: Any, row: Any) -> Any:
        mean = sum(row) / len(row)
        deviation = MP.sqrt(sum((e - mean) ** 2 for e in row) / len(row) + eps)
        return [
            (e - mean) / deviation * g * unit + b * unit
            for e, g, b in zip(row, part[0], part[1], strict=True)
        ]

    for n, layer in enumerate(net["layers"]):
        normal = [norm(layer["norm1"], row) for row in x]
        q, k, v = ([affine(layer[p], row) for row in normal] for p in ("query", "key", "value"))
        size = len(x[0]) // layer["heads"]

        def scores(i: int, head: int) -> list[Any]:
            cut = slice(head * size, (head + 1) * size)  # noqa: B023
            return [
                MP.fdot(zip(q[i][cut], k[j][cut], strict=True)) / MP.sqrt(size)  # noqa: B023
                for j in range(i + 1)
            ]

        if n == L:
            return scores(len(x) - 1, h)
        after = []
        for i, row in enumerate(x):
            joined: list[Any] = []
            for head in range(layer["heads"]):
                grown = [MP.exp(s) for s in scores(i, head)]
                for c in range(head * size, (head + 1) * size):
                    weighted = MP.fdot((g, v[j][c]) for j, g in enumerate(grown))
                    joined.append(weighted / sum(grown))
            row = [a + b for a, b in zip(row, affine(layer["output"], joined), strict=True)]
            up = [max(e, MP.mpf(0)) for e in affine(layer["up"], norm(layer["norm2"], row))]
            after.append([a + b for a, b in zip(row, affine(layer["down"], up), strict=True)])
        x = after
    raise AssertionError


def test_mutants_fail_or_stay_true() -> None:
    """A changed weight is accepted only if every stated place wins at 60 digits all the same."""
    for name in GOOD:
        good = json.loads(SAMPLES[name].read_text())
        random = Random(name)
        accepted = refused = 0
        for _ in range(60):
            bad = deepcopy(good)
            mutate(bad["data"], random)
            try:
                check_certificate(bad)
            except (Rejected, Unreadable):
                refused += 1
                continue
            accepted += 1
            data = bad["data"]
            for word, key in zip(words(data["family"]), data["looks"], strict=True):
                found = reference(data, word)
                assert found[key] == max(found)
        assert refused > 0, name
        assert accepted + refused == 60


def words(family: Any) -> list[list[int]]:
    if "words" in family:
        return family["words"]  # type: ignore[no-any-return]
    k, m = family["types"], family["depth"]

    def after(word: list[int], stack: list[int]) -> list[list[int]]:
        found = [word] if word else []
        if len(word) < family["length"]:
            if len(stack) < m:
                for t in range(k):
                    found += after([*word, t], [*stack, t])
            if stack:
                found += after([*word, k + stack[-1]], stack[:-1])
        return found

    return after([], [])


def mutate(data: Any, random: Random) -> None:
    """Change one integer somewhere."""
    places: list[tuple[Any, Any]] = []

    def collect(node: Any) -> None:
        for key, value in node.items() if type(node) is dict else enumerate(node):
            if type(value) is int:
                places.append((node, key))
            elif type(value) in (dict, list):
                collect(value)

    collect(data)
    node, key = random.choice(places)
    node[key] += random.choice((-20, -1, 1, 7, 100))


def test_fixed_point_encloses() -> None:
    """Each operation on balls, against exact or 60-digit values at points of the balls."""
    on, random, unit = Fixed(P, BITS, Budget()), Random(5), Fraction(1, 1 << P)

    def inside(ball: tuple[int, int], value: Fraction) -> bool:
        return abs(value / unit - ball[0]) <= ball[1]

    for _ in range(200):
        d = random.randint(1, 5)
        mid = [random.randint(-(3 << P), 3 << P) for _ in range(d)]
        rad = [random.choice((0, 1, 1000, 1 << 20)) for _ in range(d)]
        x = Vector(mid, rad)
        point = [(m + random.choice((-r, r, 0))) * unit for m, r in zip(mid, rad, strict=True)]
        row = [random.randint(-200, 200) for _ in range(d)]
        b = random.randint(-200, 200)
        found = on.affine(Weights([row], [[abs(w) for w in row]], [b]), x)
        value = (sum(w * e for w, e in zip(row, point, strict=True)) + b) / Fraction(1 << BITS)
        assert inside((found.mid[0], found.rad[0]), value)
        assert inside(on.dot(x, x), sum((e * e for e in point), Fraction(0)))
        for ball, e in zip(zip(*on.relu(x), strict=True), point, strict=True):
            assert inside(ball, max(e, Fraction(0)))
        precise = [MP.mpf(e.numerator) / e.denominator for e in point]
        shares = on.shares(list(zip(mid, rad, strict=True)))
        total = sum(MP.exp(e) for e in precise)
        for ball, e in zip(zip(*shares, strict=True), precise, strict=True):
            assert abs(MP.exp(e) / total * 2**P - ball[0]) <= ball[1]
        eps = (1 << P) // 100000, 1
        normal = on.normalised(x, row, [b] * d, eps)
        mean = sum(precise) / d
        deviation = MP.sqrt(sum((e - mean) ** 2 for e in precise) / d + MP.mpf(1) / 100000)
        for ball, e, g in zip(zip(*normal, strict=True), precise, row, strict=True):
            exact = ((e - mean) / deviation * g + b) / 2**BITS
            assert abs(exact * 2**P - ball[0]) <= ball[1]
        n = random.randint(1, 50)
        root = on.over_root((mid[0], rad[0]), n)
        assert abs(precise[0] / MP.sqrt(n) * 2**P - root[0]) <= root[1]


def test_exponentials_beyond_the_precision_are_not_computed() -> None:
    """One of e^(-10^5) written out as a fraction took milliseconds, hours for a certificate."""
    budget = Budget(200)
    on = Fixed(P, 0, budget)
    for size in (P, P + 1, 10**5, 10**30):
        assert on.exponential((-size << P, 0)) == (0, 1)
    mid, rad = on.exponential((-P << P, 3))  # the upper end is above -P
    assert mid - rad <= 0 < 1 <= mid + rad
    mid, rad = on.exponential((P << P, 0))
    assert abs(MP.exp(P) * 2**P - mid) <= rad
    with pytest.raises(Rejected, match=f"an exponential is at most e\\^{P}"):
        on.exponential((-10 << P, (10 + P << P) + 1))
    assert budget.left > 0
