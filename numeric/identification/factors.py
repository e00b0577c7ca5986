"""Where a torch model keeps the factors whose products its attention sees.

Any model: a factor is named by its parameters, which may be fused (torch.nn.MultiheadAttention,
GPT-2) or lie the other way round (GPT-2's Conv1D). Two pairs are known:
  `QueryKey`     L = W_Q of the group's query heads, R = W_K. Rotations and biases are heeded: b_Q
                 moves along as a further row of L; b_K as one of R in the coordinates that are
                 rotated, while in the others it is inert as a whole and stays where it is.
  `ValueOutput`  L = W_O^T of the group's query heads, R = W_V with b_V as a further row. That b_V
                 can also be merged into b_O is not used here.
Norms between projection and score (QK-norm) leave another group and are not covered: refused by
not being describable here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import torch
from torch import Tensor, nn

from .attention import Frequencies
from .commutant import Commutant

Reading = Callable[[nn.Parameter], Tensor]
"""What is read of a parameter: its value, its gradient, its last step."""


def current(parameter: nn.Parameter) -> Tensor:
    """The parameter itself, without its history."""
    return parameter.detach()


@dataclass(frozen=True, eq=False)
class Projection:
    """Rows (or columns) of a weight, and the bias that belongs to them.

    Args:
        weight: (outputs, inputs) as in torch.nn.Linear, or the other way round.
        bias: (outputs,), if there is one.
        start: the first output that belongs to the projection.
        outputs: how many do; all from ``start`` on by default.
        outputs_first: whether the first axis of the weight is the outputs.

    Raises:
        ValueError: outputs that the weight does not have.
    """

    weight: nn.Parameter
    bias: nn.Parameter | None = None
    start: int = 0
    outputs: int | None = None
    outputs_first: bool = True

    def __post_init__(self) -> None:
        """Validate."""
        if self.weight.dim() != 2:
            raise ValueError(f"expected a matrix, found {tuple(self.weight.shape)}")
        there = self.weight.shape[0 if self.outputs_first else 1]
        outputs = there - self.start if self.outputs is None else self.outputs
        if self.start < 0 or outputs < 1 or self.start + outputs > there:
            found = f"{outputs} from {self.start} on, of {there}"
            raise ValueError(f"expected outputs of the weight, found {found}")
        object.__setattr__(self, "outputs", outputs)

    @property
    def parameters(self) -> tuple[nn.Parameter, ...]:
        """The weight, and the bias if there is one."""
        return (self.weight,) if self.bias is None else (self.weight, self.bias)

    def matrix(self, reading: Reading = current) -> Tensor:
        """The weight as (outputs, inputs); a view, so that it can be written to."""
        whole = reading(self.weight)
        return (whole if self.outputs_first else whole.mT)[self._rows]

    def offset(self, reading: Reading = current) -> Tensor | None:
        """The bias, (outputs,); a view."""
        return None if self.bias is None else reading(self.bias)[self._rows]

    @property
    def _rows(self) -> slice:
        assert self.outputs is not None
        return slice(self.start, self.start + self.outputs)


def projection(given: nn.Linear | Projection) -> Projection:
    """The projection of a Linear layer; one that is a Projection already stays as it is.

    Args:
        given: either.
    """
    if isinstance(given, Projection):
        return given
    weight, bias = given.weight, given.bias
    assert isinstance(weight, nn.Parameter)
    assert bias is None or isinstance(bias, nn.Parameter)
    return Projection(weight, bias)


@dataclass(frozen=True, eq=False)
class QueryKey:
    """W_Q and W_K of one layer.

    Args:
        query: H d_k outputs, head by head.
        key: G d_k outputs; query head h uses key head h G // H.
        heads: H.
        kv_heads: G, H by default.
        rotary_dim: how many coordinates of a head are rotated, the first ones.
        frequencies: of the planes, if there are any.
        interleaved: planes are (2p, 2p + 1), not (p, p + r/2) as in Llama.

    Raises:
        ValueError: sizes that do not fit.

    Example:
        >>> from headproof.numeric.identification.attention import Attention
        >>> layer = Attention(6, 2, kv_heads=1, bias="q")
        >>> pair = QueryKey(layer.q_proj, layer.k_proj, heads=2, kv_heads=1)
        >>> [tuple(factor.shape) for factor in pair.factors()]  # two heads of 6 rows and a bias
        [(1, 14, 3), (1, 6, 3)]
    """

    query: nn.Linear | Projection
    key: nn.Linear | Projection
    heads: int
    kv_heads: int | None = None
    rotary_dim: int = 0
    frequencies: Frequencies = "distinct"
    interleaved: bool = False
    commutant: Commutant = field(init=False)

    def __post_init__(self) -> None:
        """Validate."""
        _settle(self, self.query, self.key)
        d_k = _head_dim(self.query, self.heads, self.key, _groups(self))
        made = Commutant(d_k, self.rotary_dim, self.frequencies, self.interleaved)
        object.__setattr__(self, "commutant", made)

    @property
    def parameters(self) -> tuple[nn.Parameter, ...]:
        """All parameters that are touched."""
        return (*projection(self.query).parameters, *projection(self.key).parameters)

    def factors(self, reading: Reading = current) -> tuple[Tensor, Tensor]:
        """L, (G, rows, d_k), and R, (G, rows', d_k), of values, gradients or steps.

        Args:
            reading: of each parameter: its value by default.
        """
        d_k, G = self.commutant.head_dim, _groups(self)
        left = _stacked(projection(self.query), reading, self.heads, d_k)
        right = _stacked(projection(self.key), reading, G, d_k, keep=self._seen)
        return left.unflatten(0, (G, -1)).flatten(1, 2), right  # type: ignore[no-untyped-call]

    def add(self, left: Tensor, right: Tensor) -> None:
        """Add to the factors, in place.

        Args:
            left: (G, rows, d_k), as `factors` returns.
            right: (G, rows', d_k).
        """
        G = _groups(self)
        parts = left.reshape(self.heads, left.shape[1] * G // self.heads, left.shape[2])
        _add(projection(self.query), parts)
        _add(projection(self.key), right, keep=self._seen)

    def inert(self, reading: Reading = current) -> Tensor:
        """The part of the key bias that the softmax cannot see, flat.

        Args:
            reading: of each parameter: its value by default.
        """
        bias = projection(self.key).offset(reading)
        if bias is None:
            return reading(projection(self.key).weight).new_zeros(0)
        return (bias.reshape(_groups(self), -1) * ~self._rotated()).flatten()

    def subtract_inert(self, part: Tensor) -> None:
        """Subtract what `inert` returned of a step, in place."""
        bias = projection(self.key).offset()
        if bias is not None:
            bias.sub_(part)

    def _seen(self, bias: Tensor) -> Tensor:
        return bias * self._rotated()

    def _rotated(self) -> Tensor:
        at = torch.arange(self.commutant.head_dim, device=projection(self.key).weight.device)
        return at < self.rotary_dim


@dataclass(frozen=True, eq=False)
class ValueOutput:
    """W_V and W_O of one layer.

    Args:
        value: G d_k outputs.
        output: H d_k inputs, head by head.
        heads: H.
        kv_heads: G, H by default.

    Raises:
        ValueError: sizes that do not fit.
    """

    value: nn.Linear | Projection
    output: nn.Linear | Projection
    heads: int
    kv_heads: int | None = None
    commutant: Commutant = field(init=False)

    def __post_init__(self) -> None:
        """Validate."""
        _settle(self, self.value, self.output)
        width = projection(self.output).matrix().shape[1]
        values = projection(self.value).outputs
        d_k = width // self.heads
        if width % self.heads or values != _groups(self) * d_k:
            found = f"{width} inputs of the output and {values} values"
            raise ValueError(f"expected H d_k and G d_k of them, found {found}")
        object.__setattr__(self, "commutant", Commutant(d_k))

    @property
    def parameters(self) -> tuple[nn.Parameter, ...]:
        """All parameters that are touched."""
        return (projection(self.output).weight, *projection(self.value).parameters)

    def factors(self, reading: Reading = current) -> tuple[Tensor, Tensor]:
        """L, (G, rows, d_k), and R, (G, rows', d_k), of values, gradients or steps.

        Args:
            reading: of each parameter: its value by default.
        """
        d_k, G = self.commutant.head_dim, _groups(self)
        out = projection(self.output).matrix(reading)  # (d, H d_k)
        heads = out.reshape(len(out), self.heads, d_k).transpose(0, 1)  # (H, d, d_k)
        right = _stacked(projection(self.value), reading, G, d_k)
        return heads.reshape(G, -1, d_k), right

    def add(self, left: Tensor, right: Tensor) -> None:
        """Add to the factors, in place.

        Args:
            left: (G, rows, d_k), as `factors` returns.
            right: (G, rows', d_k).
        """
        out = projection(self.output).matrix()
        parts = left.reshape(self.heads, len(out), -1).transpose(0, 1)
        out.add_(parts.reshape(out.shape))
        _add(projection(self.value), right)

    def inert(self, reading: Reading = current) -> Tensor:
        """Nothing."""
        return reading(projection(self.value).weight).new_zeros(0)

    def subtract_inert(self, part: Tensor) -> None:
        """Nothing is subtracted."""


Pair = QueryKey | ValueOutput


def _settle(pair: Pair, *projections: nn.Linear | Projection) -> None:
    for one in projections:
        if not isinstance(one, nn.Linear | Projection):
            raise ValueError(f"expected a Linear or a Projection, found {type(one).__name__}")
    G = _groups(pair)
    if pair.heads < 1 or G < 1 or pair.heads % G:
        raise ValueError(f"expected G a divisor of H, found H = {pair.heads}, G = {G}")


def _groups(pair: Pair) -> int:
    return pair.heads if pair.kv_heads is None else pair.kv_heads


def _head_dim(
    query: nn.Linear | Projection, heads: int, key: nn.Linear | Projection, groups: int
) -> int:
    rows, shared = projection(query).outputs, projection(key).outputs
    assert rows is not None
    if rows % heads or shared != rows // heads * groups:
        found = f"{rows} queries and {shared} keys"
        raise ValueError(f"expected H d_k and G d_k of them, found {found}")
    return rows // heads


def _stacked(
    given: Projection,
    reading: Reading,
    heads: int,
    d_k: int,
    *,
    keep: Callable[[Tensor], Tensor] | None = None,
) -> Tensor:
    """(heads, inputs, d_k), with the bias as a further row."""
    matrix = given.matrix(reading).reshape(heads, d_k, -1).mT
    bias = given.offset(reading)
    if bias is None:
        return matrix
    row = bias.reshape(heads, 1, d_k)
    return torch.cat((matrix, row if keep is None else keep(row)), 1)


def _add(
    given: Projection, parts: Tensor, *, keep: Callable[[Tensor], Tensor] | None = None
) -> None:
    matrix, bias = given.matrix(), given.offset()
    if bias is not None:
        row = parts[:, -1:]
        bias.add_((row if keep is None else keep(row)).flatten())
        parts = parts[:, :-1]
    matrix.add_(parts.mT.reshape(matrix.shape))
