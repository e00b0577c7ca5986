"""Derivations of topic ensemble: what they conclude, for every size."""

from typing import Any

import pytest

from headproof.proofs_check.outcomes import derived
from headproof.symbolic.ensemble.proofs import (
    budget,
    budget_growth,
    covariance,
    diversity_index,
    error_decomposition,
    head_average,
    isotropic,
    nadaraya_watson,
    principal_angles,
)


def test_the_kernel() -> None:
    found = principal_angles.derivation()
    assert found.general
    assert [str(size) for size in found.sizes] == ["d", "k"]


def test_the_index() -> None:
    found = diversity_index.derivation()
    for names in (
        ("range", "pairs"),
        ("spectral", "pairs", "square"),
        ("effective", "pairs", "square", "number"),
        ("bound", "pairs"),
    ):
        outcome = derived(found, *names)
        assert outcome.general
        assert not outcome.argued
        assert outcome.numbers["symbols"] == "m, d, k"
    assert not derived(found, "range").general  # without saying what its letters are


CONCLUSIONS: dict[Any, tuple[str, tuple[str, ...]]] = {
    nadaraya_watson.derivation: ("N, d", ("factors", "power", "weights", "output", "plain")),
    head_average.derivation: ("H, N, k", ("heads", "average")),
    error_decomposition.derivation: ("m", ("decomposition",)),
    error_decomposition.outcomes: ("m, n", ("finite-space",)),
    error_decomposition.fixed_design: ("m, n", ("covariance", "average", "error")),
    isotropic.derivation: (
        "m, S, k",
        ("error", "decreasing", "aligned", "orthogonal", "pairs", "norms", "noise", "square"),
    ),
    covariance.determinant: ("k", ("block", "sines")),
    covariance.derivation: ("k", ("increasing", "least", "orthogonal")),
    covariance.room: ("d, k", ("room",)),
    budget.derivation: (
        "n, D",
        (
            *("convex", "stationary", "value", "formula"),
            *("unique", "threshold", "positive", "integer"),
        ),
    ),
    budget_growth.growth: ("n, D", ("bounds", "limit")),
    budget_growth.contrast: ("n, H", ("balance", "limit")),
}


LONG = {
    error_decomposition.fixed_design,
    head_average.derivation,
    isotropic.derivation,
    nadaraya_watson.derivation,
}
"""Each is made by the verification as well."""


@pytest.mark.parametrize(
    "make",
    [pytest.param(m, marks=[pytest.mark.long] if m in LONG else []) for m in CONCLUSIONS],
    ids=lambda make: f"{make.__module__}.{make.__name__}",
)
def test_what_is_concluded_for_every_size(make: Any) -> None:
    symbols, names = CONCLUSIONS[make]
    found = make()
    assert tuple(found.conclusions) == names
    outcome = derived(found, *names)
    assert outcome.general
    assert not outcome.argued
    assert outcome.numbers["symbols"] == symbols


def test_the_threshold_at_the_unit() -> None:
    threshold = str(budget.derivation().conclusion("threshold"))
    assert threshold.startswith("Equivalence(t <= delta, (g*t + 1)*exp(t*(alpha + g)) <= ")
