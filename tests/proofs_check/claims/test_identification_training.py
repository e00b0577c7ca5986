"""C6 and C7: the criteria can fail, and the controls are refuted by certificates."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from headproof.proofs_check.certificates.formula import at, number
from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.claims.identification import criteria
from headproof.proofs_check.claims.identification.gradient import CLAIM as GRADIENT
from headproof.proofs_check.claims.identification.rebalancing import CLAIM as REBALANCING
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.producers.identification import gradient, rebalancing
from headproof.proofs_check.training.identification_plots import plots
from headproof.proofs_check.training.plot import save


def good() -> dict[str, Any]:
    """Measurements that meet every criterion, made up."""
    shares = {"SGD": 1e-27, "momentum": 1e-5, "Muon": 0.05}
    names = {"H=1": 1, "H=2": 2, "H=2, G=1, RoPE": 2}
    kinds = ("SGD", "momentum", "Adam", "Adam, beta1 = 0", "AdamW", "sign descent", "Muon")

    def training(kind: str, heads: int) -> dict[str, list[float]]:
        share = shares.get(kind, 0.2 / heads)
        return {"loss": [2.0, 1.0], "gradient": [1e-31, 1e-30], "step": [share, share]}

    look = {
        "drift": [4e-6, 2e-6, 1e-6],
        "moves": {"along": 1e-16, "random": 1e-3, "size": 0.3},
        "decay": {"before": 0.1, "balanced": 1e-30, "imbalance": 0.4},
        "repairs": {
            "raw": [0.1] * 3,
            "projected": [1e-29] * 3,
            "svd": [0.3] * 3,
            "procrustes": [1.6e-5, 4e-6, 1e-6],
            "logits": [1e-15] * 3,
            "blind": [0.2] * 3,
            "next": [0.1] * 3,
        },
    }
    return {
        "trained": {
            name: {kind: training(kind, heads) for kind in kinds} for name, heads in names.items()
        },
        "looked": {name: copy.deepcopy(look) for name in names},
    }


def changed(*path: str | int, to: Any) -> dict[str, Any]:
    found = good()
    place: Any = found
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    return found


ROTATED = "H=2, G=1, RoPE"
SPOILT = {
    "gradient": [
        changed("trained", ROTATED, "Muon", "gradient", 1, to=1e-19),
        changed("trained", "H=1", "SGD", "step", 0, to=1e-19),
    ],
    "overlap": [changed("trained", ROTATED, "sign descent", "step", 1, to=9e-4)],
    "heads": [
        changed("trained", "H=2", "Adam", "step", 0, to=0.2 / 4 * 0.7),
        changed("trained", "H=1", "Adam", "step", 0, to=0.3),
    ],
    "momentum": [
        changed("trained", "H=1", "momentum", "step", to=[0.0, 1e-13]),
        changed("trained", "H=1", "momentum", "step", to=[0.1, 0.1]),
    ],
    "drift": [changed("looked", "H=1", "drift", to=[4e-6, 1e-6, 5e-7])],
    "moves": [
        changed("looked", "H=2", "moves", "along", to=1e-9),
        changed("looked", "H=2", "moves", "random", to=1e-7),
    ],
    "decay": [
        changed("looked", "H=2", "decay", "before", to=1e-4),
        changed("looked", "H=2", "decay", "balanced", to=1e-4),
    ],
    "same": [
        changed("looked", "H=2", "repairs", "logits", 2, to=1e-9),
        changed("looked", ROTATED, "repairs", "blind", 1, to=1e-9),
    ],
    "plain-svd": [changed("looked", "H=2", "repairs", "svd", 1, to=0.09)],
    "procrustes": [
        changed("looked", "H=2", "repairs", "procrustes", to=[1.6e-2, 4e-3, 2e-3]),
        changed("looked", "H=2", "repairs", "raw", to=[1e-5] * 3),
        changed("looked", "H=2", "repairs", "projected", 0, to=1e-9),
    ],
    "next": [changed("looked", ROTATED, "repairs", "next", 0, to=1e-6)],
}


@pytest.mark.parametrize("criterion", criteria.CRITERIA, ids=lambda criterion: criterion.name)
def test_a_criterion_can_fail(criterion: Any) -> None:
    assert criterion.met(good())
    for value in criterion.values.values():
        assert isinstance(value(good()), float)
    for spoilt in SPOILT[criterion.name]:
        assert not criterion.met(spoilt)


def test_every_criterion_settles_a_statement() -> None:
    trained = [
        producer.statement
        for claim in (GRADIENT, REBALANCING)
        for producer in claim.producers
        if producer.kind is Kind.TRAINED
    ]
    assert len(trained) == len(criteria.CRITERIA)
    assert {criterion.claim for criterion in criteria.CRITERIA} == {GRADIENT.id, REBALANCING.id}


@pytest.mark.parametrize(
    "produce",
    [
        gradient.sign,
        gradient.any_decay,
        gradient.any_direction,
        rebalancing.fix,
        rebalancing.balanced_sign,
        rebalancing.blind,
    ],
)
def test_controls(produce: Callable[[Context], Any]) -> None:
    outcome = produce(Context(GRADIENT.id, "control", Profile.QUICK, 1))
    assert outcome.finding is Finding.VIOLATED
    for certificate in outcome.certificates.values():
        check_certificate(json.loads(json.dumps(certificate)))


@pytest.mark.parametrize(
    "produce",
    [
        gradient.orthogonal_integers,
        gradient.orthogonal_search,
        gradient.complex_step,
        rebalancing.moved_integers,
        rebalancing.moved_search,
        rebalancing.projected_search,
    ],
)
def test_evidence(produce: Callable[[Context], Any]) -> None:
    outcome = produce(Context(GRADIENT.id, "orthogonal", Profile.QUICK, 2))
    assert outcome.finding is Finding.HOLDS
    for certificate in outcome.certificates.values():
        check_certificate(json.loads(json.dumps(certificate)))


def test_a_wrong_gradient_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search whose property is false ends with a certificate, here of an overlap that is."""
    monkeypatch.setattr(gradient, "_no_overlap", lambda case: False)
    monkeypatch.setattr(gradient, "key_step", lambda b, c: at("R", b, c))
    monkeypatch.setattr(gradient, "query_step", lambda a, c: number(1) + at("L", a, c))
    outcome = gradient.orthogonal_search(Context(GRADIENT.id, "orthogonal", Profile.QUICK, 2))
    assert outcome.finding is Finding.VIOLATED
    assert list(outcome.certificates) == ["case"]


def test_plots(tmp_path: Any) -> None:
    for plot in plots([good(), good()]):
        save(plot, tmp_path)
        assert (tmp_path / f"{plot.name}.png").stat().st_size > 5_000
