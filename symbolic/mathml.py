r"""A LaTeX formula as MathML, which browsers show without a script or a font from the network.

latex2mathml parses the LaTeX. What it returns is not inserted as it stands: it un-escapes text,
so that ``\text{<script>}`` would become an element, and ``\href`` would become a link to
anything. The tree is therefore rebuilt with the elements and attributes of MathML Core alone,
every text escaped. On the way two habits of the parser are mended: relation signs come as
identifiers and lose their spacing, and named functions stick to what stands beside them.

A formula that the parser does not understand is shown as its LaTeX source, marked as such: a
report must render whatever a claim contains. Cost: a few milliseconds a formula.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Literal
from xml.etree import ElementTree

from latex2mathml.converter import convert_to_element
from markupsafe import Markup

_ELEMENTS = frozenset(
    {"math", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded"}
    | {"mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub"}
    | {"msubsup", "msup", "mtable", "mtd", "mtext", "mtr", "munder", "munderover"}
)
_ATTRIBUTES = frozenset(
    {"accent", "accentunder", "columnalign", "columnspan", "depth", "display", "displaystyle"}
    | {"fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant"}
    | {"maxsize", "minsize", "movablelimits", "rowspan", "rspace", "scriptlevel", "separator"}
    | {"stretchy", "symmetric", "voffset", "width"}
)
_THIN = "0.1667em"
_OPERATORS = frozenset({"mo", "mspace"})
_LIMITS = frozenset({"max", "min", "sup", "inf", "lim", "argmax", "argmin", "arg max", "arg min"})
_ALPHABETS = {
    "double-struck": "DOUBLE-STRUCK",
    "bold": "BOLD",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
}
"""MathML Core knows no ``mathvariant`` but ``normal``: the letters themselves are needed."""

_TIGHT = frozenset({"/", "|", "\u2016"})
"""Signs that browsers would set as binary operators, with space around them."""

_SIGNS = frozenset("-+±\u2212")
_OPENING = frozenset("([{")
_ENDING = frozenset(")]}")
_CLOSING = frozenset(")]}|!⟩\u2016'")
"""After anything but these and a letter a sign belongs to what follows: no space behind it."""

_STARRED = re.compile(r"\\operatorname\*")
_NAMED = re.compile(r"\\operatorname\{((?:[A-Za-z]|\\,|\s)+)\}")
_ARG = re.compile(r"\\arg(?![A-Za-z])\s*(?:\\,)?\s*\\(max|min)(?![A-Za-z])")


@lru_cache(maxsize=4096)
def mathml(latex: str, *, display: Literal["block", "inline"] = "block") -> Markup:
    r"""The formula as a MathML element, or its source in ``<code>`` if it cannot be parsed.

    Args:
        latex: a formula without dollar signs.
        display: whether it stands by itself, with its source for readers who do not see it, or in
            a line of text.

    Example:
        >>> "<mo>\u2264</mo>" in mathml(r"a \le b")
        True
        >>> mathml(r"\frac{")
        Markup('<code class="unparsed" title="LaTeX source">\\frac{</code>')
        >>> "<script>" in mathml(r"\text{<script>}")
        False
    """
    plain = _ARG.sub(r"\\operatorname{arg\1}", _STARRED.sub(r"\\operatorname", latex))
    source = _NAMED.sub(_as_text, plain)
    try:
        parsed = convert_to_element(source, display=display)
    except Exception:
        # Any exception of the parser, which documents none, means the same: not understood.
        return Markup('<code class="unparsed" title="LaTeX source">{}</code>').format(latex)
    tree = _rebuilt(parsed)
    _set_apart(tree)
    if display == "block":
        tree.set("aria-label", latex)
    written = ElementTree.tostring(tree, encoding="unicode", short_empty_elements=False)
    return Markup(written)


def breakable(latex: str) -> Markup:
    """A displayed formula as several MathML elements, between which a browser may break the line.

    Browsers do not break inside a formula. The parts begin at the relations, connectives and signs
    of its outermost row; set one after another they look like the whole. A formula that cannot be
    taken apart is left whole.

    Example:
        >>> breakable("a = b + c").count("<math ")
        3
    """
    whole = mathml(latex)
    if not whole.startswith("<math"):
        return whole
    tree = ElementTree.fromstring(whole)
    row = tree[0] if len(tree) == 1 and tree[0].tag == "mrow" else tree
    parts: list[list[ElementTree.Element]] = [[]]
    depth = 0
    for child in row:
        text = (child.text or "").strip() if child.tag == "mo" else ""
        depth += (text in _OPENING) - (text in _ENDING)
        breaks = text in _SIGNS or (text not in ",:" and all(map(_is_relation, text)))
        if text and breaks and depth == 0 and parts[-1] and child.get("form") != "prefix":
            child.set("form", "infix")
            parts.append([])
        parts[-1].append(child)
    written = []
    for part in parts:
        element = ElementTree.Element("math", {"display": "block"})
        element.extend(part)
        written.append(
            ElementTree.tostring(element, encoding="unicode", short_empty_elements=False)
        )
    return Markup('<span role="math" aria-label="{}">{}</span>').format(
        latex, Markup("<wbr>").join(map(Markup, written))
    )


def _as_text(match: re.Match[str]) -> str:
    name = " ".join(match.group(1).replace("\\,", " ").split())
    return f"\\mathop{{\\text{{{name}}}}}"


def _rebuilt(element: ElementTree.Element) -> ElementTree.Element:
    """The element and what it contains, with nothing in it that is not MathML Core."""
    text = unescape(element.text or "").removeprefix("\\")
    tag = element.tag if element.tag in _ELEMENTS else "mrow"
    inner: list[ElementTree.Element] = []
    if tag == "mo" and len(element):
        tag = "mi"
        text = unescape("".join(element.itertext())).replace("\xa0", " ")
    elif tag == "mrow" and (word := _word(element)):
        tag, text = "mi", word
    else:
        inner = _grouped([_rebuilt(child) for child in element])
    if tag == "mi" and text and all(_is_relation(sign) for sign in text):
        tag = "mo"
    elif tag == "mo" and text in ("∅", "∞"):
        tag = "mi"
    attributes = {
        name: unescape(value) for name, value in element.attrib.items() if name in _ATTRIBUTES
    }
    alphabet = attributes.get("mathvariant", "")
    if alphabet in _ALPHABETS:
        del attributes["mathvariant"]
        text = "".join(_letter(sign, _ALPHABETS[alphabet]) for sign in text)
    if tag == "mo" and text in _TIGHT and "form" not in attributes:
        attributes.update(stretchy="false", lspace="0", rspace="0")
    copy = ElementTree.Element(tag, attributes)
    copy.text = text
    copy.extend(inner)
    return _with_limits(copy)


def _grouped(row: list[ElementTree.Element]) -> list[ElementTree.Element]:
    """The row with the groups of digits of a number, "1{,}000" in LaTeX, in one element."""
    found: list[ElementTree.Element] = []
    for element in row:
        text = element.text or ""
        if len(found) > 1 and element.tag == "mn" and len(text) == 3 and text.isdigit():
            number, comma = found[-2:]
            inside = [(sign.tag, sign.text) for sign in comma]
            if number.tag == "mn" and comma.tag == "mrow" and inside == [("mo", ",")]:
                number.text = f"{number.text},{text}"
                found.pop()
                continue
        found.append(element)
    return found


def _word(element: ElementTree.Element) -> str:
    """The word that a row of upright letters spells; empty if the row is no such word."""
    upright = [c for c in element if c.tag == "mi" and c.get("mathvariant") == "normal"]
    if len(upright) < 2 or len(upright) < len(element):
        return ""
    return "".join(child.text or "" for child in upright)


def _letter(sign: str, alphabet: str) -> str:
    """The letter of a mathematical alphabet; the letter itself if Unicode has none."""
    case = "CAPITAL" if sign.isupper() else "SMALL"
    for prefix in ("MATHEMATICAL ", ""):
        try:
            return unicodedata.lookup(f"{prefix}{alphabet} {case} {sign.upper()}")
        except KeyError:
            continue
    return sign


def _with_limits(element: ElementTree.Element) -> ElementTree.Element:
    """Set what stands below max, min, lim and the like below them, where there is room."""
    if element.tag != "msub" or (element[0].text or "") not in _LIMITS:
        return element
    element.tag = "munder"
    element[0].tag = "mo"
    element[0].attrib.update(movablelimits="true", lspace=_THIN, rspace=_THIN)
    return element


def _is_relation(sign: str) -> bool:
    """Whether a character is an arrow or a relation sign (but no letter-like constant)."""
    return sign == ":" or (unicodedata.category(sign) == "Sm" and sign not in "∂∇∞∅∀∃")


def _set_apart(element: ElementTree.Element) -> None:
    """Put a thin space around every named function that has a neighbour."""
    children = list(element)
    for child in children:
        _set_apart(child)
    if element.tag not in ("mrow", "math", "mtd", "mstyle"):
        return
    for left, right in pairwise(children):
        if left.tag == right.tag == "mo" and right.text in _SIGNS and left.text not in _CLOSING:
            right.set("form", "prefix")
    for child in reversed(children):
        if not _is_function(child):
            continue
        place = list(element).index(child)
        after = element[place + 1] if place + 1 < len(element) else None
        before = element[place - 1] if place else None
        if after is not None and after.tag not in _OPERATORS:
            element.insert(place + 1, ElementTree.Element("mspace", width=_THIN))
        if before is not None and before.tag not in _OPERATORS:
            element.insert(place, ElementTree.Element("mspace", width=_THIN))


def _is_function(element: ElementTree.Element) -> bool:
    """Whether an element is a named function such as log, perhaps with an index."""
    while element.tag in ("msub", "msup", "msubsup", "munder") and len(element):
        element = element[0]
    text = element.text or ""
    return element.tag == "mi" and len(text) > 1 and text.isascii() and text[0].isalpha()
