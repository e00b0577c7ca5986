r"""Derivations as LaTeX: article class, amsmath, inline formulas so that TeX can break them."""

from __future__ import annotations

from sympy import Symbol

from .derivation import Derivation, Step
from .derivation_text import reason, summary
from .notation import LATEX, legend, write, write_parameter

HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\sloppy
\allowdisplaybreaks
\begin{document}
"""
FOOT = r"""\end{document}
"""


def latex(derivation: Derivation) -> str:
    r"""The derivation as a section, for a document that loads amsmath."""
    short = derivation.setting.abbreviations
    lines = [rf"\section*{{{escape(derivation.title)}}}", escape(derivation.claim), ""]
    lines.append(r"\begin{itemize}")
    for letter, words in legend(derivation.setting, LATEX, lambda formula: f"${formula}$"):
        lines.append(rf"\item ${letter}$: {words}")
    for name, expression in short.items():
        named = LATEX.expression(Symbol(name))
        lines.append(rf"\item ${named} = {LATEX.expression(expression)}$")
    lines += [r"\end{itemize}", r"\begin{description}"]
    for step in derivation.steps:
        lines.append(rf"\item[({step.number})] ${write(step.conclusion, LATEX, short)}$\\")
        lines.append(rf"\emph{{{_reason(step, derivation)}.}} {escape(step.why)}")
    lines.append(r"\end{description}")
    named = "; ".join(f"{escape(n)}: ({k})" for n, k in derivation.conclusions.items())
    lines.append(rf"\noindent Concluded: {named}. {escape(' '.join(summary(derivation)))}")
    return "\n".join([*lines, ""])


def document(sections: str) -> str:
    """A document that compiles."""
    return HEAD + sections + FOOT


def escape(words: str) -> str:
    """Text with the characters escaped that mean something to TeX."""
    special = {
        "\\": r"\textbackslash{}",
        "^": r"\textasciicircum{}",
        "~": r"\textasciitilde{}",
        "<": r"$<$",
        ">": r"$>$",
        "|": r"$|$",
    }
    plain = {c: "\\" + c for c in "&%$#_{}"}
    return "".join(special.get(c, plain.get(c, c)) for c in words)


def _reason(step: Step, derivation: Derivation) -> str:
    short = derivation.setting.abbreviations
    return reason(
        step,
        formula=lambda parameter: f"${write_parameter(parameter, LATEX, short)}$",
        link=lambda number: f"({number})",
    )
