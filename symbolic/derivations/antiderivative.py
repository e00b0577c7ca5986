"""Formal antiderivatives: what a finite sum becomes in a normal form.

F(end) stands for the antiderivative of a body in an index, F(u + 1) = F(u) + f(u). It is linear,
constants are pulled out, the antiderivative of 1 is u. Products of antiderivatives are merged
into one in several independent indices, factored where the indices separate, and the indices
named in a canonical order, so that exchanging and renaming them makes no difference.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

from sympy import Add, Dummy, Expr, Mul, S, Symbol, Tuple, default_sort_key, expand

_MOST_SHIFTS = 64
_MOST_INDICES = 4
_OURS = 2**64
"""Beyond the numbers of sympy's own dummy letters, which start below 10^7 and count up."""


class Undecided(Exception):
    """The normal form does not reach: carries a sentence that says what is missing."""


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


def expanded(e: Any) -> Any:
    """Multiply out, and nothing else."""
    return expand(e, power_base=False, power_exp=False, log=False, basic=False)


def antiderivative(body: Any, variable: Symbol, end: Any) -> Any:
    """F(end), where F is the antiderivative of the reduced ``body``; linear in the body.

    Raises:
        Undecided: a term mixes the variable into what should be constant.
    """
    total = S.Zero
    for term in Add.make_args(expanded(body)):
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
    for term in Add.make_args(expanded(body)):
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
            value += sign * _box(_settled(single), others)
        return value
    return _canonical(body, box)


def _settled(e: Any) -> Any:
    """The same after a letter was replaced: ends that moved with it are of the form base + 1 again.

    The end of an inner range may name the outer index, as in a sum over all pairs i < j.
    """
    moved = {}
    for total in e.atoms(Total):
        body, bound, ends = total.args
        if any(end.as_coeff_Add()[0] != 1 for end in ends):
            moved[total] = _box(body, list(zip(bound, ends, strict=True)))
    return e.xreplace(moved)


def _canonical(body: Any, box: list[tuple[Symbol, Any]]) -> Any:
    """Name the bound indices so that renaming and exchanging them makes no difference."""
    if len(box) > _MOST_INDICES:
        raise Undecided(f"more than {_MOST_INDICES} indices summed over one product: {body}")
    level = max((_level(part) for part in body.atoms(Total)), default=0)
    names = [_bound(level + n + 1) for n in range(len(box))]
    candidates = []
    for order in permutations(box):
        renamed = body.xreplace({v: name for (v, _), name in zip(order, names, strict=True)})
        candidates.append(Total(renamed, Tuple(*names), Tuple(*(u for _, u in order))))
    return min(candidates, key=default_sort_key)


def _bound(level: int) -> Dummy:
    """The index bound at a level: equal at equal levels, and no letter that anyone can declare."""
    return Dummy(f"_{level}", dummy_index=_OURS + level, integer=True)


def _level(total: Any) -> int:
    return max(int(name.name[1:]) for name in total.args[1])
