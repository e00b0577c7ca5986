r"""Derivations as LaTeX: article class, amsmath, inline formulas so that TeX can break them."""

from __future__ import annotations

from collections.abc import Sequence

from .derivation import Derivation, Step
from .notation import LATEX, definitions, legend, shortened, write, write_parameter
from .sentence import pieces
from .text import reason, rules, summary

_HEAD = r"""\documentclass{article}
\usepackage{amsmath}
\addtolength{\textwidth}{2.4cm}
\addtolength{\oddsidemargin}{-1.2cm}
\allowdisplaybreaks
\newcommand{\step}[1]{\item[(#1)]}
\newcommand{\decided}[1]{{\footnotesize\emph{#1}}}
\begin{document}
\raggedright
"""
_FOOT = r"""\end{document}
"""


def latex(derivation: Derivation) -> str:
    r"""The derivation as a section, for a document made by `document`."""
    short = shortened(derivation.setting)
    lines = [rf"\section*{{{sentence(derivation.title)}}}"]
    lines += [rf"\noindent\texttt{{{escape(derivation.claim)}}}", ""]
    lines.append(r"\begin{itemize}\setlength{\itemsep}{0pt}")
    for letter, words in legend(derivation.setting, LATEX, lambda f: f"${f}$", sentence):
        lines.append(rf"\item ${letter}$: {words}")
    for name, expression in definitions(derivation.setting, LATEX):
        lines.append(rf"\item $\displaystyle {name} = {expression}$")
    lines += [r"\end{itemize}", r"\begin{description}\setlength{\parsep}{0pt}"]
    for step in derivation.steps:
        formula = write(step.conclusion, LATEX, short)
        lines.append(rf"\step{{{step.number}}} $\displaystyle {formula}$")
        lines.append(rf"\par {sentence(step.why)} \decided{{{_reason(step, derivation)}}}")
    lines.append(r"\end{description}")
    named = "; ".join(f"{escape(n)}: ({k})" for n, k in derivation.conclusions.items())
    lines.append(rf"\noindent Concluded: {named}. {escape(' '.join(summary(derivation)))}")
    return "\n".join([*filter(None, lines), ""])


def document(shown: Sequence[Derivation]) -> str:
    """A document that compiles: the derivations, and what the rules accept."""
    lines = [_HEAD, *map(latex, shown)]
    lines += [r"\section*{How the steps are decided}", r"\begin{description}"]
    lines += [rf"\item[{escape(name)}] {sentence(accepts)}" for name, accepts in rules(shown)]
    return "\n".join([*lines, r"\item[] ", r"\end{description}", _FOOT])


def sentence(words: str) -> str:
    r"""Running words with their formulas in math mode.

    Example:
        >>> sentence("At most N_h keys & values.")
        'At most $N_{h}$ keys \\& values.'
    """
    return "".join(
        f"${piece.text}$" if piece.formula else escape(piece.text) for piece in pieces(words)
    )


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
    short = shortened(derivation.setting)
    return reason(
        step,
        formula=lambda parameter: f"${write_parameter(parameter, LATEX, short)}$",
        link=lambda number: f"({number})",
    )
