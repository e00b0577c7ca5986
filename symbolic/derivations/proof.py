"""Proofs: derivations in the making, each step decided by machine when it is added.

The design is that of an LCF kernel. A step is accepted only if one of the rules of
`rules.RULES` decides it from the steps that it names, and if it then holds at every instance
drawn (`instance`): sizes 1 to 4, hypotheses satisfied. Anything else raises `DerivationFailed`.

A rule proves; an instance only refutes. A derivation whose hypotheses no instance satisfies is
refused too: from a contradiction everything would follow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from random import Random
from types import MappingProxyType
from typing import Any

from sympy import Lambda, Limit, Symbol, sympify

from ..errors import DerivationFailed
from .antiderivative import Undecided
from .derivation import ARGUED, ASSUMPTION, DISCHARGE, HYPOTHESIS, Derivation, Step
from .instance import Instance, Sampler, Undefined, holds
from .letters import faults, is_parameter
from .rules import RULES, Judgement, Refused, Rule
from .setting import Setting
from .sign import Known
from .statement import Implication, Statement, require_statement

_INSTANCES = 24
_DRAWS = 2000
_LEAST = 2
"""Instances kept, draws made for them, and how many must satisfy a local assumption."""


class Proof:
    """A derivation in the making.

    Args:
        claim: the id of the claim.
        title: a few words.
        setting: the letters.
        choose: draws instances that satisfy the hypotheses; without it everything is drawn at
            random and kept if the hypotheses hold.
        seed: of the instances.

    Example:
        >>> from sympy import Sum
        >>> from headproof.symbolic.derivations.rules.equality import NORMAL_FORM
        >>> from headproof.symbolic.derivations.setting import Setting, family, index, size
        >>> from headproof.symbolic.derivations.statement import eq
        >>> N, j, s = size("N"), index("j"), family("s")
        >>> proof = Proof("example", "linearity", Setting((N,), {j: (1, N)}, families=(s,)))
        >>> doubled = eq(Sum(2 * s(j), (j, 1, N)), 2 * Sum(s(j), (j, 1, N)))
        >>> step = proof.step(doubled, NORMAL_FORM, why="A constant factor is pulled out.")
        >>> proof.finish(linear=step).general
        True
    """

    def __init__(
        self,
        claim: str,
        title: str,
        setting: Setting,
        *,
        choose: Sampler | None = None,
        seed: int = 0,
    ) -> None:
        """Start with no steps."""
        _require_ranges(setting)
        self._claim, self._title, self._setting = claim, title, setting
        self._choose, self._seed = choose, seed
        self._steps: list[Step] = []
        self._instances: list[Instance] = []

    def suppose(self, statement: Statement, *, why: str) -> int:
        """Add a hypothesis of the whole derivation; all of them come before any step.

        Raises:
            ValueError: a step was added already.
        """
        if any(step.rule != HYPOTHESIS for step in self._steps):
            raise ValueError("hypotheses come before the first step")
        number = len(self._steps) + 1
        self._check_letters(number, statement, HYPOTHESIS)
        step = Step(number, statement, HYPOTHESIS, why=why, assumptions=frozenset({number}))
        self._steps.append(step)
        return number

    def assume(self, statement: Statement, *, why: str) -> int:
        """Add an assumption that has to be discharged."""
        number = len(self._steps) + 1
        resting = frozenset({number})
        step = Step(number, statement, ASSUMPTION, why=why, assumptions=resting)
        return self._add(step)

    def step(
        self,
        conclusion: Statement,
        rule: Rule,
        *premises: int,
        parameters: Iterable[Any] = (),
        why: str,
    ) -> int:
        """Add a step that a rule decides.

        Args:
            conclusion: what is to hold.
            rule: one of `rules.RULES`.
            premises: numbers of earlier steps.
            parameters: what the rule needs besides.
            why: one sentence for the reader.

        Raises:
            DerivationFailed: the rule refuses, or the step is false at an instance.
        """
        number = len(self._steps) + 1
        if RULES.get(rule.name) is not rule:
            raise DerivationFailed(number, "a rule of the table", rule.name, rule=rule.name)
        given = tuple(p if isinstance(p, Lambda) else sympify(p) for p in parameters)
        earlier = self._earlier(number, premises, rule.name)
        resting = frozenset().union(*(step.assumptions for step in earlier))
        self._check_letters(number, conclusion, rule.name)
        self._check_parameters(number, given, conclusion, rule.name)
        judgement = Judgement(
            self._setting,
            conclusion,
            tuple(step.conclusion for step in earlier),
            tuple(self._steps[n - 1].conclusion for n in sorted(resting)),
            given,
        )
        try:
            rule.decide(judgement)
            judgement.form.defined(conclusion)
        except Undecided as gap:
            raise DerivationFailed(number, str(conclusion), str(gap), rule=rule.name) from gap
        except Refused as gap:
            raise DerivationFailed(number, gap.left, gap.right, rule=rule.name) from gap
        return self._add(Step(number, conclusion, rule.name, premises, why, False, given, resting))

    def discharge(self, assumption: int, step: int, *, why: str) -> int:
        """From a step that rests on an assumption, the implication that does not.

        Raises:
            DerivationFailed: what is named is no assumption.
        """
        number = len(self._steps) + 1
        assumed, reached = self._earlier(number, (assumption, step), DISCHARGE)
        if assumed.rule != ASSUMPTION:
            raise DerivationFailed(number, "an assumption", assumed.rule, rule=DISCHARGE)
        conclusion = Implication(assumed.conclusion, reached.conclusion)
        resting = reached.assumptions - {assumption}
        return self._add(
            Step(number, conclusion, DISCHARGE, (assumption, step), why, assumptions=resting)
        )

    def argue(self, conclusion: Statement, *premises: int, why: str) -> int:
        """Add a step argued in words: it is marked, and the derivation proves nothing by itself."""
        number = len(self._steps) + 1
        earlier = self._earlier(number, premises, ARGUED)
        resting = frozenset().union(*(step.assumptions for step in earlier))
        step = Step(number, conclusion, ARGUED, premises, why, argued=True, assumptions=resting)
        return self._add(step)

    def finish(self, **conclusions: int) -> Derivation:
        """Close the derivation and name what it concludes (``_`` in a name becomes ``-``).

        Raises:
            DerivationFailed: a conclusion rests on an assumption that was not discharged.
        """
        for number in conclusions.values():
            (step,) = self._earlier(number + 1, (number,), "conclusion")
            for resting in sorted(step.assumptions):
                assumed = self._steps[resting - 1]
                if assumed.rule != HYPOTHESIS:
                    raise DerivationFailed(
                        number, str(assumed.conclusion), "not discharged", rule=DISCHARGE
                    )
        named = {name.replace("_", "-"): number for name, number in conclusions.items()}
        return Derivation(
            self._claim,
            self._title,
            self._setting,
            tuple(self._steps),
            MappingProxyType(named),
            self._choose,
            self._seed,
        )

    def _earlier(self, number: int, premises: Iterable[int], rule: str) -> tuple[Step, ...]:
        """The steps of these numbers."""
        for premise in premises:
            if not 1 <= premise <= len(self._steps):
                raise DerivationFailed(number, "an earlier step", str(premise), rule=rule)
        return tuple(self._steps[premise - 1] for premise in premises)

    def _check_letters(self, number: int, statement: Statement, rule: str) -> None:
        """Refuse undeclared letters: nothing would be known of them."""
        require_statement(statement)
        for expected, found in faults(statement, self._setting):
            raise DerivationFailed(number, expected, found, rule=rule)

    def _check_parameters(
        self, number: int, parameters: Iterable[Any], conclusion: Statement, rule: str
    ) -> None:
        """The same of what a rule is given; it may name the variable of a limit."""
        tending = {limit.args[1] for limit in conclusion.atoms(Limit)}
        for parameter in parameters:
            if not is_parameter(parameter):
                found = str(parameter)
                raise DerivationFailed(number, "an expression or a function", found, rule=rule)
            for expected, found in faults(parameter, self._setting, tending):
                raise DerivationFailed(number, expected, found, rule=rule)

    def _add(self, step: Step) -> int:
        self._check_letters(step.number, step.conclusion, step.rule)
        self._check_instances(step)
        self._steps.append(step)
        return step.number

    def _check_instances(self, step: Step) -> None:
        """Evaluate the step at every instance that satisfies what it rests on."""
        local = [
            self._steps[n - 1].conclusion
            for n in step.assumptions
            if n < step.number and self._steps[n - 1].rule != HYPOTHESIS
        ]
        assumed = [*local, step.conclusion] if step.rule == ASSUMPTION else local
        met = 0
        for instance in self._pool(step.number):
            if not _satisfies(instance, assumed):
                continue
            met += 1
            try:
                true = holds(step.conclusion, instance)
            except Undefined as gap:
                raise self._false(step, f"undefined ({gap}) at {instance.describe()}") from gap
            if not true:
                raise self._false(step, f"false at {instance.describe()}")
        if met < _LEAST:
            raise self._false(step, f"only {met} instances satisfy what it rests on")

    def _false(self, step: Step, reason: str) -> DerivationFailed:
        return DerivationFailed(
            step.number, str(step.conclusion), reason, rule=f"{step.rule}, at instances"
        )

    def _pool(self, number: int) -> list[Instance]:
        """Instances that satisfy the hypotheses; drawn once.

        Raises:
            DerivationFailed: too few were found; the hypotheses may contradict each other.
        """
        if self._instances:
            return self._instances
        hypotheses = [s.conclusion for s in self._steps if s.rule == HYPOTHESIS]
        random = Random(f"{self._claim}:{self._seed}")
        found: list[Instance] = []
        for _ in range(_DRAWS):
            instance = Instance.draw(self._setting, random, self._choose)
            if _satisfies(instance, hypotheses):
                found.append(instance)
            if len(found) == _INSTANCES:
                self._require_sizes(number, found)
                self._instances = found
                return found
        raise DerivationFailed(
            number,
            f"{_INSTANCES} instances",
            f"{len(found)} of {_DRAWS} draws satisfy the hypotheses",
            rule=HYPOTHESIS,
        )

    def _require_sizes(self, number: int, found: Iterable[Instance]) -> None:
        """Refuse hypotheses that leave a size one value, unless one on sizes alone shows it."""
        if any(s.conclusion.free_symbols <= set(self._setting.sizes) for s in self._steps):
            return
        for size in self._setting.sizes:
            met = {instance.letters[size] for instance in found}
            if len(met) == 1:
                kept = f"{size} = {min(met)} in all"
                raise DerivationFailed(number, f"more than one {size}", kept, rule=HYPOTHESIS)


def _satisfies(instance: Instance, statements: Iterable[Statement]) -> bool:
    """Whether all statements have a value at the instance and hold there."""
    try:
        return all(holds(statement, instance) for statement in statements)
    except Undefined:
        return False


def _require_ranges(setting: Setting) -> None:
    """Refuse an index of a range that may be empty: that it exists would be a hidden hypothesis."""
    earlier: dict[Symbol, tuple[Any, Any]] = {}
    for letter, (low, high) in setting.ranges.items():
        if not Known(replace(setting, ranges=dict(earlier))).nonnegative(high - low):
            raise ValueError(f"the range {low}..{high} of {letter} may be empty")
        earlier[letter] = (low, high)
