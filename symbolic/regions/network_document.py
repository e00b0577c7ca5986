"""Networks as JSON documents: the input format of ``headproof regions``, read and written.

What is not understood is refused, naming the place: an ignored key would be a network that the
user did not mean. Shapes are checked by `Network` itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import Any

from ..errors import InputError
from ..rational import Vector, matrix, vector
from ..rational import write as write_number
from .network import Box, Ffn, Head, Layer, Network


def parse(document: Any) -> Network:
    """Read a network from its JSON document (the input format of ``headproof regions``).

    ``{"dimension": d, "layers": [{"heads": [{"keys", "biases"?, "values"}], "residual"?: true,
    "linear"?: [[..]], "ffn"?: {"w1", "b1", "w2", "b2"}}], "domain"?: {"lower", "upper"}}``

    Args:
        document: the decoded JSON; numbers are integers or strings "p/q".

    Raises:
        InputError: a key is unknown or missing, a number is not exact, a shape does not fit.

    Example:
        >>> parse({"dimension": 2, "layers": []}).output_dimension
        2
        >>> parse({"dimension": 2, "layers": [{"heads": [], "residuel": True}]})
        Traceback (most recent call last):
        headproof.symbolic.errors.InputError: layers[0]: expected only the keys heads, residual, \
linear, ffn, found 'residuel'
    """
    fields = _fields(document, "", ("dimension", "layers"), ("domain",))
    dimension = fields["dimension"]
    if type(dimension) is not int:
        raise InputError("an integer >= 1", repr(dimension), where="dimension")
    layers = tuple(
        _parse_layer(layer, f"layers[{number}]")
        for number, layer in enumerate(_list(fields["layers"], "layers"))
    )
    return Network(dimension, layers, _parse_box(fields["domain"]) if "domain" in fields else None)


def exact_floats(document: Any) -> Any:
    """A document in which every float is replaced by the rational number that it is exactly.

    Weights of a checkpoint are floats, which are dyadic rationals.

    Args:
        document: decoded JSON.

    Raises:
        InputError: an infinite float, or one that is no number.

    Example:
        >>> exact_floats({"keys": [[0.1, 2], [0.5, "1/3"]]})
        {'keys': [['3602879701896397/36028797018963968', 2], ['1/2', '1/3']]}
    """
    if isinstance(document, float):
        if not isfinite(document):
            raise InputError("a finite number", str(document))
        return write_number(Fraction(document))
    if isinstance(document, Mapping):
        return {key: exact_floats(value) for key, value in document.items()}
    if isinstance(document, Sequence) and not isinstance(document, str):
        return [exact_floats(value) for value in document]
    return document


def write(network: Network) -> dict[str, Any]:
    """The document of a network; `parse` reads it back.

    Example:
        >>> document = {"dimension": 1, "layers": [], "domain": {"lower": [0], "upper": ["1/2"]}}
        >>> write(parse(document)) == document
        True
    """
    document: dict[str, Any] = {
        "dimension": network.dimension,
        "layers": [_layer_document(layer) for layer in network.layers],
    }
    if network.domain is not None:
        document["domain"] = {
            "lower": _vector_document(network.domain.lower),
            "upper": _vector_document(network.domain.upper),
        }
    return document


def _parse_layer(document: Any, where: str) -> Layer:
    fields = _fields(document, where, ("heads",), ("residual", "linear", "ffn"))
    heads = tuple(
        _parse_head(head, f"{where}.heads[{number}]")
        for number, head in enumerate(_list(fields["heads"], f"{where}.heads"))
    )
    residual = fields.get("residual", True)
    if not isinstance(residual, bool):
        raise InputError("true or false", repr(residual), where=f"{where}.residual")
    linear = matrix(fields["linear"], f"{where}.linear") if "linear" in fields else None
    ffn = _parse_ffn(fields["ffn"], f"{where}.ffn") if "ffn" in fields else None
    return Layer(heads, residual, linear, ffn)


def _parse_head(document: Any, where: str) -> Head:
    fields = _fields(document, where, ("keys", "values"), ("biases",))
    keys = matrix(fields["keys"], f"{where}.keys")
    values = matrix(fields["values"], f"{where}.values")
    if "biases" not in fields:
        return Head(keys, values)
    biases = vector(fields["biases"], f"{where}.biases")
    if len(biases) != len(keys):
        raise InputError(f"{len(keys)} numbers", str(len(biases)), where=f"{where}.biases")
    return Head(keys, values, biases)


def _parse_ffn(document: Any, where: str) -> Ffn:
    fields = _fields(document, where, ("w1", "b1", "w2", "b2"), ())
    return Ffn(
        matrix(fields["w1"], f"{where}.w1"),
        vector(fields["b1"], f"{where}.b1"),
        matrix(fields["w2"], f"{where}.w2"),
        vector(fields["b2"], f"{where}.b2"),
    )


def _parse_box(document: Any) -> Box:
    fields = _fields(document, "domain", ("lower", "upper"), ())
    return Box(
        vector(fields["lower"], "domain.lower"),
        vector(fields["upper"], "domain.upper"),
    )


def _fields(
    document: Any, where: str, required: Sequence[str], optional: Sequence[str]
) -> Mapping[str, Any]:
    if not isinstance(document, Mapping):
        raise InputError("an object", _kind(document), where=where)
    for key in document:
        if key not in required and key not in optional:
            known = ", ".join((*required, *optional))
            raise InputError(f"only the keys {known}", repr(key), where=where)
    for key in required:
        if key not in document:
            raise InputError(f"the key {key!r}", "none", where=where)
    return document


def _list(value: Any, where: str) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)):
        raise InputError("a list", _kind(value), where=where)
    return value


def _kind(value: Any) -> str:
    return "null" if value is None else type(value).__name__


def _vector_document(vector: Vector) -> list[int | str]:
    return [write_number(entry) for entry in vector]


def _layer_document(layer: Layer) -> dict[str, Any]:
    document: dict[str, Any] = {
        "heads": [
            {
                "keys": [_vector_document(key) for key in head.keys],
                "biases": _vector_document(head.biases),
                "values": [_vector_document(value) for value in head.values],
            }
            for head in layer.heads
        ],
        "residual": layer.residual,
    }
    if layer.linear is not None:
        document["linear"] = [_vector_document(row) for row in layer.linear]
    if layer.ffn is not None:
        ffn = layer.ffn
        document["ffn"] = {
            "w1": [_vector_document(row) for row in ffn.w1],
            "b1": _vector_document(ffn.b1),
            "w2": [_vector_document(row) for row in ffn.w2],
            "b2": _vector_document(ffn.b2),
        }
    return document
