"""Parameters and floating-point operations of a decoder, to the unit (claim D1).

*Parameters* are counted tensor by tensor; tied weights count once.

*Operations* are those of matrix products, the convention of torch's FLOP counter and of the
literature: (a x b)(b x c) takes 2 a b c; a bias, a norm, a softmax, a rotation, the look-up of an
embedding take nothing. Backward, a product is differentiated by both factors, which takes two
products of the same size: every factor here is learned or depends on what is learned (the first
one reads the embedding). So a training step takes three times a forward pass; recomputation of
activations is not counted.

*Scores* are counted as the products are made: ``dense``, all n^2 of them, as an explicit masked
product does; or ``causal``, the n (n + 1)/2 that are not masked, as products row by row do and as a
fused kernel would at best. A fused kernel is no matrix product: torch's counter finds nothing in it
on a processor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from ..errors import InputError
from .decoder import Decoder, Size

Scores = Literal["dense", "causal"]
SCORES: tuple[Scores, ...] = get_args(Scores)


@dataclass(frozen=True)
class Product:
    """(rows x inner)(inner x columns), so many times.

    Args:
        name: what is multiplied.
        rows: of the first factor.
        inner: its columns.
        columns: of the second factor.
        times: how often in a forward pass.
    """

    name: str
    rows: Size
    inner: Size
    columns: Size
    times: Size

    @property
    def forward(self) -> Size:
        """Operations of all of them: 2 rows inner columns times."""
        return 2 * self.rows * self.inner * self.columns * self.times

    @property
    def backward(self) -> Size:
        """Operations of the derivatives by both factors.

        (rows x columns)(columns x inner) by the first, (inner x rows)(rows x columns) by the
        second, so many times.
        """
        by_first = 2 * self.rows * self.columns * self.inner * self.times
        by_second = 2 * self.inner * self.rows * self.columns * self.times
        return by_first + by_second


def attention_matrices(decoder: Decoder) -> Size:
    """Entries of W_Q, W_K, W_V and W_O of one block: 2 d d_k (H + G).

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> attention_matrices(made), attention_matrices(made.symbolic())
        (256, 2*G*d*d_k + 2*H*d*d_k)
    """
    d, k, H, G = decoder.d_model, decoder.d_k, decoder.heads, decoder.groups
    return d * H * k + 2 * (d * G * k) + H * k * d


def ffn_matrices(decoder: Decoder) -> Size:
    """Entries of the matrices of the feed-forward layer of one block: 2 d f, or 3 d f if gated.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> ffn_matrices(made), ffn_matrices(made.without_ffn())
        (512, 0)
    """
    return (3 if decoder.gated else 2) * decoder.d_model * decoder.ffn


def parameter_table(decoder: Decoder) -> dict[str, Size]:
    """Numbers that are learned, by what they are; the blocks' entries are those of all blocks.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> parameter_table(made)["attention"], parameter_table(made)["norms"]
        (512, 40)
    """
    c, d, k, H, G, L = (
        decoder,
        decoder.d_model,
        decoder.d_k,
        decoder.heads,
        decoder.groups,
        decoder.layers,
    )
    width = {"q": H * k, "k": G * k, "v": G * k, "o": d}
    attention_bias = sum(width[name] for name in c.bias if name in width)
    ffn = not c.attention_only
    ffn_bias = (2 if c.gated else 1) * c.ffn + d if ffn and "ffn" in c.bias else 0
    norm = d if c.norm == "rms" else 2 * d
    branches = 2 if ffn else 1
    return {
        "embedding": c.vocabulary * d,
        "positions": c.context * d if c.positions == "learned" else 0,
        "attention": L * attention_matrices(c),
        "attention biases": L * attention_bias,
        "feed-forward": L * ffn_matrices(c),
        "feed-forward biases": L * ffn_bias,
        "norms": L * branches * norm + (norm if c.final_norm else 0),
        "query and key norms": L * 2 * k if c.qk_norm else 0,
        "residual gates": L * branches if c.residual_gates else 0,
        "output": (0 if c.tied else c.vocabulary * d) + (c.vocabulary if "output" in c.bias else 0),
    }


def parameters(decoder: Decoder) -> Size:
    """All numbers that are learned.

    Example:
        >>> parameters(Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4))
        1616
    """
    return sum(parameter_table(decoder).values())


def products(
    decoder: Decoder, *, tokens: Size | None = None, batch: Size = 1, scores: Scores = "dense"
) -> tuple[Product, ...]:
    """The matrix products of a forward pass.

    Args:
        decoder: sizes and options.
        tokens: n, the length of a sequence; the context by default.
        batch: B, how many sequences.
        scores: how the scores are counted.

    Raises:
        InputError: a length or a batch that is not positive, or more tokens than the context.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> [(p.name, p.times) for p in products(made)][:2]
        [('queries', 2), ('keys', 2)]
    """
    n = decoder.context if tokens is None else tokens
    _require(n, batch, decoder, scores)
    c, d, k, H, G, L = (
        decoder,
        decoder.d_model,
        decoder.d_k,
        decoder.heads,
        decoder.groups,
        decoder.layers,
    )
    rows = batch * n
    found = [
        Product("queries", rows, d, H * k, L),
        Product("keys", rows, d, G * k, L),
        Product("values", rows, d, G * k, L),
    ]
    every = batch * H * L
    if scores == "dense":
        found += [Product("scores", n, k, n, every), Product("mixing", n, n, k, every)]
    else:
        pairs = n * (n + 1) // 2 if isinstance(n, int) else n * (n + 1) / 2
        found += [Product("scores", 1, k, pairs, every), Product("mixing", 1, pairs, k, every)]
    found.append(Product("attention output", rows, H * k, d, L))
    if not c.attention_only:
        found.append(Product("hidden layer", rows, d, c.ffn, L * (2 if c.gated else 1)))
        found.append(Product("feed-forward output", rows, c.ffn, d, L))
    found.append(Product("logits", rows, d, c.vocabulary, 1))
    return tuple(found)


@dataclass(frozen=True)
class Operations:
    """Operations of one forward pass and of the backward pass after it."""

    forward: Size
    backward: Size

    @property
    def training(self) -> Size:
        """Both."""
        return self.forward + self.backward


def operations(
    decoder: Decoder, *, tokens: Size | None = None, batch: Size = 1, scores: Scores = "dense"
) -> Operations:
    """Operations of a step on a batch; arguments and errors as for `products`.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> operations(made), operations(made, scores="causal").forward
        (Operations(forward=13632, backward=27264), 13248)
    """
    made = products(decoder, tokens=tokens, batch=batch, scores=scores)
    return Operations(sum(p.forward for p in made), sum(p.backward for p in made))


def block_operations(decoder: Decoder, *, scores: Scores = "dense") -> Size:
    """Operations of a forward pass of all blocks, without the logits, on one whole context.

    Example:
        >>> made = Decoder(d_model=8, layers=2, heads=2, ffn=32, vocabulary=5, context=4)
        >>> block_operations(made)
        13312
    """
    made = products(decoder, scores=scores)
    return sum(p.forward for p in made if p.name != "logits")


def _require(n: Size, batch: Size, decoder: Decoder, scores: str) -> None:
    if scores not in SCORES:
        raise InputError(" or ".join(SCORES), repr(scores), where="scores")
    for name, value in (("tokens", n), ("batch", batch)):
        if isinstance(value, int) and value < 1:
            raise InputError("a positive integer", str(value), where=name)
    if isinstance(n, int) and isinstance(decoder.context, int) and n > decoder.context:
        raise InputError(f"at most the context, {decoder.context}", str(n), where="tokens")
