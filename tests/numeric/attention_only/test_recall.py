import pytest
import torch

from headproof.numeric.attention_only.model import Decoder, DecoderConfig
from headproof.numeric.attention_only.recall import RecallTask, Suggestions, accuracy, kinds
from headproof.numeric.attention_only.text import encode

TASK = RecallTask(names=4, values=5, keys=3, length=12)


def test_a_text_suggests_what_follows_often_and_surely() -> None:
    text = encode(b"abcX" * 5 + b"abdY" * 4 + b"qrsA" * 4 + b"qrsB" * 4)
    suggestions = Suggestions(text, 3)

    def after(gram: bytes) -> int:
        code = 0
        for symbol in encode(gram).tolist():
            code = 96 * code + symbol
        return int(suggestions.after(torch.tensor([code]).numpy())[0])

    assert after(b"abc") == encode(b"X").item()
    assert after(b"abd") == -1  # four times are too few
    assert after(b"qrs") == -1  # A or B
    assert after(b"zzz") == -1


def test_the_two_kinds_of_recall() -> None:
    suggestions = Suggestions(encode(b"abcX" * 9), 3)
    sequence = encode(b"abcX..uvwZ..uvwZ..abcX").long()[None]
    context, from_weights = kinds(suggestions, sequence)
    # The first X is known from the text; the second Z from the window; the second X from both,
    # hence it is neither.
    assert from_weights[0].nonzero().flatten().tolist() == [2]
    assert 14 in context[0].nonzero().flatten().tolist()
    assert 20 not in context[0].nonzero().flatten().tolist()
    assert not bool((context & from_weights).any())


@pytest.mark.parametrize("k", [0, 9])
def test_a_gram_has_to_fit(k: int) -> None:
    with pytest.raises(ValueError, match="1 to 8"):
        Suggestions(encode(b"abc" * 10), k)


def test_the_answers_are_those_of_the_table_and_of_the_context() -> None:
    generator = torch.Generator().manual_seed(0)
    table = TASK.facts(generator)
    tokens, targets = TASK.mixed_batch(table, 40, generator)
    assert int(tokens.max()) < TASK.symbols
    for row, (symbols, asked) in enumerate(zip(tokens.tolist(), targets.tolist(), strict=True)):
        if row < 20:
            seen = set()
            for place in range(0, 12, 3):
                a, b, v = symbols[place : place + 3]
                assert v == table[a, b - 4] + 8
                assert asked[place : place + 3] == [-100, v, -100]
                seen.add((a, b))
            assert len(seen) == 4  # no fact is shown before it is asked
            continue
        first = 2 * 4 + 5
        pairs = dict(divmod(symbol - first, 5) for symbol in symbols[:3])
        assert sorted(pairs) == [0, 1, 2]
        assert asked[:3] == [-100] * 3
        for symbol, answer in zip(symbols[3:], asked[3:], strict=True):
            assert answer == pairs[symbol - first - 15] + 8


def test_one_sequence_has_no_halves() -> None:
    generator = torch.Generator().manual_seed(0)
    table = TASK.facts(generator)
    with pytest.raises(ValueError, match="at least 2 sequences, found 1"):
        TASK.mixed_batch(table, 1, generator)
    assert len(TASK.mixed_batch(table, 3, generator)[0]) == 3


def test_accuracy_counts_questions_only() -> None:
    model = Decoder(DecoderConfig(TASK.symbols, 12, 4, 0, 1))
    tokens, targets = TASK.pair_batch(8, torch.Generator().manual_seed(0))
    with torch.no_grad():
        right = model(tokens).argmax(2)
    asked = targets != -100
    assert accuracy(model, (tokens, torch.where(asked, right, -100))) == 1.0
    assert accuracy(model, (tokens, torch.where(asked, right + 1, -100))) == 0.0


@pytest.mark.parametrize(
    "sizes", [{"length": 13}, {"names": 0}, {"keys": 12}, {"names": 1, "length": 12}]
)
def test_sizes_that_do_not_fit_are_refused(sizes: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=r"expected|fit"):
        RecallTask(**{"names": 4, "values": 5, "keys": 3, "length": 12, **sizes})
