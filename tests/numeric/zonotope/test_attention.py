import pytest
import torch
from torch import Tensor

from headproof.numeric.zonotope.attention import SetAttention
from headproof.numeric.zonotope.set_transformer import (
    SetConfig,
    SetTransformer,
    matched,
    permutation_difference,
)

KINDS = ("zonotope", "plain", "bias")


def normal(*shape: int, seed: int = 0) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator, dtype=torch.float64)


def layer(values: str, seed: int = 0) -> SetAttention:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        return SetAttention(8, 2, values, 3).double()  # type: ignore[arg-type]


@pytest.mark.parametrize("values", KINDS)
def test_it_is_permutation_equivariant(values: str) -> None:
    attention, x = layer(values), normal(2, 7, 8)
    order = torch.randperm(7, generator=torch.Generator().manual_seed(1))
    moved = attention(x[:, order], x[:, order])
    # Sums of at most 8 terms of size 1 in float64.
    assert float((moved - attention(x, x)[:, order]).detach().abs().max()) < 1e-13


def test_the_values_are_the_matrices_of_the_zonotope() -> None:
    attention, x = layer("zonotope"), normal(1, 1, 8)
    beta = attention.coefficients(x)[0]
    assert bool((beta.abs() < 1).all())
    W = attention.centre.weight.T + torch.einsum("g,gij->ij", beta, attention.generators)
    expected = x[0] @ W @ attention.out.weight.T  # one element: all weight is on it
    assert float((attention(x, x)[0] - expected).detach().abs().max()) < 1e-13


def test_without_generators_it_is_plain() -> None:
    zonotope, plain, x = layer("zonotope"), layer("plain"), normal(2, 5, 8)
    with torch.no_grad():
        zonotope.generators.zero_()
    plain.load_state_dict(zonotope.state_dict(), strict=False)
    assert torch.equal(zonotope(x, x), plain(x, x))


@pytest.mark.parametrize("values", KINDS)
def test_only_a_dependent_value_map_sees_the_rest_of_the_set(values: str) -> None:
    """A change outside moves a query's own contribution only through the coefficients."""
    attention, x = layer(values), normal(1, 5, 8)
    if values == "plain":
        with pytest.raises(ValueError, match="do not depend"):
            attention.coefficients(x)
    else:
        shifted = x.clone()
        shifted[0, 4] += 1
        moved = attention.coefficients(shifted) - attention.coefficients(x)
        assert float(moved.detach().abs().max()) > 1e-3


def test_the_model_is_invariant_and_a_positional_one_is_found_out() -> None:
    model, x = SetTransformer(SetConfig(3, 2, seeds=2), seed=0).double(), normal(6, 9, 3)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * normal(*parameter.shape, seed=parameter.numel()))
    assert permutation_difference(model, x, torch.Generator().manual_seed(0)) < 1e-12

    class Positional(torch.nn.Module):
        def forward(self, x: Tensor) -> Tensor:
            places = torch.arange(x.shape[1], dtype=x.dtype)[:, None]
            out: Tensor = model(x + 0.01 * places)
            return out

    assert permutation_difference(Positional(), x, torch.Generator().manual_seed(0)) > 1e-4


@pytest.mark.parametrize("values", KINDS)
def test_parameters_match_within_one_percent(values: str) -> None:
    for inputs, outputs, seeds in ((1, 1, 1), (10, 1, 1), (2, 4, 3)):
        config = SetConfig(inputs, outputs, seeds)
        other = matched(config, values)  # type: ignore[arg-type]
        wanted, found = (SetTransformer(c, seed=0).parameter_count() for c in (config, other))
        assert abs(found - wanted) <= wanted / 100
    assert matched(SetConfig(1, 1), "zonotope") == SetConfig(1, 1)


@pytest.mark.parametrize("values", KINDS)
def test_sets_of_all_sizes_share_a_batch(values: str) -> None:
    """Each answers as it does alone; what stands at absent places is not read, nor learnt from."""
    config = SetConfig(3, 2, seeds=2, values=values)  # type: ignore[arg-type]
    model, sizes = SetTransformer(config, seed=0).double(), (1, 7, 4)
    sets = [normal(1, n, 3, seed=n) for n in sizes]
    filled = torch.full((len(sizes), 7, 3), torch.nan, dtype=torch.float64)
    present = torch.zeros(len(sizes), 7, dtype=torch.bool)
    for place, (n, each) in enumerate(zip(sizes, sets, strict=True)):
        kept = torch.randperm(7, generator=torch.Generator().manual_seed(place))[:n]
        filled[place, kept], present[place, kept] = each[0], True
    together = model(filled, present=present)
    alone = torch.cat([model(each) for each in sets])
    # Norms keep all at size 1; three blocks of sums of at most 97 terms in float64.
    assert float((together - alone).detach().abs().max()) < 3 * 97 * 2.0**-52
    together.square().sum().backward()
    assert all(bool(p.grad.isfinite().all()) for p in model.parameters() if p.grad is not None)
    # Without the mask zeros are elements like others.
    zeros = filled.nan_to_num(0)
    assert float((model(zeros)[0] - alone[0]).detach().abs().max()) > 1e-3


@pytest.mark.parametrize("values", KINDS)
def test_an_empty_set_is_refused(values: str) -> None:
    attention, x = layer(values), normal(2, 3, 8)
    config = SetConfig(8, 1, values=values)  # type: ignore[arg-type]
    model = SetTransformer(config, seed=0).double()
    nobody = torch.tensor([[True, False, True], [False, False, False]])
    for empty, present in ((x[:, :0], None), (x, nobody)):
        with pytest.raises(ValueError, match="empty"):
            attention(x, empty, present=present)
        with pytest.raises(ValueError, match="empty"):
            model(empty, present=present)
    for wrong in (torch.ones(3, dtype=torch.bool), torch.ones(2, 3)):
        with pytest.raises(ValueError, match="2, 3"):
            attention(x, x, present=wrong)


@pytest.mark.parametrize("values", KINDS)
def test_gradients_are_finite_where_all_is_saturated(values: str) -> None:
    model = SetTransformer(SetConfig(3, 2, seeds=2, values=values), seed=0)  # type: ignore[arg-type]
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if "query" in name or "key" in name or "coefficient" in name:
                parameter.mul_(1e4)
    model(1e3 * normal(4, 7, 3).float()).square().sum().backward()
    assert all(bool(p.grad.isfinite().all()) for p in model.parameters() if p.grad is not None)


def test_a_seed_is_a_model_and_leaves_the_global_generator_alone() -> None:
    torch.manual_seed(5)
    expected = torch.rand(1)
    torch.manual_seed(5)
    first, second = (SetTransformer(SetConfig(1, 1), seed=1).seeds for _ in range(2))
    assert torch.equal(first, second)
    assert torch.equal(torch.rand(1), expected)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="divide"):
        SetAttention(8, 3, "plain", 1)
    with pytest.raises(ValueError, match="generators"):
        SetAttention(8, 2, "zonotope", 0)
    with pytest.raises(ValueError, match="inputs"):
        SetConfig(0, 1)
    with pytest.raises(ValueError, match="blocks"):
        SetConfig(1, 1, blocks=-1)
