"""Unidentified parameters by the numerical rank of a Jacobian: the float route of claims C1 to C5.

Unidentified = number of parameters - generic rank of d(function)/d(parameters). The function is
evaluated on random sequences and differentiated by torch.func at random parameters in float64; the
rank is that of the Jacobian, decided by its singular values.

A rank in floats is a judgement, so the criterion is stated and checked, never a bare tolerance: no
singular value may lie in the forbidden band between the rounding level
    8 max(rows, columns) u sigma_1,  u = 2^-53,
and `BAND` times it. What lies below counts as zero, what lies above as nonzero; a value inside the
band raises `RankUndecided`. Twice as many sequences must give the same rank, or the sequences did
not suffice to see the function. This is evidence, not proof: rounding of the Jacobian itself is
covered by the empty band only in practice. The exact rank is the symbolic side's business.

Cost: one forward pass per parameter (there are more outputs than parameters) and an SVD: fractions
of a second up to some 500 parameters.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import torch
from torch import Tensor, nn
from torch.func import functional_call, jacfwd

from .attention import Attention
from .latent import LatentAttention
from .residual import Residual

Part = Literal["qk", "vo", "block", "model"]
_TOKENS = 5
"""Tokens of a sequence."""

BAND = 1e3
"""How much wider than the rounding level the gap in the spectrum has to be."""


class RankUndecided(ValueError):
    """The singular values show no gap, or more sequences gave another rank."""


@dataclass(frozen=True)
class NumericRank:
    """A rank and the gap that decided it.

    Args:
        rank: number of singular values above the band.
        smallest: the smallest of them, relative to the largest; 1 if the rank is 0.
        largest: the largest below the band, relative to the largest of all; 0 if there is none.
        level: the lower end of the band, relative to the largest.
    """

    rank: int
    smallest: float
    largest: float
    level: float


@dataclass(frozen=True)
class NumericCount:
    """Parameters that a function cannot see, counted in floats.

    Args:
        unidentified: total - rank.
        total: parameters.
        rank: of the Jacobian, with the gap.
    """

    unidentified: int
    total: int
    rank: NumericRank


def numeric_rank(matrix: Tensor) -> NumericRank:
    """The rank of a float64 matrix, if its singular values leave no doubt.

    Args:
        matrix: (rows, columns).

    Raises:
        RankUndecided: a singular value lies in the forbidden band.
        ValueError: no matrix of float64, or numbers that are not finite.

    Example:
        >>> numeric_rank(torch.tensor([[1.0, 2.0], [2.0, 4.0]], dtype=torch.float64)).rank
        1
        >>> numeric_rank(torch.diag(torch.tensor([1.0, 1e-13], dtype=torch.float64)))
        Traceback (most recent call last):
        headproof.numeric.identification.jacobian.RankUndecided: expected no singular value \
between 1.8e-15 and 1.8e-12 of the largest, found 1.0e-13
    """
    if matrix.dim() != 2 or matrix.dtype != torch.float64 or not bool(matrix.isfinite().all()):
        raise ValueError("expected a matrix of finite numbers in float64")
    level = 8 * max(matrix.shape) * 2.0**-53
    values = torch.linalg.svdvals(matrix) if matrix.numel() else matrix.new_zeros(0)
    if not len(values) or values[0] == 0:
        return NumericRank(0, 1.0, 0.0, level)
    share = values / values[0]
    inside = share[(share > level) & (share < BAND * level)]
    if len(inside):
        raise RankUndecided(
            f"expected no singular value between {level:.1e} and {BAND * level:.1e} of the "
            f"largest, found {float(inside[0]):.1e}"
        )
    above, below = share[share >= BAND * level], share[share <= level]
    return NumericRank(len(above), float(above[-1]), float(below[0]) if len(below) else 0.0, level)


def unidentified(
    d_model: int, heads: int, *, part: Part = "qk", layers: int = 1, seed: int = 0, **options: Any
) -> NumericCount:
    """Count what attention cannot see of its parameters, at a random point.

    Args:
        d_model: width d of the residual stream.
        heads: H.
        layers: of the model, with residual connections; each layer as the options say.
        part: "qk": the attention weights as a function of W_Q, W_K, their biases and gains;
            "vo": the output for given weights, as a function of W_V, W_O and their biases;
            "block": the output as a function of everything;
            "model": x_{l+1} = x_l + block_l(x_l), the last x, behind a norm like the layers' own
            without gains, as a function of all layers.
        seed: of parameters and inputs.
        options: of `Attention`, or of `LatentAttention` if there is a ``kv_rank``.

    Raises:
        RankUndecided: the singular values show no gap.
        ValueError: sizes that do not fit.

    Example:
        >>> unidentified(4, 2).unidentified  # H d_k^2
        8
        >>> unidentified(4, 2, rotary_dim=2).unidentified  # H d_k
        4
    """
    # Nearby frequencies are told apart only by long sequences: a small base spreads them.
    options = {"rotary_base": 5.0, **options} if "rotary_base" not in options else options
    kind = LatentAttention if "kv_rank" in options else Attention
    if layers < 1 or (layers > 1 and part != "model"):
        raise ValueError(f"expected one layer, or part 'model', found {layers} and {part!r}")
    blocks = [kind(d_model, heads, seed=seed + 1000 * i, **options) for i in range(layers)]
    norm = options.get("input_norm", "none")
    model = Residual(blocks, norm=norm) if part == "model" else blocks[0]
    seen = _seen(model, part)
    total = sum(parameter.numel() for parameter in seen.values())
    # Every head has to see inputs that span R^d, whatever the number of rows.
    fewest = 2 + 2 * -(-d_model // _TOKENS)
    per_sequence = _TOKENS * ((_TOKENS - 1) * heads if part == "qk" else d_model)
    sequences = max(fewest, -(-(2 * total) // per_sequence))
    found = [_rank(model, part, seen, count, seed) for count in (sequences, 2 * sequences)]
    if found[0].rank != found[1].rank:
        ranks = f"{found[0].rank} and {found[1].rank}"
        raise RankUndecided(f"expected the same rank with twice as many sequences, found {ranks}")
    return NumericCount(total - found[1].rank, total, found[1])


_PARTS: Mapping[Part, tuple[str, ...]] = {
    "qk": ("q_", "k_"),
    "vo": ("v_", "o_"),
    "block": ("",),
    "model": ("",),
}


def _seen(model: nn.Module, part: Part) -> dict[str, Tensor]:
    """The parameters that the part is a function of, by name."""
    if part not in _PARTS:
        raise ValueError(f"expected a part among {', '.join(_PARTS)}, found {part!r}")
    starts = _PARTS[part]
    if isinstance(model, LatentAttention) and part in ("qk", "vo"):
        if part == "vo":
            raise ValueError("expected qk or block: keys and values share a latent, found vo")
        starts = (*starts, "kv_")
    return {
        name: parameter.detach()
        for name, parameter in model.named_parameters()
        if name.startswith(starts)
    }


def _rank(
    model: Attention | LatentAttention | Residual,
    part: Part,
    seen: dict[str, Tensor],
    count: int,
    seed: int,
) -> NumericRank:
    """The rank of the Jacobian on so many sequences."""
    n = _TOKENS
    generator = torch.Generator().manual_seed((seed + 1) % 2**63)
    shape = (count, n, model.d_model)
    x = torch.randn(shape, generator=generator, dtype=torch.float64)
    reading: Callable[[Tensor], Tensor] = model.forward
    if part == "qk" and not isinstance(model, Residual):
        reading = model.log_weights
    elif part == "vo" and isinstance(model, Attention):
        given = torch.rand(count, model.heads, n, n, generator=generator, dtype=torch.float64)
        given = given / given.sum(-1, keepdim=True)  # weights sum to one: b_V meets b_O
        if model.sink:  # and to less than one with a further logit
            left = torch.rand(given.shape[:-1], generator=generator, dtype=torch.float64)
            given = given * left.unsqueeze(-1)
        reading = partial(model.mix, given)
    with warnings.catch_warnings():  # torch loads its forward mode by a function it deprecates
        warnings.simplefilter("ignore", DeprecationWarning)
        jacobian = jacfwd(lambda values: _called(model, values, reading, x))(seen)
    columns = [jacobian[name].detach().flatten(1) for name in seen]
    return numeric_rank(torch.cat(columns, 1))


def _called(
    model: nn.Module, values: dict[str, Tensor], reading: Callable[[Tensor], Tensor], x: Tensor
) -> Tensor:
    """The reading as a flat vector, with other values of some parameters."""
    named = {f"model.{name}": value for name, value in values.items()}
    out: Tensor = functional_call(_Reading(model, reading), named, x)
    return out


class _Reading(nn.Module):
    """A method of a module as the forward of another, which is what torch.func can call."""

    def __init__(self, model: nn.Module, reading: Callable[[Tensor], Tensor]) -> None:
        super().__init__()
        self.model, self.reading = model, reading

    def forward(self, x: Tensor) -> Tensor:
        """What is read, flat."""
        return self.reading(x).flatten()
