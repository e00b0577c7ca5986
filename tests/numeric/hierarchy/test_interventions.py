"""Hooks on modules that know nothing of this project, and what they refuse."""

from typing import Any, Literal

import pytest
import torch
from torch import Tensor, nn

from headproof.numeric.hierarchy.interventions import (
    applied,
    harden,
    mask_attention,
    project_out,
    softmaxes,
    watched,
)
from headproof.numeric.hierarchy.model import ModelSettings, Transformer


class Foreign(nn.Module):
    """Two heads over three features, bidirectional, batch first, with a softmax of its own."""

    def __init__(self) -> None:
        super().__init__()
        self.mix = nn.Linear(4, 8, bias=False)
        self.normalise = nn.Softmax(-1)

    def forward(self, x: Tensor) -> tuple[Tensor, str]:
        q, k = self.mix(x).view(*x.shape[:2], 2, 4).unbind(2)
        scores = torch.stack([q @ q.mT, k @ k.mT], dim=1)  # (B, 2, T, T)
        return torch.einsum("bhij,bjd->bid", self.normalise(scores), x), "more"


@pytest.fixture
def foreign() -> Foreign:
    torch.manual_seed(0)
    return Foreign()


def test_before_renormalises_and_after_does_not(foreign: Foreign) -> None:
    x = torch.randn(2, 3, 4)
    (layer,) = softmaxes(foreign)
    with watched(layer) as clean:
        foreign(x)
    mask = torch.zeros(2, 3, 3, dtype=torch.bool)
    mask[0, 1, 2] = True
    sides: tuple[Literal["before", "after"], ...] = ("before", "after")
    for when in sides:
        # Hooks run in order: the second sees what the mask left.
        with applied(mask_attention(layer, mask, when=when)), watched(layer) as seen:
            foreign(x)
        weights, before = seen[0], clean[0]
        assert (weights[0, :, 1, 2] == 0).all()
        rest = before[0, :, 1, :2]
        if when == "before":
            rest = rest / rest.sum(-1, keepdim=True)
        assert (weights[0, :, 1, :2] - rest).abs().max() < 1e-6  # float32, one division
        other = torch.ones(2, 3, dtype=torch.bool)
        other[0, 1] = False
        assert torch.equal(weights.transpose(1, 2)[other], before.transpose(1, 2)[other])
    with watched(layer) as seen:
        foreign(x)
    assert torch.equal(seen[0], clean[0])  # the handles are gone


def test_one_head_only(foreign: Foreign) -> None:
    x, (layer,) = torch.randn(1, 3, 4), softmaxes(foreign)
    mask = torch.eye(3, dtype=torch.bool)[None]
    with applied(mask_attention(layer, mask, when="after", heads=[1])), watched(layer) as seen:
        foreign(x)
    assert (seen[0][0, 1].diagonal() == 0).all()
    assert (seen[0][0, 0].diagonal() > 0).all()


def test_hard_heads(foreign: Foreign) -> None:
    x, (layer,) = torch.randn(1, 3, 4), softmaxes(foreign)
    with watched(layer) as soft:
        foreign(x)
    with applied(harden(layer)), watched(layer) as hard:
        foreign(x)
    assert torch.equal(hard[0], nn.functional.one_hot(soft[0].argmax(-1), 3).float())


def test_a_subspace_leaves_a_tuple(foreign: Foreign) -> None:
    x = torch.randn(2, 3, 4)
    basis = torch.linalg.qr(torch.randn(4, 2)).Q.T
    mean = torch.ones(4)
    with applied(project_out(foreign, basis, mean=mean)):
        found, more = foreign(x)
    assert more == "more"
    assert ((found - mean) @ basis.T).abs().max() < 1e-5  # float32 sums of four terms
    clean, _ = foreign(x)
    left = torch.eye(4) - basis.T @ basis
    assert ((found - clean) @ left).abs().max() < 1e-5
    with applied(project_out(foreign, torch.zeros(0, 4))):
        assert torch.equal(foreign(x)[0], clean)


@pytest.mark.long
def test_hugging_face_blocks_are_projected() -> None:
    transformers: Any = pytest.importorskip("transformers")
    config = transformers.GPT2Config(
        n_layer=2, n_head=2, n_embd=8, vocab_size=11, n_positions=16, bos_token_id=0, eos_token_id=0
    )
    model = transformers.GPT2Model(config).eval()
    basis = torch.eye(8)[:3]
    with applied(project_out(model.h[1], basis)), watched(model.h[1]) as seen, torch.no_grad():
        model(torch.zeros(1, 4, dtype=torch.long))
    assert (seen[0][..., :3] == 0).all()
    assert (seen[0][..., 3:] != 0).any()


def test_torch_layers_are_projected() -> None:
    layer = nn.TransformerEncoderLayer(8, 2, 8, dropout=0.0, batch_first=True)
    basis = torch.eye(8)[:3]
    with applied(project_out(layer, basis)):
        found = layer(torch.randn(2, 3, 8))
    assert (found[..., :3] == 0).all()
    assert (found[..., 3:] != 0).any()


def test_refusals(foreign: Foreign) -> None:
    (layer,) = softmaxes(foreign)
    good = torch.zeros(1, 3, 3, dtype=torch.bool)
    with pytest.raises(ValueError, match="before"):
        mask_attention(layer, good, when="during")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="Booleans"):
        mask_attention(layer, good.float(), when="before")
    with pytest.raises(ValueError, match="Booleans"):
        mask_attention(layer, good[0], when="before")
    with pytest.raises(ValueError, match=r"nn\.Softmax"):
        softmaxes(nn.Linear(2, 2))
    with pytest.raises(ValueError, match="orthonormal"):
        project_out(foreign, 2 * torch.eye(4))
    with pytest.raises(ValueError, match="orthonormal"):
        project_out(foreign, torch.eye(4)[0])
    x = torch.randn(1, 3, 4)
    with (
        applied(mask_attention(layer, ~good, when="before")),
        pytest.raises(ValueError, match="leaves every query a key"),
    ):
        foreign(x)
    with (
        applied(mask_attention(layer, good, when="after")),
        pytest.raises(ValueError, match="expected scores"),
    ):
        foreign(torch.randn(1, 4, 4))


def test_a_masked_key_changes_nothing_before_the_query() -> None:
    model = Transformer(5, 8, ModelSettings(8, 2, 2), seed=1)
    tokens = torch.randint(5, (2, 6), generator=torch.Generator().manual_seed(0))
    mask = torch.zeros(2, 6, 6, dtype=torch.bool)
    mask[:, 4, 1] = True
    clean = model(tokens)
    with applied(*(mask_attention(s, mask, when="before") for s in softmaxes(model))):
        found = model(tokens)
    assert torch.equal(found[:, :4], clean[:, :4])
    assert (found[:, 4] != clean[:, 4]).any()
