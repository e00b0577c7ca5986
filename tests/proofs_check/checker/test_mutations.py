"""Every number of every good sample is mutated: rejected, or the statement is still true.

What is still true is decided by brute force in this file, which shares nothing with the checker:
barycentric coordinates over all small subsets, Fourier-Motzkin elimination, and a recursive
evaluation of formulas with fractions and 60-digit mpmath numbers.
"""

import json
import random
from copy import deepcopy
from fractions import Fraction
from itertools import combinations, product
from pathlib import Path
from typing import Any

import mpmath
import pytest

from headproof.proofs_check.checker import Rejected, Unreadable, check_certificate

SAMPLES = Path(__file__).parent / "samples"
KINDS = ("ball", "counterexample", "exhaustive", "farkas", "hull", "identity")
GOOD = sorted(path for kind in KINDS for path in (SAMPLES / kind).glob("good-*.json"))
MP = mpmath.mp.clone()
MP.dps = 60


# Mutations --------------------------------------------------------------------------------


def places(value: Any, path: Any = ()) -> Any:
    """The paths to all numbers in the data."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from places(inner, (*path, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from places(inner, (*path, i))
    elif fraction(value) is not None:
        yield path


def fraction(value: Any) -> Any:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, str) and value.replace("/", "").replace("-", "").isdigit():
        return Fraction(value)
    return None


def get(data: Any, path: Any) -> Any:
    for step in path:
        data = data[step]
    return data


def put(data: Any, path: Any, value: Any) -> None:
    get(data, path[:-1])[path[-1]] = written(value) if isinstance(value, Fraction) else value


def written(value: Any) -> Any:
    return int(value) if value.denominator == 1 else str(value)


def mutants(data: Any) -> Any:
    paths = list(places(data))
    for path in paths:
        value = fraction(get(data, path))
        for change in {value + 1, value - 1, -value, value / 2, value * 2} - {value}:
            mutant = deepcopy(data)
            put(mutant, path, change)
            yield path, mutant
    for a, b in combinations(paths, 2):
        if get(data, a) != get(data, b):
            mutant = deepcopy(data)
            put(mutant, a, get(data, b))
            put(mutant, b, get(data, a))
            yield (a, b), mutant


# Brute force ------------------------------------------------------------------------------


def solve(rows: Any, right: Any) -> Any:
    """The only solution of a linear system, or None."""
    matrix = [[*map(Fraction, row), Fraction(b)] for row, b in zip(rows, right, strict=True)]
    n, done = len(rows[0]), 0
    for column in range(n):
        pivot = next((r for r in range(done, len(matrix)) if matrix[r][column]), None)
        if pivot is None:
            return None
        matrix[done], matrix[pivot] = matrix[pivot], matrix[done]
        matrix[done] = [x / matrix[done][column] for x in matrix[done]]
        for r in range(len(matrix)):
            if r != done:
                factor = matrix[r][column]
                matrix[r] = [x - factor * y for x, y in zip(matrix[r], matrix[done], strict=True)]
        done += 1
    if any(row[n] for row in matrix[done:]):
        return None
    return [row[n] for row in matrix[:n]]


def covered(point: Any, others: Any, upper: Any) -> Any:
    """Whether a point lies in conv(others), or below it (Caratheodory: few at a time)."""
    width = len(point) - upper
    for size in range(1, width + 2):
        for chosen in combinations(others, size):
            rows = [[p[c] for p in chosen] for c in range(width)] + [[1] * size]
            weights = solve(rows, [*point[:width], 1])
            if weights is not None and min(weights) >= 0:
                height = sum(w * p[-1] for w, p in zip(weights, chosen, strict=True))
                if not upper or height >= point[-1]:
                    return True
    return False


def hull_is_true(data: Any) -> Any:
    points = [tuple(map(Fraction, row)) for row in data["points"]]
    distinct = list(dict.fromkeys(points))
    upper = data.get("upper", False)
    corners = {
        points.index(p) for p in distinct if not covered(p, [q for q in distinct if q != p], upper)
    }
    equal = {i: points.index(p) for i, p in enumerate(points) if points.index(p) != i}
    return (
        {v["point"] for v in data["vertices"]} == corners
        and data["count"] == len(corners)
        and {r["point"]: r["as"] for r in data["repeated"]} == equal
    )


def farkas_is_true(data: Any) -> Any:
    """No solution, by Fourier-Motzkin; a row is (coefficients, bound, strict)."""
    rows = []
    for row in data["rows"]:
        a, b = [Fraction(x) for x in row["coefficients"]], Fraction(row["bound"])
        rows.append((a, b, row["relation"] == "<"))
        if row["relation"] == "=":
            rows.append(([-x for x in a], -b, False))
    for c in range(len(rows[0][0])):
        up = [r for r in rows if r[0][c] > 0]
        down = [r for r in rows if r[0][c] < 0]
        rows = [r for r in rows if r[0][c] == 0]
        for (a, b, s), (d, e, t) in product(up, down):
            x, y = -d[c], a[c]
            mixed = [x * p + y * q for p, q in zip(a, d, strict=True)]
            rows.append((mixed, x * b + y * e, s or t))
    return any(b < 0 or (b == 0 and strict) for _, b, strict in rows)


RELATIONS = {
    "<=": lambda a, b: a <= b,
    "<": lambda a, b: a < b,
    ">=": lambda a, b: a >= b,
    ">": lambda a, b: a > b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}


FOLDS: dict[str, Any] = {"abs": abs, "max": max, "min": min}
RANGES: dict[str, Any] = {
    "sum": sum,
    "maxover": max,
    "minover": min,
    "countover": sum,
    "forall": all,
    "exists": any,
}


def value_of(node: Any, env: Any) -> Any:
    """A formula's value, with fractions where possible and 60 digits elsewhere."""
    if not isinstance(node, list):
        return Fraction(node)
    head, parts = node[0], node[1:]
    if head in ("var", "at", "len"):
        value = env[parts[0]]
        for part in parts[1:]:
            i = value_of(part, env)
            assert i.denominator == 1
            assert i >= 0
            value = value[int(i)]
        return Fraction(len(value)) if head == "len" else value
    if head in RANGES:
        name, count, body = parts
        indices = map(Fraction, range(int(value_of(count, env))))
        return RANGES[head]([value_of(body, env | {name: j}) for j in indices])
    if head == "implies":
        return not value_of(parts[0], env) or value_of(parts[1], env)
    values = [value_of(part, env) for part in parts]
    if head in RELATIONS:
        return RELATIONS[head](*map(comparable, values, [values] * 2))
    if head in ("+", "*") and len(values) > 1:
        rest = value_of([head, *parts[1:]], env) if len(parts) > 2 else values[1]
        first, rest = mixed(values[0], rest)
        return first + rest if head == "+" else first * rest
    if head in ("+", "*"):
        return values[0]
    if head == "-":
        return -values[0] if len(values) == 1 else mixed(*values)[0] - mixed(*values)[1]
    if head == "/":
        return mixed(*values)[0] / mixed(*values)[1]
    if head == "^":
        assert Fraction(values[1]).denominator == 1
        return values[0] ** int(values[1])
    if head in ("exp", "log"):
        return getattr(MP, head)(real(values[0]))
    if head == "abs":
        return FOLDS[head](*values)
    return FOLDS[head]([comparable(v, values) for v in values])


def real(value: Any) -> Any:
    return MP.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def mixed(a: Any, b: Any) -> Any:
    exact = isinstance(a, Fraction) and isinstance(b, Fraction)
    return (a, b) if exact else (real(a), real(b))


def comparable(value: Any, values: Any) -> Any:
    return value if all(isinstance(v, Fraction) for v in values) else real(value)


def exactly(value: Any) -> Any:
    return [exactly(v) for v in value] if isinstance(value, list) else Fraction(value)


def instance_of(data: Any) -> Any:
    return {key: exactly(value) for key, value in data.items()}


def shaped(shape: Any, supply: Any) -> Any:
    return [shaped(shape[1:], supply) for _ in range(shape[0])] if shape else next(supply)


def identity_is_true(data: Any) -> Any:
    """Equality at many points that no wrong identity of such a size survives."""
    for seed in range(1, 12):
        supply = iter(Fraction(7 ** (k + 5) + seed, 11 + k) for k in range(seed, 60))
        env = {key: shaped(shape, supply) for key, shape in data["variables"].items()}
        if value_of(data["left"], env) != value_of(data["right"], env):
            return False
    return True


def counterexample_is_true(data: Any) -> Any:
    return not value_of(data["formula"], instance_of(data["instance"]))


def points_of(box: Any) -> Any:
    if isinstance(box, list) and isinstance(box[0], list):
        yield from product(*(list(points_of(b)) for b in box))
    else:
        low, high = map(Fraction, box)
        yield from dict.fromkeys(low + (high - low) * Fraction(k, 4) for k in range(5))


def ball_is_true(data: Any) -> Any:
    names = list(data["box"])
    low, high = (None if end is None else Fraction(end) for end in data["enclosure"])
    for choice in product(*(list(points_of(data["box"][name])) for name in names)):
        env = dict(zip(names, choice, strict=True)) | instance_of(data.get("given", {}))
        value = real(value_of(data["expression"], env))
        if (low is not None and value < real(low)) or (high is not None and value > real(high)):
            return False
    return True


def members(family: Any) -> Any:
    if family["kind"] == "listed":
        return [instance_of(i) for i in family["instances"]]
    pools = []
    for variable in family["variables"].values():
        entries = variable.get("values") or range(variable["from"], variable["to"] + 1)
        count = 1
        for n in variable["shape"]:
            count *= n
        pools.append(list(product(map(Fraction, entries), repeat=count)))
    return [
        {
            name: shaped(variable["shape"], iter(flat))
            for (name, variable), flat in zip(family["variables"].items(), choice, strict=True)
        }
        for choice in product(*pools)
    ]


def exhaustive_is_true(data: Any) -> Any:
    everything = members(data["family"])
    if data["count"] != len(everything):
        return False
    if "formula" in data:
        return all(value_of(data["formula"], env) for env in everything)
    cases = [(instance_of(case["instance"]), case) for case in data["cases"]]
    return all(sum(env == known for known, _ in cases) == 1 for env in everything) and all(
        hull_is_true(case["data"] | {"points": case["instance"]["k"]}) for _, case in cases
    )


TRUTH = {
    "ball": ball_is_true,
    "counterexample": counterexample_is_true,
    "exhaustive": exhaustive_is_true,
    "farkas": farkas_is_true,
    "hull": hull_is_true,
    "identity": identity_is_true,
}


@pytest.mark.parametrize("path", GOOD, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_mutants_are_rejected_or_still_true(path: Any) -> None:
    certificate = json.loads(path.read_text())
    true = TRUTH[certificate["kind"]]
    assert true(certificate["data"])
    rejected = accepted = 0
    for place, data in mutants(certificate["data"]):
        try:
            check_certificate(certificate | {"data": data})
        except (Rejected, Unreadable):
            rejected += 1
            continue
        accepted += 1
        assert true(data), place
    assert rejected > 0, f"{accepted} mutants accepted, none rejected"


ODD: list[Any] = [
    None, True, "", [], {}, "x", -1, 0, 1, 10**40, "1/2", [[]], [0], {"a": 1}, "\ud800", "0x1",
    ["var", "x"], ["exp", 1], ["at", "k", 0], ["len", "x"], ["^", 2, 200_000], 1 << 200_000,
]  # fmt: skip


def all_paths(value: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path
    if isinstance(value, (dict, list)):
        for step in value if isinstance(value, dict) else range(len(value)):
            yield from all_paths(value[step], (*path, step))


def disturbed(data: Any, rng: random.Random) -> Any:
    """The data with one part replaced by something odd or by another part, added, or removed."""
    data = deepcopy(data)
    paths = list(all_paths(data))
    path = rng.choice(paths[1:])
    parent, last = get(data, path[:-1]), path[-1]
    what = rng.randrange(4)
    if what == 0:
        parent[last] = rng.choice(ODD)
    elif what == 1:
        parent[last] = deepcopy(get(data, rng.choice(paths[1:])))
    elif what == 2 and isinstance(parent, list):
        parent.insert(last, rng.choice(ODD))
    else:
        del parent[last]
    return data


@pytest.mark.parametrize("path", GOOD, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_disturbed_certificates_are_answered(path: Path) -> None:
    """Whatever stands where, the checker answers, and accepts nothing that is false."""
    certificate = json.loads(path.read_text())
    rng = random.Random(path.stem)
    for _ in range(150):
        data = disturbed(certificate["data"], rng)
        try:
            check_certificate(certificate | {"data": data})
        except (Rejected, Unreadable):
            continue
        try:
            assert TRUTH[certificate["kind"]](data), data
        except IndexError:
            assert certificate["kind"] == "counterexample"  # the brute force does not stop early


def test_brute_force_can_say_no() -> None:
    for kind, name in (
        ("ball", "wrong-enclosure-false"),
        ("counterexample", "wrong-true-there"),
        ("exhaustive", "wrong-false-somewhere"),
        ("exhaustive", "wrong-case-twice"),
        ("farkas", "wrong-feasible"),
        ("hull", "incomplete-vertex-missing"),
        ("identity", "wrong-cross-term"),
    ):
        data = json.loads((SAMPLES / kind / f"{name}.json").read_text())["data"]
        assert not TRUTH[kind](data), name
