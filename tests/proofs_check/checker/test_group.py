"""Group certificates: samples, schema, mutations judged by definition, branching proofs."""

import copy
import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from headproof.proofs_check.certificates import group as builder
from headproof.proofs_check.checker import check_file, group
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.errors import Rejected, Unreadable
from headproof.proofs_check.checker.finite_group import read_group
from headproof.proofs_check.checker.kinds import KINDS
from headproof.symbolic.equivariance.gset import types
from headproof.symbolic.equivariance.library import NAMES, named
from headproof.symbolic.equivariance.price import Branch, Leaf, Price, cheapest
from headproof.symbolic.equivariance.strata import member, realised

HERE = Path(__file__).parent
SAMPLES = {path.stem: path for path in sorted((HERE / "samples" / "group").iterdir())}
GOOD = [name for name in SAMPLES if name.startswith("good-")]
REASONS = json.loads((HERE / "group-reasons.json").read_text())
SCHEMAS = Path(__file__).parents[3] / "proofs_check" / "schemas"


def data(name: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(SAMPLES[name].read_text())["data"]
    return content


def accepted(content: Any) -> bool:
    try:
        group.check(content, Budget())
    except (Rejected, Unreadable):
        return False
    return True


def test_the_kind_is_registered() -> None:
    assert KINDS["group"] is group.check
    assert {data(name)["statement"] for name in GOOD} == set(group.STATEMENTS)


@pytest.mark.parametrize("name", GOOD)
def test_good_sample_is_valid(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert (result.answer, result.reason, result.kind) == ("valid", "", "group")


@pytest.mark.parametrize("name", [name for name in SAMPLES if name not in GOOD])
def test_other_sample_fails_for_its_reason(name: str) -> None:
    result = check_file(SAMPLES[name])
    assert f"{result.answer}: {result.reason}" == REASONS[f"group/{name}"]
    assert result.answer != "valid"


def test_every_reason_belongs_to_a_sample() -> None:
    assert {name.removeprefix("group/") for name in REASONS} == set(SAMPLES) - set(GOOD)
    assert {name.partition("-")[0] for name in SAMPLES} == {"good", "incomplete", "wrong"}


@pytest.fixture(scope="module")
def validator(validators: Callable[[str], Any]) -> Any:
    return validators("group")


@pytest.mark.parametrize("name", GOOD)
def test_schema_accepts_good_sample(name: str, validator: Any) -> None:
    validator.validate(json.loads(SAMPLES[name].read_text()))


@pytest.mark.parametrize(
    "name",
    [
        "incomplete-no-images",
        "incomplete-no-classes",
        "incomplete-no-proof",
        "incomplete-no-out",
        "wrong-statement",
        "wrong-float",
        "wrong-size",
        "wrong-hidden",
        "wrong-empty-row",
    ],
)
def test_schema_refuses_malformed_sample(name: str, validator: Any) -> None:
    assert not validator.is_valid(json.loads(SAMPLES[name].read_text()))


# Mutations --------------------------------------------------------------------------------


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))
    elif not isinstance(value, str) or value[-1].isdigit():
        yield path


def mutants(content: Any) -> Iterator[Any]:
    for path in list(places(content)):
        value = content
        for step in path:
            value = value[step]
        if isinstance(value, bool):
            changes: set[Any] = {not value}
        else:
            number = Fraction(value)
            changes = {number + 1, number - 1, -number, number / 2} - {number}
        for change in changes:
            mutant = copy.deepcopy(content)
            inner = mutant
            for step in path[:-1]:
                inner = inner[step]
            if isinstance(change, Fraction):
                change = int(change) if change.denominator == 1 else str(change)
            inner[path[-1]] = change
            yield mutant


Rows = list[list[Fraction]]


def rows(m: Any) -> Rows:
    return [[Fraction(x) for x in row] for row in m]


def times(a: Rows, b: Rows) -> Rows:
    return [
        [sum((x * y for x, y in zip(r, c, strict=True)), Fraction(0)) for c in zip(*b, strict=True)]
        for r in a
    ]


def turned(m: Rows) -> Rows:
    return [list(column) for column in zip(*m, strict=True)]


def elements(content: Any, *names: str) -> list[tuple[Any, ...]]:
    """Every element: its permutation and its matrices, by products of generators."""
    sizes = [len(content[name][0]) for name in names]
    units = (rows([[int(i == j) for j in range(d)] for i in range(d)]) for d in sizes)
    found: list[tuple[Any, ...]] = [(tuple(range(len(content["group"][0]))), *units)]
    for a in found:
        for s, g in enumerate(content["group"]):
            moved = tuple(a[0][i] for i in g)
            if all(moved != b[0] for b in found):
                named_images = zip(a[1:], names, strict=True)
                found.append(
                    (moved, *(times(m, rows(content[name][s])) for m, name in named_images))
                )
    return found


def value(heads: Any, query: Rows) -> list[Fraction]:
    """f(x_1..x_n), by definition, base 2."""
    total = [Fraction(0)] * len(heads[0]["V"])
    for head in heads:
        scores = [times(times([query[-1]], rows(head["W"])), turned([y]))[0][0] for y in query]
        weights = [Fraction(2 ** (int(s) + 64), 2**64) for s in scores]
        for r, v in enumerate(rows(head["V"])):
            for w, y in zip(weights, query, strict=True):
                total[r] += w / sum(weights) * times([v], turned([y]))[0][0]
    return total


def equivariant_at(content: Any, query: Rows) -> bool:
    for _, R, S in elements(content, "rho", "out"):
        left = value(content["heads"], times(query, turned(R)))
        right = times([value(content["heads"], query)], turned(S))[0]
        if left != right:
            return False
    return True


def least_type(content: Any, size: int) -> int:
    """The abstract price by trying all types, smallest first."""
    group_ = read_group(content["group"], Budget())
    subgroups = [frozenset(K) for K in content["classes"]]
    indices = [len(group_) // len(K) for K in subgroups]
    below = [[any(K <= M for M in group_.conjugates(L)) for L in subgroups] for K in subgroups]

    def of_size(points: int, first: int = 0) -> Iterator[tuple[int, ...]]:
        if points == 0:
            yield ()
        for c in range(first, len(indices)):
            if indices[c] <= points:
                for rest in of_size(points - indices[c], c):
                    yield (c, *rest)

    def covers(T: Any, S: Any) -> bool:
        return any(
            all(below[k][c] for k, c in zip(chosen, S, strict=True))
            for chosen in permutations(T, len(S))
        )

    points = 0
    while not any(all(covers(T, S) for S in of_size(size)) for T in of_size(points)):
        points += 1
    return points


def holds(content: Any) -> bool:
    """Whether the statement is true, by definition."""
    statement = content["statement"]
    if statement == "permuted":
        tokens = [[1, 1], [2, -1], [-1, 2], [0, 1]]
        d = len(content["rho"][0])
        queries = [rows([tokens[i][:d], tokens[j][:d]]) for i, j in product(range(4), repeat=2)]
        whole = lcm_of(content)
        return all(equivariant_at(content, [[whole * x for x in t] for t in q]) for q in queries)
    if statement == "not-equivariant":
        return not equivariant_at(content, rows(content["query"]))
    if statement == "price":
        return all(case["price"] == least_type(content, case["size"]) for case in content["cases"])
    if statement == "hidden":
        return hidden_holds(content)
    raise AssertionError(statement)


def lcm_of(content: Any) -> int:
    """A factor that makes all scores whole."""
    numbers = [x for head in content["heads"] for row in head["W"] for x in row]
    numbers += [x for m in content["rho"] for row in m for x in row]
    found = 1
    for x in numbers:
        found *= Fraction(x).denominator
    return found


def hidden_holds(content: Any) -> bool:
    """Try every sigma, with the multiplicities counted from traces."""

    def traces(images: Any) -> dict[Any, Fraction]:
        found = elements({**content, "m": images}, "m")
        return {g: sum((m[i][i] for i in range(len(m))), Fraction(0)) for g, m in found}

    rho = traces(content["rho"])
    dimensions, copies = [], []
    for images in content["irreducibles"]:
        chi = traces(images)
        norm = sum(x * x for x in chi.values())
        copies.append(Fraction(sum(rho[g] * x for g, x in chi.items())) / norm)
        dimensions.append(len(images[0]))
    if any(c.denominator != 1 for c in copies) or copies != content["multiplicities"]:
        return False

    def size(k: Any) -> int:
        return sum(n * c for n, c in zip(dimensions, k, strict=True))

    every = list(product(*(range(int(m) + 1) for m in copies)))
    images = [k for k in every if size(k) <= content["hidden"]]
    covering = [
        s for s in every if all(all(a <= b for a, b in zip(k, s, strict=True)) for k in images)
    ]
    least = min(map(size, covering))
    return bool(least == content["least"] and content["covers"] == (least <= content["hidden"]))


JUDGED = [
    "good-permuted",
    "good-not-equivariant",
    "good-price-branch",
    "good-hidden",
    "good-hidden-covered",
]


@pytest.mark.parametrize("name", JUDGED)
def test_a_mutant_is_rejected_or_true(name: str) -> None:
    content = data(name)
    assert holds(content)
    passed = rejected = 0
    for mutant in mutants(content):
        if accepted(mutant):
            passed += 1
            assert holds(mutant), mutant
        else:
            rejected += 1
    # That a function is not equivariant stays true of most others.
    assert rejected > (0 if name == "good-not-equivariant" else passed)


@pytest.mark.parametrize("name", ["good-strata", "good-strata-two-classes"])
def test_a_mutant_of_strata_is_rejected_or_another_member(name: str) -> None:
    """The list of strata and the violators never change; a head may be another head."""
    content = data(name)
    for mutant in mutants(content):
        if accepted(mutant):
            for key in ("group", "classes", "size", "realised", "count"):
                assert mutant[key] == content[key]
            for one, other in zip(mutant["witnesses"], content["witnesses"], strict=True):
                assert one["stratum"] == other["stratum"]
                assert one["violators"] == other["violators"]


def test_a_proof_without_a_cut_or_with_an_open_branch_fails() -> None:
    classes = named("S_3").classes
    found = cheapest(classes, 3)
    assert accepted(builder.price("", classes, [found])["data"])
    assert isinstance(found.proof, Leaf)
    for k in range(len(found.cuts)):
        multipliers = found.proof.multipliers
        shorter = Price(
            found.heads,
            found.type,
            found.price,
            found.strata,
            found.cuts[:k] + found.cuts[k + 1 :],
            Leaf(multipliers[:k] + multipliers[k + 1 :]),
        )
        assert not accepted(builder.price("", classes, [shorter])["data"])
    zero = Leaf((Fraction(0),) * len(found.cuts))
    for branch in (Branch(3, 0, found.proof, zero), Branch(3, 0, zero, found.proof)):
        half = Price(found.heads, found.type, found.price, found.strata, found.cuts, branch)
        assert not accepted(builder.price("", classes, [half])["data"])
    both = Branch(0, 0, found.proof, found.proof)
    whole = Price(found.heads, found.type, found.price, found.strata, found.cuts, both)
    assert accepted(builder.price("", classes, [whole])["data"])


@pytest.mark.parametrize("name", NAMES)
def test_what_the_builders_write_is_accepted(name: str) -> None:
    G = named(name)
    rho = G.natural
    possible = realised(G.classes, rho, rho)
    members = [member(G.classes, rho, rho, S) for S in types(G.classes, 3, allowed=possible)]
    written = builder.strata("", G.classes, rho, rho, 3, members)
    assert accepted(json.loads(json.dumps(written))["data"])
    if len(members) > 1:  # without one of its strata the list is not complete
        fewer = builder.strata("", G.classes, rho, rho, 3, members[1:])
        assert not accepted(fewer["data"])
    prices = [cheapest(G.classes, H, realised=possible) for H in (2, 4)]
    assert accepted(builder.price("", G.classes, prices, (rho, rho))["data"])


def test_subgroups_are_those_of_the_library() -> None:
    for name in NAMES:
        G = named(name)
        found = read_group([list(g) for g in G.group.generators], Budget())
        assert [tuple(e) for e in found.elements] == list(G.group.elements)
        assert set(found.subgroups()) == {K for members in G.classes.members for K in members}


def test_a_small_budget_and_a_large_group_are_unreadable() -> None:
    with pytest.raises(Unreadable, match="too large"):
        group.check(data("good-price"), Budget(300))
    symmetric = [[1, 2, 3, 4, 5, 0], [1, 0, 2, 3, 4, 5]]
    with pytest.raises(Unreadable, match="more than 500 elements"):
        read_group(symmetric, Budget())


def test_the_examples_of_the_specification() -> None:
    text = (Path(__file__).parents[3] / "proofs_check" / "CERTIFICATES.md").read_text()
    section = text.partition("\n## group\n")[2].partition("\n## ")[0]
    example = data("good-price-branch")
    assert example["cases"][0]["price"] == 3
    cuts = '"cuts": [{"stratum": [1,1], "orbits": [0,1]}, {"stratum": [0], "orbits": [0]}]'
    assert cuts in section
    example["cases"][0]["cuts"] = json.loads(f"{{{cuts}}}")["cuts"]
    example["cases"][0]["proof"] = [1, 1]
    assert accepted(example)
