"""Counts by structure against ranks of exact Jacobians, which know nothing of commutants."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.identification.architecture import Architecture, Latent, parse
from headproof.symbolic.identification.counts import identify_architecture
from headproof.symbolic.identification.decoder import decoder_count, decoder_unidentified
from headproof.symbolic.identification.jacobian import jacobian, unidentified
from headproof.symbolic.identification.latent_point import latent_jacobian, latent_tangents
from headproof.symbolic.identification.rotation import TRIPLES
from headproof.symbolic.modular.rank import modular_rank

THEORY: tuple[tuple[dict[str, Any], int, int], ...] = (
    ({"d_model": 12, "heads": 3}, 48, 288),
    ({"d_model": 12, "heads": 3, "rope": "distinct"}, 12, 288),
    ({"d_model": 12, "heads": 6, "kv_heads": 3}, 12, 216),
    ({"d_model": 12, "heads": 3, "qk_norm": True}, 24, 288),
    ({"d_model": 12, "heads": 3, "rope": "distinct", "rotary_dim": 2}, 18, 288),
    ({"d_model": 6, "heads": 2, "head_dim": 8}, 120, 192),
)


@pytest.mark.parametrize(("document", "left", "total"), THEORY)
def test_the_table(document: dict[str, Any], left: int, total: int) -> None:
    count = identify_architecture(parse(document)).qk.count
    assert count is not None
    assert (count.unidentified, count.total) == (left, total)
    assert unidentified(parse(document), "qk") == left


def layers(count: int, seed: int) -> Iterator[Architecture]:
    random = Random(seed)
    for _ in range(count):
        heads, width = random.randint(1, 3), random.randint(1, 5)
        rope = random.choice(["none", "distinct", "equal"]) if width > 1 else "none"
        norm = random.random() < 0.4
        more: dict[str, Any] = {
            "bias": tuple(letter for letter in "qkvo" if random.random() < 0.4),
            "kv_heads": random.choice([g for g in range(1, heads + 1) if heads % g == 0]),
            "qk_norm": norm,
            "qk_norm_gain": norm and random.random() < 0.5,
            "sink": random.random() < 0.2,
            "tied_qk": random.random() < 0.2,
        }
        if rope != "none":
            more["rotary_dim"] = 2 * random.randint(1, width // 2)
        more["input_norm"] = before = random.choice(["none", "rms", "layer"])
        more["input_norm_gain"] = before != "none" and random.random() < 0.5
        more["input_norm_bias"] = before == "layer" and random.random() < 0.5
        try:
            sizes = {"d_model": random.randint(1, 4), "heads": heads, "head_dim": width}
            yield parse({**sizes, "rope": rope, **more})
        except InputError:
            continue


def test_random_layers() -> None:
    seen = 0
    for a in layers(100, 11):
        for part in ("qk", "vo", "block"):
            answer = getattr(identify_architecture(a), part)
            if answer.count is None:
                assert answer.reason
            elif answer.count.total <= 120:
                assert sum(s.dimension for s in answer.sources) == answer.count.unidentified
                assert unidentified(a, part) == answer.count.unidentified, a.document
                seen += 1
    assert seen > 100


def latents(count: int, seed: int) -> Iterator[Architecture]:
    random = Random(seed)
    for _ in range(count):
        rotary = random.choice([0, 2, 4])
        norm, before = random.random() < 0.5, random.choice(["none", "rms", "layer"])
        mla = {
            "kv_rank": random.randint(1, 3),
            "q_rank": random.randint(0, 3),
            "nope_dim": random.randint(1, 2),
            "rope_dim": rotary,
            "value_dim": random.randint(1, 2),
            "norm": norm,
            "norm_gain": norm and random.random() < 0.5,
        }
        rope = random.choice(["distinct", "equal"]) if rotary else "none"
        sizes = {"d_model": 4, "heads": random.randint(2, 3), "input_norm": before}
        yield parse({**sizes, "rope": rope, "mla": mla})


def test_random_latent_layers() -> None:
    seen = 0
    for a in latents(30, 5):
        for part in ("qk", "vo", "block"):
            answer = getattr(identify_architecture(a), part)
            if answer.count is not None and answer.count.total <= 150:
                assert unidentified(a, part) == answer.count.unidentified, (a.document, part)
                seen += 1
    assert seen > 15


def test_a_wrong_count_would_be_noticed() -> None:
    """The Jacobian of a layer with rotations does not confirm the count of one without."""
    assert unidentified(Architecture(d_model=4, heads=1, rope="distinct"), "qk") == 4
    assert unidentified(Architecture(d_model=4, heads=1), "qk") == 16


def test_tangents_of_a_latent_point_are_the_kernel() -> None:
    mla = Latent(kv_rank=2, q_rank=2, nope_dim=1, value_dim=1, rope_dim=2)
    a = Architecture(d_model=3, heads=3, rope="distinct", mla=mla)
    count = identify_architecture(a).block.count
    assert count is not None
    rows, point = latent_jacobian(a, seed=1)
    tangents = latent_tangents(a, point)
    assert not (rows @ tangents.T).any()
    assert modular_rank(tangents).rank == len(tangents) == count.unidentified
    assert rows.shape[1] - modular_rank(rows).rank == count.unidentified
    with pytest.raises(InputError):
        latent_jacobian(Architecture(d_model=3, heads=1))


DECODERS: tuple[tuple[dict[str, Any], int, int], ...] = (
    ({"d_model": 2, "heads": 1}, 4, 12),
    ({"d_model": 2, "heads": 2, "layers": 2}, 4, 12),
    ({"d_model": 2, "heads": 1, "positions": 4}, 4, 14),
    ({"d_model": 2, "heads": 2, "bias": ["q", "k", "v", "o"]}, 4, 14),
    ({"d_model": 2, "heads": 2, "bias": ["k", "v", "o"]}, 4, 12),
    ({"d_model": 2, "heads": 1, "head_dim": 1, "input_norm": "rms"}, 5, 4),
    ({"d_model": 3, "heads": 1, "head_dim": 1, "input_norm": "layer"}, 5, 18),
    # Its biases, 6, are absorbed; what U, W_Q and W_V make of them, 5 + 1 + 1 constants, is seen.
    (
        {"d_model": 3, "heads": 1, "head_dim": 1, "input_norm": "layer", "input_norm_bias": True},
        5,
        17,
    ),
)


@pytest.mark.parametrize(("document", "vocabulary", "left"), DECODERS)
def test_decoders(document: dict[str, Any], vocabulary: int, left: int) -> None:
    a = parse(document)
    count = decoder_count(a, vocabulary).count
    assert count is not None
    assert count.unidentified == left
    assert decoder_unidentified(a, vocabulary, sequences=50, length=4) == left


def test_what_is_not_covered_says_why() -> None:
    plain = Architecture(d_model=2, heads=1)
    assert "exceed" in decoder_count(plain, 2).reason
    with pytest.raises(InputError):
        decoder_unidentified(plain, 2, sequences=1, length=1)
    wide = Architecture(d_model=2, heads=1, head_dim=3, qk_norm=True)
    assert "head_dim > 2" in identify_architecture(wide).block.reason
    many = Architecture(d_model=30, heads=1, rope="distinct", rotary_dim=2 * len(TRIPLES) + 2)
    with pytest.raises(InputError, match="frequencies"):
        jacobian(many, "qk")
