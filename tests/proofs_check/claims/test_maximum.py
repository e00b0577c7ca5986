"""Claims A7, A8 and A9: every producer can come out otherwise, and refutations are exact."""

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from headproof.numeric.tropical import depth as deep_floats
from headproof.numeric.tropical import minkowski as sum_floats
from headproof.numeric.tropical import overlay as overlay_floats
from headproof.proofs_check.checker import check_certificate
from headproof.proofs_check.checker.errors import Rejected
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.claims.tropical import CLAIMS
from headproof.proofs_check.evidence import Finding
from headproof.proofs_check.producers.tropical import depth, maximum, overlays, unbiased_maximum
from headproof.symbolic.errors import HeadproofError
from headproof.symbolic.regions.linear_regions import linear_regions
from headproof.symbolic.regions.network import Network
from headproof.symbolic.tropical.depth import digit_extraction
from headproof.symbolic.tropical.maximum import maximum as exact_maximum
from headproof.symbolic.tropical.unbiased_maximum import unbiased_maximum as exact_unbiased_maximum

BY_ID = {claim.id: claim for claim in CLAIMS}


def context(claim: str, seed: int = 1) -> Context:
    return Context(claim, "any", Profile.QUICK, seed)


def test_what_is_refuted_names_what_holds_instead() -> None:
    tight = BY_ID["tropical.maximum"].statement("tight")
    order = BY_ID["tropical.depth"].statement("order")
    assert (tight.amended_by, order.amended_by) == ("opposite", "digits")


def test_the_identity_behind_missing_labels_is_checked() -> None:
    for d in (1, 2, 3):
        check_certificate(overlays.constant_combination(d))
    wrong = overlays.constant_combination(2)
    wrong["data"]["right"] = ["+", wrong["data"]["right"], ["at", "x", 0]]
    with pytest.raises(Rejected):
        check_certificate(wrong)


def test_the_identity_says_what_it_is_used_for() -> None:
    """sum_h y_h t_h(x) is constant, so y_h t_h > 0 for all h at one x and < 0 at another fails."""
    random = Random(5)
    for _ in range(200):
        a = [random.randint(-3, 3) for _ in range(2)]
        b = [random.randint(-3, 3) for _ in range(2)]
        y = (a[1], -a[0])  # signed minors of two slopes on a line
        signs = {
            tuple((y[h] * (a[h] * x + b[h]) > 0) - (y[h] * (a[h] * x + b[h]) < 0) for h in (0, 1))
            for x in range(-20, 21)
        }
        if all(y):
            assert not {(1, 1), (-1, -1)} <= signs


def test_a_construction_that_falls_short_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def parallel(d: int, sizes: Any) -> Any:
        return [{"keys": [[0] * d] * N, "biases": list(range(N))} for N in sizes]

    monkeypatch.setattr(overlays, "parallel_heads", parallel)
    with pytest.raises(HeadproofError, match="1 cells"):
        overlays.attained(context("tropical.maximum"))


def test_a_formula_that_is_too_small_is_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    true = exact_maximum
    monkeypatch.setattr(overlays, "maximum", lambda d, sizes: max(true(d, sizes) - 1, 1))
    outcome = overlays.search_upper(context("tropical.maximum"))
    assert outcome.finding is Finding.VIOLATED
    assert outcome.certificates["overlay"]["data"]["cells"] >= 2
    with pytest.raises(HeadproofError):
        overlays.two_keys(context("tropical.maximum"))
    with pytest.raises(HeadproofError):
        overlays.key_biases(context("tropical.maximum"))


def test_vertices_that_are_too_few_or_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    true = exact_unbiased_maximum
    monkeypatch.setattr(
        unbiased_maximum, "unbiased_maximum", lambda d, sizes: max(true(d, sizes) - 1, 1)
    )
    with pytest.raises(HeadproofError, match="the formula says"):
        unbiased_maximum.attained(context("tropical.unbiased-maximum"))
    outcome = unbiased_maximum.search_upper(context("tropical.unbiased-maximum"))
    assert outcome.finding is Finding.VIOLATED
    for certificate in outcome.certificates.values():
        check_certificate(certificate)


def test_weibel_identities_are_checked() -> None:
    for d, H in ((2, 3), (3, 3), (4, 5)):
        certificate = unbiased_maximum.weibel_identity(d, H)
        check_certificate(certificate)
        wrong = dict(certificate, data=dict(certificate["data"]))
        wrong["data"]["left"] = ["+", certificate["data"]["left"], 1]
        with pytest.raises(Rejected):
            check_certificate(wrong)


def test_weibel_is_claimed_for_its_dimensions_only() -> None:
    outcome = unbiased_maximum.weibel_derivation(context("tropical.unbiased-maximum"))
    assert not outcome.general
    assert "d = 2..10" in outcome.scope


def test_digits_that_are_not_all_there(monkeypatch: pytest.MonkeyPatch) -> None:
    def shallow(d: int, H: int, N: int, L: int) -> Network:
        return digit_extraction(d, H, N, max(L - 1, 0))

    monkeypatch.setattr(depth, "digit_extraction", shallow)
    outcome = depth.digits(context("tropical.depth"))
    assert outcome.finding is Finding.VIOLATED
    for certificate in outcome.certificates.values():
        check_certificate(certificate)
    with pytest.raises(HeadproofError):
        depth.too_few_heads(context("tropical.depth"))


def test_a_bound_that_is_too_small_is_violated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(depth, "upper_bound", lambda *sizes: 3)
    for produce in (depth.search_bound, depth.random_networks):
        outcome = produce(context("tropical.depth"))
        assert outcome.finding is Finding.VIOLATED
        for certificate in outcome.certificates.values():
            check_certificate(certificate)


def test_cells_that_are_none_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = frozenset({(99,)})
    monkeypatch.setattr(overlay_floats, "visited", lambda *_, **__: wrong)
    assert maximum.float_agreement(context("a.b")).finding is Finding.VIOLATED
    monkeypatch.setattr(sum_floats, "extreme_choices", lambda *_, **__: wrong)
    assert unbiased_maximum.float_agreement(context("a.b")).finding is Finding.VIOLATED
    monkeypatch.setattr(deep_floats, "visited", lambda *_, **__: wrong)
    monkeypatch.setattr(deep_floats, "pieces", lambda *_, **__: 1)
    assert depth.float_agreement(context("a.b")).finding is Finding.VIOLATED


def test_a_producer_without_a_decision_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(overlay_floats, "visited", lambda *_, **__: frozenset())
    with pytest.raises(HeadproofError):
        maximum.float_agreement(context("a.b"))


def test_the_order_is_refuted_for_any_constant() -> None:
    """8 N < c N^2 once N > 8 / c: the certificate names one N for one c."""
    outcome = depth.too_few_heads(context("tropical.depth"))
    certificate = outcome.certificates["order"]
    check_certificate(certificate)
    harmless = replace_instance(certificate, N=10**5)
    with pytest.raises(Rejected):
        check_certificate(harmless)
    enough_heads = replace_instance(certificate, H=2)
    with pytest.raises(Rejected):
        check_certificate(enough_heads)


def replace_instance(certificate: Any, **values: int) -> Any:
    data = dict(certificate["data"])
    data["instance"] = {**data["instance"], **values}
    return dict(certificate, data=data)


def test_pieces_multiply_over_layers() -> None:
    for N, L in product((2, 3), (1, 2, 3)):
        assert linear_regions(digit_extraction(1, 1, N, L)).pieces == N**L


def test_random_networks_have_the_sizes_asked_for() -> None:
    network = depth.random_network(Random(1), 2, 3, 4, 2, 1)
    assert len(network.layers) == 2
    assert {len(layer.heads) for layer in network.layers} == {3}
    assert {len(head.keys) for layer in network.layers for head in layer.heads} == {4}
    without = replace(network, layers=network.layers[:1])
    assert len(depth.tensors(without)) == 1
