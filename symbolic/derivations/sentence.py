r"""Sentences in which formulas stand as plain text, taken apart so that the formulas can be set.

Reasons and statements are written for a terminal: "c_j <= tau log N", "n^k". LaTeX and HTML can do
better. A sentence is read token by token: indices and powers, relation signs, Greek names, function
names before a parenthesis and single letters are mathematics, and so is what joins two of them
(spaces, signs, commas inside parentheses). The article "a", a lone number and ordinary words are
not. Reading is linear; a sentence that is read wrongly is still shown whole, only in another font.

What comes out as a formula is built from a fixed list of LaTeX commands with balanced braces:
nothing in a sentence can reach TeX as a command.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from sympy import Symbol

from .notation import LATEX

GREEK = frozenset(
    re.findall(
        r"\w+",
        "alpha beta gamma delta epsilon eps zeta eta theta iota kappa lambda mu nu xi pi rho sigma "
        "tau phi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Phi Psi Omega",
    )
)
_FUNCTIONS = frozenset(
    ("exp", "log", "ln", "max", "min", "sup", "inf", "det", "dim", "ker", "cos", "sin", "tan")
)
_NAMED = frozenset(
    ("tr", "rank", "sgn", "sign", "relu", "softmax", "conv", "span", "diag", "Var", "Cov")
)
_BARE = frozenset(("exp", "log", "ln", "tr"))
"""Functions that are written without parentheses, too."""
_SIGNS = {
    "<=": r"\le ", ">=": r"\ge ", "!=": r"\ne ", "->": r"\to ", "...": r"\dots ", "+-": r"\pm ",
    "<": "<", ">": ">", "=": "=", "+": "+", "*": r"\cdot ", "/": "/", "|": "|", "-": "-", ":": ":",
    "~": r"\sim ",
}  # fmt: skip
_TOKEN = re.compile(
    r"(?P<star>(?<=[A-Za-z0-9])\*(?=[\s|),.;:]|$))|(?P<open><(?=[^<>=\s])(?=[^<>=]*[^<>=\s]>))"
    r"|(?P<sign><=|>=|!=|->|\.\.\.|\+-|[<>=+*/|~-])"
    r"|(?P<power>\^)|(?P<index>(?<=[A-Za-z0-9)])_)|(?P<word>[A-Za-z]+)"
    r"|(?P<number>\d{1,3}(?:,\d{3})+(?!\d)|\d+(?:\.\d+)?)"
    r"|(?P<space> +)|(?P<other>.)",
    re.DOTALL,
)


@dataclass(frozen=True)
class Piece:
    """A part of a sentence: words, or a formula in LaTeX."""

    text: str
    formula: bool


@dataclass
class _Token:
    kind: str
    text: str
    sure: bool = False
    """Whether it is mathematics by itself."""


@lru_cache(maxsize=4096)
def pieces(sentence: str) -> tuple[Piece, ...]:
    r"""The words and the formulas of a sentence, in order; together they are the whole of it.

    Example:
        >>> [piece.text for piece in pieces("Each s_j is at most tau log N.") if piece.formula]
        ['s_{j}', '\\tau  \\log  N']
    """
    tokens = _read(sentence)
    found: list[Piece] = []
    words = ""
    place = 0
    while place < len(tokens):
        end = _end(tokens, place)
        if end == place:
            words += tokens[place].text
            place += 1
            continue
        if words:
            found.append(Piece(words, formula=False))
        words = ""
        found.append(Piece(_latex(tokens[place:end]).strip(), formula=True))
        place = end
    return (*found, Piece(words, formula=False)) if words else tuple(found)


def _read(sentence: str) -> list[_Token]:
    tokens = [_Token(m.lastgroup or "other", m.group()) for m in _TOKEN.finditer(sentence)]
    closing = 0
    for token in tokens:  # the > of a scalar product belongs to the nearest open <
        if token.kind == "open":
            closing += 1
        elif closing and token.text == ">":
            token.kind, closing = "close", closing - 1
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else _Token("other", "")
        after = tokens[place + 1] if place + 1 < len(tokens) else _Token("other", "")
        token.sure = _is_sure(token, before, after, tokens, place)
    return tokens


def _is_sure(
    token: _Token, before: _Token, after: _Token, tokens: list[_Token], place: int
) -> bool:
    if token.kind in ("open", "close", "power", "index"):
        return True
    if token.kind == "sign":
        spaced = before.kind == after.kind == "space"
        return token.text in ("<=", ">=", "!=", "|") or (spaced and token.text in ("<", ">", "="))
    if token.kind == "number":
        return after.kind == "power"
    if token.kind != "word":
        return False
    if before.kind in ("index", "power") or after.kind in ("index", "power"):
        return True
    if before.text in ("'", "’", ".") or _hyphened(tokens, place):
        return False
    if after.text in ("'", "’"):
        owner = place + 2 < len(tokens) and tokens[place + 2].kind == "word"  # "Weyl's"
        return len(token.text) == 1 and not owner
    if len(token.text) == 1 and token.text.isupper() and after.kind == "number":
        return False  # the number of a claim
    if token.text in GREEK:
        return True
    if token.text in _FUNCTIONS | _NAMED:
        operand = tokens[place + 2] if place + 2 < len(tokens) else _Token("other", "")
        beyond = tokens[place + 3].kind if place + 3 < len(tokens) else ""
        single = operand.text in GREEK or len(operand.text) == 1 or beyond == "index"
        bare = operand.kind == "word" and single
        return after.text == "(" or (bare and after.kind == "space" and token.text in _BARE)
    if len(token.text) > 1:
        following = [t.text for t in tokens[place + 1 : place + 3]]
        return token.text.isupper() and following == [" ", "="]
    if token.text in "aAI":
        reaches = [t for t in tokens[place + 1 : place + 3] if t.kind != "space"]
        joined = bool(reaches) and reaches[0].text in ("<=", ">=", "=", "<", ">", "!=", "+", "/")
        closes = after.text in (",", ".", ";", ":", ")", "(") and not _abbreviates(tokens, place)
        return joined or closes or after.text == "|" or before.text in ("|", "/")
    return not (after.text == "." and place + 2 < len(tokens) and tokens[place + 2].kind == "word")


def _abbreviates(tokens: list[_Token], place: int) -> bool:
    """Whether a letter and a full stop go on without a space, as in "a.s."."""
    following = tokens[place + 1 : place + 3]
    return len(following) == 2 and following[0].text == "." and following[1].kind == "word"


def _hyphened(tokens: list[_Token], place: int) -> bool:
    """Whether the word is joined to another word by a hyphen, as in "one-to-one"."""
    for step in (1, -1):
        near, far = place + step, place + 2 * step
        if 0 <= far < len(tokens) and tokens[near].text == "-" and tokens[far].kind == "word":
            longer = max(len(tokens[far].text), len(tokens[place].text)) > 1
            if longer and tokens[far].text not in GREEK:
                return True
    return False


def _end(tokens: list[_Token], start: int) -> int:
    """Where the formula that begins at a token ends; the token itself if none does.

    A formula holds a token that is surely mathematics, and its brackets and bars close.
    """
    first = tokens[start]
    begins = first.sure or first.kind == "number" or first.text == "("
    if not begins or first.kind in ("power", "index", "close"):
        return start
    depth, bars, end, sure = 0, 0, start, False
    for place in range(start, len(tokens)):
        token = tokens[place]
        sure = sure or (token.sure and token.kind in ("word", "power"))
        braces = place > 0 and tokens[place - 1].kind in ("power", "index")
        if token.text == "(" or token.kind == "open" or (token.text == "{" and braces):
            depth += 1
        elif token.text == ")" or token.kind == "close" or (token.text == "}" and depth > 0):
            depth -= 1
        elif token.text == "|":
            bars += 1
        elif token.kind == "star" or (token.text in "{}" and depth > 0):
            pass
        elif not (token.sure or token.kind in ("space", "number", "sign")) and not (
            token.text == "'" or (token.text == "," and depth > 0)
        ):
            break
        if depth < 0:
            break
        operator = token.kind in ("space", "power", "index") or token.text == "'"
        operator = operator or (token.kind == "sign" and token.text != "|")
        if depth == 0 and bars % 2 == 0 and not operator and sure:
            end = place + 1
    return end


def _latex(tokens: list[_Token]) -> str:
    written = marks = ""
    place = 0
    while place < len(tokens):
        token = tokens[place]
        if token.kind == "star":
            base = "{}" if "^" in marks else ""
            written, marks = f"{written.rstrip()}{base}^{{*}}", marks + "^"
            place += 1
            continue
        if token.kind in ("power", "index"):
            stop = _operand(tokens, place + 1)
            inner = tokens[place + 1 : stop]
            if inner and inner[0].text + inner[-1].text in ("()", "{}"):
                inner = inner[1:-1]
            mark = "^" if token.kind == "power" else "_"
            base = "{}" if mark in marks else ""  # TeX refuses a second power of one base
            marks = marks + mark if not base else mark
            written = f"{written.rstrip()}{base}{mark}{{{_latex(inner).strip()}}}"
            place = stop
            continue
        written, marks = written + _one(token), ""
        place += 1
    return written


def _operand(tokens: list[_Token], start: int) -> int:
    """Where the power or index that begins at a token ends."""
    place, depth = start, 0
    while place < len(tokens):
        text = tokens[place].text
        depth += (text in "({") - (text in ")}")
        place += 1
        if depth == 0 and not (place == start + 1 and text == "-"):
            break
    return place


def _one(token: _Token) -> str:
    if token.kind == "open":
        return r"\langle "
    if token.kind == "close":
        return r"\rangle "
    if token.kind == "sign":
        return _SIGNS[token.text]
    if token.kind == "word":
        if token.text in _FUNCTIONS or token.text == "sum":
            return rf"\{token.text} "
        if token.text in _NAMED or (len(token.text) > 1 and token.text.isupper()):
            return rf"\operatorname{{{token.text}}} "
        if token.text == "eps":
            return r"\varepsilon "
        if len(token.text) > 1 and (token.text in GREEK or token.text.endswith(("bar", "hat"))):
            return f"{LATEX.expression(Symbol(token.text))} "
        return token.text
    if token.kind == "number":
        return token.text.replace(",", "{,}")  # TeX takes a bare comma for a list
    if token.kind == "space" or token.text in "()[],.;:!'":
        return token.text
    return ""
