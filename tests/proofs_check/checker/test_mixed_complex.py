"""Certificates of kind minkowski and overlay: samples, mutations, omissions."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.checker import check_file
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.errors import Rejected, Unreadable
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.minkowski.minkowski_sum import minkowski_sum
from headproof.symbolic.minkowski.overlay import overlay

HERE = Path(__file__).parent
SAMPLES = {
    f"{kind}/{path.stem}": path
    for kind in ("minkowski", "overlay")
    for path in sorted((HERE / "samples" / kind).iterdir())
}
GOOD = [name for name in SAMPLES if "/good-" in name]
REASONS = json.loads((HERE / "mixed-complex-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def load(name: str) -> tuple[str, dict[str, Any]]:
    content = json.loads(SAMPLES[name].read_text())
    return content["kind"], content["data"]


def accepted(kind: str, data: Any) -> bool:
    try:
        KINDS[kind](data, Budget())
    except (Rejected, Unreadable):
        return False
    return True


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", name.split("/")[0])


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[name]


def test_every_reason_belongs_to_a_sample() -> None:
    assert set(REASONS) == set(SAMPLES) - set(GOOD)


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: str, validators: Callable[[str], Any]) -> None:
    validators(name.split("/")[0]).validate(json.loads(SAMPLES[name].read_text()))


@pytest.mark.parametrize(
    "name",
    [
        "minkowski/incomplete-no-hyperplanes",
        "minkowski/wrong-unknown-key",
        "minkowski/wrong-float",
        "minkowski/wrong-hyperplane-of-three",
        "minkowski/wrong-cells-none",
        "overlay/incomplete-no-walls",
    ],
)
def test_schema_refuses_malformed_sample(name: str, validators: Callable[[str], Any]) -> None:
    kind = name.split("/")[0]
    assert not validators(kind).is_valid(json.loads(SAMPLES[name].read_text()))


# What is accepted is true ------------------------------------------------------------------


def number(value: Any) -> Any:
    return Fraction(value) if isinstance(value, str) else value


def statement_is_true(kind: str, data: Any) -> bool:
    """By the search, which shares nothing with the checker."""
    if kind == "minkowski":
        found = minkowski_sum([[[number(x) for x in p] for p in s] for s in data["summands"]])
        return (
            [list(v) for v in found.vertices] == [[number(x) for x in v] for v in data["vertices"]]
            and [list(c) for c in found.choices] == data["choices"]
            and found.facets == data["facets"]
        )
    heads = [
        {
            "keys": [[number(x) for x in k] for k in h["keys"]],
            "biases": [number(b) for b in h["biases"]],
        }
        for h in data["heads"]
    ]
    cells = overlay(heads)
    stated = (data["labels"], data["cells"], data["bound"])
    return ([list(label) for label in cells.labels], cells.cells, cells.bound) == stated


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from places(part, (*path, i))
    elif value is not None:
        yield path


def changed(data: Any, path: tuple[Any, ...], value: Any) -> Any:
    mutant = copy.deepcopy(data)
    part = mutant
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return mutant


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


@pytest.mark.parametrize("name", GOOD)
def test_mutations_fail_or_leave_a_true_statement(name: str) -> None:
    kind, data = load(name)
    rejected = 0
    for path in places(data):
        value = number(at(data, path))
        for other in {value + 1, value - 1, -value, 2 * value} - {value}:
            written = int(other) if other.denominator == 1 else str(other)
            mutant = changed(data, path, written)
            if accepted(kind, mutant):
                assert statement_is_true(kind, mutant), (path, other)
            else:
                rejected += 1
    assert rejected >= 5


@pytest.mark.parametrize("name", GOOD)
def test_nothing_can_be_left_out_or_doubled(name: str) -> None:
    kind, data = load(name)
    lists = ["hyperplanes", *(["vertices", "choices"] if kind == "minkowski" else ["labels"])]
    lists += ["walls"] if kind == "overlay" else []
    for key in lists:
        for i in range(len(data[key])):
            less = data | {key: data[key][:i] + data[key][i + 1 :]}
            more = data | {key: data[key][: i + 1] + data[key][i:]}
            for mutant in (less, more):
                if kind == "minkowski":
                    size = len(mutant["hyperplanes"])
                    both = [data[k] for k in ("vertices", "choices")]
                    if key in ("vertices", "choices"):
                        shorter = len(mutant[key]) < len(data[key])
                        both = [b[:i] + b[i + 1 :] if shorter else b[: i + 1] + b[i:] for b in both]
                    mutant = mutant | {
                        "facets": size,
                        "vertices": both[0],
                        "choices": both[1],
                    }
                else:
                    mutant = mutant | {"cells": len(mutant["labels"])}
                assert not accepted(kind, mutant), (key, i)
    for key in ("hyperplanes", "walls") if kind == "overlay" else ("hyperplanes",):
        for i, (normal, cells) in enumerate(data[key]):
            for j in range(len(cells)):
                for rest in (cells[:j] + cells[j + 1 :], cells[: j + 1] + cells[j:]):
                    mutant = changed(data, (key, i), [normal, rest])
                    assert not accepted(kind, mutant), (key, i, j)


def test_no_corner_can_be_added() -> None:
    """Every other choice, with its sum in its place, is refused as a vertex."""
    summands = [[[0, 0, 0], [2, 0, 0], [0, 2, 0], [0, 0, 2], [1, 1, 0]], [[0, 0, 0], [1, 0, 0]]]
    data = minkowski_sum(summands).certificate()["data"]
    assert accepted("minkowski", data)
    for i in range(5):
        for j in range(2):
            if [i, j] in data["choices"]:
                continue
            v = [a + b for a, b in zip(summands[0][i], summands[1][j], strict=True)]
            pairs = sorted([*zip(data["vertices"], data["choices"], strict=True), (v, [i, j])])
            mutant = data | {"vertices": [p for p, _ in pairs], "choices": [c for _, c in pairs]}
            assert not accepted("minkowski", mutant)


def test_corners_are_paid_for_before_they_fill_the_memory() -> None:
    k = 20  # a cell of 2^19 corners, and a file that could list hundreds of them
    summands = [[[t * (i == j) for j in range(k)] for t in range(3)] for i in range(k)]
    cell = [0] + [3 * j + t for j in range(1, k) for t in (0, 1)]
    data = {
        "summands": summands,
        "vertices": [],
        "choices": [],
        "facets": 1,
        "columns": list(range(k)),
        "relations": [],
        "hyperplanes": [[[-1] + [0] * (k - 1), [cell]]],
    }
    with pytest.raises(Unreadable, match="too large"):
        KINDS["minkowski"](data, Budget(5_000_000))


def test_large_certificates_take_seconds() -> None:
    """Budget, not the clock: 60 million steps are about a minute."""
    generator = random.Random(0)
    summands = [
        [[generator.randint(-999, 999) for _ in range(5)] for _ in range(8)] for _ in range(4)
    ]
    found = minkowski_sum(summands)
    budget = Budget()
    before = budget.left
    KINDS["minkowski"](json.loads(json.dumps(found.certificate()))["data"], budget)
    assert before - budget.left < 120 * found.facets
