"""Sentences with formulas: nothing is lost, ordinary words stay words, TeX sees no surprise."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from headproof.symbolic.derivations.latex import sentence
from headproof.symbolic.derivations.sentence import pieces
from headproof.symbolic.mathml import mathml

ALPHABET = "abAINjk xs.,:;'|<>=+-*/^_()[]{}\\$%&#~0123456789"


def marked(text: str) -> str:
    return "".join(f"[{p.text}]" if p.formula else p.text for p in pieces(text))


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2 <q, k> = |q|^2 + |k|^2.", r"[2 \langle q, k\rangle  = |q|^{2} + |k|^{2}]."),
        ("At most tau log N above.", r"At most [\tau  \log  N] above."),
        ("exp(-Delta/tau) tends to 0.", r"[\exp (-\Delta /\tau )] tends to 0."),
        ("by at most (N - m) q / m^2", "by at most [(N - m) q / m^{2}]"),
        ("at least 1 - N 2^(-k) at", "at least [1 - N 2^{-k}] at"),
        ("Row h of W_Q, W_K.", "Row [h] of [W_{Q}], [W_{K}]."),
        ("a < b is not a <= b.", r"[a < b] is not [a \le  b]."),
        ("F'(delta) = 0: a minimum", r"[F'(\delta ) = 0]: a minimum"),
        ("A single head of claim B5, e.g. one.", "A single head of claim B5, e.g. one."),
        ("I am a non-negative, one-to-one key/value.", None),
        ("Weyl's bound, 2 by 2, in 3 steps.", None),
        ("it is 2 sum_{i<d} C(H - 1, i).", r"it is [2 \sum_{i<d} C(H - 1, i)]."),
        ("key j* with |v_j - v_j*| <= D", r"key [j^{*}] with [|v_{j} - v_{j}^{*}| \le  D]"),
        ("At a. For all a, b: a sum.", "At [a]. For all [a], [b]: a sum."),
        ("tau log out_i lies", r"[\tau  \log  out_{i}] lies"),
        ("for n = 1,000,000, D = 2.5.", "for [n = 1{,}000{,}000], [D = 2.5]."),
        ("at n = 1. Then 1,000 of 1,2", "at [n = 1]. Then 1,000 of 1,2"),
        ("HDI = 1 - k", r"[\operatorname{HDI}  = 1 - k]"),
    ],
)
def test_what_is_read_as_a_formula(written: str, read: str | None) -> None:
    assert marked(written) == (read or written)


@given(st.text(ALPHABET, max_size=60))
@example("at x^2* or j*^2, k*_i_h^a^b.")
def test_whatever_comes_in_is_safe_for_tex_and_mathml(text: str) -> None:
    written = sentence(text)
    plain = re.sub(r"\\[{}$&%#_]", "", written)
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") % 2 == 0
    known = {"textbackslash", "textasciicircum", "textasciitilde", "le", "ge", "ne", "to", "dots"}
    known |= {"pm", "cdot", "sim", "langle", "rangle", "operatorname", "sum"}
    assert set(re.findall(r"\\([A-Za-z]+)", written)) <= known
    for piece in pieces(text):
        if piece.formula:
            assert mathml(piece.text, display="inline")
            assert not re.match(r"[_^]", piece.text)
            assert not re.search(r"([_^])\{[^{}]*\}([_^]\{[^{}]*\})?\1", piece.text)


@given(st.text("abcdefghijk mnopqrstuvwxyz.,", max_size=60).filter(str.strip))
def test_words_stay_as_they_are(text: str) -> None:
    kept = "".join(piece.text for piece in pieces(text)).replace("\\", "")
    assert kept.replace(" ", "").replace("varepsilon", "eps") == text.replace(" ", "")
