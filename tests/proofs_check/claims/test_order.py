"""Claims G1 to G5: certificates are accepted, controls refuted, and criteria can be missed."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.checker import check_file
from headproof.proofs_check.claim import Claim, Context, Profile, Role
from headproof.proofs_check.claims.hierarchy import criteria as hierarchy
from headproof.proofs_check.claims.order import CLAIMS, criteria, measured
from headproof.proofs_check.claims.order.misspecified import CLAIM as MISSPECIFIED
from headproof.proofs_check.claims.order.surrogate import CLAIM as SURROGATE
from headproof.proofs_check.evidence import Finding, Kind, Outcome


def produce(claim: Claim, name: str) -> Outcome:
    producer = next(one for one in claim.producers if one.name == name)
    return producer.produce(Context(claim.id, producer.statement, Profile.QUICK, 5))


def accepted(outcome: Outcome, claim: str, folder: Path) -> bool:
    for name, certificate in outcome.certificates.items():
        file = folder / f"{name}.json"
        file.write_text(json.dumps(certificate))
        if not check_file(file, claim=claim).valid:
            return False
    return bool(outcome.certificates)


@pytest.mark.parametrize("name", ["first-lag", "two-lags"])
def test_false_losses_are_refuted(name: str, tmp_path: Path) -> None:
    outcome = produce(MISSPECIFIED, name)
    assert outcome.finding is Finding.VIOLATED
    assert accepted(outcome, MISSPECIFIED.id, tmp_path)


def test_flows_of_mixed_heads_are_refuted(tmp_path: Path) -> None:
    assert accepted(produce(SURROGATE, "doubled"), SURROGATE.id, tmp_path)


def test_heights_are_certified_and_a_wrong_number_is_not(tmp_path: Path) -> None:
    outcome = produce(MISSPECIFIED, "normal-equations")
    assert accepted(outcome, MISSPECIFIED.id, tmp_path)
    good = outcome.certificates["additive-1"]
    spoils: list[Callable[[Any], Any]] = [
        lambda i: i.update(loss="1/4"),  # another height
        lambda i: i["p"].__setitem__(3, "1/100"),  # no stationary law
        lambda i: i["W"][0][1].__setitem__(2, "1/7"),  # not the best predictor
        lambda i: i["f"][0].__setitem__(30, 0),  # another feature
        lambda i: i["alpha"].__setitem__(0, "1/2"),  # another chain
        lambda i: i["E"][0].__setitem__(1, 1),  # indicators that are none
    ]
    for spoil in spoils:
        bad: Any = copy.deepcopy(good)
        spoil(bad["data"]["family"]["instances"][0])
        file = tmp_path / "bad.json"
        file.write_text(json.dumps(bad))
        assert not check_file(file, claim=MISSPECIFIED.id).valid


@pytest.mark.parametrize("name", ["derivation", "heights"])
def test_derivations_are_general(name: str) -> None:
    outcome = produce(SURROGATE, name)
    assert outcome.general
    assert not outcome.argued


def test_every_trained_claim_has_a_control_that_is_to_fail() -> None:
    # What the heads look for is measured in the experiment hierarchy, with criteria of its own.
    names = {one.claim for one in (*criteria.CRITERIA, *hierarchy.CRITERIA)}
    for claim in CLAIMS:
        assert any(statement.role is Role.CONTROL for statement in claim.statements), claim.id
        trained = [p for p in claim.producers if p.kind is Kind.TRAINED]
        assert (claim.id in names) == bool(trained)


def found() -> Any:
    """Measurements as they should be."""
    heights = measured.heights()
    good = {
        "stage_times": [4.0, 40.0, 400.0],
        "flattest": [heights[1], heights[2], heights[3]],
        "final_loss": heights[3],
        "competition": 0.7,
        "rank_in_competition": 1.1,
        "rank_at_the_end": 2.9,
        "least_largest_weight": 0.95,
        "taken": [2, 1, 3],
        "order": [1, 2, 3],
        "until": 1000.0,
    }
    draws = [{"final_over_best": 1.1, "lags_taken_at_best": 2}] * 4
    return {
        "flow": good,
        "sgd": good | {"stage_times": [5.0, 41.0, 420.0]},
        "permuted": good | {"order": [2, 3, 1]},
        "two-heads": good | {"stage_times": [4.0, 40.0, None], "final_loss": heights[2]},
        "six-heads": good | {"plateaus": [0.4, 0.3], "final_loss": 0.3, "order": [1, 2, 3, 4, 5]},
        "no-decay": good | {"least_largest_weight": 0.5},
        "equal-rates": good | {"flattest": [heights[1] + 0.005, None, None]},
        "cross-entropy": good,
        "starts": [[2, 3, 1]] * 19 + [[2, 1, 3]],
        "few-samples": draws,
        "many-samples": [{"final_over_best": 1.0, "lags_taken_at_best": 3}] * 4,
    }


def test_criteria_are_met_by_what_they_describe_and_controls_are_not() -> None:
    for criterion in criteria.CRITERIA:
        assert criterion.met(found()) is not criterion.control, criterion.name
        for value in criterion.values.values():
            value(found())


@pytest.mark.parametrize(
    ("name", "part", "key", "value"),
    [
        ("plateaus", "flow", "flattest", [0.28, 0.247, 0.2415]),
        ("plateaus", "flow", "flattest", [None, None, None]),
        ("plateaus", "flow", "stage_times", [4.0, 10.0, 400.0]),
        ("plateaus", "flow", "stage_times", [4.0, 40.0, None]),
        ("plateaus", "flow", "final_loss", 0.244),
        ("additive-height", "flow", "flattest", [0.273, 0.24655, 0.2415]),
        ("sgd", "sgd", "stage_times", [5.0, 50.0, 420.0]),
        ("sgd", "sgd", "stage_times", [5.0, 41.0, None]),
        ("sgd", "sgd", "stage_times", [5.0, None, None]),
        ("heads", "two-heads", "stage_times", [4.0, 40.0, 900.0]),
        ("heads", "six-heads", "order", [1, 2, 4, 3, 5]),
        ("cross-entropy", "cross-entropy", "order", [2, 1, 3]),
        ("competition", "flow", "competition", 0.4),
        ("competition", "flow", "rank_at_the_end", 2.0),
        ("competition", "flow", "taken", [1, 1, 3]),
        ("no-decay", "no-decay", "least_largest_weight", 0.9),
        ("equal-rates", "equal-rates", "flattest", [0.2730, None, None]),
    ],
)
def test_a_criterion_is_missed_by_something_else(
    name: str, part: str, key: str, value: Any
) -> None:
    criterion = next(one for one in criteria.CRITERIA if one.name == name)
    other = found()
    other[part] = other[part] | {key: value}
    assert not criterion.met(other)


def test_sgd_may_end_before_a_late_stage() -> None:
    criterion = criteria.SGD
    other = found()
    other["flow"] = other["flow"] | {"stage_times": [4.0, 40.0, 2000.0]}
    other["sgd"] = other["sgd"] | {"stage_times": [5.0, 41.0, None]}
    assert criterion.met(other)


def test_shares_and_medians_are_missed() -> None:
    by_name = {criterion.name: criterion for criterion in criteria.CRITERIA}
    other = found()
    other["starts"] = [[1, 2, 3]] * 20
    other["few-samples"] = [{"final_over_best": 1.01, "lags_taken_at_best": 3}] * 4
    other["many-samples"] = [{"final_over_best": 1.1, "lags_taken_at_best": 3}] * 4
    for name in ("importance", "early-stopping", "enough-samples"):
        assert not by_name[name].met(other), name
