"""Derivations as HTML with MathML: one page that loads nothing, in light, dark and on paper.

A step is its number, its formula, a sentence for the reader and, smaller, what decided it. Steps
and sections can be linked; a step that was argued in words is marked by a word and a bar.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ..mathml import breakable, mathml
from .derivation import Derivation, Step
from .notation import LATEX, definitions, legend, shortened, write, write_parameter
from .sentence import pieces
from .text import reason, rules, summary

_HEAD = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Derivations</title>
<style>
:root { color-scheme: light dark; --page: #fbfbf9; --ink: #1b1e23; --muted: #555c67;
  --line: #d8dbd7; --link: #1d5a9e; --alarm: #a81428; }
@media (prefers-color-scheme: dark) { :root { --page: #14171b; --ink: #e7e9ec; --muted: #a5adb9;
  --line: #363d47; --link: #8fbcf2; --alarm: #ff8c99; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 17px/1.5 "Libertinus Serif", "STIX Two Text", Cambria, "Liberation Serif", serif; }
main, body > header, body > footer { max-width: 54rem; margin: 0 auto; padding: 0 1.2rem; }
h1 { font-size: 1.7rem; margin: 2rem 0 .6rem; } h2 { font-size: 1.35rem; margin: 0 0 .2rem; }
h3 { font-size: 1rem; margin: 1.3rem 0 .3rem; }
a { color: var(--link); } code { font-size: .85em; color: var(--muted); overflow-wrap: anywhere; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.derivation { border-top: 1px solid var(--line); margin-top: 2.4rem; padding-top: 1.6rem; }
.derivation p { margin: .3rem 0; }
dl { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .15rem 1rem;
  margin: .3rem 0; align-items: center; }
dd { margin: 0; overflow-x: auto; overflow-y: hidden; }
.steps { list-style: none; padding: 0; margin: .4rem 0; }
.steps li { display: grid; grid-template-columns: 2.6rem minmax(0, 1fr); align-items: center;
  margin: .75rem 0; scroll-margin-top: 1rem; }
.steps li > .n { color: var(--muted); font-variant-numeric: tabular-nums; }
.steps .formula { overflow-x: auto; overflow-y: hidden; padding: .1rem 0; }
.steps li > p { grid-column: 2; margin: .1rem 0; }
.rule { color: var(--muted); font-size: .86rem; }
.steps li:target { background: color-mix(in srgb, var(--link) 12%, transparent); }
.argued > .formula { border-left: .25rem solid var(--alarm); padding-left: .6rem; }
.argued .rule { color: var(--alarm); }
math { font-family: "STIX Two Math", "Latin Modern Math", "Cambria Math", "Libertinus Math", math; }
math[display=block] { display: inline math; }
.sum { color: var(--muted); font-size: .9rem; }
body > footer { margin: 2.5rem auto; color: var(--muted); font-size: .88rem; }
@media print { :root { --page: #fff; --ink: #000; --muted: #444; --link: #000; }
  body { font-size: 10.5pt; } .steps li { break-inside: avoid; } h2, h3 { break-after: avoid; }
  main, body > header, body > footer { max-width: none; padding: 0; }
  .formula, dd { overflow: visible; } }
</style></head><body>
"""
_FOOT = """<footer><p>Every step was decided by machine when this page was made, except those that
say that they were argued in words.</p></footer></body></html>
"""


def html(derivation: Derivation) -> str:
    """The derivation as a ``section`` element."""
    short = shortened(derivation.setting)
    anchor = _anchor(derivation)
    lines = [f'<section class="derivation" aria-labelledby="{anchor}">']
    lines.append(f'<h2 id="{anchor}">{_set(derivation.title)}</h2>')
    lines.append(f"<p><code>{escape(derivation.claim)}</code></p>")
    lines.append("<h3>Letters</h3><dl>")
    for letter, words in legend(derivation.setting, LATEX, _inline, _set):
        lines.append(f"<dt>{_inline(letter)}</dt><dd>{words}</dd>")
    for name, expression in definitions(derivation.setting, LATEX):
        lines.append(f"<dt>{_inline(name)}</dt><dd>{mathml(f'= {expression}')}</dd>")
    lines.append('</dl><h3>Steps</h3><ol class="steps">')
    for step in derivation.steps:
        marked = ' class="argued"' if step.argued else ""
        lines.append(f'<li id="{anchor}-{step.number}"{marked}>')
        lines.append(f'<span class="n">({step.number})</span>')
        formula = breakable(write(step.conclusion, LATEX, short))
        lines.append(f'<div class="formula">{formula}</div>')
        lines.append(f"<p>{_set(step.why)}</p>" if step.why else "")
        lines.append(f'<p class="rule">{_reason(step, derivation, anchor)}</p></li>')
    lines.append("</ol><h3>Concluded</h3><dl>")
    for name, number in derivation.conclusions.items():
        lines.append(f"<dt>{escape(name)}</dt><dd>{_link(anchor, number)}</dd>")
    lines.append(f'</dl><p class="sum">{escape(" ".join(summary(derivation)))}</p>')
    return "\n".join([*filter(None, lines), "</section>", ""])


def page(shown: Sequence[Derivation]) -> str:
    """A page that opens from disk: contents, derivations, and what the rules accept."""
    lines = [_HEAD, "<header><h1>Derivations</h1>"]
    if len(shown) > 1:
        lines.append('<nav aria-label="Contents"><ul>')
        for derivation in shown:
            claim = f"<code>{escape(derivation.claim)}</code>"
            title = f'<a href="#{_anchor(derivation)}">{_set(derivation.title)}</a>'
            lines.append(f"<li>{title} {claim}</li>")
        lines.append("</ul></nav>")
    lines += ["</header><main>", *map(html, shown)]
    lines.append('<section class="derivation" aria-labelledby="rules">')
    lines.append('<h2 id="rules">How the steps are decided</h2><dl>')
    for name, accepts in rules(shown):
        lines.append(f"<dt>{escape(name)}</dt><dd>{_set(accepts)}</dd>")
    return "\n".join([*lines, "</dl></section></main>", _FOOT])


def _anchor(derivation: Derivation) -> str:
    return escape(f"{derivation.claim}-{'-'.join(derivation.conclusions)}")


def _set(sentence: str) -> str:
    """A sentence with its formulas set."""
    return "".join(
        _inline(piece.text) if piece.formula else escape(piece.text) for piece in pieces(sentence)
    )


def _inline(latex: str) -> str:
    return mathml(latex, display="inline")


def _reason(step: Step, derivation: Derivation, anchor: str) -> str:
    short = shortened(derivation.setting)
    return reason(
        step,
        formula=lambda parameter: _inline(write_parameter(parameter, LATEX, short)),
        link=lambda number: _link(anchor, number),
    )


def _link(anchor: str, number: int) -> str:
    return f'<a href="#{anchor}-{number}">({number})</a>'
