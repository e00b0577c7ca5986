"""Key biases: inert within the rounding bound, and seen as soon as they depend on the position."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from headproof.numeric.identification.key_bias import key_bias_effect


def draw(seed: int, *shape: int, scale: float = 1.0) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    return scale * torch.randn(*shape, dtype=torch.float64, generator=g)


@given(st.integers(0, 999), st.integers(1, 9), st.sampled_from([1e-3, 1.0, 30.0]))
def test_a_bias_is_inert(seed: int, d_k: int, scale: float) -> None:
    q, k = draw(seed, 2, 6, d_k, scale=scale), draw(seed + 1, 2, 6, d_k)
    found = key_bias_effect(q, k, draw(seed + 2, 2, d_k, scale=10))
    assert found.inert
    assert float(found.bound.max()) < 1e-9


@given(st.integers(0, 999), st.integers(2, 9))
def test_a_bias_of_the_position_is_not(seed: int, d_k: int) -> None:
    q, k = draw(seed, 2, 6, d_k), draw(seed + 1, 2, 6, d_k)
    assert not key_bias_effect(q, k, draw(seed + 2, 2, 6, d_k)).inert


def test_a_rotated_bias_is_not() -> None:
    """Rotary positions: the same bias turned by the angle of its position."""
    q, k, b = draw(0, 1, 5, 2), draw(1, 1, 5, 2), draw(2, 1, 2)
    angles = torch.arange(5, dtype=torch.float64)
    turned = torch.stack(
        [
            b[0, 0] * angles.cos() - b[0, 1] * angles.sin(),
            b[0, 0] * angles.sin() + b[0, 1] * angles.cos(),
        ],
        -1,
    )
    assert not key_bias_effect(q, k, turned.unsqueeze(0)).inert


def test_shapes() -> None:
    with pytest.raises(ValueError, match="expected"):
        key_bias_effect(draw(0, 2, 3, 4), draw(0, 2, 3, 4), draw(0, 3, 4))
    with pytest.raises(ValueError, match="finite"):
        key_bias_effect(draw(0, 2, 3, 4) / 0, draw(0, 2, 3, 4), draw(0, 2, 4))
