"""What the searches on several heads and on networks draw from: small integers in any position.

Bounds on numbers of cells are about general position, and are most easily broken by code that
mistreats the rest. So half of what is drawn is degenerate on purpose: repeated keys, keys on a
line, no biases, parallel walls through one point, heads that are equal, scores that coincide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from ..symbolic.regions.network import Ffn, Head, Layer, Network

Rows = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Heads:
    """H heads in R^d, as `overlay` reads them.

    Args:
        keys: for each head N_h points of R^d.
        biases: for each head N_h numbers.
    """

    keys: tuple[Rows, ...]
    biases: tuple[tuple[int, ...], ...]

    @property
    def dimension(self) -> int:
        """The dimension d."""
        return len(self.keys[0][0])

    def document(self) -> list[dict[str, Any]]:
        """As `overlay` reads them."""
        return [
            {"keys": [list(key) for key in keys], "biases": list(biases)}
            for keys, biases in zip(self.keys, self.biases, strict=True)
        ]


@dataclass(frozen=True)
class Sizes:
    """The sizes of a network.

    Args:
        d: the dimension.
        H: heads a layer.
        N: keys a head.
        L: layers.
        m: neurons a layer.
    """

    d: int
    H: int
    N: int
    L: int
    m: int


@st.composite
def several_heads(
    draw: st.DrawFn,
    *,
    max_dimension: int = 3,
    max_heads: int = 4,
    max_count: int = 4,
    biased: bool = True,
) -> Heads:
    """Heads that share a dimension.

    Args:
        draw: given by Hypothesis.
        max_dimension: the largest d.
        max_heads: the largest H.
        max_count: the largest N_h.
        biased: whether biases are drawn; otherwise they are 0.
    """
    d = draw(st.integers(1, max_dimension))
    H = draw(st.integers(1, max_heads))
    size = draw(st.sampled_from((1, 2, 9, 100)))
    keys = [_points(draw, d, draw(st.integers(1, max_count)), size) for _ in range(H)]
    if H > 1 and draw(st.integers(0, 3)) == 0:
        keys[-1] = keys[0]
    entry = st.integers(-size, size) if biased else st.just(0)
    biases = [draw(st.tuples(*[entry] * len(rows))) for rows in keys]
    return Heads(tuple(keys), tuple(biases))


@st.composite
def networks(draw: st.DrawFn, *, max_layers: int = 2, max_neurons: int = 2) -> Network:
    """Networks of hard attention with residual, ReLU layers in some, of equal heads throughout.

    Args:
        draw: given by Hypothesis.
        max_layers: the largest L.
        max_neurons: the largest m, 0 for none.
    """
    d, H, N = (draw(st.integers(1, most)) for most in (2, 2, 3))
    L, m = draw(st.integers(1, max_layers)), draw(st.integers(0, max_neurons))
    size = draw(st.sampled_from((1, 3, 9)))

    def rows(count: int, width: int) -> Rows:
        entry = st.integers(-size, size)
        return draw(st.tuples(*[st.tuples(*[entry] * width)] * count))

    layers = []
    for _ in range(L):
        heads = tuple(Head(rows(N, d), rows(N, d), rows(1, N)[0]) for _ in range(H))
        ffn = Ffn(rows(m, d), rows(1, m)[0], rows(d, m), rows(1, d)[0]) if m else None
        layers.append(Layer(heads, ffn=ffn))
    return Network(d, tuple(layers))


def sizes_of(network: Network) -> Sizes:
    """The sizes of a drawn network: all its layers have the same."""
    layer = network.layers[0]
    return Sizes(
        network.dimension,
        len(layer.heads),
        max(len(head.keys) for head in layer.heads),
        len(network.layers),
        len(layer.ffn.w1) if layer.ffn else 0,
    )


def _points(draw: st.DrawFn, d: int, count: int, size: int) -> Rows:
    entry = st.integers(-size, size)
    point = st.tuples(*[entry] * d)
    kind = draw(st.sampled_from(("free", "free", "repeated", "line")))
    if kind == "repeated":
        pool = draw(st.lists(point, min_size=1, max_size=3))
        return draw(st.tuples(*[st.sampled_from(pool)] * count))
    if kind == "line":
        start, direction = draw(point), draw(point)
        steps = draw(st.tuples(*[entry] * count))
        return tuple(tuple(a + t * b for a, b in zip(start, direction, strict=True)) for t in steps)
    return draw(st.tuples(*[point] * count))
