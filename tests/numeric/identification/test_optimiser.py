"""The wrappers around torch's optimisers, on layers with groups, rotations and biases."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor, nn
from torch.optim import Optimizer

from headproof.numeric.identification.attention import Attention
from headproof.numeric.identification.factors import Pair, Projection, QueryKey, ValueOutput
from headproof.numeric.identification.fibre import imbalance, relative_imbalance, tangent_part
from headproof.numeric.identification.muon import Muon, orthogonalised
from headproof.numeric.identification.optimiser import FibreProjected, Rebalanced, rebalance

Make = Callable[[Any], Optimizer]

OPTIMISERS: dict[str, Make] = {
    "SGD": lambda p: torch.optim.SGD(p, lr=0.1),
    "momentum": lambda p: torch.optim.SGD(p, lr=0.05, momentum=0.9),
    "Adam": lambda p: torch.optim.Adam(p, lr=0.01),
    "AdamW": lambda p: torch.optim.AdamW(p, lr=0.01, weight_decay=0.1),
    "Muon": lambda p: Muon(p, lr=0.02, weight_decay=0.1),
}
LAYERS: dict[str, dict[str, Any]] = {
    "plain": {},
    "grouped and rotated": {"kv_heads": 2, "rotary_dim": 4, "bias": "qkvo"},
    "partly rotated": {"kv_heads": 2, "rotary_dim": 2, "bias": "qk"},
    "equal frequencies": {"rotary_dim": 4, "frequencies": "equal"},
    "wide heads": {"head_dim": 20, "bias": "qv"},
    "linear biases": {"alibi": True, "bias": "k", "kv_heads": 1},
}


def layer_and_pairs(name: str) -> tuple[Attention, tuple[QueryKey, ValueOutput]]:
    options = LAYERS[name]
    layer = Attention(16, 4, causal=True, **options)
    H, G = layer.heads, layer.kv_heads
    frequencies = options.get("frequencies", "distinct")
    return layer, (
        QueryKey(
            layer.q_proj, layer.k_proj, H, G, rotary_dim=layer.rotary_dim, frequencies=frequencies
        ),
        ValueOutput(layer.v_proj, layer.o_proj, H, G),
    )


def batch() -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(7)
    made = torch.randn(2, 4, 6, 16, generator=generator, dtype=torch.float64)
    return made[0], made[1]


def loss(layer: nn.Module) -> Tensor:
    x, y = batch()
    found: Tensor = (layer(x) - y).square().mean()
    return found


def stepped(layer: nn.Module, optimiser: Optimizer) -> None:
    optimiser.zero_grad()
    loss(layer).backward()  # type: ignore[no-untyped-call]
    optimiser.step()


def gradient(parameter: nn.Parameter) -> Tensor:
    return torch.zeros_like(parameter) if parameter.grad is None else parameter.grad


@pytest.mark.parametrize("name", LAYERS)
def test_the_gradient_is_orthogonal_to_the_fibre(name: str) -> None:
    layer, pairs = layer_and_pairs(name)
    loss(layer).backward()  # type: ignore[no-untyped-call]
    for pair in pairs:
        part = tangent_part(*pair.factors(), *pair.factors(gradient), pair.commutant)
        assert part.whole > 1e-8
        assert part.share <= 1e-26
        assert float(pair.inert(gradient).abs().sum()) <= 1e-15


def test_without_its_rotations_the_gradient_is_not_orthogonal() -> None:
    layer, _ = layer_and_pairs("grouped and rotated")
    loss(layer).backward()  # type: ignore[no-untyped-call]
    wrong = QueryKey(layer.q_proj, layer.k_proj, 4, 2)
    part = tangent_part(*wrong.factors(), *wrong.factors(gradient), wrong.commutant)
    assert part.share > 1e-4


@pytest.mark.parametrize("name", LAYERS)
def test_moves_inside_the_fibre_do_not_change_the_function(name: str) -> None:
    layer, pairs = layer_and_pairs(name)
    x, _ = batch()
    before = layer(x).detach()
    for pair in pairs:
        rebalance(pair)
        assert float(relative_imbalance(*pair.factors(), pair.commutant).max()) <= 1e-13
    size = before.abs().max()
    assert float((layer(x).detach() - before).abs().max() / size) <= 1e-12


@pytest.mark.parametrize("optimiser", OPTIMISERS)
@pytest.mark.parametrize("name", ["plain", "grouped and rotated", "partly rotated"])
def test_projected(name: str, optimiser: str) -> None:
    layer, pairs = layer_and_pairs(name)
    inner = OPTIMISERS[optimiser](layer.parameters())
    first = loss(layer).item()
    with FibreProjected(inner, pairs) as projected:
        shares = []
        for _ in range(8):
            old = {p: p.detach().clone() for p in layer.parameters()}
            stepped(layer, inner)
            for pair in pairs:
                part = tangent_part(
                    *pair.factors(old.__getitem__),
                    *pair.factors(lambda p, old=old: p.detach() - old[p]),  # type: ignore[misc]
                    pair.commutant,
                )
                assert part.share <= 1e-24
            shares.append(projected.share)
    assert loss(layer).item() < first
    if optimiser == "SGD":
        assert max(shares) <= 1e-24
    elif optimiser != "momentum":
        assert min(shares) > 1e-4


@pytest.mark.parametrize("name", LAYERS)
def test_rebalanced_trains_the_same_function(name: str) -> None:
    """One step from the same point: the same function as without, and balanced factors."""
    x, _ = batch()
    found = []
    for wrapped in (False, True):
        layer, pairs = layer_and_pairs(name)
        adam = torch.optim.Adam(layer.parameters(), lr=0.01)
        around = Rebalanced(adam, pairs) if wrapped else None
        stepped(layer, adam)
        found.append(layer(x).detach())
        if around is not None:
            for pair in pairs:
                assert float(relative_imbalance(*pair.factors(), pair.commutant).max()) <= 1e-13
            around.remove()
    assert float((found[0] - found[1]).abs().max() / found[0].abs().max()) <= 1e-12


def test_removed_hooks_do_nothing() -> None:
    points = []
    for wrapped in (False, True):
        layer, pairs = layer_and_pairs("plain")
        adam = torch.optim.Adam(layer.parameters(), lr=0.01)
        if wrapped:
            FibreProjected(adam, pairs).remove()
        stepped(layer, adam)
        points.append(layer.q_proj.weight.detach().clone())
    assert torch.equal(*points)


def test_every_second_step() -> None:
    layer, pairs = layer_and_pairs("plain")
    adam = torch.optim.Adam(layer.parameters(), lr=0.01)
    Rebalanced(adam, pairs, every=2)
    sizes = []
    for _ in range(2):
        stepped(layer, adam)
        sizes.append(float(relative_imbalance(*pairs[0].factors(), pairs[0].commutant).max()))
    assert sizes[0] > 1e-2 > 1e-13 > sizes[1]


@pytest.mark.parametrize("name", LAYERS)
def test_gradient_steps_conserve_the_imbalance_to_second_order(name: str) -> None:
    """Halving the step divides the drift of a fixed time by four times two steps: by two."""
    drifts = []
    for steps in (1, 2):
        layer, pairs = layer_and_pairs(name)
        before = [imbalance(*pair.factors(), pair.commutant) for pair in pairs]
        sgd = torch.optim.SGD(layer.parameters(), lr=0.01 / steps)
        for _ in range(steps):
            stepped(layer, sgd)
        after = [imbalance(*pair.factors(), pair.commutant) for pair in pairs]
        drifts.append(sum(float((a - b).norm()) for a, b in zip(after, before, strict=True)))
    assert 1.8 < drifts[0] / drifts[1] < 2.2


def test_fused_projections() -> None:
    """torch's own layer keeps queries, keys and values in one tensor."""
    made = nn.MultiheadAttention(16, 4, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.normal_(generator=torch.Generator().manual_seed(3)).div_(4)
    weight, bias = made.in_proj_weight, made.in_proj_bias
    assert isinstance(weight, nn.Parameter)
    assert isinstance(bias, nn.Parameter)
    third = partial(Projection, weight, bias, outputs=16)
    q, k, v = (third(16 * i) for i in range(3))
    pairs: list[Pair] = [QueryKey(q, k, 4), ValueOutput(v, made.out_proj, 4)]
    x, _ = batch()
    before = made(x, x, x)[0].detach()
    for pair in pairs:
        rebalance(pair)
        assert float(relative_imbalance(*pair.factors(), pair.commutant).max()) <= 1e-13
    assert float((made(x, x, x)[0].detach() - before).abs().max()) <= 1e-12 * float(
        before.abs().max()
    )


def test_columns_as_outputs() -> None:
    weight = nn.Parameter(torch.arange(24, dtype=torch.float64).reshape(4, 6))
    part = Projection(weight, None, 2, 2, outputs_first=False)
    assert part.matrix().tolist() == [[2, 8, 14, 20], [3, 9, 15, 21]]


def test_what_does_not_fit() -> None:
    layer = Attention(6, 2)
    weight = nn.Parameter(torch.ones(6, 6))
    for wrong in (
        lambda: QueryKey(layer.q_proj, layer.k_proj, 4),
        lambda: QueryKey(layer.q_proj, layer.k_proj, 2, 1),
        lambda: QueryKey(layer.q_proj, layer.k_proj, 0),
        lambda: QueryKey(layer.q_proj, layer.k_proj, 2, rotary_dim=3),
        lambda: QueryKey(layer.q_proj, "k_proj", 2),  # type: ignore[arg-type]
        lambda: ValueOutput(layer.v_proj, layer.o_proj, 4),
        lambda: Projection(weight, None, 4, 4),
        lambda: Projection(weight, None, -1, 4),
        lambda: FibreProjected(torch.optim.Adam(layer.parameters()), []),
        lambda: Rebalanced(
            torch.optim.Adam(layer.parameters()),
            [QueryKey(layer.q_proj, layer.k_proj, 2)],
            every=0,
        ),
        lambda: Muon(layer.parameters(), lr=-1),
        lambda: Muon(layer.parameters(), momentum=1),
    ):
        with pytest.raises(ValueError, match="expected"):
            wrong()


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (5, 2), (1, 1)])
def test_orthogonalised(shape: tuple[int, int]) -> None:
    matrix = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    near = orthogonalised(matrix)
    values = torch.linalg.svdvals(near)
    assert float((values - 1).abs().max()) < 0.35
    u, _, vh = torch.linalg.svd(matrix, full_matrices=False)
    assert float((near - u @ vh).norm()) <= 0.35 * min(shape) ** 0.5
    assert bool((orthogonalised(torch.zeros(shape)) == 0).all())


def test_factors_that_cannot_be_moved_along() -> None:
    """What is frozen must not change, and a narrow format has no decomposition."""
    layer = Attention(6, 2)
    pair = QueryKey(layer.q_proj, layer.k_proj, 2)
    elsewhere = torch.optim.SGD(layer.o_proj.parameters(), lr=0.1)
    with pytest.raises(ValueError, match="none of a pair"):
        FibreProjected(elsewhere, [pair])
    layer.k_proj.weight.requires_grad_(False)
    with pytest.raises(ValueError, match="frozen"):
        Rebalanced(torch.optim.SGD(layer.parameters(), lr=0.1), [pair])
    narrow = Attention(6, 2, dtype=torch.bfloat16)
    with pytest.raises(ValueError, match="bfloat16"):
        Rebalanced(
            torch.optim.SGD(narrow.parameters(), lr=0.1),
            [QueryKey(narrow.q_proj, narrow.k_proj, 2)],
        )


def test_one_layer_used_twice() -> None:
    """Weight tying names a pair twice; the second time there is nothing left to do."""
    layer, both = layer_and_pairs("grouped and rotated")
    pairs: tuple[Pair, ...] = both
    adam = torch.optim.Adam(layer.parameters(), lr=0.01)
    before = [tuple(factor.clone() for factor in pair.factors()) for pair in pairs]
    with FibreProjected(adam, [*pairs, *pairs]):
        loss(layer).backward()  # type: ignore[no-untyped-call]
        adam.step()
    for pair, (left, right) in zip(pairs, before, strict=True):
        new_left, new_right = pair.factors()
        part = tangent_part(left, right, new_left - left, new_right - right, pair.commutant)
        assert float(part.whole) > 0
        assert float(part.inside) < 1e-20 * float(part.whole)
