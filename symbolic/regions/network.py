"""Networks of frozen-context hard attention with residuals and ReLU layers, over the rationals.

A network is a value: nested frozen dataclasses of exact rationals whose shapes are checked once,
when `Network` is built; everything downstream trusts them. `Network.evaluate` is the definition
itself, point by point and without any polyhedron: the region tree is tested against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias

from ..errors import InputError
from ..rational import Rational, Vector, write

Matrix: TypeAlias = tuple[Vector, ...]


@dataclass(frozen=True)
class Head:
    """One head of hard attention: N scores <key_j, x> + bias_j and N values.

    Args:
        keys: N rows of the layer's input dimension.
        values: N rows of the layer's output dimension.
        biases: N numbers; empty means zero.
    """

    keys: Matrix
    values: Matrix
    biases: Vector = ()

    def __post_init__(self) -> None:
        """Write out the biases that were left empty."""
        if not self.biases:
            object.__setattr__(self, "biases", (0,) * len(self.keys))


@dataclass(frozen=True)
class Ffn:
    """A ReLU layer of width m on R^D: y -> y + w2 relu(w1 y + b1) + b2.

    Args:
        w1: m rows of D.
        b1: m numbers.
        w2: D rows of m.
        b2: D numbers.
    """

    w1: Matrix
    b1: Vector
    w2: Matrix
    b2: Vector


@dataclass(frozen=True)
class Layer:
    """y = linear x + sum_h value_{j_h(x)}, then y + w2 relu(w1 y + b1) + b2 if there is an ffn.

    Args:
        heads: the heads; there may be none.
        residual: without it the term ``linear x`` is left out.
        linear: rows of the input dimension; None is the identity. Without a residual it only
            states the output dimension of a layer that has no heads.
        ffn: the ReLU layer.
    """

    heads: tuple[Head, ...] = ()
    residual: bool = True
    linear: Matrix | None = None
    ffn: Ffn | None = None

    def output_dimension(self, dimension: int) -> int:
        """The dimension of y for an input of this dimension."""
        if self.linear is not None:
            return len(self.linear)
        if self.residual or not self.heads:
            return dimension
        return len(self.heads[0].values[0])


@dataclass(frozen=True)
class Box:
    """The box lower <= x <= upper, with lower < upper in every coordinate."""

    lower: Vector
    upper: Vector


@dataclass(frozen=True)
class Network:
    """A network on R^d, or on a box.

    Args:
        dimension: d >= 1.
        layers: the layers, first to last; none is the identity.
        domain: the box on which the network is looked at; None is all of R^d.

    Raises:
        InputError: a shape does not fit, a head has no keys, or the box has no interior.
    """

    dimension: int
    layers: tuple[Layer, ...]
    domain: Box | None = None
    output_dimension: int = field(init=False)

    def __post_init__(self) -> None:
        """Check every shape, once."""
        if self.dimension < 1:
            raise InputError("an integer >= 1", str(self.dimension), where="dimension")
        dimension = self.dimension
        for number, layer in enumerate(self.layers):
            dimension = _check_layer(layer, dimension, f"layers[{number}]")
        object.__setattr__(self, "output_dimension", dimension)
        if self.domain is not None:
            _check_box(self.domain, self.dimension)

    def evaluate(self, point: Sequence[Rational]) -> tuple[Fraction, ...]:
        """The network's value at a point: the limit of soft attention as tau -> 0.

        Each head contributes the mean of the values of the keys with the best score at this
        very point, also on the walls between cells.

        Args:
            point: d rationals.

        Raises:
            InputError: the point has another dimension.

        Example:
            >>> head = Head(keys=((-1,), (1,)), values=((0,), (Fraction(1, 2),)))
            >>> network = Network(1, (Layer((head,)),))
            >>> [str(network.evaluate([x])[0]) for x in (-3, 0, 3)]
            ['-3', '1/4', '7/2']
        """
        if len(point) != self.dimension:
            raise InputError(
                f"a point of dimension {self.dimension}", str(len(point)), where="point"
            )
        x = tuple(Fraction(coordinate) for coordinate in point)
        for layer in self.layers:
            x = _evaluate_layer(layer, x)
        return x


def _check_layer(layer: Layer, dimension: int, where: str) -> int:
    """Check a layer's shapes; return its output dimension."""
    if layer.linear is not None:
        _check_matrix(layer.linear, None, dimension, f"{where}.linear")
        if not layer.linear:
            raise InputError("at least one row", "none", where=f"{where}.linear")
    for number, head in enumerate(layer.heads):
        place = f"{where}.heads[{number}]"
        if not head.keys:
            raise InputError("at least one key", "none", where=f"{place}.keys")
        _check_matrix(head.keys, None, dimension, f"{place}.keys")
        _check_vector(head.biases, len(head.keys), f"{place}.biases")
        if len(head.values) != len(head.keys):
            raise InputError(
                f"{len(head.keys)} rows, one for each key",
                str(len(head.values)),
                where=f"{place}.values",
            )
        if not head.values[0]:
            raise InputError("at least one coordinate", "none", where=f"{place}.values[0]")
    output = layer.output_dimension(dimension)
    for number, head in enumerate(layer.heads):
        _check_matrix(head.values, None, output, f"{where}.heads[{number}].values")
    if layer.ffn is not None:
        width = len(layer.ffn.w1)
        _check_matrix(layer.ffn.w1, None, output, f"{where}.ffn.w1")
        _check_vector(layer.ffn.b1, width, f"{where}.ffn.b1")
        _check_matrix(layer.ffn.w2, output, width, f"{where}.ffn.w2")
        _check_vector(layer.ffn.b2, output, f"{where}.ffn.b2")
    return output


def _check_box(box: Box, dimension: int) -> None:
    _check_vector(box.lower, dimension, "domain.lower")
    _check_vector(box.upper, dimension, "domain.upper")
    for number, (low, high) in enumerate(zip(box.lower, box.upper, strict=True)):
        if low >= high:
            raise InputError(
                f"a number > {write(low)}, the lower end",
                str(write(high)),
                where=f"domain.upper[{number}]",
                remedy="a box without interior has no full-dimensional cell: substitute the "
                "fixed coordinate and leave it out",
            )


def _check_vector(vector: Sequence[Rational], length: int, where: str) -> None:
    if len(vector) != length:
        raise InputError(f"{length} numbers", str(len(vector)), where=where)
    for number, entry in enumerate(vector):
        if type(entry) is not int and type(entry) is not Fraction:
            raise InputError(
                "an int or a Fraction", type(entry).__name__, where=f"{where}[{number}]"
            )


def _check_matrix(matrix: Matrix, rows: int | None, columns: int, where: str) -> None:
    if rows is not None and len(matrix) != rows:
        raise InputError(f"{rows} rows", str(len(matrix)), where=where)
    for number, row in enumerate(matrix):
        _check_vector(row, columns, f"{where}[{number}]")


def _evaluate_layer(layer: Layer, x: tuple[Fraction, ...]) -> tuple[Fraction, ...]:
    y = [Fraction(0)] * layer.output_dimension(len(x))
    if layer.residual:
        y = list(x) if layer.linear is None else [_dot(row, x) for row in layer.linear]
    for head in layer.heads:
        scores = [_dot(key, x) + bias for key, bias in zip(head.keys, head.biases, strict=True)]
        best = max(scores)
        chosen = [v for v, score in zip(head.values, scores, strict=True) if score == best]
        for i in range(len(y)):
            y[i] += Fraction(sum(value[i] for value in chosen)) / len(chosen)
    if layer.ffn is not None:
        ffn = layer.ffn
        active = [max(_dot(row, y) + b, Fraction(0)) for row, b in zip(ffn.w1, ffn.b1, strict=True)]
        y = [old + _dot(row, active) + b for old, row, b in zip(y, ffn.w2, ffn.b2, strict=True)]
    return tuple(y)


def _dot(row: Iterable[Rational], x: Iterable[Rational]) -> Fraction:
    return Fraction(sum(a * b for a, b in zip(row, x, strict=True)))
