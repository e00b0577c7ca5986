"""Rank certificates: samples, mutations judged by other means, and layers drawn at random."""

import copy
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
from flint import fmpz_mat

from headproof.proofs_check.certificates.rank import certificate, matrix_certificate
from headproof.proofs_check.checker import check_file, rank
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.certificate import check_certificate
from headproof.proofs_check.checker.errors import Rejected, Unreadable
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import parse
from headproof.symbolic.identification.counts import identify_architecture
from headproof.symbolic.identification.jacobian import unidentified
from headproof.symbolic.modular.rank import certified_rank

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "rank").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "rank-reasons.json").read_text())
SCHEMA = Path(__file__).parents[3] / "proofs_check" / "schemas" / "certificate-rank.schema.json"
MALFORMED = (
    "incomplete-no-point",
    "incomplete-no-total",
    "wrong-part",
    "wrong-rope-word",
    "wrong-unknown-key",
    "wrong-bias-letter",
    "wrong-input-norm-word",
    "wrong-matrix-fraction",
    "wrong-true",
)


def accepted(data: Any) -> bool:
    try:
        rank.check(data, Budget(2_000_000))
    except (Rejected, Unreadable):
        return False
    return True


def test_the_kind_is_registered() -> None:
    assert KINDS["rank"] is rank.check


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "rank")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"rank/{name}"]


def test_every_reason_belongs_to_a_sample() -> None:
    assert set(REASONS) == {f"rank/{name}" for name in SAMPLES if name not in GOOD}
    assert {name.split("-")[0] for name in SAMPLES} == {"good", "incomplete", "wrong"}


def test_schema() -> None:
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    for name in GOOD:
        validator.validate(json.loads(SAMPLES[name].read_text()))
    for name in MALFORMED:
        assert not validator.is_valid(json.loads(SAMPLES[name].read_text())), name


def test_a_large_layer_is_checked_by_structure() -> None:
    content = json.loads(SAMPLES["good-large"].read_text())
    assert content["data"]["unidentified"] == 8 * 128
    assert len(json.dumps(content)) < 1000
    budget = Budget(100_000)
    rank.check(content["data"], budget)


# Mutations --------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to all numbers, flags and words."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))
    else:
        yield path


def changed(value: Any) -> list[Any]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1, value - 1, 2 * value, -value, value + 8388593]
    words = ("none", "distinct", "equal", "rms", "layer", "qk", "vo", "block", "q", "k", "v", "o")
    return [word for word in words if word != value]


def mutants(data: Any) -> Iterator[Any]:
    for path in places(data):
        holder = data
        for step in path[:-1]:
            holder = holder[step]
        for new in changed(holder[path[-1]]):
            mutant = copy.deepcopy(data)
            inner = mutant
            for step in path[:-1]:
                inner = inner[step]
            inner[path[-1]] = new
            yield mutant


def true(data: Any) -> bool:
    """Decided by flint, or by the formulas and the rank of the whole Jacobian."""
    if "rows" in data:
        rows = [[0] * data["columns"] for _ in data["rows"]]
        for row, entries in zip(rows, data["rows"], strict=True):
            for column, value in entries:
                row[column] = value
        return int(fmpz_mat(rows).rank()) == int(data["rank"])
    document = {key: value for key, value in data["architecture"].items() if key != "rotary_dim"}
    if document["rope"] != "none":
        document["rotary_dim"] = data["architecture"]["rotary_dim"]
    architecture = parse(document)
    part = data["part"]
    count = getattr(identify_architecture(architecture), part).count
    if (count.unidentified, count.total) != (data["unidentified"], data["total"]):
        return False
    return part == "block" or bool(unidentified(architecture, part) == count.unidentified)


@pytest.mark.parametrize("name", [name for name in GOOD if name != "good-large"])
def test_a_mutant_is_rejected_or_still_true(name: str) -> None:
    data = json.loads(SAMPLES[name].read_text())["data"]
    assert true(data)
    kept = [mutant for mutant in mutants(data) if accepted(mutant)]
    statements = {json.dumps({k: v for k, v in m.items() if k not in ("units", "kernel", "prime")})
                  for m in kept}  # fmt: skip
    for statement in statements:
        assert true(json.loads(statement)), statement


@pytest.mark.parametrize("wrong", ["wrong-count", "wrong-total", "wrong-wide-count"])
def test_the_judge_of_mutants_can_say_no(wrong: str) -> None:
    assert not true(json.loads(SAMPLES[wrong].read_text())["data"])


# Random layers ----------------------------------------------------------------------------


def documents(count: int, seed: int) -> Iterator[dict[str, Any]]:
    random = Random(seed)
    for _ in range(count):
        heads = random.randint(1, 4)
        width = random.randint(1, 6)
        rope = random.choice(["none", "distinct", "equal"]) if width > 1 else "none"
        document: dict[str, Any] = {
            "d_model": random.randint(1, 6),
            "heads": heads,
            "kv_heads": random.choice([g for g in range(1, heads + 1) if heads % g == 0]),
            "head_dim": width,
            "rope": rope,
            "bias": [letter for letter in "qkvo" if random.random() < 0.4],
            "qk_norm": random.random() < 0.3,
        }
        for name in ("alibi", "sink", "tied_qk"):
            document[name] = random.random() < 0.2
        document["qk_norm_gain"] = document["qk_norm"] and random.random() < 0.5
        document["input_norm"] = norm = random.choice(["none", "rms", "layer"])
        document["input_norm_gain"] = norm != "none" and random.random() < 0.5
        document["input_norm_bias"] = norm == "layer" and random.random() < 0.5
        if rope != "none":
            document["rotary_dim"] = 2 * random.randint(1, width // 2)
        yield document


def test_every_covered_layer_has_a_valid_certificate() -> None:
    valid = 0
    for document in documents(200, 3):
        for part in ("qk", "vo", "block"):
            try:
                found = certificate("a.b", parse(document), part)
            except InputError:
                continue
            check_certificate(found)
            valid += 1
            worse = copy.deepcopy(found)
            worse["data"]["unidentified"] += 1
            with pytest.raises(Rejected):
                check_certificate(worse)
    assert valid > 250


def test_what_has_no_certificate_says_why() -> None:
    mla = {"kv_rank": 1, "nope_dim": 1, "value_dim": 1}
    for document, message in (
        ({"d_model": 4, "heads": 2, "mla": mla}, "latent"),
        ({"d_model": 2, "heads": 1, "head_dim": 3, "qk_norm": True}, "head_dim > 2"),
        ({"d_model": 2, "heads": 2, "qk_norm": True}, "signs"),
        ({"d_model": 2**20, "heads": 2}, "at most"),
    ):
        with pytest.raises(InputError, match=message):
            certificate("a.b", parse(document), "qk")
    with pytest.raises(InputError, match="kernel"):
        matrix_certificate("a.b", [[1, 2]], certified_rank([[1, 2]], factors=([[1]], [[1, 2]])))


def test_hostile_sizes_cost_little() -> None:
    data = json.loads(SAMPLES["good-wide"].read_text())["data"]
    for name in ("d_model", "head_dim", "heads"):
        mutant = copy.deepcopy(data)
        mutant["architecture"][name] = 2**20
        assert not accepted(mutant)
    data["architecture"] |= {"d_model": 2**20, "head_dim": 2**20, "heads": 1, "kv_heads": 1}
    data["units"] = [{"queries": [[[0, 0, 1]]], "key": [[0, 0, 1]], "moves": []}]
    assert not accepted(data)
