"""Certificates of kind ball over whole boxes: the search for a subdivision and what it came to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...symbolic.enclosures.subdivision import Subdivision, subdivide
from ...symbolic.errors import CertificateInvalid, LimitReached
from ...symbolic.rational import Rational
from ..evidence import Certificate, Json
from . import ball
from .formula import Expression


@dataclass(frozen=True)
class Box:
    """A bound that is to hold on a whole box.

    Args:
        name: of the certificate's file.
        expression: over the variables of the box and the given ones.
        sides: name -> an interval (low, high), or lists of them.
        lower: the lower bound; None: none.
        upper: the upper bound; None: none.
        given: exact values of further variables.
    """

    name: str
    expression: Expression
    sides: Mapping[str, Any]
    lower: Rational | None = None
    upper: Rational | None = None
    given: Mapping[str, Any] | None = None

    def search(self, *, budget: int = 20_000) -> Subdivision:
        """Subdivide until the bounds are proved everywhere, one fails, or the budget ends."""
        return subdivide(
            self.expression.json(),
            box=self.sides,
            lower=self.lower,
            upper=self.upper,
            given=self.given,
            budget=budget,
        )

    def certificate(self, claim: str, found: Subdivision, *, digits: int = 30) -> Certificate:
        """The certificate of a search that came to its end.

        Raises:
            CertificateInvalid: a point was found where a bound fails.
            LimitReached: parts of the box are still open.
        """
        if found.counterexample is not None:
            raise CertificateInvalid(f"{self.name}: a bound fails at {found.counterexample}")
        if not found.complete:
            raise LimitReached(
                f"{self.name}: {float(found.share):.1%} of the box is certified, "
                f"{len(found.open):,} parts are open: raise the budget"
            )
        certificate = ball.certificate(
            claim,
            self.expression,
            box=self.sides,
            enclosure=(self.lower, self.upper),
            digits=digits,
            given=self.given,
        )
        certificate["data"]["tree"] = found.tree
        return certificate


def prove(
    claim: str, boxes: tuple[Box, ...], *, budget: int = 20_000, digits: int = 30
) -> tuple[dict[str, Certificate], dict[str, Json]]:
    """Certificates for several boxes, and the figures of their coverage for the table.

    Raises:
        CertificateInvalid: a bound fails at some point.
        LimitReached: the budget of a box was not enough.
    """
    certificates: dict[str, Certificate] = {}
    found: list[Subdivision] = []
    for box in boxes:
        search = box.search(budget=budget)
        certificates[box.name] = box.certificate(claim, search, digits=digits)
        found.append(search)
    shares = {search.share for search in found}
    return certificates, {
        "boxes": len(boxes),
        "share of the boxes certified": str(min(shares)),
        "parts": sum(search.leaves for search in found),
        "by mean value form": sum(search.mean for search in found),
        "halvings, at most": max(search.depth for search in found),
        "digits of the enclosures": digits,
    }
