"""Peak memory of the diversity of a checkpoint of 7 billion parameters, without its weights.

    python bench/checkpoint_memory.py [--layers N] [--filled N]

Makes a folder of the shape of Llama 2 7B (32 layers, d 4096, 32 heads, bfloat16, three shards)
whose files are sparse: real headers, holes for data. Some layers are filled with random weights,
the others stay zero and are named as rank 0. Prints the peak resident memory of a process that
goes through the layers, against start-up and the limit of three times the largest projection in
float64.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

D, HEADS, MLP, VOCABULARY = 4096, 32, 11008, 32000
LARGEST = 8 * D * D
"""The largest tensor that is read, in float64."""


def shapes(layers: int) -> dict[str, tuple[int, ...]]:
    """The tensors of the model, in the order of its shards."""
    found: dict[str, tuple[int, ...]] = {"model.embed_tokens.weight": (VOCABULARY, D)}
    for n in range(layers):
        stem = f"model.layers.{n}."
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            found[f"{stem}self_attn.{name}.weight"] = (D, D)
        for name in ("gate_proj", "up_proj"):
            found[f"{stem}mlp.{name}.weight"] = (MLP, D)
        found[f"{stem}mlp.down_proj.weight"] = (D, MLP)
        found[f"{stem}input_layernorm.weight"] = (D,)
    return found | {"model.norm.weight": (D,), "lm_head.weight": (VOCABULARY, D)}


def make(folder: Path, *, layers: int = 32, filled: int = 1, shards: int = 3) -> int:
    """Write the folder; return how many bytes its files claim to have."""
    config = {
        "model_type": "llama",
        "num_hidden_layers": layers,
        "hidden_size": D,
        "num_attention_heads": HEADS,
        "num_key_value_heads": HEADS,
    }
    (folder / "config.json").write_text(json.dumps(config))
    whole = shapes(layers)
    names = list(whole)
    index, total = {}, 0
    for n in range(shards):
        shard = f"model-{n + 1:05}-of-{shards:05}.safetensors"
        part = names[n * len(names) // shards : (n + 1) * len(names) // shards]
        header, offset = {}, 0
        for name in part:
            size = 2
            for length in whole[name]:
                size *= length
            offsets = [offset, offset + size]
            header[name] = {"dtype": "BF16", "shape": whole[name], "data_offsets": offsets}
            offset += size
        text = json.dumps(header).encode()
        with (folder / shard).open("wb") as file:
            file.write(struct.pack("<Q", len(text)) + text)
            begin = file.tell()
            for name in part:
                if any(f"layers.{k}.self_attn" in name for k in range(filled)):
                    file.seek(begin + header[name]["data_offsets"][0])
                    _fill(file, D * D, seed=len(name) + sum(map(ord, name)))
            file.truncate(begin + offset)
        index |= dict.fromkeys(part, shard)
        total += begin + offset
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
    return total


def _fill(file: object, count: int, *, seed: int) -> None:
    import numpy as np

    random = np.random.default_rng(seed)
    for _ in range(16):  # the upper halves of float32 are bfloat16
        block = random.standard_normal(count // 16, dtype=np.float32)
        file.write((block.view(np.uint32) >> 16).astype("<u2").tobytes())  # type: ignore[attr-defined]


MEASURED = """
import sys
from pathlib import Path
from headproof.numeric.checkpoint import open_checkpoint
from headproof.numeric.ensemble.diversity import layer_diversity
from headproof.numeric.ensemble.subspaces import row_spaces
import torch

def peak():
    # Not ru_maxrss: a new process inherits that from its parent.
    status = Path("/proc/self/status").read_text()
    return 1024 * int(status.partition("VmHWM:")[2].split()[0])

torch.set_num_threads(int(sys.argv[3]))
torch.linalg.svd(torch.linalg.qr(torch.randn(64, 64)).R)  # what start-up loads, LAPACK included
print(peak())
checkpoint = open_checkpoint(sys.argv[1])
for layer in range(int(sys.argv[2])):
    found = layer_diversity(checkpoint, layer)
    for role in found.roles:
        print(layer, role.role, role.index, len(role.deficient), "deficient", file=sys.stderr)
print(peak())
"""


def measure(folder: Path, layers: int, threads: int = 1) -> tuple[int, int]:
    """Bytes resident after start-up and at the peak, of a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, str(folder), str(layers), str(threads)],
        check=True,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"OMP_NUM_THREADS": str(threads)},
    )
    start, peak = map(int, done.stdout.split())
    return start, peak


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--layers", type=int, default=32, help="how many are gone through")
    parser.add_argument("--filled", type=int, default=1, help="how many have weights")
    parser.add_argument("--threads", type=int, default=1)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        total = make(Path(name), filled=given.filled)
        began = time.perf_counter()
        start, peak = measure(Path(name), given.layers, given.threads)
        took = time.perf_counter() - began
    mebi = 2**20
    print(f"files              {total / 2**30:9.2f} GiB (sparse)")
    print(f"start-up           {start / mebi:9.1f} MiB")
    print(f"peak               {peak / mebi:9.1f} MiB")
    print(f"largest projection {LARGEST / mebi:9.1f} MiB in float64")
    print(f"(peak - start) / largest {(peak - start) / LARGEST:.2f} (limit 3)")
    print(f"{given.layers} layers, {given.filled} filled: {took:.1f} s")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
