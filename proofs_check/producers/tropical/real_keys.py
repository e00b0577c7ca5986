"""The heads of a real checkpoint as input of claims A2 and A5.

A float32 is an exact dyadic rational, so what a checkpoint computes on a text is exact input: the
keys as the model computes them, and the scores s_j(q) = <k_j, q> + <b_Q, k_j> of the queries q
before their bias. The common factor 1/sqrt(d_k) changes no argmax and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from ....numeric.checkpoint import (
    HeadInput,
    default_model_dir,
    exact,
    exact_head,
    exact_head_between,
    real_heads,
)
from ....symbolic.tropical.cells import cells
from ....symbolic.tropical.power_diagram import winners
from ...certificates import exhaustive
from ...certificates.exhaustive import Listed
from ...certificates.formula import Expression, at, equal, every, forall, iff, length, sum_over, var
from ...claim import Context, Profile
from ...evidence import Certificate, Finding, Outcome

Row: TypeAlias = Sequence[Fraction]
Rows: TypeAlias = Sequence[Row]

QUERIES = 2
"""Queries of each head: the first and the middle one of the text."""


def power_diagrams(context: Context) -> Outcome:
    """At real queries: one key has both the largest score and the least power distance."""
    C, Q, J = var("c"), var("q"), var("j")
    winner = at("w", Q)

    def score(j: Expression) -> Expression:
        return sum_over("c", length("k", 0), at("k", j, C) * at("x", Q, C)) + at("b", j)

    def power(j: Expression) -> Expression:
        apart = (at("x", Q, C) - at("k", j, C)) ** 2
        weight = sum_over("c", length("k", 0), at("k", j, C) ** 2) + 2 * at("b", j)
        return sum_over("c", length("k", 0), apart) - weight

    formula = forall(
        "q",
        length("x"),
        forall(
            "j",
            length("k"),
            every(
                score(J) <= score(winner),
                power(winner) <= power(J),
                iff(equal(score(J), score(winner)), equal(power(J), power(winner))),
            ),
        ),
    )
    certificates: dict[str, Certificate] = {}
    chosen = _heads(context)
    for head in chosen:
        keys, biases = exact_head(head)
        queries = exact(head.queries)
        points = [queries[i * len(queries) // QUERIES] for i in range(QUERIES)]
        instance = _in_integers(keys, biases, points)
        instance["w"] = [min(winners(instance["k"], instance["b"], x)) for x in instance["x"]]
        certificates[_name(head)] = exhaustive.certificate(
            context.claim, Listed([instance]), formula
        )
    return Outcome(
        Finding.HOLDS,
        scope=f"{len(chosen)} real heads, {QUERIES} real queries each",
        certificates=certificates,
        numbers={"heads": len(chosen), "queries": QUERIES * len(chosen), "keys": len(keys)},
    )


def _in_integers(keys: Rows, biases: Row, points: Rows) -> dict[str, Any]:
    """The head with keys and queries times D and biases times D^2, for a power of two D.

    Scores and power distances become D^2 times what they were; integers are checked many times
    faster than dyadic fractions.
    """
    lengths = [entry.denominator for row in (*keys, *points) for entry in row]
    D = max(lengths)
    while any((b * D**2).denominator != 1 for b in biases):
        D *= 2
    return {
        "k": [[int(entry * D) for entry in key] for key in keys],
        "b": [int(b * D**2) for b in biases],
        "x": [[int(entry * D) for entry in point] for point in points],
    }


def cells_of_heads(context: Context) -> Outcome:
    """Every key of a real head: a query at which it wins, or a combination that covers it.

    First for all queries of R^d_k, then for the queries that mix those of three tokens.
    """
    certificates: dict[str, Certificate] = {}
    chosen = _heads(context)
    wins: dict[str, int] = {"all": 0, "mixed": 0}
    never: dict[str, int] = {"all": 0, "mixed": 0}
    for head in chosen:
        mixed = [len(head.queries) * i // 4 for i in (1, 2, 3)]
        for which, data in (("all", exact_head(head)), ("mixed", exact_head_between(head, mixed))):
            found = cells(*data)
            certificates[f"{_name(head)}{which}"] = found.certificate(context.claim)
            wins[which] += found.count
            never[which] += len(found.never)
    n, d = head.keys.shape
    return Outcome(
        Finding.HOLDS,
        scope=f"{len(chosen)} real heads of {n} keys, all queries of {d} dimensions and the "
        "mixtures of three tokens' queries",
        certificates=certificates,
        numbers={
            "heads": len(chosen),
            "keys that win": wins["all"],
            "keys that never win": never["all"],
            "keys that win at mixtures": wins["mixed"],
            "keys that never win at mixtures": never["mixed"],
        },
    )


def _heads(context: Context) -> list[HeadInput]:
    """All heads; the first four in the quick profile."""
    folder = default_model_dir()
    if folder is None:
        raise FileNotFoundError("the checkpoint's package is not installed")
    heads = real_heads(folder)
    return heads[:4] if context.profile is Profile.QUICK else heads


def _name(head: HeadInput) -> str:
    return f"layer{head.layer}head{head.head}"
