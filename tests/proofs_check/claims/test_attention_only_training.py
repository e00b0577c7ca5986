"""Every trained criterion of D3 to D6 and T2f can be met and can fail."""

import copy
from typing import Any

import pytest

from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.claims.attention_only import CLAIMS
from headproof.proofs_check.claims.attention_only.criteria import CRITERIA
from headproof.proofs_check.claims.attention_only.published import FIGURES
from headproof.proofs_check.claims.zonotope.criteria import CRITERIA as ZONOTOPE
from headproof.proofs_check.evidence import Inconclusive
from headproof.proofs_check.producers.attention_only.trained import published
from headproof.proofs_check.training.criterion import Criterion

Found = dict[str, Any]


def arm(loss: float, bins: tuple[float, ...], grounded: float, recalled: float) -> Found:
    return {"loss": loss, "bins": list(bins), "grounded": grounded, "recalled": recalled}


def spectra(qk: float, value: float, output: float, ranks: tuple[float, float, float]) -> Found:
    kinds = ("qk", "value", "output")
    added = [
        {kind: {"stable_rank": rank} for kind, rank in zip(kinds, at, strict=True)}
        for at in ((0, 0, 0), (1, 1, 1), ranks)
    ]
    return {"settling": dict(zip(kinds, (qk, value, output), strict=True)), "added": added}


def measurements() -> Found:
    """What the paper would see."""
    standard = arm(1.5, (2.0, 1.6, 1.5, 1.4), 2.0, 0.9)
    return {
        "standard": {**standard, "spectra": spectra(0.5, 0.7, 0.8, (2, 4, 5))},
        "in-place": arm(1.6, (2.2, 1.8, 1.6, 1.5), 2.0, 1.1),
        "flops": arm(1.56, (2.1, 1.7, 1.6, 1.45), 2.0, 1.0),
        "parameters": {
            **arm(1.51, (2.1, 1.6, 1.5, 1.4), 1.9, 1.0),
            "spectra": spectra(0.5, 0.7, 0.8, (2, 4, 6)),
        },
        "standard-plain": arm(1.55, (2.0,), 2.0, 0.9),
        "parameters-plain": arm(1.6, (2.0,), 2.0, 0.9),
        "recall": {
            "standard": {"curve": [{"facts": 1.0, "pairs": 1.0}]},
            "parameters": {"curve": [{"facts": 0.4, "pairs": 1.0}]},
        },
        "depth": {
            "bare": {"loss": None},
            "qk-norm": {"loss": 2.6},
            "gates": {"loss": 2.7},
            "ffn": {"loss": 2.5},
            "bare-fast": {"loss": 3.2},
            "qk-norm-fast": {"loss": 2.8},
        },
        "unigram": 3.2,
    }


BY_NAME = {each.name: each for each in (*CRITERIA, *ZONOTOPE)}

CHANGES: list[tuple[str, tuple[str, ...], Any]] = [
    ("ordering", ("flops", "loss"), 1.61),
    ("ordering", ("parameters", "loss"), None),
    ("closes", ("parameters", "loss"), 1.56),
    ("costs", ("in-place", "loss"), 1.52),
    ("plain", ("parameters-plain", "loss"), 1.9),
    ("plain", ("parameters-plain", "loss"), None),
    ("free", ("in-place", "loss"), 1.501),
    ("facts", ("recall", "parameters", "curve"), [{"facts": 0.9, "pairs": 1.0}]),
    ("facts", ("recall", "parameters", "curve"), [{"facts": 0.4, "pairs": 0.9}]),
    ("grounded", ("parameters", "grounded"), 2.1),
    ("grounded", ("parameters", "recalled"), 0.8),
    ("grounded", ("parameters", "recalled"), None),
    ("low-context", ("parameters", "bins"), [2.0, 1.6, 1.5, 1.5]),
    ("context-lost", ("recall", "parameters", "curve"), [{"facts": 0.4, "pairs": 0.7}]),
    ("settles", ("standard", "spectra", "settling", "qk"), 0.75),
    ("settles", ("parameters", "spectra", "settling", "output"), 0.4),
    ("relocates", ("standard", "spectra"), spectra(0.5, 0.7, 0.8, (2, 4, 7))),
    ("content-rank", ("standard", "spectra"), spectra(0.5, 0.7, 0.8, (4.5, 4, 5))),
    ("content-rank", ("parameters", "spectra"), spectra(0.5, 0.7, 0.8, (0.5, 0.9, 5))),
    ("needs-norm", ("depth", "bare", "loss"), 3.0),
    ("needs-norm", ("depth", "qk-norm", "loss"), 3.15),
    ("tolerates", ("depth", "qk-norm-fast", "loss"), 3.15),
    ("none-learns", ("depth", "ffn", "loss"), 3.15),
    ("all-learn", ("depth", "bare", "loss"), 3.0),
]


def changed(found: Found, path: tuple[str, ...], value: Any) -> Found:
    copied = copy.deepcopy(found)
    inner = copied
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = value
    return copied


@pytest.mark.parametrize("criterion", CRITERIA, ids=lambda each: each.name)
def test_what_the_paper_would_see_meets_all_but_the_controls(criterion: Criterion) -> None:
    # all-learn is our amendment of needs-norm: only one of the two can hold.
    expected = not criterion.control and criterion.name != "all-learn"
    assert criterion.met(measurements()) is expected
    assert all(isinstance(value(measurements()), float) for value in criterion.values.values())


@pytest.mark.parametrize(("name", "path", "value"), CHANGES)
def test_every_criterion_turns(name: str, path: tuple[str, ...], value: Any) -> None:
    before = BY_NAME[name].met(measurements())
    assert BY_NAME[name].met(changed(measurements(), path, value)) is not before


def test_a_training_that_ends_before_its_first_measure_adds_no_rank() -> None:
    found = measurements()
    only = found["parameters"]["spectra"]["added"][:1]
    assert not BY_NAME["content-rank"].met(changed(found, ("parameters", "spectra", "added"), only))


def test_routing_of_larger_rank_would_meet_the_control() -> None:
    found = measurements()
    for each in ("standard", "parameters"):
        found[each]["spectra"] = spectra(0.5, 0.7, 0.8, (7, 4, 5))
    assert BY_NAME["routing-rank"].met(found)


def set_tasks() -> Found:
    found: Found = {}
    for task, losses in {
        "maximum": (0.8, 1.0),
        "unique": (0.8, 1.0),
        "mixture": (1.4, 1.5),
        "mean-dependent": (0.5, 1.0),
    }.items():
        found[task] = {
            name: {"loss": loss, "scale": 2.0, "permuted": 1e-6}
            for name, loss in zip(("zonotope", "plain"), losses, strict=True)
        }
    found["mean-dependent"]["bias"] = {"loss": 0.9, "scale": 2.0, "permuted": 1e-6}
    return found


@pytest.mark.parametrize(
    ("name", "path", "value"),
    [
        ("common-tasks", ("unique", "zonotope", "loss"), 0.95),
        ("common-tasks", ("mixture", "zonotope", "loss"), 1.46),
        ("made-task", ("mean-dependent", "zonotope", "loss"), 0.95),
        ("beyond-bias", ("mean-dependent", "bias", "loss"), 0.52),
        ("permuted", ("maximum", "plain", "permuted"), 1e-3),
        ("worse", ("mean-dependent", "zonotope", "loss"), 1.1),
    ],
)
def test_every_criterion_on_sets_turns(name: str, path: tuple[str, ...], value: Any) -> None:
    criterion = BY_NAME[name]
    assert criterion.met(set_tasks()) is not criterion.control
    assert criterion.met(changed(set_tasks(), path, value)) is criterion.control


def test_every_published_figure_is_listed_with_a_command_and_not_run() -> None:
    stated = [s.name for claim in CLAIMS for s in claim.statements if s.name in FIGURES]
    assert sorted(stated) == sorted(FIGURES)
    for name, figure in FIGURES.items():
        context = Context("attention_only.training", name, Profile.FULL, 0)
        with pytest.raises(Inconclusive, match=r"--nproc-per-node 8 -m headproof"):
            published(context)
        assert "--tokens" in figure.command


@pytest.mark.parametrize("name", FIGURES)
def test_the_command_is_understood(name: str) -> None:
    from headproof.numeric.attention_only.matching import parameter_count
    from headproof.numeric.attention_only.pretrain import _parser, decoder, schedule

    words = FIGURES[name].command.split()
    options = _parser().parse_args(words[words.index("--text") :])
    config, training = decoder(options), schedule(options)
    assert training.steps * training.batch * config.context <= options.tokens
    assert 2_000_000 < parameter_count(config) < 200_000_000
