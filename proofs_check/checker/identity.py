"""Kind identity: two expressions are equal as rational functions (CERTIFICATES.md, identity).

Expressions become quotients of two ring elements without any division, so that the same rules
serve expanded polynomials, degree bounds and the values at the points of a grid. Expanding costs
terms, the grid costs points; the certificate chooses.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import product
from math import prod
from typing import TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable, show
from .families import shape_of
from .fields import Json, members, name, vector
from .formula import Environment, weight
from .rationals import parse
from .rings import Degrees, Element, Numbers, Polynomials, Ring
from .translator import Translator
from .values import Value

Quotient: TypeAlias = tuple[Element, Element]
Numbering: TypeAlias = dict[str, Value]
"""For every variable the number of its indeterminate, or an array of them."""

INDETERMINATES = 1000
EXPONENT = 10_000


def check(data: Json, budget: Budget) -> None:
    """Check the data of an identity certificate.

    Raises:
        Rejected: the two sides differ, a divisor is zero, or the grid is too small.
        Unreadable: it is malformed or too large.
    """
    parts = members(data, "data", ("variables", "left", "right"), ("grid",))
    numbering, labels = _variables(parts["variables"])
    used: set[str] = set()

    def sides(ring: Ring) -> tuple[Quotient, Quotient, bool]:
        builder = _Builder(ring, numbering, budget, used)
        left = builder.quotient(parts["left"], "left")
        return left, builder.quotient(parts["right"], "right"), builder.defined

    for side in ("left", "right"):
        if weight(parts[side]) > budget.left:
            raise Unreadable(f"too large: the {side} side takes too many steps")
    degrees = Degrees(len(labels), budget)
    bound = _difference(degrees, *sides(degrees)[:2])
    unused = sorted(set(numbering) - used)
    if unused:
        raise Unreadable(f"variables: {unused[0]!r} does not occur")
    if "grid" in parts:
        _check_grid(_nodes(parts["grid"], numbering, labels), bound, labels, sides, budget)
        return
    ring = Polynomials(len(labels), budget)
    left, right, _ = sides(ring)
    difference = ring.add(
        ring.multiply(left[0], right[1]),
        ring.multiply(ring.constant(-1), ring.multiply(right[0], left[1])),
    )
    if difference:
        exponents, coefficient = next(iter(difference.items()))
        term = " ".join(f"{x}^{e}" for x, e in zip(labels, exponents, strict=True) if e) or "1"
        raise Rejected(f"the sides differ: coefficient {show(coefficient)} at {term}")


def _variables(value: Json) -> tuple[Numbering, list[str]]:
    if type(value) is not dict:
        raise Unreadable(f"variables: expected an object, found {show(value)}")
    numbering: Numbering = {}
    labels: list[str] = []

    def number(shape: tuple[int, ...], label: str) -> Value:
        if not shape:
            labels.append(label)
            return len(labels) - 1
        return [number(shape[1:], f"{label}[{i}]") for i in range(shape[0])]

    for key, entry in value.items():
        shape = shape_of(entry, f"variables.{name(key, 'variables')}")
        if len(labels) + prod(shape) > INDETERMINATES:
            raise Unreadable(f"too large: more than {INDETERMINATES} indeterminates")
        numbering[key] = number(shape, key)
    return numbering, labels


class _Builder:
    """Evaluates an expression to a quotient in a ring; indices are exact integers."""

    def __init__(self, ring: Ring, numbering: Numbering, budget: Budget, used: set[str]) -> None:
        self._ring = ring
        self._numbering = numbering
        self._budget = budget
        self._used = used
        self._one = ring.constant(1)
        self._env: Environment = {}
        self.defined = True
        """Whether no divisor so far was the number 0: 1/(1/0) is 0/1 and shows none."""

    def quotient(self, node: Json, where: str) -> Quotient:
        self._budget.spend(1)
        if type(node) is not list:
            return self._ring.constant(parse(node, where)), self._one
        if not node or type(node[0]) is not str:
            raise Unreadable(f'{where}: expected ["operator", ...], found {show(node)}')
        head, parts = node[0], node[1:]
        here = f"{where}.{head}"
        if head in ("var", "at", "len"):
            return self._leaf(head, node, where)
        if head == "sum" and len(parts) == 3:
            return self._sum(parts, here)
        if head == "^" and len(parts) == 2:
            return self._power(self.quotient(parts[0], here), self._integer(parts[1], here), where)
        if head in ("+", "*") and parts:
            combine = self._add if head == "+" else self._multiply
            return reduce(combine, [self.quotient(part, here) for part in parts])
        if head == "-" and len(parts) in (1, 2):
            terms = [self.quotient(part, here) for part in parts]
            terms[-1] = (self._ring.multiply(self._ring.constant(-1), terms[-1][0]), terms[-1][1])
            return reduce(self._add, terms)
        if head == "/" and len(parts) == 2:
            upper, lower = (self.quotient(part, here) for part in parts)
            return self._multiply(upper, self._inverse(lower, where))
        raise Unreadable(
            f"{where}: {show(head)} with {len(parts)} arguments is no rational function"
        )

    def _leaf(self, head: str, node: list[Json], where: str) -> Quotient:
        if head == "var" and len(node) == 2 and type(node[1]) is str and node[1] in self._env:
            return self._ring.constant(self._env[node[1]]), self._one
        key = node[1] if len(node) > 1 else None
        if type(key) is not str or key not in self._numbering:
            raise Unreadable(f"{where}: unknown variable {show(key)}")
        self._used.add(key)
        value = self._numbering[key]
        for part in node[2:]:
            i = self._integer(part, f"{where}.{key}")
            if type(value) is not list:
                raise Unreadable(f"{where}: too many indices for {key!r}")
            if not 0 <= i < len(value):
                raise Rejected(
                    f"{where}: index {show(i)} of {key!r} is outside 0..{len(value) - 1}"
                )
            value = value[i]
        if head == "len":
            if type(value) is not list:
                raise Unreadable(f"{where}: {key!r} has no such axis")
            return self._ring.constant(len(value)), self._one
        if type(value) is list or (head == "var" and len(node) != 2):
            raise Unreadable(f"{where}: the wrong number of indices for {key!r}")
        return self._ring.indeterminate(value), self._one

    def _integer(self, node: Json, where: str) -> int:
        """An index, bound or exponent: numbers, range variables and lengths only."""
        if type(node) is int:
            return node
        known_index = type(node) is list and len(node) == 2 and node[0] == "var"
        if known_index and type(node[1]) is str and node[1] in self._env:
            return int(self._env[node[1]])
        self._budget.spend(30 + len(self._numbering))
        rank_of = dict.fromkeys(self._env, 0)
        known = {k: v for k, v in self._numbering.items() if type(v) is list}
        ranks = rank_of | {k: _axes(v) for k, v in known.items()}
        if _mentions(node, known):
            raise Unreadable(f"{where}: an index, bound or exponent may not use indeterminates")
        return Translator(ranks, self._budget).index(node, where)(self._env | known)

    def _sum(self, parts: list[Json], where: str) -> Quotient:
        key = name(parts[0], where)
        if key in self._env or key in self._numbering:
            raise Unreadable(f"{where}: the name {key!r} is in use")
        n = self._integer(parts[1], where)
        if n < 0:
            raise Rejected(f"{where}: a range over {show(n)} indices")
        if n * weight(parts[2]) > self._budget.left:
            raise Unreadable(f"too large: a range over {show(n)} indices")
        total: Quotient = (self._ring.constant(0), self._one)
        for j in range(n):
            self._env[key] = j
            total = self._add(total, self.quotient(parts[2], where))
        self._env.pop(key, None)
        return total

    def _add(self, a: Quotient, b: Quotient) -> Quotient:
        ring = self._ring
        if a[1] is b[1] is self._one:
            return ring.add(a[0], b[0]), self._one
        upper = ring.add(ring.multiply(a[0], b[1]), ring.multiply(b[0], a[1]))
        return upper, ring.multiply(a[1], b[1])

    def _multiply(self, a: Quotient, b: Quotient) -> Quotient:
        ring = self._ring
        if a[1] is b[1] is self._one:
            return ring.multiply(a[0], b[0]), self._one
        return ring.multiply(a[0], b[0]), ring.multiply(a[1], b[1])

    def _inverse(self, a: Quotient, where: str) -> Quotient:
        if a[0] == {}:
            raise Rejected(f"{where}: division by the zero polynomial")
        self.defined = self.defined and a[0] != 0
        return a[1], a[0]

    def _power(self, base: Quotient, exponent: int, where: str) -> Quotient:
        if abs(exponent) > EXPONENT:
            raise Unreadable(f"{where}: an exponent beyond {EXPONENT:,}")
        if exponent < 0:
            base, exponent = self._inverse(base, where), -exponent
        if exponent == 0:
            return base[1], base[1]  # 1, but the denominator is not forgotten
        result: Quotient = (self._one, self._one)
        while exponent:
            if exponent % 2:
                result = self._multiply(result, base)
            exponent //= 2
            if exponent:
                base = self._multiply(base, base)
        return result


def _axes(value: Value) -> int:
    depth = 0
    while type(value) is list:
        depth, value = depth + 1, value[0]
    return depth


def _mentions(node: Json, known: Numbering) -> bool:
    """Whether an index expression reads an indeterminate instead of a length."""
    if type(node) is not list:
        return False
    if node[:1] == ["at"]:
        return True
    return any(_mentions(part, known) for part in node[1:])


def _difference(ring: Degrees, left: Quotient, right: Quotient) -> Element:
    return ring.add(ring.multiply(left[0], right[1]), ring.multiply(right[0], left[1]))


def _nodes(value: Json, numbering: Numbering, labels: list[str]) -> list[list[Rational]]:
    fields = members(value, "grid", tuple(numbering))
    nodes: list[list[Rational]] = [[] for _ in labels]

    def assign(numbers: Value, entry: Json, where: str) -> None:
        if type(numbers) is int:
            nodes[numbers] = vector(entry, where)
            return
        if type(entry) is not list or len(entry) != len(numbers):
            raise Unreadable(f"{where}: expected a list of {len(numbers)}, found {show(entry)}")
        for i, inner in enumerate(numbers):
            assign(inner, entry[i], f"{where}[{i}]")

    for key, numbers in numbering.items():
        assign(numbers, fields[key], f"grid.{key}")
    return nodes


def _check_grid(
    nodes: list[list[Rational]],
    bound: tuple[int, ...],
    labels: list[str],
    sides: Callable[[Ring], tuple[Quotient, Quotient, bool]],
    budget: Budget,
) -> None:
    for label, values, degree in zip(labels, nodes, bound, strict=True):
        if len(set(values)) < len(values):
            raise Rejected(f"grid: a node of {label} stands twice")
        if len(values) <= degree:
            raise Rejected(
                f"grid: {len(values)} nodes of {label}, the degree may be {show(degree)}"
            )
    if prod(map(len, nodes)) > budget.left:
        raise Unreadable("too large: a grid of more points than there are steps")
    somewhere = False
    for point in product(*nodes):
        left, right, defined = sides(Numbers(point, budget))
        if budget.sized(left[0] * right[1]) != budget.sized(right[0] * left[1]):
            at = ", ".join(f"{x} = {show(v)}" for x, v in zip(labels, point, strict=True))
            raise Rejected(f"the sides differ at {at[:300]}")
        somewhere = somewhere or defined
    if not somewhere:
        raise Rejected("grid: a denominator vanishes at every point")
