"""Evaluation of statements at concrete small sizes: the cross-check of every derivation step.

A rule that accepts a false step would make everything after it worthless, and the rules rest on
sympy. So each step is also evaluated at instances: sizes 1 to 4, rational numbers, hypotheses
satisfied. Rational arithmetic is exact; exp and log are taken by mpmath at 60 digits in a
context of its own. Nothing here shares code with the normal form or with sympy's evaluation.
An instance can refute a step; it proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from random import Random
from typing import Any, TypeAlias

import mpmath
from sympy import Abs, Eq, Limit, Ne, Pow, Rational, S, Sum, Symbol, exp, log
from sympy.core.function import AppliedUndef

from .setting import Setting
from .statement import (
    Conjunction,
    Disjunction,
    Equivalence,
    ForAll,
    Implication,
    Statement,
    is_order,
    ordered,
)

DIGITS = 60
_MP = mpmath.MPContext()
_MP.dps = DIGITS
_CLOSE = _MP.mpf(10) ** -40
"""Relative distance below which two high-precision numbers count as equal."""
_NEAR, _NEARER = Fraction(1, 10**3), Fraction(1, 10**6)
"""Where a limit at 0+ is evaluated."""
_TOLERANCE = _MP.mpf(10) ** -3
"""How close to its limit a function must be at the nearer of the two."""

_SAID = (
    "is_positive",
    "is_nonnegative",
    "is_negative",
    "is_nonpositive",
    "is_nonzero",
    "is_integer",
)
_TRIES = 1000

Value: TypeAlias = Any
"""A Fraction where exact, an mpf of DIGITS digits otherwise."""
Table: TypeAlias = Callable[..., Fraction]
"""A family at an instance: index values -> its value."""


@dataclass(frozen=True)
class Choice:
    """What a derivation fixes of an instance; the rest is drawn at random.

    Args:
        letters: symbol -> value, sizes and indices included.
        families: name -> its values.
    """

    letters: Mapping[Symbol, Fraction | int] = field(default_factory=dict)
    families: Mapping[str, Table] = field(default_factory=dict)


Sampler: TypeAlias = Callable[[Random], Choice]
"""Draws a choice that satisfies the hypotheses (or often does)."""


class Undefined(ArithmeticError):
    """A statement has no value at an instance: a division by zero, log of no positive number."""


@dataclass(frozen=True)
class Instance:
    """Concrete values for all the letters of a setting.

    Args:
        letters: symbol -> value.
        families: name -> its values.
    """

    letters: Mapping[Symbol, Any]
    families: Mapping[str, Table]

    @classmethod
    def draw(cls, setting: Setting, random: Random, choose: Sampler | None = None) -> Instance:
        """Draw an instance: sizes 1 to 4, indices in their ranges, small rationals."""
        choice = choose(random) if choose else Choice()
        letters: dict[Symbol, Any] = {}
        for size in setting.sizes:
            letters[size] = int(choice.letters.get(size, random.randint(1, 4)))
        for real in setting.reals:
            letters[real] = Fraction(choice.letters.get(real, _drawn(real, random)))
        families = dict(choice.families)
        seed = random.getrandbits(64)
        for made in setting.families:
            families.setdefault(made.__name__, _table(made, seed))
        for index, (lower, upper) in setting.ranges.items():
            so_far = cls(letters, families)
            low, high = (int(value(end, so_far)) for end in (lower, upper))
            letters[index] = int(choice.letters.get(index, random.randint(low, high)))
        return cls(letters, families)

    def at(self, letter: Symbol, number: Any) -> Instance:
        """The same with one letter changed."""
        return Instance({**self.letters, letter: number}, self.families)

    def describe(self) -> str:
        """The letters and their values, for messages."""
        return ", ".join(f"{letter} = {number}" for letter, number in self.letters.items())


def rational(random: Random, *, positive: bool = False) -> Fraction:
    """A small rational number, of so few that ties are frequent: numerator to 3, halves."""
    return Fraction(random.randint(1 if positive else -3, 3), random.randint(1, 2))


def _drawn(real: Symbol, random: Random) -> Fraction:
    """A small rational number of which everything is true that the letter's assumptions say."""
    for _ in range(_TRIES):
        drawn = rational(random, positive=bool(real.is_positive))
        number = Rational(drawn.numerator, drawn.denominator)
        if all(getattr(real, said) in (None, getattr(number, said)) for said in _SAID):
            return drawn
    raise ValueError(f"no small rational number is what {real} is said to be")


def _table(made: Any, seed: int) -> Table:
    nonnegative, positive = made(S.One).is_nonnegative, made(S.One).is_positive

    def look_up(*indices: int) -> Fraction:
        drawn = rational(Random(f"{seed}:{made.__name__}:{indices}"))
        return (abs(drawn) or Fraction(positive or 0)) if nonnegative else drawn

    return look_up


def value(e: Any, at: Instance) -> Value:
    """The value of an expression at an instance.

    Raises:
        Undefined: a division by zero, or log of a number that is not positive.
    """
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if e.is_Symbol:
        return Fraction(at.letters[e])
    if e.is_Add:
        total: Value = Fraction(0)
        for part in e.args:
            total = _add(total, value(part, at))
        return total
    if e.is_Mul:
        product: Value = Fraction(1)
        for part in e.args:
            product = _multiply(product, value(part, at))
        return product
    if isinstance(e, Sum):
        return _sum(e, at)
    if isinstance(e, AppliedUndef):
        return at.families[e.func.__name__](*(int(value(part, at)) for part in e.args))
    if isinstance(e, exp) or e is S.Exp1:
        return _MP.exp(_float(value(e.args[0], at) if e.args else Fraction(1)))
    if isinstance(e, log):
        argument = value(e.args[0], at)
        if argument <= 0:
            raise Undefined(f"log of {argument}")
        return Fraction(0) if argument == 1 else _MP.log(_float(argument))
    if isinstance(e, Abs):
        return abs(value(e.args[0], at))
    if isinstance(e, Pow):
        return _power(value(e.args[0], at), value(e.args[1], at))
    raise NotImplementedError(f"no evaluation for {e.func.__name__}: {e}")


def holds(statement: Statement, at: Instance) -> bool:
    """Whether a statement holds at an instance.

    Raises:
        Undefined: it has no value there.
    """
    if isinstance(statement, Eq | Ne):
        return _equal(statement.lhs, statement.rhs, at) != isinstance(statement, Ne)
    if is_order(statement):
        small, large, strict = ordered(statement)
        low, high = value(small, at), value(large, at)
        if _close(low, high):
            return not strict
        return bool(_add(high, -low) > 0)
    if isinstance(statement, Conjunction):
        return all(holds(part, at) for part in statement.args)
    if isinstance(statement, Disjunction):
        return any(holds(part, at) for part in statement.args)
    if isinstance(statement, Implication):
        return not holds(statement.args[0], at) or holds(statement.args[1], at)
    if isinstance(statement, Equivalence):
        return holds(statement.args[0], at) == holds(statement.args[1], at)
    index, lower, upper = statement.limits
    cases = (holds(statement.body, at.at(index, n)) for n in _range(lower, upper, at))
    return all(cases) if isinstance(statement, ForAll) else any(cases)


def _range(lower: Any, upper: Any, at: Instance) -> range:
    return range(int(value(lower, at)), int(value(upper, at)) + 1)


def _sum(e: Any, at: Instance) -> Value:
    def instances(limits: Any, outer: Instance) -> Iterator[Instance]:
        if not limits:
            yield outer
            return
        index, lower, upper = limits[-1]
        for n in _range(lower, upper, outer):
            yield from instances(limits[:-1], outer.at(index, n))

    total: Value = Fraction(0)
    for inner in instances(e.limits, at):
        total = _add(total, value(e.function, inner))
    return total


def _equal(left: Any, right: Any, at: Instance) -> bool:
    if isinstance(left, Limit):
        return _tends(left, right, at)
    if isinstance(right, Limit):
        return _tends(right, left, at)
    return _close(value(left, at), value(right, at))


def _tends(limit: Any, target: Any, at: Instance) -> bool:
    """Whether the values near 0+ approach the target at least linearly."""
    body, letter, point, _ = limit.args
    if point != 0:
        raise NotImplementedError("only limits at 0 are evaluated")
    goal = value(target, at)
    far, near = (abs(_float(_add(value(body, at.at(letter, t)), -goal))) for t in (_NEAR, _NEARER))
    return bool(near <= _TOLERANCE and near <= far + _CLOSE)


def _close(a: Value, b: Value) -> bool:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return a == b
    x, y = _float(a), _float(b)
    return bool(abs(x - y) <= _CLOSE * max(1, abs(x), abs(y)))


def _power(base: Value, exponent: Value) -> Value:
    integer = isinstance(exponent, Fraction) and exponent.denominator == 1
    if base == 0 and exponent < 0:
        raise Undefined("division by zero")
    if integer:
        return base ** int(exponent)
    if base < 0:
        raise Undefined(f"{base} to a power that is no integer")
    return _MP.power(_float(base), _float(exponent))


def _add(a: Value, b: Value) -> Value:
    return a + b if isinstance(a, Fraction) == isinstance(b, Fraction) else _float(a) + _float(b)


def _multiply(a: Value, b: Value) -> Value:
    return a * b if isinstance(a, Fraction) == isinstance(b, Fraction) else _float(a) * _float(b)


def _float(a: Value) -> Any:
    return _MP.mpf(a.numerator) / a.denominator if isinstance(a, Fraction) else a
