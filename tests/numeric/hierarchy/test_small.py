"""Reading heads off: the rules by hand, all beginnings, and a model that follows a known rule."""

import torch

from headproof.numeric.hierarchy.model import ModelSettings, Transformer
from headproof.numeric.hierarchy.small import RULES, beginnings, read_off
from headproof.symbolic.hierarchy.dyck import Dyck


def test_all_beginnings() -> None:
    for n in (1, 3, 5):
        found = {tuple(map(int, row[1:])) for row in beginnings(2, 2, n).tokens}
        assert found == {word for word in Dyck(2, 2).prefixes(n) if len(word) == n}


def test_a_head_that_looks_at_the_beginning() -> None:
    """A key that grows with position 0 alone: every query prefers the beginning."""
    model = Transformer(5, 6, ModelSettings(4, 1), seed=0)
    with torch.no_grad():
        model.embedding.weight.zero_()
        model.positions.weight.copy_(torch.tensor([[3.0, -3, 0, 0]] + [[0, 0, 3.0, -3]] * 5))
        attention = model.layers[0].attention
        for part in (attention.query, attention.key):
            part.weight.zero_()
            part.bias.zero_()
        attention.query.bias[0] = 1.0
        attention.key.weight[0, 0] = 1.0
    found = read_off(model, 2, 2, 5)
    assert found["rule"] == ["beginning"]
    assert found["shares"][0]["beginning"] == 1.0
    expected = 0
    for n in range(3, 6):
        batch = beginnings(2, 2, n)
        expected += int(((batch.depth[:, -1] > 0) & (batch.tokens[:, -1] >= 2)).sum())
    assert found["beginnings"] == expected
    assert set(found["shares"][0]) == set(RULES)
