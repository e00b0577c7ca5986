"""How far the factors of a checkpoint are from balanced."""

from __future__ import annotations

import pytest
import torch
from torch import nn

from headproof.numeric.checkpoint import from_module
from headproof.numeric.identification.factors import Projection, QueryKey, ValueOutput
from headproof.numeric.identification.optimiser import rebalance
from headproof.proofs_check.inspection import inspect_checkpoint
from headproof.proofs_check.inspection.balance import balance
from headproof.proofs_check.inspection.lines import balance_lines


def fused() -> nn.MultiheadAttention:
    torch.manual_seed(0)
    return nn.MultiheadAttention(8, 2, bias=False, dtype=torch.float64)


def test_by_hand() -> None:
    made = nn.MultiheadAttention(1, 1, bias=False, dtype=torch.float64)
    with torch.no_grad():
        made.in_proj_weight.copy_(torch.tensor([[2.0], [1.0], [3.0]]))
        made.out_proj.weight.fill_(3.0)
    found = balance(from_module(made), 0)
    assert found.qk == pytest.approx((3 / 5,), abs=1e-15)
    assert found.vo == (0.0,)


def test_balanced_factors_are_seen_as_such() -> None:
    made = fused()
    before = balance(from_module(made), 0)
    assert min(*before.qk, *before.vo) > 1e-2
    weight = made.in_proj_weight
    q, k, v = (Projection(weight, None, 8 * i, 8) for i in range(3))
    for pair in (QueryKey(q, k, 2), ValueOutput(v, made.out_proj, 2)):
        rebalance(pair)
    after = balance(from_module(made), 0)
    assert max(*after.qk, *after.vo) <= 1e-13


def test_lines_and_document() -> None:
    found = inspect_checkpoint(fused())
    document = found.document()
    assert document["layers"][0]["imbalance"] == {
        "qk": list(found.balance[0].qk),
        "vo": list(found.balance[0].vo),
    }
    shown = balance_lines(found)
    assert len(shown) == 4
    assert max(map(len, shown)) <= 100
