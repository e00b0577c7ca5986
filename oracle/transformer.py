"""A layer of torch's as a black box, to be named on the command line.

    headproof recover --oracle headproof.oracle.transformer:layer --heads 2

`torch.nn.MultiheadAttention` in double precision, without biases; the last token attends to the
whole sequence and a fixed functional reads the output off. Its heads are, with the rows of the
projections that belong to head h,

    W_h = Q_h^T K_h / sqrt(d_k),    v_h = (O_h V_h)^T r,

and that is what recovery has to find from values alone.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
import torch

from .floats import Array

DIMENSION = 4
HEADS = 2


class Layer:
    """A multi-head attention layer with a readout, on an (n, d) array of doubles.

    Args:
        dimension: d, divisible by the number of heads.
        heads: H.
        seed: of the weights, which are drawn here, whatever torch's own generator did.

    Example:
        >>> layer = Layer(4, 2, seed=0)
        >>> abs(layer(np.ones((3, 4))) - layer(np.ones((5, 4)))) < 1e-12
        True
    """

    def __init__(self, dimension: int, heads: int, *, seed: int) -> None:
        self.dimension = dimension
        self.attention = torch.nn.MultiheadAttention(
            dimension, heads, bias=False, batch_first=True, dtype=torch.float64
        )
        random = np.random.default_rng(seed)
        with torch.no_grad():
            for parameter in self.attention.parameters():
                parameter.copy_(torch.from_numpy(random.normal(size=tuple(parameter.shape))))
        self.readout = torch.from_numpy(random.normal(size=dimension))

    def __call__(self, X: Array) -> float:
        """The value of the last token."""
        tokens = torch.from_numpy(X)[None]  # (1, n, d)
        with torch.no_grad():
            output, _ = self.attention(tokens[:, -1:], tokens, tokens, need_weights=False)
        return float(output[0, 0] @ self.readout)

    def heads(self) -> tuple[Array, Array]:
        """The (H, d, d) forms and (H, d) functionals that the weights amount to."""
        d, H = self.dimension, self.attention.num_heads
        with torch.no_grad():
            Q, K, V = self.attention.in_proj_weight.numpy().reshape(3, H, d // H, d)
            out = self.readout.numpy() @ self.attention.out_proj.weight.numpy()
        W = Q.transpose(0, 2, 1) @ K / sqrt(d // H)
        v = np.einsum("hk,hkj->hj", out.reshape(H, d // H), V)
        return np.asarray(W), np.asarray(v)


layer = Layer(DIMENSION, HEADS, seed=0)
"""The black box of the example."""
