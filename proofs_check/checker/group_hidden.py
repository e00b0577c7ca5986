"""Kind group, statement hidden: what a fixed hidden representation covers (CERTIFICATES.md)."""

from __future__ import annotations

from operator import mul

from .budget import Budget
from .errors import Rejected, Unreadable, show
from .fields import Json, flag, integer, items, members
from .finite_group import read_group
from .group_action import Action, average

KINDS = ((1, 1), (2, 0), (4, -2))
"""(n, nu) of an irreducible of real, complex and quaternionic type."""


def check(data: dict[str, Json], budget: Budget) -> None:
    """Check the decomposition and the criterion.

    Raises:
        Rejected: a representation is not irreducible, a number is not the one counted.
        Unreadable: it is malformed or too large.
    """
    parts = members(
        data,
        "data",
        (
            "statement",
            "group",
            "rho",
            "irreducibles",
            "hidden",
            "multiplicities",
            "needed",
            "least",
            "covers",
        ),
    )
    group = read_group(parts["group"], budget)
    rho = Action(group, parts["rho"], "rho")
    hidden = integer(parts["hidden"], "hidden", 1)
    given = items(parts["irreducibles"], "irreducibles", least=1)
    irreducibles = [Action(group, each, f"irreducibles[{i}]") for i, each in enumerate(given)]
    multiplicities, needed = (_list(parts[name], len(given), name) for name in _LISTS)
    order, squares = len(group), [group.table[a][a] for a in range(len(group))]
    total = least = 0
    for i, sigma in enumerate(irreducibles):
        chi = sigma.trace
        budget.spend(order * (4 + i))
        norm = average([x * x for x in chi], order)
        indicator = average([chi[a] for a in squares], order)
        if (norm, indicator) not in KINDS:
            raise Rejected(f"irreducibles[{i}]: not irreducible over the reals")
        for j, other in enumerate(irreducibles[:i]):
            if sum(map(mul, chi, other.trace)):
                raise Rejected(f"irreducibles[{i}]: the same as irreducibles[{j}]")
        times = average(list(map(mul, chi, rho.trace)), order * int(norm))
        if times != multiplicities[i] or times < 1:
            raise Rejected(f"multiplicities[{i}]: {times} counted, at least 1 expected")
        copies = min(multiplicities[i], hidden // sigma.dimension)
        if copies != needed[i]:
            raise Rejected(f"needed[{i}]: {show(needed[i])} stated, {show(copies)} counted")
        total += multiplicities[i] * sigma.dimension
        least += copies * sigma.dimension
    if total != rho.dimension:
        raise Rejected(f"irreducibles: they make up {total} dimensions of {rho.dimension}")
    if integer(parts["least"], "least", 0) != least:
        raise Rejected(f"least: {show(parts['least'])} stated, {least} counted")
    if flag(parts["covers"], "covers") != (least <= hidden):
        raise Rejected("covers: the opposite is true")


_LISTS = ("multiplicities", "needed")


def _list(value: Json, length: int, where: str) -> list[int]:
    found = [integer(n, f"{where}[{k}]", 0) for k, n in enumerate(items(value, where))]
    if len(found) != length:
        raise Unreadable(f"{where}: expected {length} integers, found {len(found)}")
    return found
