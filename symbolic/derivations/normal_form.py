"""Normal form of real expressions that contain finite sums with symbolically many terms.

Two expressions are equal when the numerator of their difference has normal form 0. Why this
form: sympy's ``simplify`` is a heuristic, and it does not know how to split a sum over 1..N at
an index k. Here every sum is replaced by its formal antiderivative,

    Sum(f(j), (j, a, b)) = F(b + 1) - F(a),    F(u + 1) = F(u) + f(u),

which is what a finite sum satisfies (the length b - a + 1 must be decided >= 0), so that
splitting and merging ranges, single terms split off and renamed indices are decided by
linear algebra over the symbols F(u). F is linear in f, constants are pulled out, sums of
products with separate indices factor, and independent sums commute. Logarithms of products of
positive factors split, exponentials of sums split, exp(log x) = x.

Soundness: each rewriting is an identity of real numbers wherever both sides are defined;
denominators must be decided nonzero and arguments of logarithms positive before anything is
cancelled. Incompleteness only refuses true equalities: Riemann-type identities between
different summands (sum of j = N(N+1)/2) are not decided. Cost: expansion of polynomials.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import gcd, lcm
from typing import Any

from sympy import (
    Add,
    Function,
    Integer,
    Limit,
    Mul,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    default_sort_key,
    exp,
    factorint,
    fraction,
    log,
    sympify,
    together,
)
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from .antiderivative import Undecided, antiderivative, expanded
from .setting import Setting
from .sign import Known
from .statement import Quantified


class Exponential(Function):  # type: ignore[misc]
    """exp of one term, inert: sympy must not merge it with others."""

    is_real = True
    is_positive = True


class Logarithm(Function):  # type: ignore[misc]
    """log of a positive normal form that does not factor, inert."""

    is_real = True


class NormalForm:
    """Normal forms in one setting.

    Args:
        setting: the letters.
        facts: relations known to hold, which decide that denominators do not vanish.

    Example:
        >>> from sympy import Sum
        >>> from headproof.symbolic.derivations.setting import family, index, size
        >>> N, j, k, s = size("N"), index("j"), index("k"), family("s")
        >>> form = NormalForm(Setting((N,), {j: (1, N), k: (1, N)}, families=(s,)))
        >>> split = Sum(s(j), (j, 1, k - 1)) + s(k) + Sum(s(j), (j, k + 1, N))
        >>> form.equal(Sum(s(j), (j, 1, N)), split)
        True
        >>> form.equal(Sum(s(j), (j, 1, N)), split - s(k))
        False
    """

    def __init__(self, setting: Setting, facts: Iterable[Any] = ()) -> None:
        """Remember what decides the signs."""
        self._known = Known(setting, facts)

    def within(self, variable: Symbol, lower: Any, upper: Any) -> NormalForm:
        """The same with the range of one more index; facts that name it are dropped."""
        return self._knowing(self._known.within(variable, lower, upper))

    def without(self, variable: Symbol) -> NormalForm:
        """The same where a letter is bound: facts that name it are dropped."""
        return self._knowing(self._known.without(variable))

    @staticmethod
    def _knowing(known: Known) -> NormalForm:
        form = NormalForm.__new__(NormalForm)
        form._known = known
        return form

    def equal(self, left: Any, right: Any) -> bool:
        """Whether both sides have the same normal form.

        Raises:
            Undecided: a denominator or the argument of a logarithm has no decided sign.
        """
        return self.zero(self.reduce(sympify(left)) - self.reduce(sympify(right)))

    @staticmethod
    def zero(reduced: Any) -> bool:
        """Whether a combination of reduced expressions is 0."""
        numerator, _ = fraction(together(expanded(reduced)))
        return bool(expanded(numerator) == 0)

    def reduce(self, e: Any) -> Any:
        """Rewrite an expression as a polynomial in atoms, denominators and antiderivatives.

        Raises:
            Undecided: see the class.
        """
        if e.is_Rational or e.is_Symbol:
            return e
        if e is S.Exp1:
            return Exponential(S.One)
        if e.is_Add or e.is_Mul:
            return expanded(e.func(*(self.reduce(part) for part in e.args)))
        if isinstance(e, exp):
            return _exponential(self.reduce(e.args[0]))
        if isinstance(e, log):
            if not self._known.positive(e.args[0]):
                raise Undecided(f"the argument of log is not decided positive: {e.args[0]}")
            return _logarithm(self.reduce(e.args[0]))
        if isinstance(e, Pow):
            return self._power(e)
        if isinstance(e, Sum):
            return self._sum(e)
        if isinstance(e, AppliedUndef):
            return e.func(*(self.reduce(part) for part in e.args))
        raise Undecided(f"no normal form for {e.func.__name__}: {e}")

    def defined(self, statement: Any) -> None:
        """Decide that both sides of every relation in a statement exist.

        Raises:
            Undecided: a denominator or the argument of a logarithm has no decided sign.
        """
        if isinstance(statement, Relational):
            for side in statement.args:
                if isinstance(side, Limit):
                    self.without(side.args[1]).reduce(side.args[0])
                else:
                    self.reduce(side)
            return
        if isinstance(statement, Quantified):
            for end in statement.limits[1:]:
                self.reduce(end)
            self.within(*statement.limits).defined(statement.body)
            return
        for part in statement.args:
            self.defined(part)

    def _power(self, e: Any) -> Any:
        base, exponent = e.args
        if not exponent.is_Integer:
            raise Undecided(f"only integer powers have a normal form: {e}")
        if exponent < 0 and not self._known.nonzero(base):
            raise Undecided(f"the denominator is not decided nonzero: {base}")
        inner = self.reduce(base)
        if exponent < 0 and inner == 0:
            raise Undecided(f"the denominator is zero: {base}")
        return expanded(inner**exponent)

    def _sum(self, e: Any) -> Any:
        variable, lower, upper = e.limits[-1]  # the outermost: inner ranges may name its index
        body = e.function if len(e.limits) == 1 else Sum(e.function, *e.limits[:-1])
        if not (lower.is_integer and upper.is_integer):
            raise Undecided(f"the ends of the range are not integers: {lower}, {upper}")
        if not self._known.nonnegative(upper - lower + 1):
            raise Undecided(f"the range {lower}..{upper} is not decided to exist")
        value = self._summand(body, variable, lower, upper)
        low, high = self.reduce(lower), self.reduce(upper + 1)
        return expanded(
            antiderivative(value, variable, high) - antiderivative(value, variable, low)
        )

    def _summand(self, body: Any, variable: Symbol, lower: Any, upper: Any) -> Any:
        """Reduce the body of a sum; its factors will be pulled out, so they must exist outside.

        That an index lies between both ends says that the range is not empty, and 1/(k - 1) may
        exist only then. If the range may be empty, one of the ends must do.
        """
        known = self._known
        if known.positive(upper - lower + 1):
            return self._knowing(known.within(variable, lower, upper)).reduce(body)
        try:
            return self._knowing(known.above(variable, lower)).reduce(body)
        except Undecided:
            return self._knowing(known.below(variable, upper)).reduce(body)


def _exponential(exponent: Any) -> Any:
    factors = []
    for term in Add.make_args(expanded(exponent)):
        multiple, rest = term.as_coeff_Mul()
        if not multiple.is_Rational:
            multiple, rest = S.One, term
        if multiple == 0:
            continue
        base = rest.args[0] if isinstance(rest, Logarithm) else Exponential(rest)
        factors.append(base**multiple)
    return Mul(*factors)


def _logarithm(argument: Any) -> Any:
    """Pull the positive content out of a positive normal form."""
    argument = expanded(argument)
    terms = [term.as_coeff_Mul() for term in Add.make_args(argument)]
    common = lcm(*(int(c.q) for c, _ in terms))
    content = Rational(gcd(*(int(c * common) for c, _ in terms)), common)
    if content == 0:
        raise Undecided("the argument of log has normal form 0")
    powers = [dict(rest.as_powers_dict()) for _, rest in terms]
    value = _log_rational(content)
    rest = argument / content
    for base in sorted(
        {b for p in powers for b in p if b.is_positive and not b.is_Number}, key=default_sort_key
    ):
        least = min((p.get(base, S.Zero) for p in powers), key=lambda n: n if n.is_Rational else 0)
        if least.is_Rational and least != 0:
            value += least * (base.args[0] if isinstance(base, Exponential) else Logarithm(base))
            rest = rest * base**-least
    rest = expanded(rest)
    if rest == 1:
        return value
    if rest.is_Pow and rest.exp.is_Integer and rest.exp % 2:
        return value + rest.exp * _logarithm(rest.base)
    return value + Logarithm(rest)


def _log_rational(value: Any) -> Any:
    parts = [n * Logarithm(Integer(p)) for p, n in factorint(value.p).items() if p > 1]
    parts += [-n * Logarithm(Integer(p)) for p, n in factorint(value.q).items() if p > 1]
    return Add(*parts)
