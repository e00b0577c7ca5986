r"""LaTeX for the formulas of certificates, from their JSON.

Every node gets the strength with which it binds, and parentheses where a weaker one stands under
a stronger: conditions 0 to 3, sums 4, products and big operators 5, signs and powers 6, atoms 7.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...symbolic.rational import write
from ..evidence import Json

_GREEK = frozenset(
    [
        "alpha",
        "beta",
        "delta",
        "epsilon",
        "eta",
        "kappa",
        "lambda",
        "mu",
        "rho",
        "sigma",
        "tau",
        "theta",
        "xi",
    ]
)
_RELATIONS = {"<=": r"\le", "<": "<", ">=": r"\ge", ">": ">", "=": "=", "!=": r"\ne"}
_JOINED = {
    "and": (2, r" \wedge "),
    "or": (1, r" \vee "),
    "implies": (0, r" \Rightarrow "),
    "iff": (0, r" \Leftrightarrow "),
}
_BIG = {"sum": r"\sum", "maxover": r"\max", "minover": r"\min"}
_QUANTIFIERS = {"forall": r"\forall", "exists": r"\exists"}
_ATOM = 7


def latex(node: Json) -> str:
    r"""A formula as LaTeX, without dollar signs.

    Example:
        >>> latex(["<=", ["sum", "j", ["len", "s"], ["exp", ["at", "s", ["var", "j"]]]], "3/2"])
        '\\sum_{0 \\le j < |s|} e^{s_{j}} \\le \\frac{3}{2}'
    """
    return _bound(node)[0]


def _bound(node: Json) -> tuple[str, int]:
    if not isinstance(node, list):
        return _literal(node)
    head, parts = node[0], node[1:]
    if head in ("var", "at", "len"):
        return _entry(head, parts), _ATOM
    if head in _RELATIONS:
        return f"{_under(parts[0], 4)} {_RELATIONS[head]} {_under(parts[1], 4)}", 3
    if head in _JOINED:
        strength, sign = _JOINED[head]
        return sign.join(_under(part, strength + 1) for part in parts), strength
    if head == "not":
        return rf"\neg {_under(parts[0], _ATOM)}", _ATOM
    if head in _QUANTIFIERS:
        return f"{_QUANTIFIERS[head]} {_range(parts)}: {_under(parts[2], 1)}", 0
    if head in _BIG:
        return rf"{_BIG[head]}_{{{_range(parts)}}} {_under(parts[2], 5)}", 5
    if head == "countover":
        return rf"\#\{{{_range(parts)} : {latex(parts[2])}\}}", _ATOM
    return _operation(head, parts)


def _operation(head: str, parts: Sequence[Json]) -> tuple[str, int]:
    if head == "+":
        return " + ".join(_under(part, 4 if k == 0 else 5) for k, part in enumerate(parts)), 4
    if head == "-" and len(parts) == 1:
        return f"-{_under(parts[0], 5)}", 4
    if head == "-":
        return f"{_under(parts[0], 4)} - {_under(parts[1], 5)}", 4
    if head == "*":
        return r" \cdot ".join(_under(part, 6) for part in parts), 5
    if head == "/":
        return rf"\frac{{{latex(parts[0])}}}{{{latex(parts[1])}}}", 6
    if head == "^":
        return f"{_under(parts[0], _ATOM)}^{{{latex(parts[1])}}}", 6
    if head == "exp":
        return f"e^{{{latex(parts[0])}}}", 6
    if head == "abs":
        return rf"\left|{latex(parts[0])}\right|", _ATOM
    inner = ", ".join(map(latex, parts))
    return rf"\{head}\left({inner}\right)", _ATOM


def _under(node: Json, strength: int) -> str:
    text, own = _bound(node)
    return text if own >= strength else rf"\left({text}\right)"


def _literal(value: int | str) -> tuple[str, int]:
    text = value if isinstance(value, str) else str(write(value))
    sign, digits = ("-", text[1:]) if text.startswith("-") else ("", text)
    upper, slash, lower = digits.partition("/")
    body = rf"\frac{{{upper}}}{{{lower}}}" if slash else upper
    return sign + body, 4 if sign else 6 if slash else _ATOM


def _entry(head: str, parts: Sequence[Json]) -> str:
    name = _symbol(parts[0])
    indices = ",".join(map(latex, parts[1:]))
    entry = f"{name}_{{{indices}}}" if indices else name
    return f"|{entry}|" if head == "len" else entry


def _symbol(name: str) -> str:
    if name in _GREEK:
        return rf"\{name}"
    text = name.replace("_", r"\_")
    return text if len(name) == 1 else rf"\mathrm{{{text}}}"


def _range(parts: Sequence[Json]) -> str:
    return rf"0 \le {_symbol(parts[0])} < {_under(parts[1], 4)}"
