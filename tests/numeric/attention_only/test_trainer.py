import math
from pathlib import Path

import pytest
import torch

from headproof.numeric.attention_only.model import Decoder, DecoderConfig
from headproof.numeric.attention_only.spectra import singular_values, summary
from headproof.numeric.attention_only.text import split
from headproof.numeric.attention_only.trainer import (
    TrainerSettings,
    Updater,
    fit,
    shifted,
    text_batches,
    token_losses,
)
from headproof.numeric.experiment import Measurements, NoJournal
from headproof.proofs_check.training.journal import FolderJournal
from headproof.symbolic.errors import LimitReached

CONFIG = DecoderConfig(96, 16, 8, 1, 2, ffn_width=16, qk_norm=True)
TEXT = split([b"the cat sat on the mat\n" * 100], ["made"], "made")
SETTINGS = TrainerSettings(30, 8, 1e-2, warmup=5)


def model() -> Decoder:
    return Decoder(CONFIG, generator=torch.Generator().manual_seed(3))


def trained(journal: FolderJournal | NoJournal) -> tuple[Measurements, Decoder]:
    decoder = model()
    draw = text_batches(TEXT.train, 16, SETTINGS.batch)
    found = fit(
        decoder, draw, SETTINGS, 0, journal, measure=lambda step, _: {"seen": step}, every=10
    )
    return found, decoder


def test_it_learns_and_measures() -> None:
    found, _ = trained(NoJournal())
    assert found["losses"][-1] < found["losses"][0] - 1
    assert [each["step"] for each in found["measured"]] == [0, 10, 20, 30]
    assert found["diverged"] is None


def test_a_stopped_training_comes_to_the_identical_result(tmp_path: Path) -> None:
    whole, expected = trained(NoJournal())
    for _ in range(3):  # each attempt is stopped at its first interval
        with pytest.raises(LimitReached):
            trained(FolderJournal(tmp_path, interval=0.0, deadline=0.0))
    found, decoder = trained(FolderJournal(tmp_path))
    assert found == whole
    pairs = zip(expected.parameters(), decoder.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in pairs)


def test_a_loss_that_is_not_finite_ends_the_training() -> None:
    decoder = model()
    with torch.no_grad():
        decoder.norm.gain[0] = math.nan
    found = fit(decoder, text_batches(TEXT.train, 16, 2), SETTINGS, 0, NoJournal())
    assert found["diverged"] == 1
    assert found["losses"] == []


def test_weights_that_are_not_finite_are_not_measured() -> None:
    """The loss before the update is finite; singular values of what it leaves do not exist."""
    decoder = model()
    decoder.norm.gain.register_hook(lambda gradient: gradient * math.inf)  # type: ignore[no-untyped-call]
    draw = text_batches(TEXT.train, 16, 2)

    def measure(step: int, model: Decoder) -> Measurements:
        return summary(singular_values(model))

    found = fit(decoder, draw, SETTINGS, 0, NoJournal(), measure=measure, every=1)
    assert found["diverged"] == 1
    assert [each["step"] for each in found["measured"]] == [0]


def test_halves_of_a_batch_have_the_gradient_of_the_whole() -> None:
    """What several processes do: each its slice, then the mean."""
    batch = text_batches(TEXT.train, 16, 4)(torch.Generator().manual_seed(0))
    whole, halves = model(), model()
    whole.double(), halves.double()

    def gradient(decoder: Decoder, rows: slice) -> torch.Tensor:
        decoder.zero_grad()
        logits = decoder(batch[0][rows])
        loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), batch[1][rows].flatten())
        loss.backward()  # type: ignore[no-untyped-call]
        return torch.cat([p.grad.flatten() for p in decoder.parameters() if p.grad is not None])

    mean = (gradient(halves, slice(0, 2)) + gradient(halves, slice(2, 4))) / 2
    assert float((mean - gradient(whole, slice(0, 4))).abs().max()) < 1e-12


def test_the_losses_of_tokens_are_those_of_the_update() -> None:
    decoder = model()
    tokens, targets = text_batches(TEXT.train, 16, 20)(torch.Generator().manual_seed(0))
    sequences = torch.cat((tokens, targets[:, -1:]), dim=1)
    losses = token_losses(decoder, sequences)
    assert losses.shape == (20, 16)
    loss = float(Updater(decoder, SETTINGS).step(shifted(sequences), 0))
    assert abs(float(losses.mean()) - loss) < 1e-5  # means of 320 numbers of size 5, float32


def test_only_matrices_decay() -> None:
    updater = Updater(model(), SETTINGS)
    decayed = [g["params"] for g in updater.optimiser.param_groups if g["weight_decay"] > 0]
    assert all(p.ndim == 2 for p in decayed[0])
