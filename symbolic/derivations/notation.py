"""How statements are written: as text and as LaTeX, with the abbreviations of a derivation.

One traversal serves both: a `Style` holds the words and the expression printer. Abbreviations
are applied to whole subexpressions and to parts of sums and products; what is shown is always
equal to what was decided, and the definitions are listed with the derivation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sympy import Add, Eq, Lambda, Mul, Ne, Sum, Symbol
from sympy.printing.latex import LatexPrinter
from sympy.printing.str import StrPrinter

from .setting import Setting
from .statement import (
    Conjunction,
    Connective,
    Disjunction,
    Equivalence,
    ForAll,
    Implication,
    Statement,
    ge,
    gt,
    is_order,
    le,
    lt,
)


@dataclass(frozen=True)
class Style:
    """The words of one way of writing.

    Args:
        expression: writes an expression.
        relations: type name -> sign.
        connectives: type -> what joins two parts.
        every: what "for all" begins with; some: the same for "for some".
        quantified: index, lower, upper, body and beginning -> statement.
        group: puts parentheses around a part.
        implication: premise, consequence -> statement.
    """

    expression: Callable[[Any], str]
    relations: Mapping[str, str]
    connectives: Mapping[type, str]
    every: str
    some: str
    quantified: Callable[[str, str, str, str, str], str]
    group: Callable[[str], str]
    implication: Callable[[str, str], str]


def _positive_first(terms: list[Any]) -> list[Any]:
    """Terms without a minus sign before the others: ``1/m - p``, not ``-p + 1/m``."""
    return sorted(terms, key=lambda term: bool(term.could_extract_minus_sign()))


class _Text(StrPrinter):  # type: ignore[misc]
    """``s[j]``, ``sum(j=1..N: ...)``, ``lim(tau -> 0+: ...)``."""

    def _as_ordered_terms(self, e: Any, order: str | None = None) -> list[Any]:
        return _positive_first(super()._as_ordered_terms(e, order=order))

    def _print_AppliedUndef(self, e: Any) -> str:  # noqa: N802
        return f"{e.func.__name__}[{', '.join(self._print(a) for a in e.args)}]"

    def _print_Sum(self, e: Any) -> str:  # noqa: N802
        ranges = ", ".join(
            f"{i}={self._print(low)}..{self._print(high)}" for i, low, high in e.limits
        )
        return f"sum({ranges}: {self._print(e.function)})"

    def _print_Limit(self, e: Any) -> str:  # noqa: N802
        return f"lim({e.args[1]} -> 0+: {self._print(e.args[0])})"

    def _print_Lambda(self, e: Any) -> str:  # noqa: N802
        return f"{e.variables[0]} -> {self._print(e.expr)}"


class _Latex(LatexPrinter):  # type: ignore[misc]
    """Families with subscripts."""

    def _as_ordered_terms(self, e: Any, order: str | None = None) -> list[Any]:
        return _positive_first(super()._as_ordered_terms(e, order=order))

    def _print_AppliedUndef(self, e: Any, exp: str | None = None) -> str:  # noqa: N802
        name = self._print(Symbol(e.func.__name__))
        written = f"{name}_{{{','.join(self._print(a) for a in e.args)}}}"
        return written if exp is None else f"{written}^{{{exp}}}"

    def _print_ExpBase(self, e: Any, exp: str | None = None) -> str:  # noqa: N802
        power = "" if exp is None else f"^{{{exp}}}"
        return rf"\exp{power}\left({self._print(e.args[0])}\right)"

    def _print_Lambda(self, e: Any) -> str:  # noqa: N802
        return rf"{self._print(e.variables[0])} \mapsto {self._print(e.expr)}"


def _text(e: Any) -> str:
    return str(_Text().doprint(e))


def _latex(e: Any) -> str:
    written = str(_Latex().doprint(e))
    return _SINGLE.sub(r"(\1)", written)


_SINGLE = re.compile(r"\\left\((\w|\\[a-z]+) ?\\right\)")
"""A single letter needs no parentheses that grow."""


TEXT = Style(
    expression=_text,
    relations={"Le": "<=", "Lt": "<", "Ge": ">=", "Gt": ">", "Eq": "=", "Ne": "!="},
    connectives={Conjunction: " and ", Disjunction: " or ", Equivalence: " if and only if "},
    every="for all",
    some="for some",
    quantified=lambda i, low, high, body, word: f"{word} {i} in {low}..{high}: {body}",
    group=lambda part: f"({part})",
    implication=lambda a, b: f"if {a} then {b}",
)

LATEX = Style(
    expression=_latex,
    relations={
        "Le": r"\le",
        "Lt": "<",
        "Ge": r"\ge",
        "Gt": ">",
        "Eq": "=",
        "Ne": r"\ne",
    },
    connectives={
        Conjunction: r" \;\wedge\; ",
        Disjunction: r" \;\vee\; ",
        Equivalence: r" \;\iff\; ",
    },
    every=r"\forall",
    some=r"\exists",
    quantified=lambda i, low, high, body, word: (
        rf"{word}\, {i} \in \{{{low}, \dots, {high}\}} :\; {body}"
    ),
    group=lambda part: f"({part})",
    implication=lambda a, b: rf"{a} \;\implies\; {b}",
)


def write(statement: Statement, style: Style, abbreviations: Mapping[str, Any]) -> str:
    """Write a statement.

    Example:
        >>> from sympy import Symbol
        >>> from headproof.symbolic.derivations.statement import ForAll, le
        >>> j, N = Symbol("j", integer=True), Symbol("N", integer=True, positive=True)
        >>> write(ForAll(le(1, j), (j, 1, N)), TEXT, {})
        'for all j in 1..N: 1 <= j'
    """

    def expression(e: Any) -> str:
        return style.expression(abbreviate(e, abbreviations))

    def inner(part: Statement) -> str:
        written = write(part, style, abbreviations)
        return written if _is_relation(part) else style.group(written)

    if _is_relation(statement):
        sign = style.relations[_name(statement)]
        return f"{expression(statement.lhs)} {sign} {expression(statement.rhs)}"
    if isinstance(statement, Implication):
        return style.implication(*(inner(part) for part in statement.args))
    if isinstance(statement, Connective):
        return style.connectives[type(statement)].join(inner(p) for p in statement.args)
    index, lower, upper = (style.expression(part) for part in statement.limits)
    word = style.every if isinstance(statement, ForAll) else style.some
    body = write(statement.body, style, abbreviations)
    return style.quantified(index, lower, upper, body, word)


def legend(
    setting: Setting,
    style: Style,
    formula: Callable[[str], str],
    sentence: Callable[[str], str] = str,
) -> list[tuple[str, str]]:
    """Every letter, written, with its kind and what it stands for.

    Args:
        setting: the letters.
        style: how expressions are written.
        formula: sets a formula into running words.
        sentence: writes the running words of a meaning.
    """

    def entry(letter: Any, kind: str) -> tuple[str, str]:
        meaning = sentence(setting.meaning.get(str(letter), ""))
        return style.expression(Symbol(str(letter))), f"{kind}: {meaning}" if meaning else kind

    entries = [entry(letter, "a positive integer") for letter in setting.sizes]
    for letter, (low, high) in setting.ranges.items():
        ends = (formula(style.expression(end)) for end in (low, high))
        entries.append(entry(letter, f"an index from {' to '.join(ends)}"))
    for letter in setting.reals:
        sign = "positive" if letter.is_positive else "nonnegative" if letter.is_nonnegative else ""
        entries.append(entry(letter, f"a {sign} real number" if sign else "a real number"))
    entries += [entry(made.__name__, "real numbers") for made in setting.families]
    return entries


def write_parameter(parameter: Any, style: Style, abbreviations: Mapping[str, Any]) -> str:
    """Write a multiplier, an index or a function."""
    if isinstance(parameter, Lambda):
        shown = Lambda(parameter.variables[0], abbreviate(parameter.expr, abbreviations))
        return style.expression(shown)
    return style.expression(abbreviate(parameter, abbreviations))


def abbreviate(e: Any, abbreviations: Mapping[str, Any]) -> Any:
    """Put names in the place of the expressions that they abbreviate, the first names first."""
    for name, target in abbreviations.items():
        e = _replace(e, target, Symbol(name))
    return e


def shortened(setting: Setting) -> dict[str, Any]:
    """The abbreviations of a setting at all of its indices: with ``K_j`` also ``K_i``.

    An abbreviation whose name ends in one of its free indices is a family. It is written at
    another index only if that index occurs nowhere in it, bound or free.

    Example:
        >>> from headproof.symbolic.derivations.setting import index, size
        >>> i, j, N = index("i"), index("j"), size("N")
        >>> setting = Setting((N,), {i: (1, N), j: (1, N)}, abbreviations={"c_j": j**2 + 1})
        >>> shortened(setting)
        {'c_j': j**2 + 1, 'c_i': i**2 + 1}
    """
    given = dict(setting.abbreviations)
    found = dict(given)
    for name, target in given.items():
        base, _, at = name.rpartition("_")
        own = [index for index in setting.ranges if str(index) == at]
        if not base or not own or own[0] not in target.free_symbols:
            continue
        for other in setting.ranges:
            if other not in target.atoms(Symbol):
                found.setdefault(f"{base}_{other}", target.xreplace({own[0]: other}))
    return found


def definitions(setting: Setting, style: Style) -> list[tuple[str, str]]:
    """The abbreviations as they were declared, each written with those that are smaller."""
    every = shortened(setting)
    size = {name: target.count_ops() for name, target in every.items()}
    found = []
    for name, target in setting.abbreviations.items():
        smaller = {n: t for n, t in every.items() if size[n] < size[name]}
        written = style.expression(abbreviate(target, smaller))
        found.append((style.expression(Symbol(name)), written))
    return found


def _replace(e: Any, target: Any, name: Symbol) -> Any:
    if e == target:
        return name
    if e == -target:
        return -name
    for kind in (Add, Mul):
        if isinstance(e, kind) and isinstance(target, kind):
            for sign in (1, -1) if kind is Add else (1,):
                wanted = [sign * part for part in target.args]
                rest = [part for part in e.args if part not in wanted]
                if len(rest) + len(wanted) == len(e.args):
                    e = kind(*(_replace(part, target, name) for part in rest), sign * name)
                    return e
    if isinstance(e, Sum):
        return Sum(_replace(e.function, target, name), *e.limits)
    if not e.args or e.is_Symbol:
        return e
    parts = [_replace(part, target, name) for part in e.args]
    return e if tuple(parts) == e.args else e.func(*parts)  # rebuilding would multiply out


def _is_relation(statement: Statement) -> bool:
    return is_order(statement) or isinstance(statement, Eq | Ne)


def _name(relation: Statement) -> str:
    kinds = {type(make(0, 1)): n for make, n in ((le, "Le"), (lt, "Lt"), (ge, "Ge"), (gt, "Gt"))}
    return kinds.get(type(relation), "Ne" if isinstance(relation, Ne) else "Eq")
