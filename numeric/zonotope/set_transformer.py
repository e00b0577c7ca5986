"""Set transformers (Lee et al., arXiv:1810.00825) on any of the value maps of `attention`.

SAB(X) = MAB(X, X), PMA(X) = MAB(S, X) with learnt seeds S, and MAB(Y, X) = h + ffn(h) normed, with
h the normed Y + attention(Y, X). Equal numbers of parameters are reached through the hidden width
of the feed-forward layers, which all variants have; less than half a hidden unit is left over.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn

from .attention import SetAttention, ValueMap, without_absent


@dataclass(frozen=True)
class SetConfig:
    """The sizes of a set transformer.

    Args:
        inputs: numbers in an element.
        outputs: numbers that each seed gives.
        seeds: of the pooling block.
        values: how values depend on the set.
        width: d.
        heads: H.
        hidden: of the feed-forward layers.
        generators: g.
        blocks: SABs before the pooling.

    Raises:
        ValueError: a size is not positive, or there are fewer than no blocks.
    """

    inputs: int
    outputs: int
    seeds: int = 1
    values: ValueMap = "zonotope"
    width: int = 32
    heads: int = 2
    hidden: int = 32
    generators: int = 4
    blocks: int = 2

    def __post_init__(self) -> None:
        """Refuse sizes that make no model."""
        for name in ("inputs", "outputs", "seeds", "width", "heads", "hidden", "generators"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name}: expected at least 1, found {getattr(self, name)}")
        if self.blocks < 0:
            raise ValueError(f"blocks: expected at least 0, found {self.blocks}")


class AttentionBlock(nn.Module):
    """MAB: attention and a feed-forward layer, each with its residual and norm.

    Args:
        config: sizes.
    """

    def __init__(self, config: SetConfig) -> None:
        super().__init__()
        d = config.width
        self.attention = SetAttention(d, config.heads, config.values, config.generators)
        self.first, self.second = nn.LayerNorm(d), nn.LayerNorm(d)
        self.ffn = nn.Sequential(
            nn.Linear(d, config.hidden), nn.ReLU(), nn.Linear(config.hidden, d)
        )

    def forward(self, queries: Tensor, x: Tensor, *, present: Tensor | None = None) -> Tensor:
        """From ``(B, m, d)`` to the elements ``present`` of sets ``(B, n, d)``: ``(B, m, d)``.

        Args:
            queries: what attends.
            x: the sets, filled up to one size.
            present: which elements are there, booleans ``(B, n)``; all, if not given.

        Raises:
            ValueError: a set is empty, or ``present`` does not fit.
        """
        h = self.first(queries + self.attention(queries, x, present=present))
        out: Tensor = self.second(h + self.ffn(h))
        return out


class SetTransformer(nn.Module):
    """Elements to width d, SABs, PMA, and a linear map of each seed.

    The function of a set is invariant under permutations: exactly in the reals, in floats up to
    the order of sums.

    Args:
        config: sizes.
        seed: of the initial weights.

    Example:
        >>> model = SetTransformer(SetConfig(inputs=1, outputs=1), seed=0)
        >>> model(torch.zeros(5, 7, 1)).shape
        torch.Size([5, 1, 1])
    """

    def __init__(self, config: SetConfig, *, seed: int) -> None:
        super().__init__()
        # torch's layers draw from the global generator; its state outside is left as it was.
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            self.into = nn.Linear(config.inputs, config.width)
            self.blocks = nn.ModuleList(AttentionBlock(config) for _ in range(config.blocks))
            self.seeds = nn.Parameter(torch.randn(config.seeds, config.width))
            self.pool = AttentionBlock(config)
            self.out = nn.Linear(config.width, config.outputs)

    def forward(self, x: Tensor, *, present: Tensor | None = None) -> Tensor:
        """Sets ``(B, n, inputs)`` to ``(B, seeds, outputs)``.

        Args:
            x: the sets, filled up to one size.
            present: which elements are there, booleans ``(B, n)``; all, if not given.

        Raises:
            ValueError: a set is empty, or ``present`` does not fit.
        """
        x = self.into(without_absent(x, present))
        for block in self.blocks:
            x = block(x, x, present=present)
        seeds = self.seeds.expand(len(x), -1, -1)
        out: Tensor = self.out(self.pool(seeds, x, present=present))
        return out

    def parameter_count(self) -> int:
        """How many numbers are learnt."""
        return sum(parameter.numel() for parameter in self.parameters())


def matched(config: SetConfig, values: ValueMap) -> SetConfig:
    """The same with another value map and the hidden width at which parameters agree best.

    What is left over is at most half of what a hidden unit has (three blocks of width 32: 97
    parameters), unless even one hidden unit is too many.

    Args:
        config: whose count of parameters is to be met.
        values: the other value map.

    Example:
        >>> zonotope = SetConfig(inputs=1, outputs=1)
        >>> plain = matched(zonotope, "plain")
        >>> plain.hidden
        97
        >>> counts = [SetTransformer(c, seed=0).parameter_count() for c in (zonotope, plain)]
        >>> counts
        [31821, 31812]
    """
    wanted = SetTransformer(config, seed=0).parameter_count()
    narrow, wide = (
        SetTransformer(replace(config, values=values, hidden=hidden), seed=0).parameter_count()
        for hidden in (1, 2)
    )
    each = wide - narrow
    hidden = max(1, 1 + (2 * (wanted - narrow) + each) // (2 * each))
    return replace(config, values=values, hidden=hidden)


@torch.no_grad()
def permutation_difference(model: nn.Module, x: Tensor, generator: torch.Generator) -> float:
    """The largest |f(pi X) - f(X)| over the outputs for a random permutation of each set.

    Args:
        model: a function of sets.
        x: sets, ``(B, n, inputs)``.
        generator: of the permutations.
    """
    order = torch.rand(x.shape[:2], generator=generator).argsort(dim=1)
    moved = x.gather(1, order[:, :, None].expand_as(x))
    return float((model(moved) - model(x)).abs().max())
