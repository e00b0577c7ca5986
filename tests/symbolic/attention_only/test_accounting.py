"""Counts by hand, laws that they obey, and torch as the outside judge."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from headproof.proofs_check.producers.attention_only.models import (
    Case,
    cases,
    counted,
    learned,
    model,
)
from headproof.symbolic.attention_only.accounting import (
    SCORES,
    operations,
    parameter_table,
    parameters,
    products,
)
from headproof.symbolic.attention_only.decoder import Decoder, parse
from headproof.symbolic.errors import InputError

SMALL = Decoder(d_model=6, layers=2, heads=2, ffn=5, vocabulary=7, context=4)


def agree(case: Case) -> None:
    """Every count of the torch model, to the unit."""
    made = model(case.decoder)
    assert learned(made) == parameters(case.decoder)
    for scores in SCORES:
        due = operations(case.decoder, tokens=case.tokens, batch=case.batch, scores=scores)
        found = counted(made, case.batch, case.tokens, scores)
        assert found == (due.forward, due.backward)


@settings(max_examples=20)
@given(cases())
def test_twenty_configurations_agree_with_torch_to_the_unit(case: Case) -> None:
    agree(case)


@pytest.mark.long
@settings(max_examples=200)
@given(cases())
def test_two_hundred_configurations_agree_with_torch_to_the_unit(case: Case) -> None:
    agree(case)


@pytest.mark.parametrize(
    "odd",
    [
        Case(replace(SMALL, layers=1, d_model=1, heads=1, head_dim=2, vocabulary=1), 1, 1),
        Case(replace(SMALL, heads=8, kv_heads=1, head_dim=4), 2, 3),
        Case(replace(SMALL, d_model=2, heads=9, kv_heads=3, head_dim=6, tied=False), 1, 4),
        Case(replace(SMALL.without_ffn(layers=5), head_dim=2), 3, 4),
    ],
)
def test_degenerate_sizes_agree_with_torch(odd: Case) -> None:
    agree(odd)


def test_the_counter_sees_nothing_in_the_fused_kernel() -> None:
    from torch.utils.flop_counter import FlopCounterMode

    small = replace(SMALL, head_dim=2)
    made = model(small)
    with FlopCounterMode(display=False) as counter:
        made(torch.zeros(1, 4, dtype=torch.long))
    scores = sum(p.forward for p in products(small) if p.name in ("scores", "mixing"))
    assert counter.get_total_flops() == operations(small).forward - scores


def test_by_hand() -> None:
    table = parameter_table(SMALL)
    assert table["embedding"] == 42
    assert table["attention"] == 2 * 4 * 36
    assert table["feed-forward"] == 2 * 2 * 6 * 5
    assert table["norms"] == 5 * 6
    assert parameters(SMALL) == 42 + 288 + 120 + 30
    # two layers, n = 4: 8 n d^2 for projections, 4 n^2 d for scores, 4 n d f; then 2 n d V
    assert operations(SMALL).forward == 2 * (8 * 4 * 36 + 4 * 16 * 6 + 4 * 4 * 30) + 2 * 4 * 42
    assert operations(SMALL, scores="causal").forward == operations(SMALL).forward - 2 * 4 * 6 * 6


@pytest.mark.parametrize(
    ("change", "more"),
    [
        ({"tied": False}, 42),
        ({"bias": ("q",)}, 2 * 6),
        ({"bias": ("o",)}, 2 * 6),
        ({"bias": ("ffn",)}, 2 * (5 + 6)),
        ({"bias": ("output",)}, 7),
        ({"norm": "layer"}, 30),
        ({"qk_norm": True}, 2 * 2 * 3),
        ({"residual_gates": True}, 4),
        ({"gated": True}, 2 * 30),
        ({"positions": "learned"}, 24),
        ({"final_norm": False}, -6),
        ({"kv_heads": 1}, -2 * 2 * 18),
    ],
)
def test_what_an_option_adds(change: dict[str, Any], more: int) -> None:
    assert parameters(replace(SMALL, **change)) == parameters(SMALL) + more


@settings(max_examples=30)
@given(cases(), st.integers(1, 5))
def test_laws(case: Case, B: int) -> None:
    made = case.decoder
    one, dense = operations(made), operations(made, batch=B)
    causal = operations(made, scores="causal")
    assert one.training == 3 * one.forward
    assert dense.forward == B * one.forward  # linear in the batch
    assert (causal.forward < one.forward) == (made.context > 1)
    letters = made.symbolic()
    assert parameters(letters).subs(made.values()) == parameters(made)
    assert operations(letters).forward.subs(made.values()) == one.forward


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({"layers": 0}, "layers: expected an integer of at least 1, found 0"),
        ({"d_model": 2.0}, "d_model: expected an integer"),
        ({"heads": True}, "heads: expected an integer"),
        ({"heads": 4}, "heads: expected a divisor of d_model, 6, found 4; name head_dim"),
        ({"kv_heads": 3}, "kv_heads: expected a divisor of the heads, 2, found 3"),
        ({"ffn": -1}, "ffn: expected an integer of at least 0"),
        ({"ffn": 0, "gated": True}, "gated: expected a feed-forward layer"),
        ({"tied": 1}, "tied: expected true or false"),
        ({"norm": "batch"}, "norm: expected rms or layer"),
        ({"positions": None}, "positions: expected rope or learned or none"),
        ({"bias": "q"}, "bias: expected a list of names"),
        ({"bias": ["x"]}, "bias: expected names among"),
        ({"bias": ["q", "q"]}, "bias: expected every name once"),
        ({"width": 3}, "expected keys among"),
    ],
)
def test_refusals(document: dict[str, Any], said: str) -> None:
    whole = {"d_model": 6, "layers": 2, "heads": 2, "ffn": 5, "vocabulary": 7, "context": 4}
    assert parse(whole) == SMALL
    with pytest.raises(InputError, match="expected") as caught:
        parse({**whole, **document})
    assert said in str(caught.value)


def test_a_missing_key_and_a_wrong_length() -> None:
    with pytest.raises(InputError, match="the key 'layers'"):
        parse({"d_model": 6})
    with pytest.raises(InputError, match="at most the context, 4"):
        operations(SMALL, tokens=5)
    with pytest.raises(InputError, match="a positive integer"):
        operations(SMALL, tokens=0)
    with pytest.raises(InputError, match="dense or causal"):
        operations(SMALL, scores="half")  # type: ignore[arg-type]
