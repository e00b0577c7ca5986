"""What an expression of a derivation may be made of.

The rules decide signs by sympy's assumptions. What sympy believes of a letter must therefore be
true of it: a declared letter is what the setting says, a bound index an integer of which nothing
else is known, and a number rational (or e). Everything that enters a step is read here, its
parameters included: with the imaginary unit as an argument 0 <= (b - a)^2 would be -1.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from sympy import Expr, Lambda, Number, NumberSymbol, S, Symbol
from sympy.core.function import AppliedUndef
from sympy.core.numbers import ComplexInfinity, ImaginaryUnit

from .setting import Setting, index
from .statement import scopes


def faults(
    expression: Any, setting: Setting, bound: Iterable[Symbol] = ()
) -> Iterator[tuple[str, str]]:
    """What is wrong with the letters and numbers of a statement or an expression.

    Args:
        expression: a statement, an expression, or ``Lambda(x, ..)``.
        setting: the letters.
        bound: further letters that it may name.

    Yields:
        What was expected and what was found.

    Example:
        >>> from sympy import I, Sum
        >>> from headproof.symbolic.derivations.setting import size
        >>> N, j = size("N"), Symbol("j", integer=True, positive=True)
        >>> list(faults(Sum(j, (j, 1, N)), Setting((N,), {})))
        [('plain bound indices', 'j with assumptions of its own')]
        >>> list(faults(N + I, Setting((N,), {})))
        [('rational numbers', 'I')]
    """
    unknown = expression.free_symbols - setting.letters() - set(bound)
    unknown |= {f.func for f in expression.atoms(AppliedUndef)} - set(setting.families)
    if unknown:
        yield "declared letters", ", ".join(sorted(map(str, unknown)))
    numbers = expression.atoms(Number, NumberSymbol, ImaginaryUnit, ComplexInfinity)
    for number in sorted(map(str, (n for n in numbers if not n.is_Rational and n is not S.Exp1))):
        yield "rational numbers", number
    for letter, *ends in scopes(expression):
        if letter != index(str(letter)):
            yield "plain bound indices", f"{letter} with assumptions of its own"
        if len(ends) != 2 or any(letter in end.free_symbols for end in ends):
            found = f"{letter} from {' to '.join(map(str, ends))}"
            yield "a range between other letters", found


def is_parameter(value: Any) -> bool:
    """Whether a value is an expression or a function, as the parameters of rules are."""
    return isinstance(value, Expr) or (isinstance(value, Lambda) and isinstance(value.expr, Expr))
