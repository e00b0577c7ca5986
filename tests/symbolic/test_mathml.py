"""Formulas: what is understood becomes MathML Core, and nothing that comes in can act."""

from xml.etree import ElementTree

import pytest

from headproof.symbolic.mathml import breakable, mathml


def texts(latex: str) -> list[tuple[str, str]]:
    tree = ElementTree.fromstring(mathml(latex))
    return [(element.tag, element.text or "") for element in tree.iter() if element.text]


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"a \le b", ("mo", "≤")),
        (r"a \iff b", ("mo", "⟺")),
        (r"\mathbb{R}", ("mi", "ℝ")),
        (r"\mathbb R", ("mi", "ℝ")),
        (r"\operatorname{conv} P", ("mi", "conv")),
        (r"\mathrm{Att}(x)", ("mi", "Att")),
        (r"\tau \log N", ("mi", "log")),
        (r"a < b", ("mo", "<")),
        (r"A \ne \emptyset", ("mi", "∅")),
    ],
)
def test_signs_come_as_what_they_are(latex: str, expected: tuple[str, str]) -> None:
    assert expected in texts(latex)


@pytest.mark.parametrize(
    "latex",
    [
        r"\max_j s_j",
        r"\operatorname*{arg\,max}_j s_j",
        r"\operatorname*{argmin}_j s_j",
        r"\arg\max_j s_j",
        r"\lim_{\tau\to 0} p",
    ],
)
def test_limits_are_set_below(latex: str) -> None:
    tree = ElementTree.fromstring(mathml(latex))
    under = tree.find(".//munder")
    assert under is not None
    assert under[0].get("movablelimits") == "true"


def test_named_functions_keep_their_distance() -> None:
    tree = ElementTree.fromstring(mathml(r"\tau \log N"))
    assert [element.tag for element in tree[0]] == ["mi", "mspace", "mi", "mspace", "mi"]


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<script>alert(1)</script>}",
        r"\href{javascript:alert(1)}{x}",
        r"\text{</math><img src=x onerror=alert(1)>}",
        "<script>alert(1)</script>",
        r"\frac{<script>",
        r"\text{&lt;script&gt;}",
        r"\style{color:red}{x}",
        r"\class{a}{x}",
    ],
)
def test_nothing_that_comes_in_can_act(latex: str) -> None:
    written = mathml(latex)
    assert "<script" not in written
    assert "<img" not in written
    allowed = {"aria-label", "class", "title", "display", "width", "stretchy", "mathvariant"}
    for element in ElementTree.fromstring(f"<p>{written}</p>").iter():
        assert not {"href", "style", "onerror"} & set(element.attrib)
        if element.tag in ("math", "code"):
            assert set(element.attrib) <= allowed


@pytest.mark.parametrize("latex", [r"\frac{", "{", r"\left( x", "}", ""])
def test_what_is_not_understood_is_still_shown(latex: str) -> None:
    written = mathml(latex)
    assert written.startswith(("<math", '<code class="unparsed"'))
    ElementTree.fromstring(written)


@pytest.mark.parametrize(
    ("latex", "parts"),
    [
        (r"a = b + c", 3),
        (r"f(x + y) - \left(u + v\right) \le d", 3),
        (r"-a = -b", 2),
        (r"\forall\, j \in \{1, \dots, N\} :\; s_{j} \le t \;\iff\; u < v", 5),
        (r"\sum_{j=1}^{N} x_{j}", 1),
    ],
)
def test_a_formula_in_parts_has_all_its_signs_in_order(latex: str, parts: int) -> None:
    written = breakable(latex)
    assert written.count("<math ") == parts
    whole = "".join(ElementTree.fromstring(mathml(latex)).itertext())
    tree = ElementTree.fromstring(written.replace("<wbr>", ""))
    assert "".join(tree.itertext()) == whole
    assert tree.get("aria-label") == latex


def test_what_cannot_be_parsed_is_not_taken_apart() -> None:
    assert breakable(r"\frac{") == mathml(r"\frac{")
    assert "<script>" not in breakable(r"a = \text{<script>}")


def test_groups_of_digits_are_one_number_and_lists_are_none() -> None:
    assert "<mn>1,000,000</mn>" in mathml("n = 1{,}000{,}000")
    assert "<mn>1</mn><mo>,</mo><mn>000</mn>" in mathml("1,000")
    assert "<mn>2,000</mn>" not in mathml("2{,}00")
