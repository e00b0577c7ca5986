"""Layers of attention on a residual stream: x_{l+1} = x_l + block_l(x_l), and a last norm."""

from __future__ import annotations

from collections.abc import Sequence

from torch import Tensor, nn

from .attention import Attention, InputNorm, normalised
from .latent import LatentAttention


class Residual(nn.Module):
    """A stack of layers, each added to what it reads.

    Args:
        blocks: at least one, all of the same width.
        norm: what the last x passes through.

    Raises:
        ValueError: no block, or blocks of several widths.

    Example:
        >>> import torch
        >>> stack = Residual([Attention(4, 2, seed=seed) for seed in range(3)])
        >>> stack(torch.ones(1, 2, 4, dtype=torch.float64)).shape
        torch.Size([1, 2, 4])
    """

    def __init__(
        self, blocks: Sequence[Attention | LatentAttention], *, norm: InputNorm = "none"
    ) -> None:
        super().__init__()
        self.norm: InputNorm = norm
        widths = sorted({block.d_model for block in blocks})
        if len(widths) != 1:
            raise ValueError(f"expected blocks of one width, found {widths}")
        self.d_model, self.heads = widths[0], blocks[0].heads
        self.blocks = nn.ModuleList(blocks)

    def forward(self, x: Tensor) -> Tensor:
        """(B, n, d) -> (B, n, d)."""
        for block in self.blocks:
            x = x + block(x)
        return normalised(x, self.norm)
