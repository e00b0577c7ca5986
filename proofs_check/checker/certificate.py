"""One certificate: the envelope around the data of a kind."""

from __future__ import annotations

import decimal
import re
from dataclasses import dataclass
from pathlib import Path

from .budget import Budget
from .errors import Rejected, Unreadable, show
from .fields import Json, members
from .kinds import KINDS
from .reading import parse_json, read

FORMAT = "headproof-certificate/1"
CLAIM = re.compile(r"(?:[A-Za-z0-9][A-Za-z0-9._-]{0,199})?")


@dataclass(frozen=True)
class Result:
    """What the checker says about one certificate.

    Args:
        path: the file, as given.
        kind: the kind that it states, empty if it could not be read.
        claim: the claim that it states, empty if it could not be read.
        valid: whether it proves its statement.
        reason: why it does not; empty if it does.
        readable: whether it is a certificate at all.
    """

    path: str
    kind: str
    claim: str
    valid: bool
    reason: str
    readable: bool = True

    @property
    def answer(self) -> str:
        """``valid``, ``invalid`` or ``unreadable``."""
        return "valid" if self.valid else "invalid" if self.readable else "unreadable"


def check_certificate(certificate: Json) -> None:
    """Check a certificate that is already a JSON value.

    Raises:
        Rejected: it does not prove its statement.
        Unreadable: it is malformed or too large.
    """
    _, kind, data = _opened(certificate)
    _check(kind, data)


def check_file(path: Path | str, *, follow: bool = True, claim: str = "") -> Result:
    """Check the certificate in a file; whatever is wrong with it becomes the result.

    Args:
        path: the file.
        follow: whether it may be a symbolic link.
        claim: the claim that it must belong to, if not empty.
    """
    stated = kind = ""
    try:
        certificate = parse_json(read(Path(path), follow=follow))
        stated, kind, data = _opened(certificate)
        if claim and stated != claim:
            raise Rejected(f"it belongs to the claim {stated}, not to {claim}")
        _check(kind, data)
    except Rejected as rejected:
        return Result(str(path), kind, stated, False, str(rejected))
    except Unreadable as unreadable:
        return Result(str(path), kind, stated, False, str(unreadable), readable=False)
    except (RecursionError, MemoryError) as error:
        reason = f"too large for this machine: {type(error).__name__}"
        return Result(str(path), kind, stated, False, reason, readable=False)
    return Result(str(path), kind, stated, True, "")


def _check(kind: str, data: Json) -> None:
    """Ask the kind; enclosures that grow beyond the exponents of decimals prove nothing."""
    try:
        KINDS[kind](data, Budget())
    except decimal.DecimalException:
        raise Rejected("a value beyond the range of the enclosures (overflow)") from None


def _opened(certificate: Json) -> tuple[str, str, Json]:
    if type(certificate) is not dict:
        raise Unreadable(f"expected an object, found {show(certificate)}")
    stated = certificate.get("format")
    if stated != FORMAT:
        raise Unreadable(f"expected the format {FORMAT!r}, found {show(stated)}")
    parts = members(certificate, "certificate", ("format", "kind", "claim", "data"))
    claim, kind = parts["claim"], parts["kind"]
    if type(claim) is not str or CLAIM.fullmatch(claim) is None:
        raise Unreadable(f"claim: expected an id such as tropical.cells, found {show(claim)}")
    if type(kind) is not str or kind not in KINDS:
        raise Unreadable(f"kind: expected one of {', '.join(KINDS)}, found {show(kind)}")
    return claim, kind, parts["data"]
