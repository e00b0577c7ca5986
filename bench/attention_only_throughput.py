"""Training throughput of a decoder: ours against a plain loop of the same model.

    python bench/attention_only_throughput.py [--steps N] [--rounds R] [--json FILE]

The plain loop is what one writes first: RMSNorm and rotations by their formulas, one projection for
queries, keys and values, torch's fused attention, AdamW with its defaults, batches stacked from
slices. Both sides train the same sizes on one thread, in turn; tokens a CPU second, the best round.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional

from headproof.numeric.attention_only.matching import attention_only
from headproof.numeric.attention_only.model import Decoder, DecoderConfig
from headproof.numeric.attention_only.trainer import TrainerSettings, Updater, text_batches

STANDARD = DecoderConfig(96, 128, 64, 4, 4, ffn_width=256, qk_norm=True)


class Norm(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x: Tensor) -> Tensor:
        return self.weight * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6))


def turn_half(x: Tensor) -> Tensor:
    a, b = x.chunk(2, dim=-1)
    return torch.cat((-b, a), dim=-1)


class PlainBlock(nn.Module):
    def __init__(self, c: DecoderConfig) -> None:
        super().__init__()
        self.heads = c.heads
        self.norm = Norm(c.width)
        self.attend = nn.Linear(c.width, 3 * c.width, bias=False)
        self.project = nn.Linear(c.width, c.width, bias=False)
        self.q_norm, self.k_norm = Norm(c.d_k), Norm(c.d_k)
        self.ffn = None
        if c.ffn_width:
            self.ffn_norm = Norm(c.width)
            self.ffn = nn.Sequential(
                nn.Linear(c.width, c.ffn_width, bias=False),
                nn.GELU(approximate="tanh"),
                nn.Linear(c.ffn_width, c.width, bias=False),
            )

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
        B, n, d = x.shape
        q, k, v = self.attend(self.norm(x)).split(d, dim=2)
        q, k, v = (
            each.view(B, n, self.heads, d // self.heads).transpose(1, 2) for each in (q, k, v)
        )
        q, k = self.q_norm(q), self.k_norm(k)
        q, k = q * cos + turn_half(q) * sin, k * cos + turn_half(k) * sin
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.project(y.transpose(1, 2).contiguous().view(B, n, d))
        return x if self.ffn is None else x + self.ffn(self.ffn_norm(x))


class Plain(nn.Module):
    def __init__(self, c: DecoderConfig) -> None:
        super().__init__()
        self.embedding = nn.Embedding(c.vocabulary, c.width)
        self.blocks = nn.ModuleList(PlainBlock(c) for _ in range(c.layers))
        self.norm = Norm(c.width)
        self.head = nn.Linear(c.width, c.vocabulary, bias=False)
        self.head.weight = self.embedding.weight
        rates = 10000.0 ** (-torch.arange(0, c.d_k, 2) / c.d_k)
        angles = torch.outer(torch.arange(c.context), rates).repeat(1, 2)
        self.register_buffer("cos", angles.cos())
        self.register_buffer("sin", angles.sin())

    def forward(self, tokens: Tensor, targets: Tensor) -> Tensor:
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, self.cos, self.sin)
        logits = self.head(self.norm(x))
        return functional.cross_entropy(logits.view(-1, logits.size(-1)), targets.reshape(-1))


def plain_loop(model: Plain, optimiser: torch.optim.Optimizer, data: Tensor, steps: int) -> None:
    n = model.cos.shape[0]
    for _ in range(steps):
        starts = torch.randint(len(data) - n - 1, (8,))
        x = torch.stack([data[i : i + n].long() for i in starts])
        y = torch.stack([data[i + 1 : i + 1 + n].long() for i in starts])
        loss = model(x, y)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        loss.item()


def our_loop(updater: Updater, data: Tensor, n: int, steps: int) -> None:
    draw = text_batches(data, n, 8)
    generator = torch.Generator().manual_seed(0)
    for step in range(steps):
        updater.step(draw(generator), step).item()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    torch.set_num_threads(1)
    data = torch.randint(96, (200_000,), dtype=torch.uint8)
    rows = []
    arms = (STANDARD, *(attention_only(STANDARD, m) for m in ("flops", "parameters")))
    for config in arms:
        plain, model = Plain(config), Decoder(config)
        assert sum(p.numel() for p in plain.parameters()) == model.parameter_count()
        optimiser = torch.optim.AdamW(plain.parameters(), lr=1e-3)
        updater = Updater(model, TrainerSettings(10**6, rate=1e-3))
        best = {"plain": float("inf"), "ours": float("inf")}
        for _ in range(options.rounds + 1):  # the first round warms up; the best one counts
            begun = time.process_time()
            plain_loop(plain, optimiser, data, options.steps)
            middle = time.process_time()
            our_loop(updater, data, config.context, options.steps)
            ended = time.process_time()
            best["plain"] = min(best["plain"], middle - begun)
            best["ours"] = min(best["ours"], ended - middle)
        tokens = options.steps * 8 * config.context
        row = {
            "layers": config.layers,
            "ffn": config.ffn_width,
            **{f"{side}_tokens_per_second": round(tokens / s) for side, s in best.items()},
            "ratio": round(best["plain"] / best["ours"], 3),
        }
        rows.append(row)
        print(row, flush=True)
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
