"""The catalogue of derivations and the three ways to show them."""

import re
import shutil
import subprocess
from html.parser import HTMLParser
from typing import Any

import pytest
from sympy import Sum

from headproof.symbolic import catalogue
from headproof.symbolic.catalogue import FORMATS, MAKERS, derivations, render
from headproof.symbolic.derivations.instance import Instance
from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.rules.equality import NORMAL_FORM
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import ForAll, eq, le
from headproof.symbolic.errors import DerivationFailed, InputError


@pytest.fixture(scope="module")
def every() -> Any:
    return derivations("tropical")


def test_topic_and_ids(every: Any) -> None:
    ids = ["dequantisation", "power-diagram", "routing-limit", "rational-map", "cells", "overlay"]
    ids += ["maximum", "unbiased-maximum", "depth"]
    ids += ["value-stability", "derivative-stability", "stability-scope"]
    assert [c for c in MAKERS if c.startswith("tropical.")] == [f"tropical.{name}" for name in ids]
    assert [d.title for d in every if d.claim == "tropical.cells"] == [
        d.title for d in derivations("tropical.cells")
    ]
    with pytest.raises(InputError, match=r"tropical\.cells"):
        derivations("tropical.cell")
    with pytest.raises(InputError, match="text, latex or html"):
        render(every, "pdf")  # type: ignore[arg-type]


def test_text_fits_in_100_columns_and_shows_every_step(every: Any) -> None:
    shown = render(every)
    assert max(map(len, shown.splitlines())) <= 100
    for derivation in every:
        alone = render(derivation)
        for step in derivation.steps:
            assert f"({step.number:>2})" in alone
            assert step.rule in alone
        assert "argued in words: 0" in alone


def test_an_argued_step_is_shown_as_such() -> None:
    N, j, s = size("N"), index("j"), family("s", nonnegative=True)
    proof = Proof("example", "argued", Setting((N,), {j: (1, N)}, (), (s,)))
    step = proof.argue(ForAll(le(0, s(j)), (j, 1, N)), why="Obvious & 100% <true>.")
    derivation = proof.finish(all=step)
    for format in FORMATS:
        assert "argued in words" in render(derivation, format)
        assert "General: no" in render(derivation, format)
    assert "100% &lt;true&gt;" in render(derivation, "html")
    assert r"\& 100\% $<$true$>$" in render(derivation, "latex")


def test_latex_is_balanced_and_compiles_where_it_can(every: Any, tmp_path: Any) -> None:
    document = render(every, "latex")
    plain = document.replace(r"\{", "").replace(r"\}", "").replace(r"\$", "")
    depth = 0
    for character in plain:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0
    assert depth == 0
    assert plain.count("$") % 2 == 0
    assert document.count(r"\left") == document.count(r"\right")
    opened = re.findall(r"\\(begin|end)\{(\w+)\}", document)
    stack = []
    for kind, name in opened:
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    assert re.findall(r"\\usepackage\{(\w+)\}", document) == ["amsmath"]
    assert r"\documentclass" not in render(every, "latex", standalone=False)
    if shutil.which("pdflatex"):
        _compile(document, tmp_path)


def _compile(document: str, folder: Any) -> Any:
    (folder / "derivations.tex").write_text(document)
    command = ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "derivations.tex"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=180)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no LaTeX on this machine")
@pytest.mark.parametrize("topic", sorted({claim.partition(".")[0] for claim in MAKERS}))
def test_every_topic_compiles_as_an_article(topic: str, tmp_path: Any) -> None:
    done = _compile(render(derivations(topic), "latex"), tmp_path)
    assert done.returncode == 0, done.stdout[-2000:]
    assert (tmp_path / "derivations.pdf").stat().st_size > 10_000
    wide = [float(x) for x in re.findall(r"Overfull \\hbox \(([\d.]+)pt", done.stdout)]
    assert max(wide, default=0) < 4, "formulas reach into the margin"
    spoilt = _compile(r"\documentclass{article}\begin{document}$a_b_c$\end{document}", tmp_path)
    assert spoilt.returncode != 0


def test_a_wrong_step_in_the_middle_stops_the_derivation_with_both_sides(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    N, j, s = size("N"), index("j"), family("s")
    made: list[str] = []

    def derivation(doubled: int = 3) -> Any:
        proof = Proof("topic.example", "A sum", Setting((N,), {j: (1, N)}, (), (s,)))
        total = Sum(s(j), (j, 1, N))
        proof.step(eq(Sum(2 * s(j), (j, 1, N)), 2 * total), NORMAL_FORM, why="Pulled out.")
        made.append("right")
        wrong = eq(Sum(2 * s(j), (j, 1, N)), doubled * total)
        step = proof.step(wrong, NORMAL_FORM, why="Wrong.")
        made.append("wrong")
        return proof.finish(all=step)

    monkeypatch.setattr(catalogue, "MAKERS", {"topic.example": (derivation,)})
    with pytest.raises(DerivationFailed) as caught:
        derivations("topic")
    assert made == ["right"]
    gap = caught.value
    assert (gap.step, gap.rule, gap.derivation) == (2, "normal form", "topic.example, derivation")
    assert "2*s(j)" in gap.left
    assert "3*" in gap.right
    assert gap.left in str(gap) and gap.right in str(gap)  # noqa: PT018
    assert derivation(2).conclusions == {"all": 2}


class _Tags(HTMLParser):
    """Checks nesting and collects ids, links and outside references."""

    def __init__(self) -> None:
        super().__init__()
        self.stack: list[str] = []
        self.ids: set[str] = set()
        self.links: set[str] = set()
        self.outside: list[str] = []

    def handle_starttag(self, tag: Any, attrs: Any) -> None:
        attributes = dict(attrs)
        if tag not in ("br", "meta", "wbr"):
            self.stack.append(tag)
        self.ids |= {attributes["id"]} if "id" in attributes else set()
        if "href" in attributes:
            self.links.add(attributes["href"].removeprefix("#"))
        self.outside += [a for a in attributes if a == "src"]

    def handle_endtag(self, tag: Any) -> None:
        assert self.stack.pop() == tag


def test_html_is_nested_linked_and_self_contained(every: Any) -> None:
    page = render(every, "html")
    tags = _Tags()
    tags.feed(page)
    assert tags.stack == []
    assert tags.links <= tags.ids
    assert tags.outside == []
    assert page.count("<math") > 200
    assert "unparsed" not in page
    assert "http:" not in page.replace("http://www.w3.org/1998/Math/MathML", "")
    assert "https:" not in page
    fragment = render(every, "html", standalone=False)
    assert fragment.startswith("<section")
    assert all(section.strip() in page for section in fragment.split("\n\n"))


def test_abbreviations_change_nothing_but_what_is_shown(every: Any) -> None:
    from random import Random

    from sympy import Symbol
    from sympy.core.relational import Relational

    from headproof.symbolic.derivations.instance import value
    from headproof.symbolic.derivations.notation import abbreviate, shortened

    compared = 0
    for derivation in every:
        at = Instance.draw(derivation.setting, Random(7), derivation.choose)
        for step in derivation.steps:
            if not isinstance(step.conclusion, Relational):
                continue
            for side in step.conclusion.args:
                shown = abbreviate(side, shortened(derivation.setting))
                if shown == side or "Limit" in str(side):
                    continue
                back = shown
                for name, expression in reversed(shortened(derivation.setting).items()):
                    back = back.xreplace({Symbol(name): expression})
                difference = value(back, at) - value(side, at)
                assert abs(difference) < 1e-30
                compared += 1
    assert compared > 50
