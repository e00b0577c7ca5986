"""Signs of real expressions from what is known of their parts.

Sums are judged term by term: a sum of positive terms over a range that is not empty is
positive, of nonnegative terms over a range that may be empty nonnegative. Known inequalities
and the ranges of the indices enter as assumptions on the parts that they name. What is left is
sympy's assumption system, which works by interval rules and never guesses: an answer None is a
refusal. Every step that uses a sign is also evaluated at concrete instances (`instance`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from sympy import Dummy, Eq, Expr, Limit, Product, Sum, Symbol, expand

from .setting import Setting
from .statement import is_order, ordered


class Known:
    """What is known of the signs in a setting.

    Args:
        setting: the letters and the ranges of the indices.
        facts: relations known to hold; other statements are ignored.

    Example:
        >>> from sympy import Sum, exp
        >>> from headproof.symbolic.derivations.setting import family, index, size
        >>> N, j, k, s = size("N"), index("j"), index("k"), family("s")
        >>> known = Known(Setting((N,), {j: (1, N), k: (1, N)}, families=(s,)))
        >>> known.positive(Sum(exp(s(j)), (j, 1, N)))
        True
        >>> known.positive(Sum(exp(s(j)), (j, 1, k - 1)))  # the range may be empty
        False
        >>> known.nonnegative(Sum(exp(s(j)), (j, 1, k - 1)))
        True
    """

    def __init__(self, setting: Setting, facts: Iterable[Any] = ()) -> None:
        """Collect the parts whose sign is given."""
        self._nonnegative: dict[Any, bool] = {}
        """part -> whether it is known to be positive (else nonnegative)."""
        for part in setting.nonnegative():
            self._learn(part, strict=False)
        for fact in facts:
            if is_order(fact):
                small, large, strict = ordered(fact)
                self._learn(large - small, strict=strict)
            elif isinstance(fact, Eq):
                self._learn(fact.lhs - fact.rhs, strict=False)
                self._learn(fact.rhs - fact.lhs, strict=False)

    def within(self, variable: Symbol, lower: Any, upper: Any) -> Known:
        """The same, with the range of one more index, which must not name the index itself."""
        wider = self.without(variable)
        wider._learn(variable - lower, strict=False)
        wider._learn(upper - variable, strict=False)
        return wider

    def above(self, variable: Symbol, lower: Any) -> Known:
        """The same for all integers from a lower end: such there are, whatever the upper end."""
        wider = self.without(variable)
        wider._learn(variable - lower, strict=False)
        return wider

    def below(self, variable: Symbol, upper: Any) -> Known:
        """The same for all integers up to an upper end."""
        wider = self.without(variable)
        wider._learn(upper - variable, strict=False)
        return wider

    def without(self, variable: Symbol) -> Known:
        """The same without what names a letter that is bound from here on."""
        return self._only(lambda part: variable not in part.free_symbols)

    def positive(self, e: Any) -> bool:
        """Whether ``e > 0`` is decided."""
        return self._decide(e, "is_positive")

    def nonnegative(self, e: Any) -> bool:
        """Whether ``e >= 0`` is decided."""
        return self._decide(e, "is_nonnegative")

    def nonzero(self, e: Any) -> bool:
        """Whether ``e != 0`` is decided."""
        return self.positive(e) or self.positive(-e) or self._decide(e, "is_nonzero")

    def _without_sums(self) -> Known:
        """What decides lengths: facts on sums would ask for the lengths of those, without end."""
        return self._only(lambda part: not part.has(Sum))

    def _only(self, kept: Callable[[Any], bool]) -> Known:
        fewer = Known.__new__(Known)
        fewer._nonnegative = {p: strict for p, strict in self._nonnegative.items() if kept(p)}
        return fewer

    def _learn(self, part: Any, *, strict: bool) -> None:
        if part.is_number:
            return
        self._nonnegative[part] = strict or self._nonnegative.get(part, False)

    def _decide(self, e: Any, question: str, *, shift: bool = True) -> bool:
        for form in (e, expand(e)):
            if getattr(self._abstract(form), question):
                return True
        if question == "is_nonzero" or not shift:
            return False
        for part, strict in self._nonnegative.items():
            rest = self._abstract(expand(e - part))
            if getattr(rest, question) or (strict and rest.is_nonnegative):
                return True
        return False

    def _abstract(self, e: Any) -> Any:
        """Replace every part whose sign is known by a letter that has this sign."""
        if isinstance(e, Product):  # what sympy makes of exp(Sum(..)) when it expands
            return Dummy(real=True)
        if e in self._nonnegative:
            return _letter(positive=self._nonnegative[e], integer=e.is_integer)
        if -e in self._nonnegative and not e.is_number:
            return -_letter(positive=self._nonnegative[-e], integer=e.is_integer)
        if isinstance(e, Sum):
            return self._abstract_sum(e)
        if isinstance(e, Limit) or not e.args:
            return e
        parts = [self._abstract(part) for part in e.args]
        return e if all(a is b for a, b in zip(parts, e.args, strict=True)) else e.func(*parts)

    def _abstract_sum(self, e: Any) -> Expr:
        variable, lower, upper = e.limits[-1]
        body = e.function if len(e.limits) == 1 else Sum(e.function, *e.limits[:-1])
        length = upper - lower + 1
        plain = self._without_sums()
        if not (lower.is_integer and upper.is_integer and plain.nonnegative(length)):
            return Dummy(real=True)
        inside = self.within(variable, lower, upper)
        for sign in (1, -1):  # no known part is split off within a sum: that would not end
            if inside._decide(sign * body, "is_positive", shift=False):
                return sign * _letter(positive=plain.positive(length))
            if inside._decide(sign * body, "is_nonnegative", shift=False):
                return sign * _letter(positive=False)
        return Dummy(real=True)


def _letter(*, positive: bool, integer: bool | None = None) -> Any:
    assumptions = {"integer": True} if integer else {"real": True}
    sign = {"positive": True} if positive else {"nonnegative": True}
    return Dummy(**assumptions, **sign)
