"""The pictures of topic attention_only: what their lines, bars and captions say is so."""

from headproof.proofs_check.report.figures import attention_only
from headproof.symbolic.attention_only.accounting import (
    attention_matrices,
    block_operations,
    ffn_matrices,
    parameter_table,
)


def test_lines_are_the_operations_of_all_blocks() -> None:
    made = attention_only.decoders()
    n = attention_only._LONGEST
    for decoder in made.values():
        forward = block_operations(decoder, scores="causal")
        cost = attention_only.cost(decoder, n)
        assert cost == 3 * forward / (n * attention_only.STANDARD.layers)
    assert made["in place"].attention_only
    assert made["in place"].layers == attention_only.STANDARD.layers


def test_what_the_caption_says_of_the_lines() -> None:
    made = attention_only.decoders()
    crossing = attention_only.crossing()
    before = [*(n for n in attention_only._LENGTHS if n < crossing), crossing - 1]
    after = [crossing, *(n for n in attention_only._LENGTHS if n > crossing)]

    def excess(name: str, n: int) -> int:
        standard = attention_only.cost(attention_only.STANDARD, n)
        difference = attention_only.cost(made[name], n) - standard
        return (difference > 0) - (difference < 0)

    assert {excess("FLOP-matched", n) for n in before} == {-1}
    assert {excess("FLOP-matched", n) for n in after} == {1}
    assert {excess("parameter-matched", n) for n in attention_only._LENGTHS} == {1}
    assert {excess("in place", n) for n in attention_only._LENGTHS} == {-1}


def test_bars_are_the_matrices_of_one_block() -> None:
    standard, llama = attention_only.STANDARD, attention_only.LLAMA
    for decoder in (standard, llama, standard.without_ffn()):
        shares = attention_only.weights(decoder)
        entries = attention_matrices(decoder) + ffn_matrices(decoder)
        assert sum(shares.values()) * decoder.d_model**2 == entries
    assert set(attention_only.weights(standard)) == set(attention_only._MATRICES)
    assert sum(attention_only.weights(llama).values()) == 13


def test_norms_are_as_small_as_the_caption_says() -> None:
    standard, llama = attention_only.STANDARD, attention_only.LLAMA
    for decoder in (standard, llama, standard.without_ffn()):
        entries = decoder.layers * (attention_matrices(decoder) + ffn_matrices(decoder))
        assert 0 < 1000 * parameter_table(decoder)["norms"] < entries
