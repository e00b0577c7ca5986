"""Certificates of matched decoders: valid as written, refused when the answer is another."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from headproof.proofs_check.certificates.matching import certificate
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.proofs_check.producers.attention_only.models import standard_decoders
from headproof.symbolic.attention_only.decoder import Decoder
from headproof.symbolic.attention_only.matching import VARY, Matching, Vary, match

SMALL = Decoder(d_model=8, layers=2, heads=4, kv_heads=2, ffn=28, vocabulary=7, context=4)

# The widest decoder that is tried, of one layer, takes exactly as many operations.
EXACT = Decoder(d_model=1, layers=1, heads=1, head_dim=1, ffn=8, vocabulary=2, context=1)


@settings(max_examples=40)
@given(standard_decoders(), st.sampled_from(VARY))
@example(EXACT, "both")
def test_what_is_found_is_certified(decoder: Decoder, vary: Vary) -> None:
    check_certificate(certificate("", match(decoder, vary=vary)))


def claimed(found: Matching, **changes: object) -> Matching:
    """The matching with another match by parameters."""
    return replace(found, matches=(replace(found.matches[0], **changes), found.matches[1]))  # type: ignore[arg-type]


@pytest.mark.parametrize("vary", VARY)
def test_other_answers_are_refused(vary: Vary) -> None:
    found = match(SMALL, vary=vary)
    first = found.matches[0]
    assert first.mismatch > 0
    ((w, L),) = first.members
    for bad in (
        claimed(found, mismatch=first.mismatch + 1),
        claimed(found, mismatch=first.mismatch - 1),
        claimed(found, target=first.target + 1),
        claimed(found, members=((w, L + 1),)),
        claimed(found, members=((w + 1, L),)),
        claimed(found, below=tuple((v, M + 1) for v, M in first.below)),
    ):
        if bad.matches[0].below != first.below and vary == "width":
            continue  # the depth is not read
        with pytest.raises(Rejected):
            check_certificate(certificate("", bad))


def test_every_width_has_its_step() -> None:
    """A staircase that ends early or starts late leaves out decoders: it is refused."""
    written = certificate("", match(SMALL, vary="both"))
    instance = written["data"]["family"]["instances"][0]
    stairs = instance["B"]
    assert len(stairs) > 2
    assert stairs[-1] == 0
    for bad in (stairs[:-1], stairs[1:]):
        instance["B"] = bad
        with pytest.raises(Rejected):
            check_certificate(written)
