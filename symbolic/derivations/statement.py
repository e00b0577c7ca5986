"""Statements: relations between real expressions, connectives and bounded quantifiers.

sympy's own connectives sort their arguments and simplify on construction (``Le(0, exp(x))``
becomes ``True``), so a derivation could not show what it states. The classes here are inert:
they keep what they are given, in the order given. Relations are sympy's, built with
``evaluate=False``. Every substitution must therefore go through `substitute`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from sympy import Basic, Eq, Expr, Ge, Gt, Le, Limit, Lt, Ne, S, Sum, Symbol, Tuple, sympify
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

Statement: TypeAlias = Any
"""A sympy `Relational` or one of the connectives and quantifiers of this module."""


class Connective(Boolean):  # type: ignore[misc]
    """Statements joined, in the order given and never simplified."""

    _two = False

    def __new__(cls, *parts: Statement) -> Connective:
        """Join the statements."""
        if cls._two and len(parts) != 2:
            raise TypeError(f"{cls.__name__} joins two statements, found {len(parts)}")
        for part in parts:
            require_statement(part)
        return Boolean.__new__(cls, *parts)  # type: ignore[no-any-return]


class Conjunction(Connective):
    """All of the parts hold."""


class Disjunction(Connective):
    """One of the parts holds."""


class Implication(Connective):
    """If the first part holds, so does the second."""

    _two = True


class Equivalence(Connective):
    """Both parts hold or neither does."""

    _two = True


class Quantified(Boolean):  # type: ignore[misc]
    """A statement about the integers ``lower..upper``.

    Args:
        body: the statement about the index.
        limits: ``(index, lower, upper)``, both ends included, as in `sympy.Sum`.
    """

    def __new__(cls, body: Statement, limits: tuple[Any, Any, Any]) -> Quantified:
        """Bind the index."""
        require_statement(body)
        index, lower, upper = (sympify(part) for part in limits)
        return Boolean.__new__(cls, body, Tuple(index, lower, upper))  # type: ignore[no-any-return]

    @property
    def body(self) -> Statement:
        """The statement about the index."""
        return self.args[0]

    @property
    def limits(self) -> tuple[Symbol, Expr, Expr]:
        """Index, lower and upper end."""
        return tuple(self.args[1])

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols that are not bound here."""
        index, lower, upper = self.limits
        ends: set[Symbol] = lower.free_symbols | upper.free_symbols
        inner: set[Symbol] = self.body.free_symbols - {index}
        return inner | ends


class ForAll(Quantified):
    """The body holds for every integer of the range."""


class Exists(Quantified):
    """The body holds for some integer of the range."""


def eq(left: Any, right: Any) -> Statement:
    """``left = right``, not evaluated."""
    return Eq(sympify(left), sympify(right), evaluate=False)


def ne(left: Any, right: Any) -> Statement:
    """``left != right``, not evaluated."""
    return Ne(sympify(left), sympify(right), evaluate=False)


def le(left: Any, right: Any) -> Statement:
    """``left <= right``, not evaluated."""
    return Le(sympify(left), sympify(right), evaluate=False)


def lt(left: Any, right: Any) -> Statement:
    """``left < right``, not evaluated."""
    return Lt(sympify(left), sympify(right), evaluate=False)


def ge(left: Any, right: Any) -> Statement:
    """``left >= right``, not evaluated."""
    return Ge(sympify(left), sympify(right), evaluate=False)


def gt(left: Any, right: Any) -> Statement:
    """``left > right``, not evaluated."""
    return Gt(sympify(left), sympify(right), evaluate=False)


def require_statement(value: Any) -> None:
    """Refuse what is no statement of this module.

    Raises:
        TypeError: the value is another kind of object, ``True`` and ``False`` included.
    """
    if not isinstance(value, Relational | Connective | Quantified):
        raise TypeError(f"expected a relation, a connective or a quantifier, found {value!r}")


def is_order(statement: Statement) -> bool:
    """Whether the statement is an inequality (``<=``, ``<``, ``>=``, ``>``)."""
    return isinstance(statement, Le | Lt | Ge | Gt)


def ordered(statement: Statement) -> tuple[Expr, Expr, bool]:
    """The smaller side, the larger side, and whether the inequality is strict.

    Raises:
        TypeError: the statement is no inequality.

    Example:
        >>> from sympy import Symbol
        >>> ordered(gt(Symbol("x", real=True), 0))
        (0, x, True)
    """
    if isinstance(statement, Le | Lt):
        return statement.lhs, statement.rhs, isinstance(statement, Lt)
    if isinstance(statement, Ge | Gt):
        return statement.rhs, statement.lhs, isinstance(statement, Gt)
    raise TypeError(f"expected an inequality, found {statement}")


def substitute(statement: Statement, mapping: Mapping[Basic, Basic]) -> Statement:
    """Replace expressions in a statement without evaluating its relations.

    An index that is bound in the statement is not replaced within its scope. A replacement
    that would be captured by a quantifier or a sum is refused.

    Raises:
        ValueError: a replacement contains an index that is bound where it would be put.

    Example:
        >>> from sympy import Symbol
        >>> x = Symbol("x", real=True)
        >>> substitute(le(0, x), {x: 1})
        0 <= 1
    """
    if isinstance(statement, Relational):
        sides = (replace(side, mapping) for side in statement.args)
        return statement.func(*sides, evaluate=False)
    if isinstance(statement, Connective):
        return statement.func(*(substitute(part, mapping) for part in statement.args))
    index, lower, upper = statement.limits
    inner = {old: sympify(new) for old, new in mapping.items() if old != index}
    _refuse_capture(index, inner, statement.body)
    ends = replace(lower, mapping), replace(upper, mapping)
    return statement.func(substitute(statement.body, inner), (index, *ends))


def replace(expression: Any, mapping: Mapping[Basic, Basic]) -> Any:
    """Replace parts of an expression; bound indices of sums are left alone.

    Raises:
        ValueError: a replacement would be captured by a sum, an index stands both free and
            bound, or the result leaves the real numbers.
    """
    mapping = {old: sympify(new) for old, new in mapping.items()}
    bound = bound_indices(expression)
    if any(old in bound for old in mapping):
        raise ValueError("an index is used both free and bound: rename one of them")
    for letter in bound:
        _refuse_capture(letter, mapping, expression)
    value = expression.xreplace(mapping)
    if value.has(S.NaN, S.ComplexInfinity, S.Infinity, S.NegativeInfinity):
        raise ValueError(f"the replacement leaves the real numbers: {value}")
    return value


def scopes(statement: Statement) -> Iterator[tuple[Any, ...]]:
    """The limits of all sums and quantifiers of a statement: letter and ends."""
    for part in statement.atoms(Sum):
        yield from map(tuple, part.limits)
    for part in statement.atoms(Quantified):
        yield part.limits


def bound_indices(expression: Any) -> set[Symbol]:
    """The symbols that are bound somewhere in an expression (by a sum or a limit)."""
    found: set[Symbol] = set()
    for part in expression.atoms(Sum, Limit):
        found |= set(part.bound_symbols) if isinstance(part, Sum) else {part.args[1]}
    return found


def _refuse_capture(index: Symbol, mapping: Mapping[Basic, Basic], scope: Any) -> None:
    for old, new in mapping.items():
        if index in new.free_symbols and old != index and _occurs(old, scope):
            raise ValueError(f"{new} would be captured by the bound index {index}")


def _occurs(old: Basic, scope: Any) -> bool:
    return any(part == old for part in _walk(scope))


def _walk(node: Any) -> Any:
    yield node
    for part in node.args:
        yield from _walk(part)
