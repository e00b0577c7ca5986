"""Kind recovery: a model gives every answer of a transcript (CERTIFICATES.md).

The answers are compared by cross-multiplication over the integers: the fractions of the heads are
added without divisors and the sum must equal the stated p/q, n q = p d.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import mul

from .budget import Budget, Rational, bits
from .errors import Rejected, Unreadable, show
from .fields import Json, flag, index, integer, items, members, vector
from .rationals import parse, scaled

Row = list[int]
Query = tuple[tuple[int, int], ...]
"""Runs: a token's place in the table, how often it stands there."""


@dataclass(frozen=True)
class Model:
    """Heads over the integers: forms, and functionals times one common denominator."""

    base: int
    forms: list[list[Row]]
    functionals: list[Row]
    common: int


def check(data: Json, budget: Budget) -> None:
    """Check the data of a recovery certificate.

    Raises:
        Rejected: the model does not give an answer, or a count is not the one stated.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data,
        "data",
        (
            "dimension",
            "base",
            "most",
            "detected",
            "heads",
            "tokens",
            "schedule",
            "fresh",
            "queries",
            "longest",
            "fresh_queries",
            "fresh_longest",
        ),
    )
    d = integer(parts["dimension"], "dimension", 1)
    model = _model(parts["heads"], d, integer(parts["base"], "base", 2), budget)
    tokens = _tokens(parts["tokens"], d, budget)
    replay = _Replay(model, tokens, budget)
    schedule = [
        replay.row(row, f"schedule[{i}]")
        for i, row in enumerate(items(parts["schedule"], "schedule", least=1))
    ]
    fresh = [replay.row(row, f"fresh[{i}]") for i, row in enumerate(items(parts["fresh"], "fresh"))]
    if len({*schedule, *fresh}) < len(schedule) + len(fresh):
        raise Rejected("schedule: a query stands twice")
    for i, query in enumerate(fresh):
        if len({place for place, _ in query}) < 3:
            raise Rejected(f"fresh[{i}]: fewer than three distinct tokens")
    for name, found in (
        ("queries", len(schedule)),
        ("longest", max(map(_length, schedule))),
        ("fresh_queries", len(fresh)),
        ("fresh_longest", max(map(_length, fresh), default=0)),
    ):
        stated = integer(parts[name], name, 0)
        if stated != found:
            raise Rejected(f"{name}: {show(stated)} stated, {found} counted")
    most = integer(parts["most"], "most", 0)
    heads = len(model.forms)
    if heads > most:
        raise Rejected(f"most: {show(most)} heads allowed, the model has {heads}")
    used = heads if flag(parts["detected"], "detected") else most
    count = 2 * most + 1 + 2 * used * (2 * d * d - 2)
    if count != len(schedule):
        raise Rejected(f"queries: the formula gives {show(count)}, {len(schedule)} are listed")
    if 2 * most + 1 != max(map(_length, schedule)):
        raise Rejected("longest: it is not 2 H + 1")


def _length(query: Query) -> int:
    return sum(count for _, count in query)


def _model(value: Json, d: int, base: int, budget: Budget) -> Model:
    """The heads, which must be in canonical form: sorted, distinct W, nonzero v."""
    forms: list[list[Row]] = []
    functionals: list[Rational] = []
    for h, head in enumerate(items(value, "heads")):
        fields = members(head, f"heads[{h}]", ("W", "v"))
        rows = items(fields["W"], f"heads[{h}].W")
        if len(rows) != d:
            raise Unreadable(f"heads[{h}].W: expected {d} rows, found {len(rows)}")
        form = [vector(row, f"heads[{h}].W[{i}]", d) for i, row in enumerate(rows)]
        if any(type(entry) is not int for row in form for entry in row):
            raise Rejected(f"heads[{h}].W: not an integer matrix")
        v = vector(fields["v"], f"heads[{h}].v", d)
        if not any(v):
            raise Rejected(f"heads[{h}].v: zero, so the head is no part of the function")
        forms.append([[int(entry) for entry in row] for row in form])
        functionals += v
        if h and forms[h - 1] >= forms[h]:
            raise Rejected(f"heads[{h}].W: the forms are not distinct and in ascending order")
    integers, common = scaled(functionals, "heads", budget)
    rows_of = [integers[i : i + d] for i in range(0, len(integers), d)]
    return Model(base, forms, rows_of, common)


def _tokens(value: Json, d: int, budget: Budget) -> list[Row]:
    tokens = []
    for i, row in enumerate(items(value, "tokens", least=1)):
        token = vector(row, f"tokens[{i}]", d)
        if any(type(entry) is not int for entry in token):
            raise Rejected(f"tokens[{i}]: not an integer vector")
        tokens.append([int(entry) for entry in token])
    budget.spend(len(tokens) * (1 + d // 8))
    if len(set(map(tuple, tokens))) < len(tokens):
        raise Rejected("tokens: a token stands twice")
    return tokens


class _Replay:
    """The answers of a model, query by query."""

    def __init__(self, model: Model, tokens: list[Row], budget: Budget) -> None:
        self._model = model
        self._tokens = tokens
        self._budget = budget
        entries = [e for form in model.forms for row in form for e in row]
        entries += [e for row in (*model.functionals, *tokens) for e in row]
        self._words = 1 + max(map(bits, entries)) // 64
        self._rows: dict[int, list[Row]] = {}
        self._values: dict[int, Row] = {}

    def row(self, row: Json, where: str) -> Query:
        """Check one query with its answer; the query.

        Raises:
            Rejected: the model answers otherwise.
        """
        pair = items(row, where)
        if len(pair) != 2:
            raise Unreadable(f"{where}: expected a query and an answer, found {len(pair)} items")
        query = []
        for k, run in enumerate(items(pair[0], f"{where}[0]", least=1)):
            here = f"{where}[0][{k}]"
            if len(items(run, here)) != 2:
                raise Unreadable(f"{here}: expected a token and a count")
            place = index(run[0], here, len(self._tokens), "token")
            query.append((place, integer(run[1], here, 1)))
            if k and query[k - 1][0] == place:
                raise Unreadable(f"{here}: the same token as before, expected one run")
        answer = parse(pair[1], f"{where}[1]")
        n, q = self._answer(tuple(query))
        self._budget.sized(n * answer.denominator)
        if n * answer.denominator != answer.numerator * q:
            raise Rejected(f"{where}: the model's answer is not {show(answer)}")
        return tuple(query)

    def _answer(self, query: Query) -> tuple[int, int]:
        """Numerator and denominator of the model's answer, not reduced."""
        spend, sized = self._budget.spend, self._budget.sized
        base = self._model.base
        attending = self._attend(query[-1][0])
        n, q = 0, 1
        for h, form in enumerate(attending):
            spend(len(query) * (4 + len(form) // 8) * self._words)
            scores = [sum(map(mul, form, self._tokens[place])) for place, _ in query]
            least = min(scores)
            upper = lower = 0
            for (place, count), score in zip(query, scores, strict=True):
                weight = int(self._budget.power(base, score - least)) * count
                lower += weight
                upper += weight * self._value(place)[h]
            n, q = n * lower + upper * q, q * lower
            sized(n)
            sized(q)
        return n, q * self._model.common

    def _attend(self, place: int) -> list[Row]:
        """x^T W_h for the attending token."""
        if place not in self._rows:
            x, d = self._tokens[place], len(self._tokens[place])
            self._budget.spend(len(self._model.forms) * (4 + d * d // 4) * self._words)
            self._rows[place] = [
                [sum(map(mul, x, column)) for column in zip(*form, strict=True)]
                for form in self._model.forms
            ]
        return self._rows[place]

    def _value(self, place: int) -> Row:
        """The values v_h^T t times their common denominator, for every head."""
        if place not in self._values:
            token = self._tokens[place]
            self._budget.spend(len(self._model.forms) * (4 + len(token) // 8) * self._words)
            self._values[place] = [sum(map(mul, v, token)) for v in self._model.functionals]
        return self._values[place]
