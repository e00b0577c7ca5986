"""A12 as software: does a network of soft attention take the route of its hard limit?

At a point the answer is decided by balls whose precision is raised until every comparison is
decided. Two things cannot be decided that way and are told apart: an exact tie of the hard network,
which is found exactly and means that there is no unique route, and a tie of the soft scores, which
exhausts the precision. Over a box the box is halved until every part is decided or a budget
ends: next to a wall between cells no part ever is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from ..certificate import envelope
from ..display import facts
from ..enclosures.ball import positive_temperature, precision
from ..enclosures.interval import exactly
from ..errors import InputError, LimitReached, NotInClass, PrecisionExhausted
from ..rational import Rational, Vector, vector, write
from ..regions.network import Network
from ..regions.network_document import parse
from ..regions.network_document import write as write_network
from .soft_network import Passage, Place, Route, run, winners

Document: TypeAlias = Mapping[str, Any]

FIRST_BITS, MOST_BITS = 96, 12_288
_DEEPEST = 60
"""Halvings below one another: a certificate may not be nested deeper than the checker reads."""
SHOWN = 24
"""Significant decimals to which an error is rounded up."""


@dataclass(frozen=True)
class Stability:
    """Whether the soft network takes the hard route.

    Args:
        network: as given.
        temperature: tau.
        sides: the inputs it was decided for: an interval each, of width 0 at a point.
        follows: True, False, or None where parts of the box stayed open.
        route: the winning key of every layer and head at a point; of a box that of its middle.
        error: a bound on the distance of the soft from the hard output, if it follows.
        recursion: the same by the recursion of claim A12 alone; None where its condition fails.
        tie: where the hard network has a tie, so that there is no unique route.
        departs: where the soft network prefers another key.
        share: of the box, by volume, that is decided.
        parts: into which the box was divided.
        digits: of the certificate.
        tree: the subdivision with its routes, as the certificate has it.
    """

    network: Network
    temperature: Rational
    sides: tuple[tuple[Rational, Rational], ...]
    follows: bool | None
    route: Route
    error: Fraction | None = None
    recursion: Fraction | None = None
    tie: Place | None = None
    departs: Place | None = None
    share: Fraction = Fraction(1)
    parts: int = 1
    digits: int = 40
    tree: Any = None

    def _repr_html_(self) -> str:
        """The answer, as a notebook shows it."""
        answers = {True: "yes", False: "no", None: "not decided everywhere"}
        return facts(
            "Soft attention against its hard route",
            [
                ("temperature", self.temperature),
                ("takes the hard route", answers[self.follows]),
                ("route", self.route),
                (
                    "error at most",
                    "none shown" if self.error is None else f"{float(self.error):.3g}",
                ),
                ("share decided", self.share),
            ],
        )

    def certificate(self, claim: str = "") -> dict[str, Any]:
        """The certificate, of kind route.

        Raises:
            LimitReached: parts of the box are open.
            NotInClass: there is a tie: nothing to be certified but the tie itself.
        """
        if self.tie is not None:
            raise NotInClass("the hard network has a tie at this point: no unique route")
        data: dict[str, Any] = {
            "network": write_network(replace(self.network, domain=None)),
            "temperature": write(self.temperature),
            "digits": self.digits,
            "box": [[write(low), write(high)] for low, high in self.sides],
            "tree": self.tree,
        }
        if self.follows:
            assert self.error is not None
            return envelope("route", claim, {**data, "error": write(self.error)})
        if self.departs is None:
            raise LimitReached(f"{float(self.share):.1%} of the box is decided")
        place = [self.departs.layer, self.departs.head, self.departs.key]
        return envelope("route", claim, {**data, "departs": place})


def stability(
    network: Network | Document,
    *,
    temperature: Rational | str,
    at: Sequence[Rational | str] | None = None,
    limit: int = 2_000,
) -> Stability:
    """Decide whether soft attention at a temperature takes the route of hard attention.

    Args:
        network: or its document (the input format of ``headproof regions``).
        temperature: tau > 0.
        at: an input; without one the network's domain is looked at, as a whole.
        limit: into how many parts the domain may be divided.

    Raises:
        InputError: neither a point nor a domain, shapes that do not fit, a float, tau <= 0.
        PrecisionExhausted: soft scores that seem to tie exactly.

    Source: claim ``tropical.stability-scope``.

    Example:
        >>> head = {"keys": [[-1], [1]], "values": [[-1], [1]]}
        >>> network = {"dimension": 1, "layers": [{"heads": [head], "residual": False}]}
        >>> found = stability(network, temperature=1, at=[2])
        >>> found.follows, found.route, float(found.error) < 0.0361  # 1 - tanh 2
        (True, ((1,),), True)
        >>> stability(network, temperature=1, at=[0]).tie
        Place(layer=0, head=0, key=1)
    """
    read = network if isinstance(network, Network) else parse(network)
    tau = positive_temperature(temperature)
    if at is not None:
        return _at_point(read, vector(at, "at"), tau)
    if read.domain is None:
        raise InputError("a point or a network with a domain", "neither", where="at")
    sides = tuple(zip(read.domain.lower, read.domain.upper, strict=True))
    return _on_box(read, sides, tau, limit)


def _at_point(network: Network, point: Vector, tau: Rational) -> Stability:
    if len(point) != network.dimension:
        raise InputError(f"{network.dimension} numbers", str(len(point)), where="at")
    sides = tuple((x, x) for x in point)
    route, tie = winners(network, point)
    if tie is not None:
        return Stability(network, tau, sides, False, route, tie=tie)
    bits, before = FIRST_BITS, None
    while bits <= MOST_BITS:
        with precision(bits):
            passage = run(network, sides, tau, route)
            if passage.departs is not None:
                return _decided(network, sides, tau, passage, bits)
            if passage.error is not None:
                # A bound that more digits still improve is mostly rounding.
                error = exactly(passage.error)
                if 2 * bits > MOST_BITS or (before is not None and 100 * error >= 99 * before):
                    return _decided(network, sides, tau, passage, bits)
                before = error
        bits *= 2
    raise PrecisionExhausted(
        f"{MOST_BITS} bits do not decide which key wins: the soft scores may tie exactly"
    )


def _decided(network: Network, sides: Any, tau: Rational, passage: Passage, bits: int) -> Stability:
    tree = {"route": [list(layer) for layer in passage.route]}
    digits = min(1000, bits * 3 // 10 + 10)
    base = Stability(network, tau, sides, passage.follows, passage.route, digits=digits, tree=tree)
    if not passage.follows:
        return replace(base, departs=passage.departs)
    assert passage.error is not None
    return replace(
        base,
        error=_rounded(exactly(passage.error)),
        recursion=None if passage.recursion is None else _rounded(exactly(passage.recursion)),
    )


def _rounded(error: Fraction) -> Fraction:
    """Rounded up, by a little more than the checker's own rounding may take."""
    if error == 0:
        return error
    scale = Fraction(10) ** (SHOWN - len(str(int(error))) if error >= 1 else SHOWN)
    while error * scale < 10 ** (SHOWN - 2) and scale < Fraction(10) ** 1000:
        scale *= 10
    return Fraction(int(error * scale) + 2) / scale


def _on_box(network: Network, sides: Any, tau: Rational, limit: int) -> Stability:
    middle = [Fraction(a + b) / 2 for a, b in sides]
    route, _ = winners(network, middle)
    errors: list[Fraction] = []
    plain: list[Fraction | None] = []
    root: dict[str, Any] = {}
    pending = [(sides, root, Fraction(1), 0)]
    share, parts = Fraction(0), 0
    open_parts = 0
    with precision(FIRST_BITS):
        while pending:
            part, node, volume, depth = pending.pop(0)
            parts += 1
            centre = [Fraction(a + b) / 2 for a, b in part]
            taken, tie = winners(network, centre)
            if tie is None:
                passage = run(network, part, tau, taken)
                if passage.follows:
                    node["route"] = [list(layer) for layer in taken]
                    share += volume
                    assert passage.error is not None
                    errors.append(exactly(passage.error))
                    known = passage.recursion
                    plain.append(None if known is None else exactly(known))
                    continue
                if passage.departs is not None and passage.hard is None:
                    point = tuple((x, x) for x in centre)
                    there = _at_point(network, tuple(centre), tau)
                    return replace(there, share=share, parts=parts, sides=point)
            if parts + len(pending) >= limit or depth >= _DEEPEST:
                open_parts += 1
                continue
            i = max(range(len(part)), key=lambda k: part[k][1] - part[k][0])
            (low, high), at = part[i], centre[i]
            node |= {"split": i, "at": write(at), "below": {}, "above": {}}
            for side, half in (("below", (low, at)), ("above", (at, high))):
                pending.append(
                    ((*part[:i], half, *part[i + 1 :]), node[side], volume / 2, depth + 1)
                )
    follows = None if open_parts else True
    found = Stability(network, tau, sides, follows, route, share=share, parts=parts, digits=37)
    if open_parts:
        return found
    bounds = [bound for bound in plain if bound is not None]
    return replace(
        found,
        error=_rounded(max(errors)),
        recursion=_rounded(max(bounds)) if len(bounds) == len(plain) else None,
        tree=root,
    )
