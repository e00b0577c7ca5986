"""The numeric route to the counts: every row agrees, a wrong count does not, random layers do."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.numeric.identification.jacobian import RankUndecided, unidentified
from headproof.proofs_check.claim import Context, Profile
from headproof.proofs_check.evidence import Finding
from headproof.proofs_check.producers.identification import jacobian
from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import Architecture, parse
from headproof.symbolic.identification.counts import identify_architecture

CONTEXT = Context("identification.table", "table", Profile.QUICK, 3)


@pytest.mark.parametrize("produce", [jacobian.ranks, jacobian.beyond])
def test_rows(produce: Any) -> None:
    outcome = produce(CONTEXT)
    assert outcome.finding is Finding.HOLDS, outcome.detail


def test_a_wrong_count_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Torch without the rotations has another rank."""
    row = {"rotated": jacobian.TABLE["MHA + RoPE"]}
    monkeypatch.setattr(jacobian, "options", lambda a: {})
    outcome = jacobian._compared(CONTEXT, row)
    assert outcome.finding is Finding.VIOLATED
    assert "(48, 288) by torch" in outcome.detail


@st.composite
def architectures(draw: st.DrawFn) -> Architecture:
    heads = draw(st.integers(1, 4))
    d_k = draw(st.integers(1, 5))
    document: dict[str, Any] = {
        "d_model": draw(st.integers(2, 7)),
        "heads": heads,
        "kv_heads": draw(st.sampled_from([g for g in range(1, heads + 1) if heads % g == 0])),
        "head_dim": d_k,
        "bias": [name for name in "qkvo" if draw(st.integers(0, 3)) == 0],
        "qk_norm": draw(st.integers(0, 2)) == 0,
        "sink": draw(st.integers(0, 3)) == 0,
        "tied_qk": draw(st.integers(0, 5)) == 0,
    }
    if d_k > 1 and draw(st.booleans()):
        document["rope"] = draw(st.sampled_from(["distinct", "equal"]))
        document["rotary_dim"] = 2 * draw(st.integers(1, d_k // 2))
    if document["qk_norm"]:
        document["qk_norm_gain"] = draw(st.booleans())
    try:
        return parse(document)
    except InputError:
        return parse({"d_model": 4, "heads": 2})


@settings(max_examples=25, deadline=None)
@given(a=architectures(), part=st.sampled_from(["qk", "vo", "block"]), seed=st.integers(0, 999))
def test_random_layers(a: Architecture, part: Any, seed: int) -> None:
    expected = getattr(identify_architecture(a), part).count
    if expected is None:
        return
    try:
        found = unidentified(a.d_model, a.heads, part=part, seed=seed, **jacobian.options(a))
    except RankUndecided:
        return
    assert (found.unidentified, found.total) == (expected.unidentified, expected.total)
