"""The report paper by paper: every statement once, with its verdict and its hypotheses."""

import re
from pathlib import Path

from headproof.proofs_check.claim import Role
from headproof.proofs_check.registry import Registry
from headproof.proofs_check.report.page import html, typeset
from headproof.proofs_check.report.papers import papers
from headproof.proofs_check.report.recorded import read
from headproof.proofs_check.report.view import view
from headproof.proofs_check.verdict import Verdict


def test_statements_are_counted_once_and_controls_are_not(sample: Path, registry: Registry) -> None:
    shown = view(read(sample), registry)
    (paper,) = papers(shown.claims)
    assert paper.paper.key == "A"
    assert paper.arxiv == "2604.14727"
    wanted = [s for c in shown.claims for s in c.statements if s.role is not Role.CONTROL]
    assert list(paper.statements) == wanted
    assert sum(paper.all.values()) == sum(s.verdict is not None for s in wanted)
    assert paper.count(Role.AS_STATED)[Verdict.REFUTED] == 2
    assert papers(()) == ()


def test_a_paper_shows_what_it_claims_what_holds_and_when(sample: Path, registry: Registry) -> None:
    text = html(sample, registry=registry)
    fold = text[text.index('<details class="paper"') : text.index('id="graph"')]
    said = re.findall(r'data-statement="([^"]*)"', fold)
    assert sorted(said) == sorted(
        s.name for c in registry for s in c.statements if s.role is not Role.CONTROL
    )
    assert "Every key wins alone at some query." in fold
    assert "lifted points are distinct, or share a cell" in fold
    assert "The weights tend to one of the maxima." not in fold


def test_sentences_are_set_and_escaped() -> None:
    assert "<msub>" in typeset("weights w_j")
    assert "<i>" not in typeset("<i>no</i> & so on")
    assert typeset("plain & simple") == "plain &amp; simple"
