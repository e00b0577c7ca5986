"""Derivations of topic ensemble: what they conclude, for every size."""

from headproof.proofs_check.outcomes import derived
from headproof.symbolic.ensemble.proofs import diversity_index, principal_angles


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
