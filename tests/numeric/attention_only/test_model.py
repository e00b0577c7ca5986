import math
from dataclasses import replace
from itertools import product

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from headproof.numeric.attention_only.matching import parameter_count, training_flops
from headproof.numeric.attention_only.model import (
    Decoder,
    DecoderConfig,
    RMSNorm,
    rotated,
    rotations,
)

SMALL = DecoderConfig(11, 9, 8, 2, 2)
OPTIONS = [
    replace(SMALL, kv_heads=groups, ffn_width=ffn, gated=gated, qk_norm=other, tied=not other)
    for groups, (ffn, gated), other in product(
        (None, 1), ((0, False), (12, False), (12, True)), (False, True)
    )
]
OPTIONS += [replace(each, biases=True, residual_gates=True, head_width=6) for each in OPTIONS[::3]]


def stirred(config: DecoderConfig, seed: int = 0) -> Decoder:
    """A decoder whose every weight is random, gates and gains too, in float64."""
    generator = torch.Generator().manual_seed(seed)
    model = Decoder(config, generator=generator).double()
    with torch.no_grad():
        for parameter in model.parameters():
            noise = torch.randn(parameter.shape, generator=generator, dtype=torch.float64)
            parameter.add_(0.3 * noise)
    return model


def tokens(count: int, n: int, seed: int = 1) -> torch.Tensor:
    return torch.randint(11, (count, n), generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("config", OPTIONS)
def test_the_three_routes_agree_and_cost_what_the_formulas_say(config: DecoderConfig) -> None:
    model, x = stirred(config), tokens(2, 9)
    fused = model(x)
    # Sums of at most 50 products of size 1 to 10 in two blocks: 1e-12 is thousands of roundings.
    for route, causal in (("dense", False), ("causal", True)):
        assert float((model(x, products=route) - fused).detach().abs().max()) < 1e-12
        with FlopCounterMode(display=False) as counter:
            model(tokens(1, 9), products=route).sum().backward()
        assert counter.get_total_flops() == training_flops(config, causal=causal)
    assert model.parameter_count() == parameter_count(config)


def test_the_fused_route_hides_the_scores_from_the_counter() -> None:
    model = stirred(SMALL)
    with FlopCounterMode(display=False) as counter:
        model(tokens(1, 9)).sum().backward()
    assert counter.get_total_flops() < training_flops(SMALL, causal=True)


@pytest.mark.parametrize("route", ["fused", "dense", "causal"])
def test_no_position_sees_the_future(route: str) -> None:
    model, x = stirred(OPTIONS[-1]), tokens(1, 9)
    changed = x.clone()
    changed[0, 5] = (x[0, 5] + 1) % 11
    with torch.no_grad():
        moved = (model(x, products=route) - model(changed, products=route)).abs().amax(2)[0]
    assert float(moved[:5].max()) == 0.0
    assert float(moved[5:].min()) > 1e-6


def test_rotations_see_differences_of_positions_only() -> None:
    generator = torch.Generator().manual_seed(0)
    q, k = torch.randn(2, 1, 1, 1, 8, generator=generator, dtype=torch.float64)
    turn = rotations(20, 8, torch.device("cpu"))

    def score(i: int, j: int) -> float:
        return float((rotated(q, turn[i : i + 1]) * rotated(k, turn[j : j + 1])).sum())

    assert abs(score(3, 1) - score(19, 17)) < 1e-13
    assert abs(score(3, 1) - score(3, 2)) > 1e-3


def test_gates_begin_at_zero() -> None:
    config = replace(SMALL, residual_gates=True, ffn_width=6)
    model, x = Decoder(config, generator=torch.Generator().manual_seed(0)), tokens(1, 4)
    ends = model.unembedding(model.norm(model.embedding(x)))
    assert torch.equal(model(x), ends)


def test_grouped_heads_share_their_keys() -> None:
    grouped = stirred(replace(SMALL, kv_heads=1))
    full = stirred(SMALL)
    shared = dict(grouped.state_dict())
    d_k = SMALL.d_k
    for layer in range(2):
        name = f"blocks.{layer}.attention.into.weight"
        q, k, v = torch.split(shared[name], [2 * d_k, d_k, d_k])
        shared[name] = torch.cat((q, k, k, v, v))
    full.load_state_dict(shared)
    x = tokens(2, 9)
    assert float((full(x) - grouped(x)).detach().abs().max()) < 1e-13


def test_the_same_generator_gives_the_same_weights() -> None:
    first, second = (
        Decoder(SMALL, generator=torch.Generator().manual_seed(s)).embedding.weight for s in (0, 0)
    )
    assert torch.equal(first, second)


def test_mixed_precision_stays_near() -> None:
    model, x = Decoder(SMALL, generator=torch.Generator().manual_seed(0)), tokens(2, 9)
    with torch.autocast("cpu", torch.bfloat16), torch.no_grad():
        half = model(x).float()
    # Logits of size 1 from some 20 products with 8 bits each.
    assert float((half - model(x)).detach().abs().max()) < 20 * 2**-8


def test_halves_are_normalised_in_the_precision_of_the_gain() -> None:
    """Queries are halves under autocast; torch warns, an error here, where no kernel fits."""
    norm, x = RMSNorm(8), torch.randn(3, 8, generator=torch.Generator().manual_seed(0)).bfloat16()
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(norm(x), norm(x.float()))


def test_a_long_sequence_is_refused() -> None:
    with pytest.raises(ValueError, match="at most 9"):
        Decoder(SMALL)(tokens(1, 10))


def test_an_unknown_route_is_refused() -> None:
    with pytest.raises(ValueError, match="fused"):
        Decoder(SMALL)(tokens(1, 3), products="other")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"vocabulary": 0}, "vocabulary"),
        ({"layers": -1}, "layers"),
        ({"heads": 3}, "divide the width"),
        ({"head_width": 3}, "even head width"),
        ({"heads": 8}, "even head width"),
        ({"kv_heads": 0}, "key/value"),
        ({"heads": 4, "kv_heads": 3}, "key/value"),
        ({"gated": True}, "feed-forward layer to be gated"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(change: dict[str, int], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        replace(SMALL, **change)  # type: ignore[arg-type]


def test_no_layers_one_token() -> None:
    model = Decoder(DecoderConfig(3, 1, 2, 0, 1))
    assert math.isfinite(float(model(torch.zeros(1, 1, dtype=torch.long)).detach().sum()))
