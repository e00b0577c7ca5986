"""Enclosures against torch in float64, and what cannot be decided."""

import pytest
import torch

from headproof.numeric.hierarchy.interventions import softmaxes, watched
from headproof.numeric.hierarchy.model import ModelSettings, Transformer, rounded
from headproof.numeric.hierarchy.small import network, restored
from headproof.symbolic.errors import InputError, PrecisionExhausted
from headproof.symbolic.hierarchy.dyck import Dyck
from headproof.symbolic.hierarchy.transformer import looks


@pytest.mark.parametrize("head", [(0, 1), (1, 0)])
def test_leads_are_those_of_float64(head: tuple[int, int]) -> None:
    model = Transformer(5, 6, ModelSettings(8, 2, heads=2, factor=2), seed=3)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(4)  # leads that are not all small
    rounded(model, 12)
    document = network(model, 12)
    model = restored(document).double()
    for look in looks(document, head, Dyck(2, 3).prefixes(4)):
        with watched(softmaxes(model)[head[0]]) as seen, torch.no_grad():
            model(torch.tensor([[4, *look.word]]))
        weights = seen[0][0, head[1], -1]
        assert look.majority == bool(weights.max() > 0.5)
        if look.lead is None:
            assert len(weights) == 1
            continue
        assert int(weights.argmax()) == look.key
        scores = weights.log().sort().values
        # float64 through two layers: some hundred operations on numbers below 10^3.
        assert abs(float(scores[-1] - scores[-2]) - float(look.lead)) < 1e-9


def test_ties_and_bad_input() -> None:
    model = Transformer(3, 3, ModelSettings(2, 1), seed=0)
    with torch.no_grad():
        model.layers[0].attention.key.weight.zero_()
    rounded(model, 10)
    document = network(model, 10)
    with pytest.raises(PrecisionExhausted, match="512 bits"):
        list(looks(document, (0, 0), [(0,)]))
    with pytest.raises(InputError, match="a layer below 1"):
        list(looks(document, (1, 0), [(0,)]))
    with pytest.raises(InputError, match="a head below 1"):
        list(looks(document, (0, 1), [(0,)]))
    with pytest.raises(InputError, match="at most 2 symbols"):
        list(looks(document, (0, 0), [(0, 0, 0)]))
    with pytest.raises(InputError, match="symbols below 2"):
        list(looks(document, (0, 0), [(2,)]))
