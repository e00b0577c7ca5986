from fractions import Fraction

import pytest

from headproof.symbolic.errors import InputError
from headproof.symbolic.regions.network import Box, Ffn, Head, Layer, Network
from headproof.symbolic.regions.network_document import parse, write

FULL = {
    "dimension": 2,
    "layers": [
        {
            "heads": [
                {
                    "keys": [[1, 0], [0, "1/2"]],
                    "biases": [0, "-1/3"],
                    "values": [[1, 2, 3], [4, 5, 6]],
                }
            ],
            "residual": True,
            "linear": [[1, 0], [0, 1], [1, "3/2"]],
            "ffn": {
                "w1": [[1, 0, -1]],
                "b1": ["1/7"],
                "w2": [[1], [0], [2]],
                "b2": [0, 0, 10**5000],
            },
        },
        {"heads": [], "residual": True},
    ],
    "domain": {"lower": [-1, 0], "upper": ["1/2", 3]},
}


def head(**changes: object) -> dict[str, object]:
    return {"keys": [[1], [2]], "values": [[0], [1]], **changes}


def one_layer(**changes: object) -> dict[str, object]:
    return {"dimension": 1, "layers": [{"heads": [head()], **changes}]}


FFN = {"w1": [[1], [2]], "b1": [0, 0], "w2": [[1, 1]], "b2": [0]}

REFUSED = {
    "no object": ([], "expected an object, found list"),
    "unknown key": ({"dimension": 1, "layers": [], "depth": 1}, "found 'depth'"),
    "missing layers": ({"dimension": 1}, "expected the key 'layers'"),
    "dimension 0": ({"dimension": 0, "layers": []}, "dimension: expected an integer >= 1"),
    "dimension true": ({"dimension": True, "layers": []}, "dimension"),
    "dimension text": ({"dimension": "1", "layers": []}, "dimension"),
    "layers no list": ({"dimension": 1, "layers": {}}, "layers: expected a list"),
    "layer no object": ({"dimension": 1, "layers": [3]}, r"layers\[0\]: expected an object"),
    "no heads": ({"dimension": 1, "layers": [{}]}, r"layers\[0\]: expected the key 'heads'"),
    "layer key": (one_layer(skip=1), r"layers\[0\]: .* found 'skip'"),
    "head key": (one_layer(heads=[head(bias=[0, 0])]), r"layers\[0\].heads\[0\]: .*'bias'"),
    "no keys": (one_layer(heads=[head(keys=[], values=[])]), "at least one key"),
    "key dimension": (one_layer(heads=[head(keys=[[1], [2, 3]])]), r"heads\[0\].keys\[1\]"),
    "value count": (one_layer(heads=[head(values=[[0]])]), "2 rows, one for each key"),
    "value dimension": (one_layer(heads=[head(values=[[0, 0], [1, 1]])]), r"values\[0\]"),
    "empty values": (one_layer(heads=[head(values=[[], []])]), "at least one coordinate"),
    "bias count": (one_layer(heads=[head(biases=[0])]), r"biases: expected 2 numbers, found 1"),
    "empty biases": (one_layer(heads=[head(biases=[])]), r"biases: expected 2 numbers, found 0"),
    "float": (one_layer(heads=[head(keys=[[0.5], [1]])]), r"keys\[0\]\[0\].*float"),
    "residual 1": (one_layer(residual=1), r"layers\[0\].residual: expected true or false"),
    "linear null": (one_layer(linear=None), r"layers\[0\].linear"),
    "linear empty": (one_layer(linear=[]), "at least one row"),
    "linear columns": (one_layer(linear=[[1, 1]]), r"linear\[0\]: expected 1 numbers, found 2"),
    "linear rows": (one_layer(linear=[[1], [1]]), r"heads\[0\].values\[0\]: expected 2 numbers"),
    "ffn key": (one_layer(ffn={**FFN, "b3": []}), r"layers\[0\].ffn: .*'b3'"),
    "ffn part": (one_layer(ffn={"w1": [[1]], "b1": [0], "w2": [[1]]}), "the key 'b2'"),
    "ffn w1": (one_layer(ffn={**FFN, "w1": [[1, 1], [2, 2]]}), r"w1\[0\]: expected 1 numbers"),
    "ffn b1": (one_layer(ffn={**FFN, "b1": [0]}), "b1: expected 2 numbers"),
    "ffn w2": (one_layer(ffn={**FFN, "w2": [[1]]}), r"w2\[0\]: expected 2 numbers"),
    "ffn w2 rows": (one_layer(ffn={**FFN, "w2": [[1, 1], [1, 1]]}), "w2: expected 1 rows"),
    "ffn b2": (one_layer(ffn={**FFN, "b2": []}), "b2: expected 1 numbers"),
    "flat box": (
        {"dimension": 2, "layers": [], "domain": {"lower": [0, 1], "upper": [1, 1]}},
        r"domain.upper\[1\]: expected a number > 1.*no full-dimensional cell",
    ),
    "box length": (
        {"dimension": 1, "layers": [], "domain": {"lower": [0, 0], "upper": [1, 1]}},
        "domain.lower: expected 1 numbers",
    ),
    "half a box": (
        {"dimension": 1, "layers": [], "domain": {"lower": [0]}},
        "domain: expected the key 'upper'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_wrong_documents_are_refused_with_their_place(name: str) -> None:
    document, message = REFUSED[name]
    with pytest.raises(InputError, match=message):
        parse(document)


def test_a_document_survives_a_round_trip() -> None:
    network = parse(FULL)
    assert parse(write(network)) == network
    assert write(network)["domain"] == FULL["domain"]
    assert network.output_dimension == 3


def test_defaults() -> None:
    network = parse(one_layer())
    assert network.layers[0] == Layer((Head(((1,), (2,)), ((0,), (1,)), (0, 0)),))
    assert network.layers[0].residual
    assert network.domain is None


def test_the_library_refuses_floats_too() -> None:
    with pytest.raises(InputError, match="an int or a Fraction"):
        Network(1, (Layer((Head(((0.5,),), ((0,),)),)),))  # type: ignore[arg-type]


def test_a_point_of_another_dimension_is_refused() -> None:
    with pytest.raises(InputError, match="a point of dimension 2"):
        parse(FULL).evaluate([1])


def test_output_dimension_without_residual() -> None:
    head = Head(((0,),), ((1, 2, 3),))
    assert Network(1, (Layer((head,), residual=False),)).output_dimension == 3
    assert Network(1, (Layer((), residual=False),)).output_dimension == 1
    assert Network(1, (Layer((), residual=False, linear=((1,), (2,))),)).output_dimension == 2


def test_value_by_hand() -> None:
    # y = x + 5 or x + 7 (tie at 0: the mean), then y + 2 relu(y - 6) - 1.
    layer = Layer(
        (Head(((0,), (1,)), ((5,), (7,))),),
        ffn=Ffn(((1,),), (-6,), ((2,),), (-1,)),
    )
    network = Network(1, (layer,), Box((-9,), (9,)))
    assert network.evaluate([-1]) == (Fraction(3),)
    assert network.evaluate([0]) == (Fraction(5),)
    assert network.evaluate([Fraction(1, 2)]) == (Fraction(19, 2),)
