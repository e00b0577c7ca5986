"""Matched decoders: against trying everything, and what is refused."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.numeric.attention_only import matching as numeric
from headproof.proofs_check.producers.attention_only.matching import _by_trial
from headproof.proofs_check.producers.attention_only.models import model, standard_decoders
from headproof.symbolic.attention_only.decoder import Decoder
from headproof.symbolic.attention_only.matching import COSTS, VARY, Cost, Vary, match
from headproof.symbolic.errors import InputError

SMALL = Decoder(d_model=64, layers=4, heads=4, ffn=256, vocabulary=96, context=128)


@settings(max_examples=40)
@given(standard_decoders(), st.sampled_from(VARY))
def test_trying_everything_finds_the_same(decoder: Decoder, vary: Vary) -> None:
    found = match(decoder, vary=vary)
    for by in COSTS:
        each = found.match(by)
        assert _by_trial(found, by) == each.members
        assert {abs(c.cost(by) - each.target) for c in each.found} == {each.mismatch}


def test_three_times_the_depth_but_for_the_gains() -> None:
    found = match(SMALL)
    (member,) = found.match("parameters").members
    assert member == (4, 12)
    assert found.match("parameters").residual() == Fraction(4, 3177)
    assert found.in_place.decoder == replace(SMALL, ffn=0)
    (by_flops,) = found.match("operations").members
    assert by_flops == (4, 9)


def test_a_tie_names_both() -> None:
    # d = 2, one head of one dimension with normed queries and keys: a layer of attention has
    # 8 + 2 + 2 parameters, the feed-forward layer with its gain 4 + 2: halfway between two depths
    made = Decoder(
        d_model=2, layers=1, heads=1, head_dim=1, ffn=1, qk_norm=True, vocabulary=1, context=1
    )
    found = match(made).match("parameters")
    assert found.members == ((1, 1), (1, 2))
    assert [found.residual(k) * found.target for k in (0, 1)] == [-6, 6]


def test_one_layer_is_the_least() -> None:
    shallow = replace(SMALL, layers=1, ffn=1)
    found = match(shallow)
    assert [m.members for m in found.matches] == [((4, 1),), ((4, 1),)]


def test_refusals() -> None:
    with pytest.raises(InputError, match="a decoder with feed-forward layers"):
        match(SMALL.without_ffn())
    with pytest.raises(InputError, match="integers for sizes"):
        match(SMALL.symbolic())
    with pytest.raises(InputError, match="depth, width or both"):
        match(SMALL, vary="heads")  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a multiple of the 4 groups"):
        match(replace(SMALL, d_model=66, head_dim=16), vary="width")
    assert match(replace(SMALL, d_model=66, head_dim=16)).match("parameters").members


@settings(max_examples=30)
@given(standard_decoders())
def test_the_second_implementation_agrees(decoder: Decoder) -> None:
    """numeric/ counts and matches on its own, for the experiments."""
    config = model(decoder).config
    found = match(decoder, scores="dense")
    names: dict[Cost, str] = {"parameters": "parameters", "operations": "flops"}
    assert numeric.parameter_count(config) == found.standard.parameters
    assert numeric.training_flops(config) == found.standard.operations
    causal = match(decoder, scores="causal").standard.operations
    assert numeric.training_flops(config, causal=True) == causal
    for by, name in names.items():
        depth = numeric.attention_only(config, name).layers
        assert max(depth, 1) == found.match(by).members[0][1]
