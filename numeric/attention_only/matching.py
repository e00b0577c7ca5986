"""Attention-only decoders matched to a standard one: by depth, training FLOPs or parameters.

Both counts are the same for every block, so the depth that comes closest is found by division.
FLOPs are two for each multiplication of a matrix product, three times the forward pass for a
training step, and scores are counted dense, as is customary; embedding and output projection count
too. The claims on accounting derive these formulas on their own.
"""

from __future__ import annotations

from dataclasses import replace

from .model import DecoderConfig

MATCHINGS = ("in-place", "flops", "parameters")


def forward_products(config: DecoderConfig, *, causal: bool = False) -> int:
    """Multiplications of all matrix products in a forward pass over a whole context.

    Args:
        config: of the decoder.
        causal: count only the scores that a position may see.

    Example:
        >>> forward_products(DecoderConfig(3, 2, 4, 1, 2))  # 2 (3 16 + 16 + 2 8) + 2 12
        184
    """
    d, n, m = config.width, config.context, config.ffn_width
    H, G, d_k = config.heads, config.groups, config.d_k
    projections = n * d * (2 * H + 2 * G) * d_k
    pairs = n * (n + 1) // 2 if causal else n * n
    scores = 2 * pairs * H * d_k
    ffn = n * d * m * (3 if config.gated else 2)
    return config.layers * (projections + scores + ffn) + n * d * config.vocabulary


def training_flops(config: DecoderConfig, *, causal: bool = False) -> int:
    """FLOPs of a training step on one sequence of the full context.

    Args:
        config: of the decoder.
        causal: count only the scores that a position may see.
    """
    return 6 * forward_products(config, causal=causal)


def parameter_count(config: DecoderConfig) -> int:
    """How many numbers the decoder learns.

    Example:
        >>> parameter_count(DecoderConfig(3, 2, 4, 1, 2))  # 12 + 4 16 + 4 + 4
        84
    """
    d, m = config.width, config.ffn_width
    H, G, d_k = config.heads, config.groups, config.d_k
    wide = (2 if config.gated else 1) * m
    block = d * (2 * H + 2 * G) * d_k + d
    block += (d * (wide + m) + d) if m else 0
    if config.biases:
        block += (H + 2 * G) * d_k + d + ((wide + d) if m else 0)
    block += 2 * d_k if config.qk_norm else 0
    block += (2 if m else 1) if config.residual_gates else 0
    ends = config.vocabulary * d * (1 if config.tied else 2) + d
    return config.layers * block + ends


def attention_only(standard: DecoderConfig, matching: str) -> DecoderConfig:
    """The attention-only decoder of the same width that comes closest to a standard one.

    Args:
        standard: with feed-forward layers.
        matching: ``"in-place"``, the same depth; ``"flops"`` or ``"parameters"``, the depth whose
            count is nearest, the smaller of two that are equally near.

    Raises:
        ValueError: the matching is none of these, or the decoder has no feed-forward layers.

    Example:
        >>> standard = DecoderConfig(96, 128, 64, 4, 4, ffn_width=256)
        >>> [attention_only(standard, matching).layers for matching in MATCHINGS]
        [4, 8, 12]
    """
    if not standard.ffn_width:
        raise ValueError("expected a decoder with feed-forward layers")
    bare = replace(standard, ffn_width=0, gated=False)
    if matching == "in-place":
        return bare
    if matching not in MATCHINGS:
        raise ValueError(f"expected one of {', '.join(MATCHINGS)}, found {matching!r}")
    count = training_flops if matching == "flops" else parameter_count
    fixed = count(replace(bare, layers=0))
    each = count(replace(bare, layers=1)) - fixed
    wanted = count(standard)
    below = max((wanted - fixed) // each, 0)
    depths = (below, below + 1)
    best = min(depths, key=lambda L: (abs(count(replace(bare, layers=L)) - wanted), L))
    return replace(bare, layers=best)
