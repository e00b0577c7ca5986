"""From JSON lists to functions of an instance (CERTIFICATES.md, Formulas).

A formula is translated once into nested Python functions and evaluated at many instances. The
translation decides statically which parts are numbers and which are conditions, which are exact
and which are enclosures; whatever it does not know is refused. Only names from the tables in
`formula` are looked up, and no Python source is built. Nesting is bounded when the file is read,
so recursion is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from typing import Any

from . import logic
from .budget import Budget
from .errors import Rejected, Unreadable, show
from .exact import Exact
from .fields import Json, name
from .formula import ARITY, METHODS, RELATIONS, Condition, Environment, Term, weight
from .gradients import Gradients
from .intervals import Intervals
from .logic import Truth
from .rationals import parse


class Translator:
    """Translates formulas over given variables.

    Args:
        ranks: the variables and how many indices each takes.
        budget: where evaluation spends its steps.
        arithmetic: for enclosures, with derivatives or without; if there is none exp and log are
            refused.
        enclosed: the variables whose entries are enclosures.
    """

    def __init__(
        self,
        ranks: Mapping[str, int],
        budget: Budget,
        arithmetic: Intervals | Gradients | None = None,
        enclosed: frozenset[str] = frozenset(),
    ) -> None:
        """See the class."""
        self._ranks = dict(ranks)
        self._budget = budget
        self._exact = Exact(budget)
        self._arithmetic = arithmetic
        self._enclosed = enclosed
        self.used: set[str] = set()

    # Numbers ------------------------------------------------------------------------------

    def number(self, node: Json, where: str) -> Term:
        """Translate an expression.

        Raises:
            Unreadable: it is none.
        """
        if type(node) is not list:
            constant = parse(node, where)
            return Term(True, lambda env: constant)
        head, parts = _head(node, where)
        if head in ("var", "at"):
            return self._entry(parts, where)
        if head == "len":
            return self._length(parts, where)
        if head in ("sum", "maxover", "minover", "countover"):
            return self._range(head, parts, where)
        if head == "^":
            return self._power(parts, where)
        low, high = ARITY.get(head, (1, 0))
        if not low <= len(parts) <= high:
            raise Unreadable(f"{where}: {show(head)} with {len(parts)} arguments is no expression")
        terms = [self.number(part, f"{where}.{head}") for part in parts]
        return self._apply(head, terms, where)

    def _apply(self, head: str, terms: list[Term], where: str) -> Term:
        method = METHODS[head]
        if head in ("exp", "log"):
            function: Callable[[Any], Any] = getattr(self._need(where), method)
            inner = self._interval(terms[0], where)
            return Term(False, lambda env: function(inner(env)))
        exact = all(term.exact for term in terms)
        arithmetic: Any = self._exact if exact else self._need(where)
        parts = [term.at if exact else self._interval(term, where) for term in terms]
        first = parts[0]
        if head == "abs" or (head == "-" and len(parts) == 1):
            name_of = method if head == "abs" else "negate"
            single: Callable[[Any], Any] = getattr(arithmetic, name_of)
            return Term(exact, lambda env: single(first(env)))
        double: Callable[[Any, Any], Any] = getattr(arithmetic, method)
        return Term(exact, lambda env: reduce(double, [part(env) for part in parts]))

    def _need(self, where: str) -> Intervals | Gradients:
        if self._arithmetic is None:
            raise Unreadable(f"{where}: exp and log need the key 'digits'")
        return self._arithmetic

    def _interval(self, term: Term, where: str) -> Callable[[Environment], Any]:
        if not term.exact:
            return term.at
        enclose: Callable[[Any], Any] = self._need(where).enclose
        value = term.at
        return lambda env: enclose(value(env))

    def _power(self, parts: list[Json], where: str) -> Term:
        if len(parts) != 2:
            raise Unreadable(f"{where}: '^' takes a base and an exponent")
        base, exponent = self.number(parts[0], f"{where}.^"), self.index(parts[1], f"{where}.^")
        value = base.at
        arithmetic: Any = self._exact if base.exact else self._need(where)
        power: Callable[[Any, int], Any] = arithmetic.power
        return Term(base.exact, lambda env: power(value(env), exponent(env)))

    def _entry(self, parts: list[Json], where: str) -> Term:
        if not parts:
            raise Unreadable(f"{where}: a variable without a name")
        key = name(parts[0], where)
        if key not in self._ranks:
            raise Unreadable(f"{where}: unknown variable {key!r}")
        if len(parts) - 1 != self._ranks[key]:
            raise Unreadable(
                f"{where}: {key!r} takes {self._ranks[key]} indices, found {len(parts) - 1}"
            )
        self.used.add(key)
        return Term(key not in self._enclosed, self._walk(key, parts[1:], where))

    def _length(self, parts: list[Json], where: str) -> Term:
        if not parts:
            raise Unreadable(f"{where}: 'len' without a name")
        key = name(parts[0], where)
        if len(parts) > self._ranks.get(key, 0):
            raise Unreadable(f"{where}: {show(key)} has no such axis")
        self.used.add(key)
        walk = self._walk(key, parts[1:], where)
        return Term(True, lambda env: len(walk(env)))

    def _walk(self, key: str, path: list[Json], where: str) -> Callable[[Environment], Any]:
        steps = [self.index(part, f"{where}.{key}") for part in path]
        spend = self._budget.spend

        def walk(env: Environment) -> Any:
            spend(1 + len(steps))
            value = env[key]
            for step in steps:
                i = step(env)
                if not 0 <= i < len(value):
                    raise Rejected(f"index {show(i)} of {key!r} is outside 0..{len(value) - 1}")
                value = value[i]
            return value

        return walk

    def index(self, node: Json, where: str) -> Callable[[Environment], int]:
        """Translate an expression that must have integer values.

        Raises:
            Unreadable: it is none, or it is not exact.
        """
        term = self.number(node, where)
        if not term.exact:
            raise Unreadable(f"{where}: an index, bound or exponent must be exact")
        value = term.at

        def whole(env: Environment) -> int:
            result = value(env)
            if type(result) is int:
                return result
            if result.denominator != 1:
                raise Rejected(f"{where}: expected an integer, found {show(result)}")
            return int(result)

        return whole

    # Ranges -------------------------------------------------------------------------------

    def _open(self, parts: list[Json], where: str) -> tuple[str, Callable[[Environment], int]]:
        """Declare a range variable; the caller removes it after translating the body."""
        if len(parts) != 3:
            raise Unreadable(f"{where}: a range takes a name, a bound and a body")
        key = name(parts[0], where)
        bound = self.index(parts[1], where)
        if key in self._ranks:
            raise Unreadable(f"{where}: the name {key!r} is in use")
        self._ranks[key] = 0
        budget, cost = self._budget, weight(parts[2])

        def count(env: Environment) -> int:
            n = bound(env)
            if n < 0:
                raise Rejected(f"{where}: a range over {show(n)} indices")
            if n * cost > budget.left:
                raise Unreadable(f"too large: a range over {show(n)} indices")
            budget.spend(n)
            return n

        return key, count

    def _range(self, head: str, parts: list[Json], where: str) -> Term:
        key, count = self._open(parts, where)
        if head == "countover":
            condition = self.condition(parts[2], f"{where}.{head}")
            del self._ranks[key]
            return Term(True, lambda env: sum(_decided(_each(condition, env, key, count(env)))))
        body = self.number(parts[2], f"{where}.{head}")
        del self._ranks[key]
        arithmetic: Any = self._exact if body.exact else self._need(where)
        double: Callable[[Any, Any], Any] = getattr(arithmetic, METHODS[head])
        zero: Any = 0 if body.exact else arithmetic.enclose(0)
        value = body.at

        def over(env: Environment) -> Any:
            n = count(env)
            if head == "sum":
                total = zero
            elif n == 0:
                raise Rejected(f"{where}: {head} over nothing")
            else:
                env[key] = 0
                total = value(env)
            for j in range(0 if head == "sum" else 1, n):
                env[key] = j
                total = double(total, value(env))
            return total

        return Term(body.exact, over)

    # Conditions ---------------------------------------------------------------------------

    def condition(self, node: Json, where: str) -> Condition:
        """Translate a condition.

        Raises:
            Unreadable: it is none.
        """
        if type(node) is not list:
            raise Unreadable(f"{where}: expected a condition, found {show(node)}")
        head, parts = _head(node, where)
        here = f"{where}.{head}"
        if head in RELATIONS:
            return self._relation(head, parts, where)
        if head in ("forall", "exists"):
            key, count = self._open(parts, here)
            body = self.condition(parts[2], here)
            del self._ranks[key]
            stop = head == "exists"
            return lambda env: logic.combine(stop, _each(body, env, key, count(env)))
        arity = {"and": len(parts) or 1, "or": len(parts) or 1, "not": 1, "implies": 2, "iff": 2}
        if head not in arity or len(parts) != arity[head]:
            raise Unreadable(f"{where}: {show(head)} with {len(parts)} arguments is no condition")
        conditions = [self.condition(part, here) for part in parts]
        if head in ("and", "or"):
            stop = head == "or"
            return lambda env: logic.combine(stop, (c(env) for c in conditions))
        first, last = conditions[0], conditions[-1]
        if head == "not":
            return lambda env: logic.negate(first(env))
        if head == "implies":
            return lambda env: _implies(first(env), last, env)
        return lambda env: logic.same(first(env), last(env))

    def _relation(self, head: str, parts: list[Json], where: str) -> Condition:
        if len(parts) != 2:
            raise Unreadable(f"{where}: {head!r} compares two numbers, found {len(parts)}")
        terms = [self.number(part, f"{where}.{head}") for part in parts]
        spend = self._budget.spend
        if all(term.exact for term in terms):
            holds, left, right = RELATIONS[head], terms[0].at, terms[1].at

            def exact(env: Environment) -> Truth:
                spend(1)
                return holds(left(env), right(env))

            return exact
        a, b = (self._interval(term, where) for term in terms)
        compare = self._need(where).compare
        return lambda env: compare(head, a(env), b(env))


def _head(node: list[Json], where: str) -> tuple[str, list[Json]]:
    if not node or type(node[0]) is not str:
        raise Unreadable(f'{where}: expected ["operator", ...], found {show(node)}')
    return node[0], node[1:]


def _each(condition: Condition, env: Environment, key: str, n: int) -> Iterator[Truth]:
    for j in range(n):
        env[key] = j
        yield condition(env)


def _implies(hypothesis: Truth, conclusion: Condition, env: Environment) -> Truth:
    if hypothesis is False:
        return True
    return logic.combine(True, (logic.negate(hypothesis), conclusion(env)))


def _decided(truths: Iterator[Truth]) -> Iterator[bool]:
    for truth in truths:
        if truth is None:
            raise Rejected("undecided: a condition that is counted")
        yield truth
