"""What a rule is given to decide, and how two statements are compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sympy import Eq, Ne

from ..antiderivative import Undecided
from ..normal_form import NormalForm
from ..setting import Setting
from ..sign import Known
from ..statement import (
    Connective,
    Quantified,
    Statement,
    is_order,
    ordered,
    substitute,
)


class Refused(Exception):
    """A rule does not accept a step.

    Args:
        left: what the rule started from.
        right: what it was to reach.
    """

    def __init__(self, left: Any, right: Any) -> None:
        super().__init__(f"{left} | {right}")
        self.left = str(left)
        self.right = str(right)


@dataclass(frozen=True)
class Judgement:
    """A step before it is decided.

    Args:
        setting: the letters.
        conclusion: what is to follow.
        premises: from what, in order.
        assumptions: the open hypotheses and assumptions that the premises rest on.
        parameters: what the rule needs besides: multipliers, a function, an index.
    """

    setting: Setting
    conclusion: Statement
    premises: tuple[Statement, ...] = ()
    assumptions: tuple[Statement, ...] = ()
    parameters: tuple[Any, ...] = ()

    @cached_property
    def known(self) -> Known:
        """Signs, given the premises."""
        return Known(self.setting, self.premises)

    @cached_property
    def form(self) -> NormalForm:
        """Normal forms, given the premises."""
        return NormalForm(self.setting, self.premises)

    def equal(self, left: Any, right: Any) -> bool:
        """Whether two expressions have the same normal form; refuse if that is undecided."""
        try:
            return self.form.equal(left, right)
        except Undecided as gap:
            raise Refused(left, f"{right} ({gap})") from gap

    def require_defined(self, expression: Any) -> None:
        """Refuse an expression whose denominators or logarithms are not decided to exist.

        Raises:
            Refused: one of them is not.
        """
        try:
            self.form.reduce(expression)
        except Undecided as gap:
            raise Refused(expression, f"defined ({gap})") from gap

    def same(self, one: Statement, other: Statement, form: NormalForm | None = None) -> bool:
        """Whether two statements say the same by the normal forms of their sides.

        Args:
            one: a statement.
            other: another.
            form: what is known where they stand, if that is not what is known here.
        """
        form = form or self.form
        if one == other:
            return True
        if isinstance(one, Eq | Ne) or is_order(one):
            return _same_relation(one, other, form)
        if type(one) is not type(other):
            return False
        if isinstance(one, Connective):
            return len(one.args) == len(other.args) and all(
                self.same(a, b, form) for a, b in zip(one.args, other.args, strict=True)
            )
        return self._same_quantified(one, other, form)

    def _same_quantified(self, one: Quantified, other: Quantified, form: NormalForm) -> bool:
        (i, low, high), (j, lower, upper) = one.limits, other.limits
        try:
            if not (form.equal(low, lower) and form.equal(high, upper)):
                return False
        except Undecided:
            return False
        if i != j and i in other.body.free_symbols:
            return False
        try:
            renamed = other.body if i == j else substitute(other.body, {j: i})
        except ValueError:
            return False
        return self.same(one.body, renamed, form.within(i, low, high))

    def require(self, condition: bool, left: Any, right: Any) -> None:
        """Refuse unless the condition holds.

        Raises:
            Refused: it does not.
        """
        if not condition:
            raise Refused(left, right)

    def premise(self, kind: Any, place: int = 0) -> Any:
        """The premise at a place, which must be of a kind.

        Raises:
            Refused: there is none or it is another kind.
        """
        if place >= len(self.premises) or not isinstance(self.premises[place], kind):
            names = getattr(kind, "__name__", str(kind))
            raise Refused(f"premise {place + 1} of kind {names}", self.conclusion)
        return self.premises[place]


def _same_relation(one: Statement, other: Statement, form: NormalForm) -> bool:
    try:
        if is_order(one) and is_order(other):
            (a, b, strict), (c, d, also) = ordered(one), ordered(other)
            return strict == also and form.equal(b - a, d - c)
        if type(one) is type(other):
            left, right = one.lhs - one.rhs, other.lhs - other.rhs
            return form.equal(left, right) or form.equal(left, -right)
    except Undecided:
        return False
    return False


@dataclass(frozen=True)
class Rule:
    """A decision procedure with a name.

    Args:
        name: as shown beside every step.
        decide: raises `Refused` unless the judgement's conclusion follows.
    """

    name: str
    decide: Callable[[Judgement], None]
