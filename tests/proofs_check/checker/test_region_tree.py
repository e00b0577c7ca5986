"""Region-tree certificates: samples, mutations, and the trees that the search grows."""

import copy
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.checker import check_file, region_tree
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.errors import Rejected, Unreadable
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.errors import InputError
from headproof.symbolic.regions.linear_regions import linear_regions
from headproof.symbolic.tropical.depth import digit_extraction

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "region-tree").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "region-tree-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def data(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(SAMPLES[name].read_text())["data"]
    return content


def accepted(content: dict[str, Any]) -> bool:
    try:
        region_tree.check(content, Budget())
    except (Rejected, Unreadable):
        return False
    return True


def test_the_kind_is_registered() -> None:
    assert KINDS["region-tree"] is region_tree.check


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "region-tree")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"region-tree/{name}"]


def test_every_reason_belongs_to_a_sample() -> None:
    assert {name.removeprefix("region-tree/") for name in REASONS} == set(SAMPLES) - set(GOOD)


@pytest.fixture(scope="module")
def validator(validators: Callable[[str], Any]) -> Any:
    return validators("region-tree")


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: str, validator: Any) -> None:
    validator.validate(json.loads(SAMPLES[name].read_text()))


@pytest.mark.parametrize(
    "name",
    ["incomplete-no-pieces", "wrong-network-key", "wrong-step-list", "wrong-term", "wrong-no-keys"],
)
def test_schema_refuses_malformed_sample(name: str, validator: Any) -> None:
    assert not validator.is_valid(json.loads(SAMPLES[name].read_text()))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where the numbers and truth values are."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from places(part, (*path, i))
    else:
        yield path


def changed(content: Any, path: tuple[Any, ...], change: Any) -> Any:
    mutant = copy.deepcopy(content)
    part = mutant
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = change(part[path[-1]])
    return mutant


def text_plus(step: int) -> Any:
    def change(value: Any) -> Any:
        if isinstance(value, bool):
            return not value
        if isinstance(value, int):
            return value + step
        above, below = value.split("/")
        return f"{int(above) + step * int(below)}/{below}"

    return change


@pytest.mark.parametrize("name", GOOD)
def test_mutations_fail_or_leave_a_true_statement(name: str) -> None:
    """Any number is raised or lowered: what is accepted then is what the search finds."""
    content = data(name)
    rejected = 0
    for path in places(content):
        for step in (1, -1):
            mutant = changed(content, path, text_plus(step))
            if not accepted(mutant):
                rejected += 1
                continue
            try:
                tree = linear_regions(mutant["network"])
            except InputError as error:
                raise AssertionError(f"{path}: accepted what the search refuses") from error
            assert (tree.cells, tree.pieces) == (mutant["cells"], mutant["pieces"]), path
    assert rejected >= 5


@pytest.mark.parametrize("name", GOOD)
def test_no_step_can_be_left_out_or_doubled_and_no_points_exchanged(name: str) -> None:
    content = data(name)
    steps = content["steps"]
    for k, step in enumerate(steps):
        assert not accepted({**content, "steps": steps[:k] + steps[k + 1 :]})
        assert not accepted({**content, "steps": steps[: k + 1] + steps[k:]})
        for other in range(k):
            if "point" in step and "point" in steps[other]:
                swapped = list(steps)
                swapped[k], swapped[other] = steps[other], step
                assert not accepted({**content, "steps": swapped})


def test_wrong_counts_of_a_large_tree() -> None:
    content = linear_regions(digit_extraction(2, 2, 3, 2)).certificate()["data"]
    assert (content["cells"], content["pieces"]) == (81, 81)
    assert accepted(content)
    for key in ("cells", "pieces"):
        assert not accepted({**content, key: 80})
        assert not accepted({**content, key: 82})


def test_a_hidden_cell_is_missed() -> None:
    """A search that left a feasible child out would be found out."""
    content = linear_regions(digit_extraction(1, 1, 3, 1)).certificate()["data"]
    assert content["steps"] == [{"split": 0}, *({"point": p} for p in POINTS)]
    fewer = [{"exclude": [0, 1], "path": [], "against": [[0, 1], [2, 1]]}, {"split": 0}]
    fewer += [{"point": POINTS[0]}, {"point": POINTS[2]}]
    assert not accepted({**content, "steps": fewer, "cells": 2, "pieces": 2})


POINTS: list[list[Any]] = [
    leaf["point"]
    for leaf in linear_regions(digit_extraction(1, 1, 3, 1)).certificate()["data"]["steps"][1:]
]


def test_the_price_of_a_comparison_follows_its_numbers() -> None:
    def content(long: int | str) -> dict[str, Any]:
        head = {"keys": [[0]] * 299 + [[long]], "biases": [0] * 300, "values": [[0]] * 300}
        layers = [{"heads": [], "linear": [[long]]}, {"heads": [head]}]
        steps = [{"split": 0}, {"point": [-1]}, {"point": [1]}]
        return {
            "network": {"dimension": 1, "layers": layers},
            "steps": steps,
            "cells": 2,
            "pieces": 1,
        }

    region_tree.check(content(1), Budget(50_000))
    with pytest.raises(Unreadable, match="too large"):
        region_tree.check(content("0x" + "f" * 8000), Budget(1_500_000))


def test_deep_networks_do_not_nest() -> None:
    """A hundred layers: the certificate stays flat and the checker does not recurse."""
    neuron = {"w1": [[1]], "b1": [0], "w2": [[1]], "b2": [0]}
    layers = [{"heads": [], "ffn": neuron}] * 100
    content = linear_regions({"dimension": 1, "layers": layers}).certificate()["data"]
    assert accepted(content)
    assert (content["cells"], content["pieces"]) == (2, 2)


def parts(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where anything is."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, part in value.items():
            yield from parts(part, (*path, key))
    elif isinstance(value, list):
        for i, part in enumerate(value):
            yield from parts(part, (*path, i))


STRANGE: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**40,
    "x",
    "1/2",
    "2/4",
    [],
    [[]],
    {},
    {"a": 1},
    [1, 2],
)


@pytest.mark.parametrize("name", GOOD)
def test_strange_values_anywhere_are_refused_in_order(name: str) -> None:
    """Whatever stands anywhere, the checker answers; it never breaks down."""
    content = data(name)
    for k, path in enumerate(parts(content)):
        for strange in (STRANGE[(k + j) % len(STRANGE)] for j in (0, 4, 8)):
            mutant = changed(content, path, lambda _, value=strange: value)
            if accepted(mutant):
                # Still true, or the same as before: another interior point, a truth value.
                assert (mutant["cells"], mutant["pieces"]) == (content["cells"], content["pieces"])
