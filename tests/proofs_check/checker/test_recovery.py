"""Recovery certificates: samples, mutations judged by a replay of their own, real transcripts."""

import copy
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from headproof.oracle.exact import ExactOracle
from headproof.oracle.model import Head
from headproof.oracle.recovery.recover import recover
from headproof.proofs_check.certificates.recovery import certificate
from headproof.proofs_check.checker import check_file, recovery
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.certificate import check_certificate
from headproof.proofs_check.checker.errors import Rejected, Unreadable
from headproof.proofs_check.checker.kinds import KINDS

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "recovery").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "recovery-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def data(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(SAMPLES[name].read_text())["data"]
    return content


def accepted(content: dict[str, Any]) -> bool:
    try:
        recovery.check(content, Budget())
    except (Rejected, Unreadable):
        return False
    return True


def test_the_kind_is_registered() -> None:
    assert KINDS["recovery"] is recovery.check


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "recovery")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"recovery/{name}"]


def test_every_reason_belongs_to_a_sample() -> None:
    assert {name.removeprefix("recovery/") for name in REASONS} == set(SAMPLES) - set(GOOD)


@pytest.fixture(scope="module")
def validator(validators: Callable[[str], Any]) -> Any:
    return validators("recovery")


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: str, validator: Any) -> None:
    validator.validate(json.loads(SAMPLES[name].read_text()))


@pytest.mark.parametrize(
    "name", ["incomplete-no-heads", "wrong-row", "wrong-run", "wrong-zero-copies", "wrong-base-one"]
)
def test_schema_refuses_malformed_sample(name: str, validator: Any) -> None:
    assert not validator.is_valid(json.loads(SAMPLES[name].read_text()))


# Mutations --------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))
    elif not isinstance(value, bool):
        yield path


def holds(content: dict[str, Any]) -> bool:
    """The statement, by the definition."""
    heads = content["heads"]
    forms = [head["W"] for head in heads]
    rows = content["schedule"] + content["fresh"]
    for runs, answer in rows:
        query = [content["tokens"][place] for place, count in runs for _ in range(count)]
        total = Fraction(0)
        for head in heads:
            scores = [
                sum(
                    a * w * b
                    for a, row in zip(query[-1], head["W"], strict=True)
                    for w, b in zip(row, t, strict=True)
                )
                for t in query
            ]
            weights = [Fraction(content["base"]) ** score for score in scores]
            values = [
                sum(Fraction(v) * b for v, b in zip(head["v"], t, strict=True)) for t in query
            ]
            total += sum(p * v for p, v in zip(weights, values, strict=True)) / sum(weights)
        if total != Fraction(answer):
            return False
    most, d = content["most"], content["dimension"]
    used = len(heads) if content["detected"] else most
    lengths = [
        [sum(count for _, count in runs) for runs, _ in content[k]] for k in ("schedule", "fresh")
    ]
    return (
        forms == sorted(forms)
        and len(heads) <= most
        and all(any(head["v"]) for head in heads)
        and all(len({place for place, _ in runs}) > 2 for runs, _ in content["fresh"])
        and content["queries"] == len(lengths[0]) == 2 * most + 1 + 2 * used * (2 * d * d - 2)
        and content["longest"] == max(lengths[0]) == 2 * most + 1
        and (content["fresh_queries"], content["fresh_longest"])
        == (len(lengths[1]), max(lengths[1]))
    )


@pytest.mark.parametrize("name", GOOD)
def test_a_changed_number_is_rejected_unless_still_true(name: str) -> None:
    content = data(name)
    assert holds(content)
    survived = total = 0
    for path in list(places(content)):
        holder: Any = content
        for step in path[:-1]:
            holder = holder[step]
        before = holder[path[-1]]
        for change in (1, -1):
            after = Fraction(before) + change
            holder[path[-1]] = int(after) if after.denominator == 1 else str(after)
            total += 1
            if accepted(content):
                survived += 1
                assert holds(content), (path, before, after)
        holder[path[-1]] = before
    # One copy more in the query of one token alone; and without heads nothing depends on tokens.
    assert survived <= 1 or name == "good-no-heads"
    assert total > 40


def test_a_changed_flag_is_rejected() -> None:
    for name in ("good-two-heads", "good-detected"):
        content = copy.deepcopy(data(name))
        content["most"] += not content["detected"]
        content["detected"] = not content["detected"]
        assert not accepted(content)


# Real transcripts -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options", [{"heads": 3}, {"bound": 4}, {"bound": 4, "detect": True}], ids=str
)
def test_a_recovery_leaves_a_valid_certificate(options: Any) -> None:
    heads = [Head(((a, 1, 0), (2, a * a, 1), (1, 0, -1)), (1, Fraction(a, 3), 2)) for a in range(3)]
    found = recover(ExactOracle(heads, base=3), **options)
    made = json.loads(json.dumps(certificate("recovery.algorithm", found.transcript())))
    check_certificate(made)
    made["data"]["heads"][1]["v"][0] += 1
    with pytest.raises(Rejected):
        check_certificate(made)


def test_work_is_bounded() -> None:
    content = data("good-two-heads")
    with pytest.raises(Unreadable, match="steps"):
        recovery.check(content, Budget(500))
    content["heads"][0]["W"][0][0] = 10**3000
    assert not accepted(content)


def test_the_example_of_the_specification_is_valid() -> None:
    text = (SCHEMAS.parent / "CERTIFICATES.md").read_text()
    section = text.partition("\n## recovery\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("    ")]
    example = json.loads("".join(lines))
    recovery.check(example, Budget())
    example["fresh"][0][1] = "33/7"
    assert not accepted(example)
