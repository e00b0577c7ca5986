"""The errors of the suite: one class per way to fail, each carrying what offended.

They live in symbolic/ because every other folder may import from there, except numeric/, which
validates with ``ValueError`` alone: a shared class would be a shared import.
"""

from __future__ import annotations


class HeadproofError(Exception):
    """Anything that the suite refuses or cannot finish; the message says what to do."""


class InputError(HeadproofError):
    """The input is not what was asked for.

    Args:
        expected: what was expected, as a noun phrase.
        found: what was found.
        where: the place in the input (a key path, a file), empty if there is only one.
        remedy: what to do, empty if it follows from the rest.
    """

    def __init__(self, expected: str, found: str, *, where: str = "", remedy: str = "") -> None:
        place = f"{where}: " if where else ""
        cure = f"; {remedy}" if remedy else ""
        super().__init__(f"{place}expected {expected}, found {found}{cure}")
        self.expected = expected
        self.found = found
        self.where = where
        self.remedy = remedy


class Degenerate(HeadproofError):
    """A random choice fell on a set of measure zero: draw again with another seed."""


class PrecisionExhausted(HeadproofError):
    """The working precision does not decide the question: raise it."""


class NotInClass(HeadproofError):
    """The oracle is no model of the class; carries the query that shows it.

    Args:
        message: what was found and what the class requires.
        query: the query whose answer, with those before it, rules the class out.
        answer: the oracle's answer to it.
    """

    def __init__(self, message: str, *, query: object = None, answer: object = None) -> None:
        super().__init__(message)
        self.query = query
        self.answer = answer


class CertificateInvalid(HeadproofError):
    """A certificate does not prove what it states."""


class LimitReached(HeadproofError):
    """A limit on facets, cells, leaves or time was reached: the answer is incomplete."""


class DerivationFailed(HeadproofError):
    """A step of a derivation was not decided; carries both sides.

    Args:
        step: number of the step, from 1.
        left: what the step starts from, as text.
        right: what it claims, as text.
        rule: the rule that was to decide it.
        derivation: which derivation it is of, empty if there is only one.
    """

    def __init__(
        self, step: int, left: str, right: str, *, rule: str, derivation: str = ""
    ) -> None:
        place = f"{derivation}: " if derivation else ""
        super().__init__(
            f"{place}step {step} ({rule}) was not decided: left side {left}; right side {right}"
        )
        self.step = step
        self.left = left
        self.right = right
        self.rule = rule
        self.derivation = derivation
