"""Architectures: what is completed, what is refused, and the round trip through JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import Architecture, Latent, parse


def test_what_is_not_given_is_completed() -> None:
    plain = Architecture(d_model=12, heads=3)
    assert (plain.kv_heads, plain.head_dim, plain.rotary_dim, plain.group) == (3, 4, 0, 1)
    assert Architecture(d_model=12, heads=3, rope="equal").rotary_dim == 4
    assert Architecture(d_model=12, heads=3, bias=("o", "q")).bias == ("q", "o")
    latent = Latent(kv_rank=2, nope_dim=3, value_dim=2, rope_dim=2)
    mla = Architecture(d_model=12, heads=5, rope="distinct", mla=latent)
    assert (mla.kv_heads, mla.head_dim, mla.rotary_dim) == (5, 5, 2)


DOCUMENTS: tuple[dict[str, Any], ...] = (
    {"d_model": 1, "heads": 1},
    {"d_model": 768, "heads": 12, "bias": ["q", "k", "v", "o"], "positions": 1024, "layers": 12},
    {"d_model": 4096, "heads": 32, "kv_heads": 8, "rope": "distinct", "input_norm": "rms"},
    {"d_model": 6, "heads": 2, "head_dim": 8, "rope": "distinct", "rotary_dim": 4},
    {"d_model": 6, "heads": 2, "qk_norm": True, "qk_norm_gain": True, "sink": True},
    {"d_model": 6, "heads": 2, "tied_qk": True, "alibi": True, "bias": ["q", "k"]},
    {
        "d_model": 7,
        "heads": 4,
        "rope": "distinct",
        "mla": {"kv_rank": 2, "nope_dim": 3, "value_dim": 2, "rope_dim": 2, "norm": True},
    },
)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_round_trip(document: dict[str, Any]) -> None:
    architecture = parse(document)
    assert parse(json.loads(json.dumps(architecture.document))) == architecture
    assert document.items() <= architecture.document.items()


WRONG: tuple[tuple[Any, str], ...] = (
    ([], "an object"),
    ({"heads": 1}, "'d_model'"),
    ({"d_model": 4, "heads": 2, "kv_head": 1}, "only the keys"),
    ({"d_model": 0, "heads": 1}, "at least 1"),
    ({"d_model": True, "heads": 1}, "at least 1"),
    ({"d_model": 4.0, "heads": 1}, "at least 1"),
    ({"d_model": 4, "heads": 3}, "head_dim"),
    ({"d_model": 4, "heads": 4, "kv_heads": 3}, "a divisor of 4"),
    ({"d_model": 4, "heads": 4, "kv_heads": 0}, "at least 1"),
    ({"d_model": 4, "heads": 2, "head_dim": 0}, "at least 1"),
    ({"d_model": 4, "heads": 4, "rope": "distinct"}, "even"),
    ({"d_model": 4, "heads": 1, "rope": "distinct", "rotary_dim": 6}, "even"),
    ({"d_model": 4, "heads": 1, "rotary_dim": 2}, "rope is none"),
    ({"d_model": 4, "heads": 1, "rope": "some"}, "one of none"),
    ({"d_model": 4, "heads": 1, "bias": "qk"}, "a list"),
    ({"d_model": 4, "heads": 1, "bias": ["q", "q"]}, "once"),
    ({"d_model": 4, "heads": 1, "bias": ["x"]}, "letters"),
    ({"d_model": 4, "heads": 1, "qk_norm": 1}, "true or false"),
    ({"d_model": 4, "heads": 1, "qk_norm_gain": True}, "qk_norm is false"),
    ({"d_model": 4, "heads": 1, "input_norm_gain": True}, "input_norm is none"),
    ({"d_model": 4, "heads": 2, "kv_heads": 1, "tied_qk": True}, "tied_qk"),
    ({"d_model": 4, "heads": 2, "bias": ["q"], "tied_qk": True}, "tied_qk"),
    ({"d_model": 4, "heads": 2, "mla": {"kv_rank": 1, "nope_dim": 1}}, "'value_dim'"),
    (
        {"d_model": 4, "heads": 2, "mla": {"kv_rank": 1, "nope_dim": 1, "value_dim": 1},
         "head_dim": 2},
        "follows from mla",
    ),
    (
        {"d_model": 4, "heads": 2, "rope": "distinct",
         "mla": {"kv_rank": 1, "nope_dim": 1, "value_dim": 1}},
        "rope_dim",
    ),
)  # fmt: skip


@pytest.mark.parametrize(("document", "message"), WRONG)
def test_wrong_documents_are_refused(document: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse(document)
