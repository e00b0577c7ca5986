"""Region trees against an independent enumeration, against sampling, and by hand."""

import random
import subprocess
import sys
from fractions import Fraction
from math import lcm
from typing import Any

import pytest

from headproof.proofs_check.checker import region_tree
from headproof.proofs_check.checker.budget import Budget
from headproof.symbolic.errors import InputError, LimitReached
from headproof.symbolic.regions.linear_regions import RegionTree, linear_regions
from headproof.symbolic.regions.network import Network
from headproof.symbolic.regions.network_document import parse
from headproof.symbolic.tropical.depth import digit_extraction

Affine = list[list[Fraction]]


def checked(network: Network | dict[str, Any], **options: Any) -> RegionTree:
    """The tree, after the checker has accepted its certificate."""
    tree = linear_regions(network, **options)
    region_tree.check(tree.certificate()["data"], Budget())
    return tree


def counts(document: dict[str, Any]) -> tuple[int, int]:
    tree = checked(document)
    assert tree.document() == {"cells": tree.cells, "pieces": tree.pieces}
    assert len(tree.leaves) == tree.cells
    return tree.cells, tree.pieces


# An independent enumeration: all patterns, one linear program of pplpy a pattern.


def is_open(ppl: Any, rows: Affine, d: int) -> bool:
    problem = ppl.MIP_Problem(d + 1)
    x = [ppl.Variable(i) for i in range(d + 1)]
    problem.add_constraint(x[d] <= 1)
    for row in rows:
        common = lcm(*(entry.denominator for entry in row))
        whole = [int(entry * common) for entry in row]
        linear = sum((whole[i] * x[i] for i in range(d)), ppl.Linear_Expression(whole[d]))
        problem.add_constraint(linear >= x[d])
    problem.set_objective_function(x[d])
    problem.set_optimization_mode("maximization")
    return bool(problem.is_satisfiable() and problem.optimal_value() > 0)


def apply(line: Any, constant: Any, maps: Affine, d: int) -> list[Fraction]:
    row = [sum((w * m[i] for w, m in zip(line, maps, strict=True)), Fraction(0)) for i in range(d)]
    last = sum((w * m[d] for w, m in zip(line, maps, strict=True)), Fraction(constant))
    return [*row, last]


def minus(a: Any, b: Any) -> list[Fraction]:
    return [p - q for p, q in zip(a, b, strict=True)]


def enumerate_cells(ppl: Any, network: Network) -> tuple[int, int]:
    d = network.dimension
    box: Affine = []
    if network.domain is not None:
        for i in range(d):
            unit = [Fraction(int(i == j)) for j in range(d)]
            box.append([*unit, Fraction(-network.domain.lower[i])])
            box.append([*(-u for u in unit), Fraction(network.domain.upper[i])])
    start = [[Fraction(int(i == j)) for j in range(d + 1)] for i in range(d)]
    cells = [(box, start)]
    for layer in network.layers:
        found = []
        for rows, maps in cells:
            partial: list[tuple[Affine, list[Any]]] = [(rows, [])]
            for head in layer.heads:
                groups: dict[tuple[Fraction, ...], list[Any]] = {}
                for key, bias, value in zip(head.keys, head.biases, head.values, strict=True):
                    score = tuple(apply(key, bias, maps, d))
                    groups.setdefault(score, []).append(value)
                partial = [
                    ([*sofar, *(minus(s, t) for t in groups if t != s)], [*chosen, values])
                    for sofar, chosen in partial
                    for s, values in groups.items()
                    if is_open(ppl, [*sofar, *(minus(s, t) for t in groups if t != s)], d)
                ]
            for sofar, chosen in partial:
                if not layer.residual:
                    size = layer.output_dimension(len(maps))
                    y = [[Fraction(0)] * (d + 1) for _ in range(size)]
                elif layer.linear is None:
                    y = [list(row) for row in maps]
                else:
                    y = [apply(line, 0, maps, d) for line in layer.linear]
                for values in chosen:
                    for i in range(len(y)):
                        y[i][d] += Fraction(sum(v[i] for v in values)) / len(values)
                found += relu(ppl, layer.ffn, sofar, y, d)
        cells = found
    return len(cells), len({tuple(map(tuple, maps)) for _, maps in cells})


def relu(ppl: Any, ffn: Any, rows: Affine, y: Affine, d: int) -> list[tuple[Affine, Affine]]:
    if ffn is None:
        return [(rows, y)]
    zero = [Fraction(0)] * (d + 1)
    partial: list[tuple[Affine, Affine]] = [(rows, [])]
    for line, bias in zip(ffn.w1, ffn.b1, strict=True):
        g = apply(line, bias, y, d)
        sides = [(g, g), (minus(zero, g), zero)] if any(g) else [([], zero)]
        partial = [
            ([*sofar, side] if side else sofar, [*active, value])
            for sofar, active in partial
            for side, value in sides
            if not side or is_open(ppl, [*sofar, side], d)
        ]
    found = []
    for sofar, active in partial:
        change = [apply(w, b, active, d) for w, b in zip(ffn.w2, ffn.b2, strict=True)]
        pairs = zip(y, change, strict=True)
        found.append((sofar, [[a + c for a, c in zip(*pair, strict=True)] for pair in pairs]))
    return found


def random_document(seed: int) -> dict[str, Any]:
    """Small networks of every shape, with small coefficients so that coincidences abound."""
    rng = random.Random(seed)
    size, fractions = rng.choice([1, 2, 5]), rng.random() < 0.5

    def number() -> Fraction | int:
        top = rng.randint(-size, size)
        return Fraction(top, rng.randint(1, 3)) if fractions else top

    def vector(n: int) -> list[Any]:
        return [number() for _ in range(n)]

    def matrix(n: int, m: int) -> list[list[Any]]:
        return [vector(m) for _ in range(n)]

    d = dimension = rng.randint(1, 3)
    layers = []
    for _ in range(rng.randint(1, 3)):
        output = rng.choice([dimension, dimension, 1, 2, 3])
        layer: dict[str, Any] = {"residual": rng.random() < 0.75}
        count = rng.randint(0, 2)
        if layer["residual"] and (output != dimension or rng.random() < 0.4):
            layer["linear"] = matrix(output, dimension)
        if not layer["residual"] and not count:
            output = dimension
        layer["heads"] = []
        for _ in range(count):
            N = rng.randint(1, 4)
            head = {"keys": matrix(N, dimension), "values": matrix(N, output)}
            if rng.random() < 0.7:
                head["biases"] = vector(N)
            layer["heads"].append(head)
        if rng.random() < 0.6:
            m = rng.randint(0, 3)
            layer["ffn"] = {
                "w1": matrix(m, output),
                "b1": vector(m),
                "w2": matrix(output, m),
                "b2": vector(output),
            }
        layers.append(layer)
        dimension = output
    document: dict[str, Any] = {"dimension": d, "layers": layers}
    if rng.random() < 0.3:
        document["domain"] = {
            "lower": [-(number() ** 2) - 1 for _ in range(d)],
            "upper": [number() ** 2 + 1 for _ in range(d)],
        }
    return document


def agree_with_an_enumeration(ppl: Any, seeds: range) -> int:
    """The largest number of cells that was compared."""
    largest = 0
    for seed in seeds:
        network = parse(random_document(seed))
        tree = checked(network)
        assert (tree.cells, tree.pieces) == enumerate_cells(ppl, network), f"seed {seed}"
        largest = max(largest, tree.cells)
    return largest


def test_random_networks_agree_with_an_enumeration() -> None:
    assert agree_with_an_enumeration(pytest.importorskip("ppl"), range(50)) > 20


@pytest.mark.long
def test_thousands_of_random_networks_agree_with_an_enumeration() -> None:
    assert agree_with_an_enumeration(pytest.importorskip("ppl"), range(50, 2000)) > 100


def test_the_enumeration_can_disagree() -> None:
    """The comparison above would notice one missing cell."""
    ppl = pytest.importorskip("ppl")
    network = digit_extraction(1, 1, 3, 1)
    assert enumerate_cells(ppl, network) == (3, 3)
    assert enumerate_cells(ppl, digit_extraction(1, 1, 2, 1)) != (3, 3)


def scaled(entry: Any, rng: random.Random, kind: str) -> Any:
    if isinstance(entry, list):
        return [scaled(e, rng, kind) for e in entry]
    if isinstance(entry, dict):
        return {k: v if k == "residual" else scaled(v, rng, kind) for k, v in entry.items()}
    if kind == "huge":
        return entry * 10**30
    if kind == "mixed":
        return entry * Fraction(10) ** rng.randint(-15, 15)
    return entry + Fraction(rng.randint(-1, 1), 10 ** rng.randint(9, 40))


@pytest.mark.parametrize("kind", ["huge", "mixed", "nearly degenerate"])
def test_size_of_the_numbers_does_not_matter(kind: str) -> None:
    ppl = pytest.importorskip("ppl")
    for seed in range(7):
        document = random_document(seed)
        document.pop("domain", None)
        document["layers"] = scaled(document["layers"], random.Random(seed), kind)
        network = parse(document)
        tree = checked(network)
        assert (tree.cells, tree.pieces) == enumerate_cells(ppl, network), f"seed {seed}"


def test_leaves_say_what_the_network_does() -> None:
    for seed in range(60):
        network = parse(random_document(seed))
        tree = linear_regions(network)
        assert len({(leaf.choices, leaf.signs) for leaf in tree.leaves}) == tree.cells
        order = [tuple(zip(leaf.choices, leaf.signs, strict=True)) for leaf in tree.leaves]
        assert order == sorted(order)
        assert len({(leaf.matrix, leaf.offset) for leaf in tree.leaves}) == tree.pieces
        for leaf in tree.leaves[:40]:
            value = tuple(
                sum((a * x for a, x in zip(row, leaf.point, strict=True)), b)
                for row, b in zip(leaf.matrix, leaf.offset, strict=True)
            )
            assert network.evaluate(leaf.point) == value


def test_samples_lie_on_the_pieces_found() -> None:
    """Dense sampling gives a lower bound without any polyhedron."""
    for seed in range(30):
        network = parse(random_document(seed))
        if network.domain is not None:
            continue
        tree = linear_regions(network)
        pieces = {(leaf.matrix, leaf.offset) for leaf in tree.leaves}
        rng = random.Random(seed)
        for _ in range(40):
            x = [Fraction(rng.randint(-(10**6), 10**6), 10**5) for _ in range(network.dimension)]
            value = network.evaluate(x)
            assert any(
                value
                == tuple(
                    sum((a * c for a, c in zip(row, x, strict=True)), b)
                    for row, b in zip(matrix, offset, strict=True)
                )
                for matrix, offset in pieces
            )


HEAD = {"keys": [[0], [1], [2]], "biases": [0, -1, -3], "values": [[0], [1], [5]]}
STEP = {"keys": [[-1], [1]], "values": [[0], [1]]}
NEURON = {"w1": [[1]], "b1": [0], "w2": [[1]], "b2": [0]}


def network(*layers: dict[str, Any], d: int = 1, **more: Any) -> dict[str, Any]:
    return {"dimension": d, "layers": list(layers), **more}


DEGENERATE: dict[str, tuple[dict[str, Any], tuple[int, int]]] = {
    "no layers": (network(d=3), (1, 1)),
    "a layer of nothing": (network({"heads": []}, d=2), (1, 1)),
    "zero": (network({"heads": [], "residual": False}, {"heads": [STEP]}), (1, 1)),
    "one key": (network({"heads": [{"keys": [[5]], "values": [[7]]}]}), (1, 1)),
    "three keys": (network({"heads": [HEAD]}), (3, 3)),
    # Equal values: three cells, two pieces.
    "equal values": (network({"heads": [{**HEAD, "values": [[0], [1], [0]]}]}), (3, 2)),
    # The middle key never wins alone.
    "a key that only ties": (network({"heads": [{**HEAD, "biases": [0, -2, -3]}]}), (2, 2)),
    "constant scores": (network({"heads": [{**HEAD, "keys": [[0], [0], [0]]}]}), (1, 1)),
    "identical keys": (network({"heads": [{"keys": [[1], [1]], "values": [[0], [2]]}]}), (1, 1)),
    # Keys (1,0) and (1,9) agree on what the rank-one map lets through: values 0 and 2, mean 1.
    "coincidence behind a map of rank one": (
        network(
            {"heads": [], "linear": [[1, 1], [0, 0]]},
            {
                "heads": [
                    {"keys": [[1, 0], [1, 9], [-1, 0]], "values": [[0, 0], [2, 0], [1, 0]]},
                ]
            },
            d=2,
        ),
        (2, 1),
    ),
    # Behind a piecewise constant layer every score is constant on each of its cells.
    "piecewise constant": (
        network({"heads": [HEAD], "residual": False}, {"heads": [STEP]}, {"heads": [HEAD]}),
        (3, 3),
    ),
    # Constant 0 meets keys -1 and 1: a tie on all of the first cell, the mean of its values.
    "tie behind a constant": (
        network({"heads": [HEAD], "residual": False}, {"heads": [STEP], "residual": False}),
        (3, 2),
    ),
    "neuron": (network({"heads": [], "ffn": NEURON}), (2, 2)),
    "neuron without effect": (network({"heads": [], "ffn": {**NEURON, "w2": [[0]]}}), (2, 1)),
    "neuron that vanishes": (network({"heads": [], "ffn": {**NEURON, "w1": [[0]]}}), (1, 1)),
    "neuron always on": (
        network({"heads": [], "ffn": {**NEURON, "w1": [[0]], "b1": [1]}}),
        (1, 1),
    ),
    # relu(x) = 0 on the left half: the second neuron vanishes there and has no sign.
    "neuron that vanishes on a cell": (
        network(
            {"heads": [], "residual": False, "linear": [[1]], "ffn": NEURON},
            {"heads": [], "ffn": NEURON},
        ),
        (1, 1),
    ),
    "opposite neurons": (
        network({"heads": [], "ffn": {"w1": [[1], [-1]], "b1": [0, 0], "w2": [[1, 1]], "b2": [0]}}),
        (2, 2),
    ),
    "no neurons": (
        network({"heads": [], "ffn": {"w1": [], "b1": [], "w2": [[]], "b2": [4]}}),
        (1, 1),
    ),
    # |x| = -x + 2 relu(x), then a kink where |x| = 1: walls at -1, 0, 1.
    "fold": (
        network(
            {"heads": [], "linear": [[-1]], "ffn": {**NEURON, "w1": [[-1]], "w2": [[2]]}},
            {"heads": [], "ffn": {**NEURON, "b1": [-1]}},
        ),
        (4, 4),
    ),
    "into another dimension": (
        network(
            {"heads": [{"keys": [[1], [-1]], "values": [[1, 0], [0, 1]]}], "residual": False},
            {"heads": [{"keys": [[1, 0], [0, 1]], "values": [[3, 3], [4, 4]]}]},
        ),
        (2, 2),
    ),
    "box cuts a cell off": (
        network({"heads": [HEAD]}, domain={"lower": [-1], "upper": [2]}),
        (2, 2),
    ),
    "box touches a cell": (
        network({"heads": [HEAD]}, domain={"lower": [2], "upper": ["5/2"]}),
        (1, 1),
    ),
    "tiny box": (
        network({"heads": [HEAD]}, domain={"lower": [f"{10**40 - 1}/{10**40}"], "upper": [2]}),
        (2, 2),
    ),
    # Two heads cut the line at 0 and at 10^-30.
    "a sliver": (
        network({"heads": [STEP, {**STEP, "biases": [f"1/{10**30}", f"-1/{10**30}"]}]}),
        (3, 3),
    ),
    "identical heads": (network({"heads": [HEAD, HEAD]}), (3, 3)),
}


@pytest.mark.parametrize("name", DEGENERATE)
def test_degenerate_networks_by_hand(name: str) -> None:
    document, expected = DEGENERATE[name]
    assert counts(document) == expected


def test_coinciding_scores_contribute_their_mean() -> None:
    document = DEGENERATE["coincidence behind a map of rank one"][0]
    leaves = linear_regions(document).leaves
    assert [leaf.offset[0] for leaf in leaves] == [1, 1]
    assert [leaf.choices for leaf in leaves] == [((), (0,)), ((), (2,))]


def test_signs_of_neurons() -> None:
    assert [leaf.signs for leaf in linear_regions(DEGENERATE["neuron"][0]).leaves] == [
        ((-1,),),
        ((1,),),
    ]
    (leaf,) = linear_regions(DEGENERATE["neuron that vanishes"][0]).leaves
    assert leaf.signs == ((0,),)


def test_a_limit_is_kept() -> None:
    network = digit_extraction(2, 2, 3, 2)
    assert linear_regions(network, limit=81).cells == 81
    with pytest.raises(LimitReached, match="more than 80 leaves"):
        linear_regions(network, limit=80)


@pytest.mark.parametrize("options", [{"limit": 0}, {"jobs": 0}])
def test_wrong_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        linear_regions(network(), **options)


def test_progress_counts_up() -> None:
    seen: list[tuple[int, int]] = []
    linear_regions(
        digit_extraction(2, 2, 3, 2), progress=lambda leaves, open_: seen.append((leaves, open_))
    )
    assert seen == sorted(seen, key=lambda pair: pair[0])
    assert seen[-1] == (81, 0)


def test_an_interrupt_gets_through() -> None:
    def stop(leaves: int, open_: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        linear_regions(digit_extraction(2, 2, 3, 2), progress=stop)


def test_the_number_of_processes_changes_nothing() -> None:
    seed = 3
    rng = random.Random(seed)
    document = network(
        *(
            {
                "heads": [
                    {
                        "keys": [[rng.randint(-9, 9) for _ in range(2)] for _ in range(4)],
                        "biases": [rng.randint(-9, 9) for _ in range(4)],
                        "values": [[rng.randint(-9, 9) for _ in range(2)] for _ in range(4)],
                    }
                    for _ in range(2)
                ],
                "ffn": {
                    "w1": [[rng.randint(-9, 9) for _ in range(2)] for _ in range(3)],
                    "b1": [rng.randint(-9, 9) for _ in range(3)],
                    "w2": [[rng.randint(-9, 9) for _ in range(3)] for _ in range(2)],
                    "b2": [0, 0],
                },
            }
            for _ in range(2)
        ),
        d=2,
    )
    alone = linear_regions(document)
    assert alone.cells > 64
    together = linear_regions(document, jobs=2)
    assert alone == together
    assert alone.leaves == together.leaves
    assert alone.certificate() == together.certificate()


def test_only_light_libraries_are_loaded() -> None:
    code = (
        "import sys, headproof.symbolic.regions.linear_regions as r; "
        "assert not {'torch', 'sympy', 'scipy'} & set(sys.modules), 'heavy import'"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_numbers_beyond_the_floats() -> None:
    far = 10**320
    head = {"keys": [[2], [0]], "biases": [-far, 0], "values": [[0], [2]]}
    ffn = {"w1": [[far]], "b1": [0], "w2": [[0]], "b2": [0]}
    layers = [{"heads": [head]}, {"heads": [], "residual": False, "ffn": ffn}]
    tree = linear_regions({"dimension": 1, "layers": layers})
    assert (tree.cells, tree.pieces) == (2, 1)
