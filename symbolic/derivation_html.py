"""Derivations as HTML with MathML: nothing is loaded from anywhere."""

from __future__ import annotations

from html import escape

from latex2mathml.converter import convert
from sympy import Symbol

from .derivation import Derivation, Step
from .derivation_text import reason, summary
from .notation import LATEX, legend, write, write_parameter

HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Derivations</title>
<style>
body { font-family: serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
.derivation li { margin: .7rem 0; } .why { color: #444; } .rule { font-style: italic; }
.argued { border-left: .25rem solid #b00; padding-left: .5rem; }
</style></head><body>
"""
FOOT = "</body></html>\n"


def html(derivation: Derivation) -> str:
    """The derivation as a ``section`` element."""
    short = derivation.setting.abbreviations
    anchor = f"{derivation.claim}-{'-'.join(derivation.conclusions)}"
    lines = [f'<section class="derivation" id="{escape(anchor)}">']
    lines.append(
        f"<h2>{escape(derivation.title)}</h2><p><code>{escape(derivation.claim)}</code></p>"
    )
    lines.append("<ul>")
    for letter, words in legend(derivation.setting, LATEX, _math):
        lines.append(f"<li>{_math(letter)}: {words}</li>")
    for name, expression in short.items():
        named = LATEX.expression(Symbol(name))
        lines.append(f"<li>{_math(f'{named} = {LATEX.expression(expression)}')}</li>")
    lines.append("</ul><ol>")
    for step in derivation.steps:
        marked = ' class="argued"' if step.argued else ""
        lines.append(f'<li id="{escape(anchor)}-{step.number}" value="{step.number}"{marked}>')
        lines.append(_math(write(step.conclusion, LATEX, short)))
        lines.append(f'<br><span class="rule">{_reason(step, derivation, anchor)}.</span> ')
        lines.append(f'<span class="why">{escape(step.why)}</span></li>')
    lines.append("</ol>")
    named_steps = "; ".join(
        f"{escape(name)}: {_link(anchor, n)}" for name, n in derivation.conclusions.items()
    )
    lines.append(f"<p>Concluded: {named_steps}. {escape(' '.join(summary(derivation)))}</p>")
    return "\n".join([*lines, "</section>", ""])


def page(sections: str) -> str:
    """A page that opens from disk."""
    return HEAD + sections + FOOT


def _math(latex: str) -> str:
    return str(convert(latex))


def _reason(step: Step, derivation: Derivation, anchor: str) -> str:
    short = derivation.setting.abbreviations
    return reason(
        step,
        formula=lambda parameter: _math(write_parameter(parameter, LATEX, short)),
        link=lambda number: _link(anchor, number),
    )


def _link(anchor: str, number: int) -> str:
    return f'<a href="#{escape(anchor)}-{number}">({number})</a>'
