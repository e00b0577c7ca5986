"""Where a head looks: the checker's fixed point beside Arb and beside torch, in one run.

    python bench/enclosures.py [WIDTH] [LENGTH]

An untrained model of two layers on all beginnings of Dyck-(4, 4) up to a length. Arb and the fixed
point prove each answer; torch in float32, sequence by sequence as they do, gives it without proof.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import torch

from headproof.numeric.hierarchy.interventions import softmaxes, watched
from headproof.numeric.hierarchy.model import ModelSettings, Transformer, rounded
from headproof.numeric.hierarchy.small import network
from headproof.proofs_check.certificates.transformer import certificate
from headproof.proofs_check.checker import check_file
from headproof.symbolic.hierarchy.dyck import Dyck

BITS = 12


def main(width: int = 24, length: int = 4) -> None:
    """Print the seconds of each side."""
    torch.set_num_threads(1)
    language = Dyck(4, 4)
    model = Transformer(9, length + 1, ModelSettings(width, factor=2), seed=0)
    rounded(model, BITS)
    begun = process_time()
    made = certificate("", network(model, BITS), (1, 0), language, length=length)
    arb = process_time() - begun
    with TemporaryDirectory() as folder:
        file = Path(folder) / "certificate.json"
        file.write_text(json.dumps(made))
        begun = process_time()
        found = check_file(file)
        fixed = process_time() - begun
        size = file.stat().st_size
    begun = process_time()
    same = total = 0
    layer = softmaxes(model)[1]
    for word, key in zip(
        (word for word in language.prefixes(length) if word), made["data"]["looks"], strict=True
    ):
        with watched(layer) as seen, torch.no_grad():
            model(torch.tensor([[8, *word]]))
        same += int(seen[0][0, 0, -1].argmax()) == key
        total += 1
    floats = process_time() - begun
    print(f"d = {width}, {total} beginnings of up to {length} symbols, {size:,} bytes")
    print(f"Arb {arb:.2f} s; checker {fixed:.2f} s ({found.answer}); torch {floats:.2f} s")
    print(f"torch agrees at {same} of {total}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("width", type=int, nargs="?", default=24)
    parser.add_argument("length", type=int, nargs="?", default=4)
    chosen = parser.parse_args()
    main(chosen.width, chosen.length)
