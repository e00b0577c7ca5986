"""Vernacular: the commands that a proof file may use.

What is not on the list is refused, whatever it does: a list of forbidden commands would have to be
complete. Words that leave a gap or switch a check of the kernel off are refused anywhere outside
comments and strings, so that no attribute and no plugin syntax can hide them. The scan is a second
line: what the kernel itself reports (`audit`) would find an assumption under any name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .sentences import Sentence

_FORBIDDEN = (
    (r"\bnative_(compute|cast_no_check)\b", "code from elsewhere"),
    (r"\bDeclare\s+ML\b|\bLoad\b|\bAdd\s+(Rec\s+)?(ML|LoadPath)\b", "code from elsewhere"),
    (r"\bExtraction\b|\bRedirect\b|\bCd\b|\bDrop\b", "a command with an effect outside"),
    (r"\bAdmitted\b|\badmit\b|\bgive_up\b|\bProof_admitted\b", "a gap in a proof"),
    (r"\b(Axioms?|Parameters?|Conjectures?|Primitive|Symbols?)\b", "an assumption"),
    (r"\bbypass_check\b", "an attribute that switches a check off"),
    (r"\b(Guard|Positivity|Universe|Universes)\s+Checking\b", "a switch for a check of the kernel"),
    (r"\bCumulative\s+StrictProp\b|\bDefinitional\s+UIP\b", "a switch for the theory"),
)

_EFFECTS = ("code from elsewhere", "a command with an effect outside")

_ALLOWED = frozenset(
    [
        *("From", "Require", "Import", "Export", "Open", "Close", "Set", "Unset", "Arguments"),
        *("Notation", "Reserved", "Implicit", "Bind", "Delimit", "Section", "End", "Variable"),
        *("Variables", "Hypothesis", "Hypotheses", "Context", "Let", "Lemma", "Theorem", "Fact"),
        *("Corollary", "Proposition", "Remark", "Definition", "Fixpoint", "Canonical", "Inductive"),
        *("Variant", "Record", "Structure", "Coercion", "Ltac", "Hint", "Instance"),
        *("Proof", "Qed", "Defined", "Abort"),
    ]
)

_OPTIONS = re.compile(
    r"(Set|Unset) (Implicit Arguments|Strict Implicit|Printing Implicit Defensive|"
    r"Contextual Implicit|SsrOldRewriteGoalsOrder)"
)

_PLAIN = re.compile(r"Declare Scope \w+|Add Ring \w+ : (\w+|\(\w+ \w+\))")
"""The only forms of two commands whose others might do more."""

_IN_SECTIONS = frozenset({"Variable", "Variables", "Hypothesis", "Hypotheses", "Context"})

_LIBRARIES = ("mathcomp", "Coq", "Headproof", "Headproof.proofs")


@dataclass(frozen=True)
class Objection:
    """A sentence that a proof file must not hold, and why.

    Args:
        line: where it begins.
        reason: what is wrong.
        runs: whether a file with it must not even be compiled, since it might do more than define
            and prove: run other code, write files. What leaves a gap may be compiled: the kernel's
            own report names the gap again.
    """

    line: int
    reason: str
    runs: bool = False


def objections(found: Sequence[Sentence]) -> tuple[Objection, ...]:
    """What is wrong with the sentences of a file.

    Example:
        >>> from headproof.proofs_check.formal.sentences import sentences
        >>> [o.reason for o in objections(sentences("Lemma a : False. Admitted."))]
        ['Admitted: a gap in a proof']
    """
    wrong = []
    sections: list[str] = []
    for sentence in found:
        gap, unlisted = _forbidden(sentence.words), _unlisted(sentence.words)
        reason = gap or unlisted
        head, rest = _head(sentence.words)
        told = not gap.startswith(head)  # something else than the gap itself
        runs = gap.endswith(_EFFECTS) or (bool(unlisted) and head not in _ALLOWED and told)
        if head == "Section":
            sections.append(rest.split()[0] if rest.split() else "")
        elif head == "End":
            if sections:
                sections.pop()
        elif head in _IN_SECTIONS and not sections and not reason:
            reason = f"{head}: an assumption outside any section"
        if reason:
            wrong.append(Objection(sentence.line, reason, runs))
    return tuple(wrong)


def _forbidden(words: str) -> str:
    for pattern, why in _FORBIDDEN:
        if match := re.search(pattern, words):
            return f"{match.group()}: {why}"
    return ""


def _unlisted(words: str) -> str:
    head, rest = _head(words)
    if not head[:1].isupper():  # a tactic
        return ""
    if _PLAIN.fullmatch(f"{head} {rest}"):
        return ""
    if head not in _ALLOWED:
        return f"{head}: not among the commands that a proof file may use"
    if head in ("Set", "Unset") and not _OPTIONS.fullmatch(f"{head} {rest}"):
        return f"{head} {rest}: not among the options that a proof file may set"
    if head == "Require" and not rest.startswith(("Import", "Export")):
        return "Require without From: says not whence"
    if head == "From" and rest.split()[:1] and rest.split()[0] not in _LIBRARIES:
        return f"From {rest.split()[0]}: not among the libraries that a proof file may use"
    return ""


def _head(words: str) -> tuple[str, str]:
    """The command of a sentence and the rest, without bullets, braces, attributes and prefixes."""
    words = re.sub(r"^([-+*{}]\s*)+", "", words)
    words = re.sub(r"^(#\[[^\]]*\]\s*)+", "", words)
    words = re.sub(r"^((Local|Global|Time|Succeed)\s+)+", "", words)
    head, _, rest = words.partition(" ")
    return head, rest
