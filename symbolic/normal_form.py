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
from itertools import permutations
from math import gcd, lcm
from typing import Any

from sympy import (
    Add,
    Dummy,
    Expr,
    Function,
    Integer,
    Mul,
    Pow,
    Rational,
    S,
    Sum,
    Symbol,
    Tuple,
    default_sort_key,
    exp,
    expand,
    factorint,
    fraction,
    log,
    sympify,
    together,
)
from sympy.core.function import AppliedUndef

from .setting import Setting
from .sign import Known

_MOST_SHIFTS = 64
_MOST_INDICES = 4


class Undecided(Exception):
    """The normal form does not reach: carries a sentence that says what is missing."""


class Exponential(Function):  # type: ignore[misc]
    """exp of one term, inert: sympy must not merge it with others."""

    is_real = True
    is_positive = True


class Logarithm(Function):  # type: ignore[misc]
    """log of a positive normal form that does not factor, inert."""

    is_real = True


class Total(Expr):  # type: ignore[misc]
    """The formal antiderivative of ``body`` in its bound indices, at the given upper ends."""

    is_commutative = True
    is_real = True

    @property
    def free_symbols(self) -> set[Symbol]:
        """The symbols that are not bound here."""
        body, bound, ends = self.args
        inner: set[Symbol] = body.free_symbols - set(bound)
        outer: set[Symbol] = ends.free_symbols
        return inner | outer


class NormalForm:
    """Normal forms in one setting.

    Args:
        setting: the letters.
        facts: relations known to hold, which decide that denominators do not vanish.

    Example:
        >>> from sympy import Sum
        >>> from headproof.symbolic.setting import family, index, size
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

    def equal(self, left: Any, right: Any) -> bool:
        """Whether both sides have the same normal form.

        Raises:
            Undecided: a denominator or the argument of a logarithm has no decided sign.
        """
        return self.zero(self.reduce(sympify(left)) - self.reduce(sympify(right)))

    @staticmethod
    def zero(reduced: Any) -> bool:
        """Whether a combination of reduced expressions is 0."""
        numerator, _ = fraction(together(_expand(reduced)))
        return bool(_expand(numerator) == 0)

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
            return _expand(e.func(*(self.reduce(part) for part in e.args)))
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
        if e.func.__name__ in ("Limit", "Abs"):
            return e
        raise Undecided(f"no normal form for {e.func.__name__}: {e}")

    def _power(self, e: Any) -> Any:
        base, exponent = e.args
        if not exponent.is_Integer:
            raise Undecided(f"only integer powers have a normal form: {e}")
        if exponent < 0 and not self._known.nonzero(base):
            raise Undecided(f"the denominator is not decided nonzero: {base}")
        inner = self.reduce(base)
        if exponent < 0 and inner == 0:
            raise Undecided(f"the denominator is zero: {base}")
        return _expand(inner**exponent)

    def _sum(self, e: Any) -> Any:
        known = self._known
        inside = []  # what is known outside each sum, the outermost first
        for limit in reversed(e.limits):  # inner ranges may name outer indices
            inside.append(self._known)
            self._known = self._known.within(*limit)
        try:
            value = self.reduce(e.function)
        finally:
            self._known = known
        for variable, lower, upper in e.limits:
            if not (lower.is_integer and upper.is_integer):
                raise Undecided(f"the ends of the range are not integers: {lower}, {upper}")
            if not inside.pop().nonnegative(upper - lower + 1):
                raise Undecided(f"the range {lower}..{upper} is not decided to exist")
            low, high = self.reduce(lower), self.reduce(upper + 1)
            value = _antiderivative(value, variable, high) - _antiderivative(value, variable, low)
        return _expand(value)


def _expand(e: Any) -> Any:
    return expand(e, power_base=False, power_exp=False, log=False, basic=False)


def _exponential(exponent: Any) -> Any:
    factors = []
    for term in Add.make_args(_expand(exponent)):
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
    argument = _expand(argument)
    terms = [term.as_coeff_Mul() for term in Add.make_args(argument)]
    common = lcm(*(int(c.q) for c, _ in terms))
    content = Rational(gcd(*(int(c * common) for c, _ in terms)), common)
    if content == 0:
        raise Undecided("the argument of log has normal form 0")
    powers = [dict(rest.as_powers_dict()) for _, rest in terms]
    value = _log_rational(content)
    rest = argument / content
    for base in sorted({b for p in powers for b in p if b.is_positive}, key=default_sort_key):
        least = min((p.get(base, S.Zero) for p in powers), key=lambda n: n if n.is_Rational else 0)
        if least.is_Rational and least != 0:
            value += least * (base.args[0] if isinstance(base, Exponential) else Logarithm(base))
            rest = rest * base**-least
    rest = _expand(rest)
    if rest == 1:
        return value
    if rest.is_Pow and rest.exp.is_Integer and rest.exp % 2:
        return value + rest.exp * _logarithm(rest.base)
    return value + Logarithm(rest)


def _log_rational(value: Any) -> Any:
    parts = [n * Logarithm(Integer(p)) for p, n in factorint(value.p).items()]
    parts += [-n * Logarithm(Integer(p)) for p, n in factorint(value.q).items()]
    return Add(*parts)


def _antiderivative(body: Any, variable: Symbol, end: Any) -> Any:
    """F(end), where F is the antiderivative of the reduced ``body``; linear in the body."""
    total = S.Zero
    for term in Add.make_args(_expand(body)):
        constant, rest = term.as_independent(variable, as_Add=False)
        if variable in constant.free_symbols:
            raise Undecided(f"cannot separate {variable} in {term}")
        total += constant * _of_product(rest, variable, end)
    return total


def _of_product(product: Any, variable: Symbol, end: Any) -> Any:
    """F(end) for a product that depends on the variable in every factor."""
    if product == 1:
        return end
    box: list[tuple[Symbol, Any]] = [(variable, end)]
    factors = []
    for factor in Mul.make_args(product):
        base, exponent = factor.as_base_exp()
        mergeable = (
            isinstance(base, Total)
            and variable not in base.args[2].free_symbols
            and exponent.is_Integer
            and 0 < exponent <= _MOST_INDICES
        )
        if not mergeable:
            factors.append(factor)
            continue
        inner, bound, ends = base.args
        for _ in range(int(exponent)):
            fresh = [Dummy(integer=True) for _ in bound]
            factors.append(inner.xreplace(dict(zip(bound, fresh, strict=True))))
            box += list(zip(fresh, ends, strict=True))
    return _box(Mul(*factors), box)


def _box(body: Any, box: list[tuple[Symbol, Any]]) -> Any:
    """The iterated antiderivative of a body in several independent indices."""
    total = S.Zero
    for term in Add.make_args(_expand(body)):
        value = S.One
        groups: list[tuple[set[Symbol], list[Any]]] = []
        variables = {v for v, _ in box}
        for factor in Mul.make_args(term):
            used = factor.free_symbols & variables
            touching = [g for g in groups if g[0] & used]
            if not used:
                value *= factor
                continue
            groups = [g for g in groups if g not in touching]
            symbols = used.union(*(g[0] for g in touching))
            groups.append((symbols, [f for g in touching for f in g[1]] + [factor]))
        covered = set().union(*(g[0] for g in groups))
        for variable, end in box:
            if variable not in covered:
                value *= end  # the antiderivative of 1
        for symbols, factors in groups:
            value *= _shifted(Mul(*factors), [(v, u) for v, u in box if v in symbols])
        total += value
    return total


def _shifted(body: Any, box: list[tuple[Symbol, Any]]) -> Any:
    """Bring every end to the form ``base + 1`` by F(u + 1) = F(u) + f(u)."""
    for place, (variable, end) in enumerate(box):
        offset, base = end.as_coeff_Add()
        if not offset.is_Integer:
            raise Undecided(f"the end {end} has no integer offset")
        if offset == 1:
            continue
        if abs(offset - 1) > _MOST_SHIFTS:
            raise Undecided(f"more than {_MOST_SHIFTS} single terms at {end}")
        others = box[:place] + box[place + 1 :]
        moved = [*box[:place], (variable, base + 1), *box[place + 1 :]]
        sign = 1 if offset > 1 else -1
        points = range(1, int(offset)) if offset > 1 else range(int(offset), 1)
        value = _shifted(body, moved)
        for point in points:
            single = body.xreplace({variable: base + point})
            if single.has(S.NaN, S.ComplexInfinity):
                raise Undecided(f"{body} is not defined at {variable} = {base + point}")
            value += sign * _box(single, others)
        return value
    return _canonical(body, box)


def _canonical(body: Any, box: list[tuple[Symbol, Any]]) -> Any:
    """Name the bound indices so that renaming and exchanging them makes no difference."""
    if len(box) > _MOST_INDICES:
        raise Undecided(f"more than {_MOST_INDICES} indices summed over one product: {body}")
    level = max((_level(part) for part in body.atoms(Total)), default=0)
    names = [Symbol(f"_{level + n + 1}", integer=True) for n in range(len(box))]
    candidates = []
    for order in permutations(box):
        renamed = body.xreplace({v: name for (v, _), name in zip(order, names, strict=True)})
        candidates.append(Total(renamed, Tuple(*names), Tuple(*(u for _, u in order))))
    return min(candidates, key=default_sort_key)


def _level(total: Any) -> int:
    return max(int(name.name[1:]) for name in total.args[1])
