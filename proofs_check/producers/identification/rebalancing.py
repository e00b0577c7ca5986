"""Claim C7, identification.rebalancing: derivations, identities, exact controls, and trainings."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import fmpq, fmpq_mat
from hypothesis import assume
from hypothesis import strategies as st

from ....symbolic.identification.proofs import rebalancing as proof
from ...certificates import counterexample, identity
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    different,
    equal,
    every,
    forall,
    implies,
    length,
    sum_over,
    var,
)
from ...claim import Context, Profile
from ...claims.identification import criteria
from ...claims.identification.rebalancing import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import derived, searched
from ...search import search
from ...training.evidence import trained
from .gradient import COLUMNS, KEYS, ROWS, Matrix, key_step, overlap, query_step, refuted

Case = tuple[Matrix, Matrix, Matrix, Matrix]


def moved(_: Context) -> Outcome:
    """Factors moved by g, for every size."""
    return derived(proof.moved(), "same")


def projected(_: Context) -> Outcome:
    """The projected step, for every size."""
    return derived(proof.projection(), "orthogonal")


def moved_integers(context: Context) -> Outcome:
    """The same as polynomial identities at fixed sizes: L, Q and g are free."""
    sizes = [1, 2, 3] if context.profile is Profile.QUICK else [1, 2, 3, 4, 6]
    n = length("g")
    new_left = sum_over("e", n, at("l", var("e")) * at("g", var("e"), var("c")))
    old_right = sum_over("c", n, at("q", var("c")) * at("g", var("e"), var("c")))
    certificates: dict[str, Certificate] = {
        f"n{size}": identity.certificate(
            ID,
            variables={"l": (size,), "q": (size,), "g": (size, size)},
            left=sum_over("c", n, new_left * at("q", var("c"))),
            right=sum_over("e", n, at("l", var("e")) * old_right),
        )
        for size in sizes
    }
    return Outcome(
        Finding.HOLDS,
        scope=f"polynomial identities for every pair of rows, d_k = {', '.join(map(str, sizes))}",
        certificates=certificates,
        numbers={"identities": len(sizes)},
    )


def moved_search(context: Context) -> Outcome:
    """Look for an invertible g that changes the product."""
    cases = st.integers(1, 3).flatmap(
        lambda n: st.tuples(_matrix(2, n), _matrix(3, n), _matrix(n, n))
    )

    def holds(case: tuple[Matrix, Matrix, Matrix]) -> bool:
        left, right, g = map(fmpq_mat, case)
        assume(g.det() != 0)
        new_left, new_right = left * g, right * g.inv().transpose()
        return bool(new_left * new_right.transpose() == left * right.transpose())

    examples = 60 if context.profile is Profile.QUICK else 1500
    result = search(cases, holds, examples=examples, seed=context.seed)

    def refutation(case: tuple[Matrix, Matrix, Matrix]) -> dict[str, Certificate]:
        left, right, g = case
        h = fmpq_mat(g).inv().transpose()
        moved_right = fmpq_mat(right) * h
        instance = {"L": left, "R": right, "g": g, "Q": _fractions(moved_right)}
        return {"case": counterexample.certificate(ID, _same_product(), instance)}

    return searched(result, "integer factors and invertible g, d_k <= 3", refutation)


def projected_search(context: Context) -> Outcome:
    """Solve the normal equation in rationals and look for an overlap that is left."""
    cases = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda s: st.tuples(
            _matrix(s[0], s[2]), _matrix(s[1], s[2]), _matrix(s[0], s[2]), _matrix(s[1], s[2])
        )
    )

    def holds(case: Case) -> bool:
        left, right, step, other = map(fmpq_mat, case)
        x = _solved(left, right, step, other)
        rest, key_rest = step - left * x, other + right * x.transpose()
        # <rest, L Y> - <key_rest, R Y^T> = <L^T rest - key_rest^T R, Y> for every Y.
        gap = left.transpose() * rest - key_rest.transpose() * right
        return all(entry == 0 for entry in gap.entries())

    examples = 60 if context.profile is Profile.QUICK else 1500
    result = search(cases, holds, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        left, right, step, other = map(fmpq_mat, case)
        x = _solved(left, right, step, other)
        rest, key_rest = step - left * x, other + right * x.transpose()
        gap = left.transpose() * rest - key_rest.transpose() * right
        instance = {
            "L": case[0],
            "R": case[1],
            "S": _fractions(rest),
            "T": _fractions(key_rest),
            "X": _fractions(gap),
        }
        formula = equal(overlap(lambda a, c: at("S", a, c), lambda b, c: at("T", b, c)), 0)
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(result, "integer factors and steps, m <= 4, d, d_k <= 3", refutation)


def fix(_: Context) -> Outcome:
    """Identity factors and a quarter turn of both: no step at all, and yet an overlap of 4."""

    def square(name: str, count: Expression) -> Expression:
        return sum_over("i", count, at(name, var("i"), var("e")) * at(name, var("i"), var("f")))

    def balanced(left: str, right: str) -> Condition:
        same = equal(square(left, ROWS), square(right, KEYS))
        return forall("e", COLUMNS, forall("f", COLUMNS, same))

    def product(left: str, right: str) -> Expression:
        return sum_over("c", COLUMNS, at(left, var("i"), var("c")) * at(right, var("j"), var("c")))

    same = forall("i", ROWS, forall("j", KEYS, equal(product("L", "R"), product("P", "Q"))))
    left = overlap(
        lambda a, c: at("P", a, c) - at("L", a, c), lambda b, c: at("Q", b, c) - at("R", b, c)
    )
    formula = implies(every(balanced("L", "R"), balanced("P", "Q"), same), equal(left, 0))
    one, turn = [[1, 0], [0, 1]], [[0, -1], [1, 0]]
    instance = {"L": one, "R": one, "P": turn, "Q": turn, "X": turn}
    return refuted(ID, formula, instance, "overlap 4 of a step that changes nothing")


def balanced_sign(_: Context) -> Outcome:
    """Factors (1, 7) and (5, 5), equally long: the signs are all 1."""

    def of(step: Any) -> Any:
        return lambda row, column: step(row, column) / abs(step(row, column))

    def square(name: str, count: Expression) -> Expression:
        return sum_over("i", count, at(name, var("i"), var("e")) * at(name, var("i"), var("f")))

    same = equal(square("L", ROWS), square("R", KEYS))
    balanced = forall("e", COLUMNS, forall("f", COLUMNS, same))
    formula = implies(balanced, equal(overlap(of(query_step), of(key_step)), 0))
    instance = {"L": [[1], [7]], "R": [[5], [5]], "A": [[1, 0], [0, 1]], "X": [[1]]}
    return refuted(ID, formula, instance, "overlap 8 - 10")


def blind(_: Context) -> Outcome:
    """A quarter turn between the factors, and g that stretches one coordinate."""
    n = length("l")

    def inner(e: str, f: str) -> Expression:
        return sum_over("c", n, at("g", var(e), var("c")) * at("h", var(f), var("c")))

    ones = forall("e", n, equal(inner("e", "e"), 1))
    zeros = forall(
        "e",
        n,
        forall("f", n, implies(different(var("e"), var("f")), equal(inner("e", "f"), 0))),
    )

    def score(query: Expression, key: Expression) -> Expression:
        return sum_over("u", n, sum_over("w", n, query * at("T", var("u"), var("w")) * key))

    new_query = sum_over("e", n, at("l", var("e")) * at("g", var("e"), var("u")))
    new_key = sum_over("e", n, at("r", var("e")) * at("h", var("e"), var("w")))
    plain = score(at("l", var("u")), at("r", var("w")))
    formula = implies(every(ones, zeros), equal(score(new_query, new_key), plain))
    half = Fraction(1, 2)
    instance = {
        "l": [1, 0],
        "r": [0, 1],
        "T": [[0, -1], [1, 0]],
        "g": [[2, 0], [0, half]],
        "h": [[half, 0], [0, 2]],
    }
    return refuted(ID, formula, instance, "score -4 for -1")


def trained_procrustes(context: Context) -> Outcome:
    """Rotated back, and projected."""
    return trained(context, "identification", criteria.TURNED)


def trained_plain_svd(context: Context) -> Outcome:
    """Left as the SVD gives them."""
    return trained(context, "identification", criteria.PLAIN_SVD)


def trained_same(context: Context) -> Outcome:
    """The logits."""
    return trained(context, "identification", criteria.SAME)


def trained_next(context: Context) -> Outcome:
    """The step after a balancing."""
    return trained(context, "identification", criteria.NEXT)


def _same_product() -> Condition:
    """P Q^T = L R^T for P = L g: what a violation of `moved` would violate."""
    new = sum_over("e", length("g"), at("L", var("i"), var("e")) * at("g", var("e"), var("c")))
    moved_product = sum_over("c", length("g"), new * at("Q", var("j"), var("c")))
    plain = sum_over("c", length("g"), at("L", var("i"), var("c")) * at("R", var("j"), var("c")))
    return forall("i", ROWS, forall("j", KEYS, equal(moved_product, plain)))


def _solved(left: fmpq_mat, right: fmpq_mat, step: fmpq_mat, other: fmpq_mat) -> fmpq_mat:
    """X of the normal equation, as one linear system in its n^2 entries."""
    n = left.ncols()
    a, b = left.transpose() * left, right.transpose() * right
    m = left.transpose() * step - other.transpose() * right
    system = fmpq_mat(n * n, n * n)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                system[i * n + j, k * n + j] += a[i, k]
                system[i * n + j, i * n + k] += b[k, j]
    assume(system.det() != 0)
    solution = system.solve(fmpq_mat(n * n, 1, m.entries()))
    return fmpq_mat(n, n, solution.entries())


def _fractions(matrix: fmpq_mat) -> list[list[Fraction]]:
    def fraction(x: fmpq) -> Fraction:
        return Fraction(int(x.p), int(x.q))

    rows = range(matrix.nrows())
    return [[fraction(matrix[i, j]) for j in range(matrix.ncols())] for i in rows]


def _matrix(rows: int, columns: int) -> st.SearchStrategy[Matrix]:
    row = st.lists(st.integers(-5, 5), min_size=columns, max_size=columns)
    return st.lists(row, min_size=rows, max_size=rows)
