"""Claims T2a to T2e: each piece comes out as its statement needs, and what is wrong is noticed."""

from dataclasses import replace
from typing import Any

import pytest

from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.claim import Claim, Context, Producer, Profile
from headproof.proofs_check.claims.zonotope import criteria
from headproof.proofs_check.claims.zonotope.containment import CLAIM as CONTAINMENT
from headproof.proofs_check.claims.zonotope.equivariance import CLAIM as EQUIVARIANCE
from headproof.proofs_check.claims.zonotope.identification import CLAIM as IDENTIFICATION
from headproof.proofs_check.claims.zonotope.saturation import CLAIM as SATURATION
from headproof.proofs_check.claims.zonotope.separation import CLAIM as SEPARATION
from headproof.proofs_check.evidence import Finding, Kind
from headproof.proofs_check.producers.zonotope import (
    containment,
    equivariance,
    identification,
    saturation,
    separation,
)
from headproof.proofs_check.verdict import Verdict
from headproof.symbolic.zonotope.jacobian import identified
from headproof.symbolic.zonotope.layer import coefficients, evaluate
from headproof.symbolic.zonotope.membership import Place, membership
from headproof.symbolic.zonotope.saturation import selection
from headproof.symbolic.zonotope.zonotope import vertex_bound

PRODUCERS = [
    (claim, producer)
    for claim in (EQUIVARIANCE, CONTAINMENT, SATURATION, SEPARATION, IDENTIFICATION)
    for producer in claim.producers
    if producer.kind not in (Kind.SYMBOLIC, Kind.FORMAL)
]
QUICK = Context("zonotope.containment", "interior", Profile.QUICK, 3)


@pytest.mark.parametrize(
    ("claim", "producer"), PRODUCERS, ids=[f"{c.id}-{p.name}" for c, p in PRODUCERS]
)
def test_each_piece_comes_out_as_its_statement_needs(claim: Claim, producer: Producer) -> None:
    (statement,) = (s for s in claim.statements if s.name == producer.statement)
    outcome = producer.produce(Context(claim.id, statement.name, Profile.QUICK, 3))
    false = statement.expected.verdict is Verdict.REFUTED
    assert outcome.finding is (Finding.VIOLATED if false else Finding.HOLDS)
    assert bool(outcome.certificates) or (producer.kind is Kind.SEARCH and not false)
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


@pytest.mark.long  # shrinking takes long
def test_coefficients_of_the_first_token_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def ordered(heads: Any, tokens: Any) -> Any:
        return evaluate(heads, tokens, by=lambda head, x: coefficients(head, x[:1]))

    monkeypatch.setattr(equivariance, "evaluate", ordered)
    assert equivariance.search_equivariant(QUICK).finding is Finding.VIOLATED


@pytest.mark.long  # shrinking takes long
def test_coefficients_outside_the_cube_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def large(heads: Any, tokens: Any) -> Any:
        return evaluate(heads, tokens, by=lambda head, x: [2] * len(head.slopes))

    monkeypatch.setattr(containment, "evaluate", large)
    assert containment.search_interior(QUICK).finding is Finding.VIOLATED


def test_a_place_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = membership
    monkeypatch.setattr(
        containment, "membership", lambda z, p: replace(right(z, p), place=Place.INTERIOR)
    )
    with pytest.raises(AssertionError):
        containment.outputs(QUICK)


def test_a_bound_that_is_too_small_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(containment, "vertex_bound", lambda d, g: vertex_bound(d, g) - 1)
    assert containment.counted(QUICK).finding is Finding.VIOLATED
    assert containment.search_counts(QUICK).finding is Finding.VIOLATED


def test_a_selection_that_is_wrong_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = selection
    monkeypatch.setattr(saturation, "selection", lambda z, s: replace(right(z, s), vertex=True))
    assert saturation.signs(QUICK).finding is Finding.VIOLATED
    assert saturation.search_criterion(QUICK).finding is Finding.VIOLATED


@pytest.mark.long  # shrinking takes long
def test_a_static_layer_that_does_not_double_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(separation, "_static", lambda values: values)  # generators are kept

    def kept(head: Any, **_: Any) -> Any:
        return head

    monkeypatch.setattr(separation, "replace", kept)
    assert separation.search_static(QUICK).finding is Finding.VIOLATED


def test_a_wrong_dimension_of_the_fibre_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = identified

    def fewer(size: Any, *, seed: int) -> Any:
        rows, rank = right(size, seed=seed)
        return rows, replace(rank, rank=rank.rank - 1)

    monkeypatch.setattr(identification, "identified", fewer)
    assert identification.ranks(QUICK).finding is Finding.VIOLATED


@pytest.mark.long  # shrinking takes long
def test_a_sign_without_its_slope_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    right = identification._moved

    def half(head: Any, random: Any) -> Any:
        return replace(right(head, random), slopes=head.slopes, offsets=head.offsets)

    monkeypatch.setattr(identification, "_moved", half)
    assert identification.search_symmetries(QUICK).finding is Finding.VIOLATED


def _nats(zonotope: float) -> dict[str, float]:
    return {"mixture_plain": -1.0, "mixture_zonotope": zonotope}


def _measured(**changes: Any) -> Any:
    """Losses of 1 in every arm of every task, and what is changed: ``task_arm=loss``."""
    found = {
        task: {arm: {"loss": 1.0, "permuted": 2e-6, "scale": 2.0} for arm in arms}
        for task, arms in (
            *((task, ("zonotope", "plain")) for task in criteria.COMMON),
            ("mean-dependent", ("zonotope", "plain", "bias")),
        )
    }
    for name, loss in changes.items():
        task, arm = name.replace("made", "mean-dependent").rsplit("_", 1)
        found[task][arm]["loss"] = loss
    return found


@pytest.mark.parametrize(
    ("criterion", "met", "missed"),
    [
        (
            criteria.COMMON_TASKS,
            {"maximum_zonotope": 0.9, "unique_zonotope": 0.9, "mixture_zonotope": 0.95},
            {"maximum_zonotope": 0.9, "unique_zonotope": 0.9, "mixture_zonotope": 0.951},
        ),
        (
            criteria.COMMON_TASKS,  # a likelihood may be negative: differences count, not ratios
            {"maximum_zonotope": 0, "unique_zonotope": 0} | _nats(-1.05),
            {"maximum_zonotope": 0.901, "unique_zonotope": 0} | _nats(-1.05),
        ),
        (criteria.MADE, {"made_zonotope": 0.9}, {"made_zonotope": 0.901, "made_bias": 9.0}),
        (
            criteria.BEYOND_BIAS,
            {"made_bias": 0.5, "made_zonotope": 0.45},
            {"made_bias": 0.5, "made_zonotope": 0.46},
        ),
        (criteria.WORSE, {"made_zonotope": 1.001}, {"made_zonotope": 1.0, "made_bias": 0.1}),
    ],
)
def test_criteria_of_the_training_tell_apart_what_their_text_does(
    criterion: Any, met: Any, missed: Any
) -> None:
    assert criterion.met(_measured(**met))
    assert not criterion.met(_measured(**missed))


def test_one_model_that_a_permutation_moves_is_enough() -> None:
    found = _measured()
    assert criteria.PERMUTED.met(found)
    found["unique"]["plain"]["permuted"] = 2.1e-5  # more than 1e-5 of an output of 2
    assert not criteria.PERMUTED.met(found)
