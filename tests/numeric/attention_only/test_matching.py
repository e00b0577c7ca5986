from dataclasses import replace

import pytest

from headproof.numeric.attention_only.matching import (
    attention_only,
    parameter_count,
    training_flops,
)
from headproof.numeric.attention_only.model import DecoderConfig

STANDARDS = [
    DecoderConfig(96, 128, 64, 4, 4, ffn_width=256),
    DecoderConfig(50, 1024, 48, 7, 3, kv_heads=1, ffn_width=100, gated=True, biases=True),
    DecoderConfig(1000, 16, 128, 2, 8, ffn_width=512, tied=False, qk_norm=True),
]


@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("matching", ["flops", "parameters"])
def test_no_depth_comes_closer(standard: DecoderConfig, matching: str) -> None:
    count = training_flops if matching == "flops" else parameter_count
    found = attention_only(standard, matching)
    assert found == replace(standard, ffn_width=0, gated=False, layers=found.layers)
    miss = abs(count(found) - count(standard))
    others = [abs(count(replace(found, layers=L)) - count(standard)) for L in range(40)]
    assert miss == min(others)


def test_a_parameter_match_is_three_times_as_deep() -> None:
    standard = DecoderConfig(96, 128, 64, 4, 4, ffn_width=256)
    assert attention_only(standard, "parameters").layers == 12
    assert attention_only(standard, "in-place").layers == 4


def test_what_cannot_be_matched_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of"):
        attention_only(STANDARDS[0], "depth")
    with pytest.raises(ValueError, match="feed-forward"):
        attention_only(replace(STANDARDS[0], ffn_width=0), "flops")
