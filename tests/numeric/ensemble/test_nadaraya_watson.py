"""Attention and kernel regression in torch: the identity, its limits, what is refused."""

import pytest
import torch

from headproof.numeric.ensemble.nadaraya_watson import (
    attention_weights,
    head_average,
    kernel_weights,
    weights_error,
)


def normal(*shape: int, seed: int = 0) -> torch.Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator, dtype=torch.float64)


@pytest.mark.parametrize("tau", [0.1, 1.0, 7.0])
@pytest.mark.parametrize(("d", "N"), [(1, 1), (1, 5), (8, 3), (32, 64)])
def test_softmax_is_the_kernel_with_priors(d: int, N: int, tau: float) -> None:
    query, keys = normal(4, d), normal(4, N, d, seed=1)
    one, other = attention_weights(query, keys, tau=tau), kernel_weights(query, keys, tau=tau)
    bound = 2 * weights_error(query, keys, tau=tau)
    assert bool(((one - other).abs().amax(-1) <= bound).all())
    assert float(bound.max()) < 1e-9
    if N > 1:
        plain = kernel_weights(query, keys, tau=tau, priors=False)
        assert bool(((one - plain).abs().amax(-1) > bound).any())


def test_keys_of_one_norm_need_no_priors() -> None:
    keys = torch.nn.functional.normalize(normal(6, 3), dim=-1)
    query = 5 * normal(3, seed=2)
    found = attention_weights(query, keys) - kernel_weights(query, keys, priors=False)
    assert float(found.abs().max()) <= 2 * float(weights_error(query, keys))


def test_huge_scores_do_not_overflow() -> None:
    query, keys = torch.tensor([1e5]), torch.tensor([[1e5], [-1e5]])
    assert kernel_weights(query, keys).tolist() == [1.0, 0.0]


def test_the_average_of_heads() -> None:
    frames = torch.linalg.qr(normal(3, 5, 2)).Q
    query, keys, values = normal(5), normal(7, 5), normal(3, 7, 4)
    one = head_average(query, keys, values, frames)
    each = [
        attention_weights(P.mT @ query, keys @ P) @ v for P, v in zip(frames, values, strict=True)
    ]
    assert one.shape == (4,)
    assert float((one - sum(each) / 3).abs().max()) < 1e-14
    other = head_average(query, keys, values, frames, kernel=True)
    assert float((one - other).abs().max()) < 1e-12


@pytest.mark.parametrize(
    ("shape", "tau"), [((0, 2), 1.0), ((3, 3), 1.0), ((2,), 1.0), ((3, 2), 0.0), ((3, 2), -1.0)]
)
def test_what_is_refused(shape: tuple[int, ...], tau: float) -> None:
    for function in (attention_weights, kernel_weights):
        with pytest.raises(ValueError, match="expected"):
            function(torch.zeros(2), torch.zeros(*shape), tau=tau)
