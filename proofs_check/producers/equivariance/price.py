"""Claim T1d, equivariance.price: what it costs to cover every stratum."""

from __future__ import annotations

from hypothesis import strategies as st

from ....symbolic.equivariance.gset import matching, types
from ....symbolic.equivariance.library import NAMES, named
from ....symbolic.equivariance.price import cheapest
from ....symbolic.equivariance.proofs import fibres
from ...certificates import group
from ...claim import Context, Profile
from ...claims.equivariance.price import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from .models import possible

HEADS = range(1, 9)
"""H of the tables."""

KNOWN = {
    "C_2": (1, 3, 4, 6),
    "C_3": (1, 2, 5, 6),
    "V_4": (1, 5, 6, 10),
    "S_3": (1, 3, 6, 8),
}
"""What the statement says for H = 1..4."""


def derivation(_: Context) -> Outcome:
    """For every number of heads."""
    return derived(fibres.derivation(), "size")


def abstract_table(_: Context) -> Outcome:
    """The prices over all G-sets.

    Raises:
        AssertionError: they are not those of the statement.
    """
    certificates: dict[str, Certificate] = {}
    table: dict[str, str] = {}
    for name in NAMES:
        classes = named(name).classes
        prices = [cheapest(classes, H) for H in HEADS]
        found = tuple(each.price for each in prices)
        if name in KNOWN and found[:4] != KNOWN[name]:
            raise AssertionError(f"{name}: {found[:4]}, stated {KNOWN[name]}")
        table[name] = ", ".join(map(str, found))
        certificates[name] = group.price(ID, classes, prices)
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(NAMES)}, H = 1..{max(HEADS)}",
        certificates=certificates,
        numbers=table,
    )


def realised_table(_: Context) -> Outcome:
    """The prices over the strata of the natural actions."""
    certificates: dict[str, Certificate] = {}
    table: dict[str, str] = {}
    for name in NAMES:
        G = named(name)
        prices = [cheapest(G.classes, H, realised=possible(G)) for H in HEADS]
        table[f"{name}, {G.action}"] = ", ".join(str(each.price) for each in prices)
        certificates[name] = group.price(ID, G.classes, prices, (G.natural, G.natural))
    return Outcome(
        Finding.HOLDS,
        scope=f"{', '.join(NAMES)} by natural actions, H = 1..{max(HEADS)}",
        certificates=certificates,
        numbers=table,
    )


def enumeration(context: Context) -> Outcome:
    """Look for a price that trying all smaller types one by one contradicts."""

    def holds(case: tuple[str, int]) -> bool:
        name, H = case
        classes = named(name).classes
        strata = list(types(classes, H))
        found = cheapest(classes, H)

        def covers(size: int) -> bool:
            return any(
                all(matching(classes, T, S) is not None for S in strata)
                for T in types(classes, size)
            )

        # A larger type covers what a smaller one does: the largest below the price decides.
        return covers(found.price) and not covers(found.price - 1)

    most = 4 if context.profile is Profile.QUICK else 6
    case = st.tuples(st.sampled_from(("C_2", "C_3", "V_4", "S_3", "A_4")), st.integers(1, most))
    examples = 40 if context.profile is Profile.QUICK else 200
    result = search(case, holds, examples=examples, seed=context.seed)
    return searched(result, f"five groups and H = 1..{most}", lambda _: {})


def search_as_many(context: Context) -> Outcome:
    """Refute that H heads suffice."""

    def holds(case: tuple[str, int]) -> bool:
        return cheapest(named(case[0]).classes, case[1]).price == case[1]

    case = st.tuples(st.sampled_from(NAMES), st.integers(1, 5))
    result = search(case, holds, examples=60, seed=context.seed)

    def refutation(case: tuple[str, int]) -> dict[str, Certificate]:
        classes = named(case[0]).classes
        return {"case": group.price(ID, classes, [cheapest(classes, case[1])])}

    return searched(result, "groups and H", refutation)
