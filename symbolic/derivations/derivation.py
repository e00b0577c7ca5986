"""Finished derivations: steps, and what is computed from them.

Which hypotheses a conclusion rests on, which sizes stayed symbols, whether the derivation is
general and how many steps were argued in words is read off the steps, never stated. A derivation
made by hand proves nothing: `replay` decides every step again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from sympy import Sum, Symbol
from sympy.core.function import AppliedUndef

from .instance import Sampler
from .setting import Setting
from .statement import Quantified, Statement

HYPOTHESIS = "hypothesis"
ASSUMPTION = "assumption"
DISCHARGE = "discharge"
ARGUED = "argued"
"""The four ways into a derivation that are no decision procedures."""


@dataclass(frozen=True)
class Step:
    """One step.

    Args:
        number: from 1.
        conclusion: what holds from here on.
        rule: the name of the rule that decided it.
        premises: the numbers of the steps that it was decided from.
        why: one sentence for the reader; decides nothing.
        argued: it was argued in words, not decided by machine.
        parameters: what the rule needed besides the premises.
        assumptions: the numbers of the hypotheses and assumptions that it rests on.
    """

    number: int
    conclusion: Statement
    rule: str
    premises: tuple[int, ...] = ()
    why: str = ""
    argued: bool = False
    parameters: tuple[Any, ...] = ()
    assumptions: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Derivation:
    """A finished derivation.

    Args:
        claim: the id of the claim.
        title: a few words.
        setting: its letters.
        steps: all steps, hypotheses first.
        conclusions: name -> number of the step that states it.
        choose: draws instances that satisfy the hypotheses.
        seed: of the instances.
    """

    claim: str
    title: str
    setting: Setting
    steps: tuple[Step, ...]
    conclusions: Mapping[str, int]
    choose: Sampler | None = field(default=None, repr=False)
    seed: int = 0

    def _repr_html_(self) -> str:
        """The derivation as HTML with MathML, as a notebook shows it."""
        from .html import html

        return html(self)

    @property
    def hypotheses(self) -> tuple[Statement, ...]:
        """What the whole derivation supposes."""
        return tuple(s.conclusion for s in self.steps if s.rule == HYPOTHESIS)

    def conclusion(self, name: str) -> Statement:
        """The statement of a named conclusion."""
        return self.steps[self.conclusions[name] - 1].conclusion

    def support(self, name: str) -> tuple[Step, ...]:
        """The steps that a named conclusion rests on, itself last."""
        wanted = {self.conclusions[name]}
        for step in reversed(self.steps):
            if step.number in wanted:
                wanted |= set(step.premises)
        return tuple(step for step in self.steps if step.number in wanted)

    @property
    def argued(self) -> int:
        """How many steps were argued in words."""
        return sum(step.argued for step in self.steps)

    @cached_property
    def sizes(self) -> tuple[Symbol, ...]:
        """The size symbols that occur in the named conclusions or in the ranges they speak of."""
        shown = [self.steps[n - 1].conclusion for n in self.conclusions.values()]
        letters: set[Symbol] = set().union(*(s.free_symbols for s in shown))
        for index in letters & set(self.setting.ranges):
            letters |= set().union(*(end.free_symbols for end in self.setting.ranges[index]))
        return tuple(size for size in self.setting.sizes if size in letters)

    @property
    def fixed(self) -> tuple[str, ...]:
        """Where a size was fixed: ranges between numbers, hypotheses on sizes alone."""
        found = [
            f"step {step.number}: {low}..{high}"
            for step in self.steps
            for low, high in _ranges(step.conclusion)
            if (high - low).is_number
        ]
        found += [
            f"{index}: {low}..{high}"
            for index, (low, high) in self.setting.ranges.items()
            if (high - low).is_number
        ]
        sizes = set(self.setting.sizes)
        found += [
            str(h)
            for h in self.hypotheses
            if h.free_symbols and h.free_symbols <= sizes and not h.atoms(AppliedUndef)
        ]
        return tuple(found)

    @property
    def general(self) -> bool:
        """Whether every declared size stayed a symbol and every step was decided by machine."""
        every = set(self.sizes) == set(self.setting.sizes)
        return every and bool(self.sizes) and not self.fixed and not self.argued


def _ranges(statement: Statement) -> list[tuple[Any, Any]]:
    """The ranges of all sums and quantifiers of a statement."""
    found = [(low, high) for s in statement.atoms(Sum) for _, low, high in s.limits]
    return found + [q.limits[1:] for q in statement.atoms(Quantified)]
