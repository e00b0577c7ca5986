"""Claims F1 to F7 and T3: certificates, controls, and criteria that can be missed."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.certificates import exhaustive
from headproof.proofs_check.certificates.exhaustive import Entries, Grid
from headproof.proofs_check.checker import check_file
from headproof.proofs_check.claim import Claim, Context, Profile, Role
from headproof.proofs_check.claims.hierarchy import CLAIMS, criteria
from headproof.proofs_check.claims.hierarchy.generator import CLAIM as GENERATOR
from headproof.proofs_check.claims.hierarchy.language import CLAIM as LANGUAGE
from headproof.proofs_check.claims.hierarchy.routing import CLAIM as ROUTING
from headproof.proofs_check.claims.order.certified_routing import CLAIM as CERTIFIED
from headproof.proofs_check.claims.order.read_off import CLAIM as READ_OFF
from headproof.proofs_check.claims.order.skeleton import CLAIM as SKELETON
from headproof.proofs_check.evidence import Finding, Kind, Outcome
from headproof.proofs_check.producers.hierarchy.generator import generates
from headproof.proofs_check.producers.hierarchy.words import WORD, counted
from headproof.symbolic.hierarchy.dyck import Dyck


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("runs")


def produce(claim: Claim, name: str, runs: Path | None = None) -> Outcome:
    producer = next(one for one in claim.producers if one.name == name)
    return producer.produce(Context(claim.id, producer.statement, Profile.QUICK, 5, runs=runs))


def accepted(outcome: Outcome, claim: str, folder: Path) -> bool:
    for name, certificate in outcome.certificates.items():
        file = folder / f"{name}.json"
        file.write_text(json.dumps(certificate))
        if not check_file(file, claim=claim).valid:
            return False
    return bool(outcome.certificates)


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        (LANGUAGE, "too-deep"),
        (GENERATOR, "brackets"),
        (GENERATOR, "averages"),
        (ROUTING, "elsewhere"),
        (CERTIFIED, "least"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_false_statements_are_refuted(claim: Claim, name: str, tmp_path: Path, runs: Path) -> None:
    outcome = produce(claim, name, runs)
    assert outcome.finding is Finding.VIOLATED
    assert accepted(outcome, claim.id, tmp_path)


@pytest.mark.parametrize(
    ("claim", "name"),
    [(LANGUAGE, "ranks"), (ROUTING, "enclosures"), (CERTIFIED, "flows")],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_true_ones_are_certified(claim: Claim, name: str, tmp_path: Path, runs: Path) -> None:
    outcome = produce(claim, name, runs)
    assert outcome.finding is Finding.HOLDS
    assert accepted(outcome, claim.id, tmp_path)


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        (LANGUAGE, "floats"),
        (LANGUAGE, "inverse"),
        (ROUTING, "floats"),
        (CERTIFIED, "high-precision"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_implementations_agree(claim: Claim, name: str, runs: Path) -> None:
    assert produce(claim, name, runs).finding is Finding.HOLDS


@pytest.mark.long
@pytest.mark.parametrize(
    ("claim", "name"),
    [(LANGUAGE, "enumeration"), (LANGUAGE, "ranks"), (GENERATOR, "all-sequences")],
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_the_families_of_profile_full_are_within_the_budget(
    claim: Claim, name: str, tmp_path: Path
) -> None:
    producer = next(one for one in claim.producers if one.name == name)
    outcome = producer.produce(Context(claim.id, producer.statement, Profile.FULL, 5))
    assert accepted(outcome, claim.id, tmp_path)


def valid(certificate: Any, folder: Path) -> bool:
    file = folder / "certificate.json"
    file.write_text(json.dumps(certificate))
    return check_file(file).valid


def test_a_wrong_count_is_not_certified(tmp_path: Path) -> None:
    from headproof.proofs_check.certificates.formula import equal, var

    language = Dyck(2, 2)
    for shift in (0, 1):
        family = exhaustive.Listed([{"c": language.count(4) + shift}])
        made = exhaustive.certificate("", family, equal(var("c"), counted(language, 4)))
        assert valid(made, tmp_path) == (shift == 0)


def test_another_language_is_not_generated(tmp_path: Path) -> None:
    """The network for depth 1 does not generate depth 2: it never opens a second bracket."""
    family = Grid({WORD: Entries((2,), range(2))})
    for right, made in (
        (True, exhaustive.certificate("", family, generates(Dyck(1, 2), 2, 3))),
        (False, exhaustive.certificate("", family, _swapped(Dyck(1, 2), Dyck(1, 1)))),
    ):
        assert valid(made, tmp_path) == right


def _swapped(truth: Dyck, network: Dyck) -> Any:
    """The statement with the language of one and the network of the other."""
    from unittest.mock import patch

    from headproof.proofs_check.producers.hierarchy import generator

    class Other(generator._Formula):
        def __init__(self, _: Dyck, longest: int) -> None:
            super().__init__(network, longest)

    with patch.object(generator, "_Formula", Other):
        return generates(truth, 2, 3)


def test_every_trained_claim_has_a_control() -> None:
    names = {criterion.claim for criterion in criteria.CRITERIA}
    for claim in (*CLAIMS, SKELETON, READ_OFF, CERTIFIED):
        assert any(statement.role is Role.CONTROL for statement in claim.statements), claim.id
        trained = [p for p in claim.producers if p.kind is Kind.TRAINED]
        assert (claim.id in names) == bool(trained)
    shown = [s.text for c in (*CLAIMS, SKELETON, READ_OFF) for s in c.statements]
    assert all(criterion.text in shown for criterion in criteria.CRITERIA)


def masks(values: dict[str, float]) -> dict[str, Any]:
    names = (
        "top",
        "same-type",
        "other-type",
        "waiting",
        "later-same-level",
        "equal-mass",
        "later-other-type",
    )
    places = [
        f"{when}/{n}/{x}" for when in ("before", "after") for n in ("all", "1") for x in names
    ]
    return {
        place: {"accuracy": values.get(place, 1.0), "clean": 1.0, "queries": 9} for place in places
    }


def found() -> Any:
    """Measurements as they should be."""
    ablations = {
        "none": {"accuracy": 1.0, "depth": 0.99},
        "plane": {"accuracy": 1.0, "depth": 0.98},
        "iterated": [{"accuracy": 0.7, "rank": rank} for rank in (8, 16, 24)],
        "random": [[{"accuracy": 0.7}, {"accuracy": 0.8}]] * 3,
    }
    trained = {
        "depth": [0.2, 0.99],
        "distance": [0.7, 0.8],
        "type": [0.6, 0.99],
        "random": [0.0, 0.0],
        "random-type": [0.25, 0.26],
    }
    untrained = trained | {"depth": [0.1, 0.2], "type": [0.6, 0.6], "distance": [0.7, 0.6]}
    skeleton = {"all": {"accuracy": 0.3}, "0": {"accuracy": 0.3}, "1": {"accuracy": 0.99}}
    language = {"accuracy": [1.0, 0.99, 0.98], "ablations": ablations, "skeleton": skeleton}
    chain = {"soft": 0.24, "hard": 0.2401, "lags": [3, 1, 2]}
    return {
        "dyck": language
        | {
            "classes": 4,
            "attention": [{"largest_at_top": 0.1}, {"largest_at_top": 0.7}],
            "probes": {"trained": trained, "untrained": untrained},
            "interventions": masks(
                {
                    "before/all/top": 0.26,
                    "after/all/top": 0.27,
                    "before/all/same-type": 0.3,
                    "before/all/other-type": 0.95,
                    "before/1/top": 0.8,
                }
            ),
        },
        "sentences": language | {"classes": 2, "interventions": masks({"before/all/top": 0.5})},
        "three-heads": chain,
        "permuted": chain,
        "two-heads": chain | {"lags": [2, 1]},
        "no-decay": chain | {"hard": 0.26},
        "small": {
            "heads": {
                "shares": [{}, {"top of the stack": 0.95, "last opening symbol": 0.1}],
                "rule": ["beginning", "top of the stack"],
            }
        },
    }


def test_criteria_are_met_by_what_they_describe_and_controls_are_not() -> None:
    for criterion in criteria.CRITERIA:
        assert criterion.met(found()) is not criterion.control, criterion.name
        for value in criterion.values.values():
            assert isinstance(value(found()), float)


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("learns", "dyck/accuracy", [1.0, 0.9]),
        ("learns", "dyck/accuracy", [1.0, None]),
        ("forgets", "dyck/accuracy", [0.8, None]),
        ("contrast", "dyck/interventions/after:all:top/accuracy", None),
        ("contrast", "dyck/ablations/plane/accuracy", None),
        ("same-type", "dyck/interventions/before:all:other-type/accuracy", None),
        ("last-layer", "dyck/interventions/before:1:top/accuracy", None),
        ("last-layer-same-type", "dyck/interventions/before:1:same-type/accuracy", None),
        ("subject", "sentences/interventions/before:all:same-type/accuracy", None),
        ("subject", "sentences/interventions/before:all:other-type/accuracy", None),
        ("decodes", "dyck/probes/trained/depth", [0.2, 0.9]),
        ("decodes", "dyck/probes/trained/distance", [0.6]),
        ("decodes", "dyck/probes/trained/type", [0.9]),
        ("decodes", "dyck/probes/trained/random", [0.1]),
        ("decodes", "dyck/probes/trained/random-type", [0.5]),
        ("selective", "dyck/probes/untrained/depth", [0.6]),
        ("selective", "dyck/probes/untrained/type", [0.9]),
        ("selective", "dyck/probes/untrained/distance", [0.1]),
        ("contrast", "dyck/interventions/before:all:top/accuracy", 0.4),
        ("contrast", "dyck/interventions/after:all:top/accuracy", 0.4),
        ("contrast", "dyck/ablations/plane/accuracy", 0.95),
        ("same-type", "dyck/interventions/before:all:same-type/accuracy", 0.5),
        ("same-type", "dyck/interventions/before:all:other-type/accuracy", 0.5),
        ("last-layer", "dyck/interventions/before:1:top/accuracy", 0.95),
        ("last-layer-same-type", "dyck/interventions/before:1:same-type/accuracy", 0.95),
        ("depth-survives", "dyck/ablations/plane/depth", 0.9),
        ("as-random", "dyck/ablations/iterated/1/accuracy", 0.5),
        ("as-random", "dyck/ablations/iterated/2/accuracy", 0.5),
        ("as-random", "dyck/ablations/iterated/2/accuracy", None),
        ("as-random", "dyck/ablations/iterated/2/rank", 12),
        ("sentences", "sentences/accuracy", [0.9]),
        ("sentences", "sentences/interventions/before:all:top/accuracy", 0.9),
        ("sentences", "sentences/ablations/plane/accuracy", 0.9),
        ("subject", "sentences/interventions/before:all:same-type/accuracy", 0.8),
        ("subject", "sentences/interventions/before:all:other-type/accuracy", 0.8),
        ("looks", "small/heads/shares", [{"top of the stack": 0.8}]),
        ("chain-skeleton", "permuted/hard", 0.25),
        ("chain-skeleton", "permuted/hard", None),
        ("undecayed-skeleton", "no-decay/hard", None),
        ("dyck-skeleton", "dyck/skeleton/1/accuracy", 0.9),
        ("dyck-skeleton", "dyck/skeleton/0/accuracy", 0.9),
        ("undecayed-skeleton", "no-decay/hard", 0.241),
        ("lags", "three-heads/lags", [1, 2, 2]),
        ("lags", "two-heads/lags", [1, 3]),
        ("stack-rule", "small/heads/shares", [{"top of the stack": 0.4, "last symbol": 0.5}]),
        ("stack-rule", "small/heads/shares", [{"top of the stack": 0.4, "last symbol": 0.4}]),
    ],
)
def test_a_criterion_is_missed_by_something_else(name: str, path: str, value: Any) -> None:
    criterion = next(one for one in criteria.CRITERIA if one.name == name)
    other = copy.deepcopy(found())
    *way, last = (step.replace(":", "/") for step in path.split("/"))
    node = other
    for step in way:
        node = node[int(step) if isinstance(node, list) else step]
    node[last] = value
    assert not criterion.met(other)
