"""Pre-training at any scale: one process, or many under torchrun.

    python -m headproof.numeric.attention_only.pretrain --text FILE --width 64 --layers 4 --ffn 256
    torchrun --nproc-per-node 8 -m headproof.numeric.attention_only.pretrain --text FILE \
        --width 768 --heads 12 --layers 12 --ffn 3072 --match parameters --tokens 5e9 --out san

Every process draws the same batch and takes its slice, so that the loss does not depend on how many
there are, up to rounding. On a GPU products are in bfloat16 and weights in float32. The folder
holds ``checkpoint.pt``, replaced atomically, from which the same command goes on, and
``log.jsonl``, a line for each interval: loss, tokens a second, and the model FLOPs utilisation,
which is relative to ``--peak`` or else to the speed of a large matrix product on the same device.
A loss that is not finite ends the training: its line says ``"loss": null``, and the checkpoint is
the one before. One run at a time may use the folder, which all processes have to see. The text is
held in memory, one byte a symbol.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import torch
import torch.distributed as processes
from torch import Tensor, nn

from ..experiment import settings, stream_seed
from .matching import MATCHINGS, attention_only, parameter_count, training_flops
from .model import Decoder, DecoderConfig
from .pretraining_folder import PretrainingFolder
from .text import SYMBOLS, Text, from_file, library_source, windows
from .trainer import TrainerSettings, Updater, finite_weights, shifted, token_losses

FORMAT = "headproof-pretraining/1"


def main(arguments: Sequence[str] | None = None) -> int:
    """Train as the command line says: exit code 0, or 2 and one line if it cannot.

    Args:
        arguments: of the command; those of the process by default.
    """
    options = _parser().parse_args(arguments)
    several = int(os.environ.get("WORLD_SIZE", "1")) > 1
    try:
        if several:
            processes.init_process_group("nccl" if torch.cuda.is_available() else "gloo")
        pretrain(options)
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    finally:
        if several and processes.is_initialized():
            processes.destroy_process_group()
    return 0


def pretrain(options: argparse.Namespace) -> None:
    """Train, keep and report.

    Raises:
        ValueError: the options do not fit together, or the checkpoint is of other settings.
        OSError: a file cannot be read or written.
    """
    rank, world = (
        (processes.get_rank(), processes.get_world_size()) if processes.is_initialized() else (0, 1)
    )
    config, training = decoder(options), schedule(options)
    if training.batch % world:
        raise ValueError(f"{world} processes do not divide a batch of {training.batch}")
    text = from_file(options.text) if options.text else library_source(8_000_000)
    for part in (text.train, text.validation):
        if len(part) <= config.context:
            raise ValueError(
                f"a context of {config.context} needs a text of at least "
                f"{10 * (config.context + 1)} symbols"
            )
    folder = PretrainingFolder(Path(options.out))
    with folder.held() if rank == 0 else nullcontext():
        _train(options, config, training, text, folder, rank, world)


def _train(
    options: argparse.Namespace,
    config: DecoderConfig,
    training: TrainerSettings,
    text: Text,
    folder: PretrainingFolder,
    rank: int,
    world: int,
) -> None:
    device = _device()
    generator = torch.Generator().manual_seed(stream_seed(options.seed, "weights"))
    model: nn.Module = Decoder(config, generator=generator).to(device)
    if world > 1:
        model = nn.parallel.DistributedDataParallel(
            model, device_ids=[device.index] if device.type == "cuda" else None
        )
    half = options.precision == "bfloat16" or (
        options.precision == "auto" and device.type == "cuda"
    )
    updater = Updater(model, training, autocast=torch.bfloat16 if half else None)
    begun = {
        "format": FORMAT,
        "decoder": settings(config),
        "training": settings(training),
        "precision": "bfloat16" if half else "float32",
        "seed": options.seed,
        "sha256": text.sha256,
    }
    step, batches = _resume(folder, begun, updater, options.seed)
    _require_agreement({**begun, "step": step}, world)
    speed = options.peak * 1e12 if options.peak else _speed(device, half)
    work = training_flops(config) / config.context
    if rank == 0:
        folder.begin_log(step)
    if rank == 0 and step == 0:
        folder.write({**begun, "text": text.provenance(), "parameters": parameter_count(config)})
    share = slice(rank * training.batch // world, (rank + 1) * training.batch // world)
    clock, done = time.perf_counter(), step
    while step < training.steps:
        drawn = windows(text.train, config.context + 1, training.batch, batches)
        tokens, targets = shifted(drawn[share].to(device))
        loss = updater.step((tokens, targets), step)
        step += 1
        if step % options.every and step != training.steps:
            continue
        if world > 1:
            processes.all_reduce(loss, processes.ReduceOp.SUM)
            loss /= world
        value = float(loss)  # waits for the device, so that the clock sees its work
        elapsed = time.perf_counter() - clock
        if not math.isfinite(value):
            if rank == 0:
                folder.write({"step": step, "loss": None})
            raise ValueError(f"the loss is not finite at step {step}: try a smaller --rate")
        if not finite_weights(model):  # neither measured nor kept
            raise ValueError(f"a weight is not finite after step {step}: try a smaller --rate")
        if rank == 0:
            rate = (step - done) * training.batch * config.context / max(elapsed, 1e-9)
            line: dict[str, Any] = {
                "step": step,
                "loss": value,
                "tokens_per_second": round(rate, 1),
                "utilisation": round(rate * work / (speed * world), 4),
            }
            if step == training.steps:
                line["validation"] = _validation(model, text, config, device, options.seed)
            folder.write(line)
            state = {"begun": begun, "step": step, "batches": batches.get_state()}
            folder.keep({**state, "updater": updater.state()})
        clock, done = time.perf_counter(), step


def decoder(options: argparse.Namespace) -> DecoderConfig:
    """The decoder that the options describe, after the matching.

    Raises:
        ValueError: the sizes do not fit together.
    """
    config = DecoderConfig(
        SYMBOLS,
        options.context,
        options.width,
        options.layers,
        options.heads,
        kv_heads=options.kv_heads,
        ffn_width=options.ffn,
        gated=options.gated,
        qk_norm=options.qk_norm,
        residual_gates=options.residual_gates,
    )
    return attention_only(config, options.match) if options.match else config


def schedule(options: argparse.Namespace) -> TrainerSettings:
    """The training that the options describe.

    Raises:
        ValueError: it would have no step, or a number is not positive.
    """
    for name in ("batch", "every", "steps", "tokens", "peak"):
        value = getattr(options, name)
        if value is not None and not 0 < value < math.inf:
            raise ValueError(f"--{name}: expected a positive number, found {value}")
    a_step = options.batch * options.context
    steps = options.steps if options.steps else int(options.tokens // a_step)
    if steps < 1:
        raise ValueError(f"expected at least one step of {a_step} tokens")
    return TrainerSettings(steps, options.batch, options.rate, min(options.warmup, steps))


def _resume(
    folder: PretrainingFolder, begun: dict[str, Any], updater: Updater, seed: int
) -> tuple[int, torch.Generator]:
    batches = torch.Generator().manual_seed(stream_seed(seed, "batches"))
    state = folder.state(updater.device)
    if state is None:
        return 0, batches
    if state.get("begun") != begun:
        raise ValueError("the checkpoint is of other settings: use another --out")
    updater.restore(state["updater"])
    batches.set_state(state["batches"].cpu())
    return int(state["step"]), batches


def _require_agreement(mine: dict[str, Any], world: int) -> None:
    """Refuse processes that would train apart: other texts, or another view of the folder."""
    if world == 1:
        return
    theirs: list[Any] = [None] * world
    processes.all_gather_object(theirs, mine)
    for name in mine:
        if any(each[name] != mine[name] for each in theirs):
            raise ValueError(f"the processes differ in {name}: they need one text and one --out")


def _validation(
    model: nn.Module, text: Text, config: DecoderConfig, device: torch.device, seed: int
) -> float:
    inner = getattr(model, "module", model)
    assert isinstance(inner, Decoder)
    drawn = torch.Generator().manual_seed(stream_seed(seed, "validation"))
    sequences = windows(text.validation, config.context + 1, 256, drawn).to(device)
    return float(token_losses(inner, sequences).mean())


def _device() -> torch.device:
    if not torch.cuda.is_available():
        return torch.device("cpu")
    device = torch.device("cuda", int(os.environ.get("LOCAL_RANK", "0")))
    torch.cuda.set_device(device)
    return device


def _speed(device: torch.device, half: bool) -> float:
    """FLOPs a second of a matrix product: the best of five."""
    size = 4096 if device.type == "cuda" else 512
    kind = torch.bfloat16 if half else torch.float32
    a = torch.ones(size, size, device=device, dtype=kind)
    best = float("inf")
    for _ in range(5):
        begun = time.perf_counter()
        _wait(a @ a)
        best = min(best, time.perf_counter() - begun)
    return float(2 * size**3 / best)


def _wait(value: Tensor) -> None:
    if value.is_cuda:
        torch.cuda.synchronize(value.device)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m headproof.numeric.attention_only.pretrain",
        description="Pre-train a decoder with or without feed-forward layers on any text.",
    )
    add = parser.add_argument
    add("--text", metavar="FILE", help="a text; by default the running Python's library sources")
    add("--width", type=int, default=64)
    add("--heads", type=int, default=4)
    add("--kv-heads", type=int)
    add("--layers", type=int, default=4)
    add("--ffn", type=int, default=0, help="hidden width; 0 for attention only")
    add("--gated", action="store_true")
    add("--qk-norm", action="store_true")
    add("--residual-gates", action="store_true")
    add("--match", choices=MATCHINGS, help="train the attention-only decoder that matches")
    add("--context", type=int, default=128)
    add("--batch", type=int, default=8, help="sequences in an update, over all processes")
    add("--steps", type=int, help="updates; or use --tokens")
    add("--tokens", type=float, default=1e6)
    add("--rate", type=float, default=4e-3)
    add("--warmup", type=int, default=50)
    add("--seed", type=int, default=0)
    add("--precision", choices=("auto", "float32", "bfloat16"), default="auto")
    add("--peak", type=float, help="of one device, in 10^12 FLOPs a second")
    add("--every", type=int, default=50, help="updates between two lines and checkpoints")
    add("--out", default="runs/pretrain", metavar="DIR")
    return parser


if __name__ == "__main__":
    sys.exit(main())
