"""The independent checker: from certificates to "valid", "invalid" or "unreadable".

It imports Python's standard library and nothing else, shares no code with whatever found the
certificates, and treats every file as hostile. CERTIFICATES.md beside this folder says what is
checked for each kind and why that proves the statement.

    python -I -S proofs_check/checker PATH...        without installing anything
    python -m headproof.proofs_check.checker PATH...

Reading order: errors, budget, rationals, fields, reading (hostile input); values, exact,
intervals, logic, formula, translator (what formulas mean); one file for each kind; certificate,
folders (what is checked), lines (what is shown).
"""

from .certificate import FORMAT, Result, check_certificate, check_file
from .errors import Rejected, Unreadable
from .folders import check_paths
from .kinds import KINDS
from .lines import line, tally

__all__ = [
    "FORMAT",
    "KINDS",
    "Rejected",
    "Result",
    "Unreadable",
    "check_certificate",
    "check_file",
    "check_paths",
    "line",
    "tally",
]
