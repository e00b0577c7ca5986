"""Derivations as plain text, 100 columns wide."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from textwrap import fill
from typing import Any

from .derivation import ASSUMPTION, HYPOTHESIS, Derivation, Step
from .notation import TEXT, definitions, legend, shortened, write, write_parameter
from .rules import RULES
from .rules.order import COMBINATION

WIDTH = 100


def text(derivation: Derivation) -> str:
    """The derivation: letters, hypotheses, steps with rule and premises, conclusions, summary."""
    short = shortened(derivation.setting)
    lines = [f"{derivation.claim}: {derivation.title}", ""]
    for letter, words in legend(derivation.setting, TEXT, lambda formula: formula):
        lines.append(_wrap(f"  {letter:<8}", words))
    for name, expression in definitions(derivation.setting, TEXT):
        lines.append(_wrap(f"  {name:<8}", f"= {expression}"))
    lines.append("")
    for step in derivation.steps:
        lines.append(_wrap(f"  ({step.number:>2})  ", write(step.conclusion, TEXT, short)))
        lines.append(_wrap("        | ", f"{justification(step, derivation)}. {step.why}"))
    lines += ["", "Concluded"]
    for name, number in derivation.conclusions.items():
        resting = sorted(derivation.steps[number - 1].assumptions)
        given = f" from {_list(tuple(resting))}" if resting else ""
        lines.append(f"  {name}: ({number}){given}")
    return "\n".join([*lines, "", *summary(derivation), ""])


def justification(step: Step, derivation: Derivation) -> str:
    """The rule, the steps and the parameters that decided a step."""
    short = shortened(derivation.setting)
    return reason(
        step,
        formula=lambda parameter: write_parameter(parameter, TEXT, short),
        link=lambda number: f"({number})",
    )


def reason(step: Step, *, formula: Callable[[Any], str], link: Callable[[int], str]) -> str:
    """The same in any way of writing.

    Args:
        step: the step.
        formula: writes a parameter.
        link: writes the number of a step.
    """
    given = ", ".join(link(number) for number in step.premises)
    if step.argued:
        return f"argued in words from {given}" if given else "argued in words"
    if step.rule != COMBINATION.name:
        shown = ", ".join(formula(parameter) for parameter in step.parameters)
        return " ".join(part for part in (step.rule, given, shown and f"with {shown}") if part)
    pairs = list(zip(step.premises, step.parameters, strict=True))
    terms = ", ".join(f"{link(n)} times {formula(p)}" for n, p in pairs if p != 0)
    signs = ", ".join(link(n) for n, p in pairs if p == 0)
    return f"{step.rule}: {terms}" + (f"; signs by {signs}" if signs else "")


def rules(shown: Sequence[Derivation]) -> list[tuple[str, str]]:
    """The rules that decided a step, each with what it accepts, in the order of the table."""
    used = {step.rule for derivation in shown for step in derivation.steps}
    found = []
    for name, rule in RULES.items():
        if name in used:
            first = " ".join((rule.decide.__doc__ or "").partition("\n\n")[0].split())
            plain = re.sub(r" \(see [^)]*\)", "", first.removeprefix("Accept ")).replace("`", "")
            found.append((name, plain[:1].upper() + plain[1:]))
    return found


def summary(derivation: Derivation) -> list[str]:
    """What is computed from the steps: sizes, how many were decided and argued, generality."""
    sizes = ", ".join(map(str, derivation.sizes)) or "none"
    decided = sum(not s.argued and s.rule not in (HYPOTHESIS, ASSUMPTION) for s in derivation.steps)
    return [
        f"Sizes that stayed symbols: {sizes}.",
        f"Steps decided by machine: {decided}; argued in words: {derivation.argued}.",
        f"General: {'yes' if derivation.general else 'no'}.",
    ]


def _list(numbers: tuple[int, ...]) -> str:
    return ", ".join(f"({n})" for n in numbers)


def _wrap(head: str, body: str) -> str:
    return fill(
        body,
        WIDTH,
        initial_indent=head,
        subsequent_indent=" " * len(head) if "|" not in head else head,
        break_long_words=True,
        break_on_hyphens=False,
    )
