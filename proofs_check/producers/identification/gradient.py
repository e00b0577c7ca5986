"""Claim C6, identification.gradient: derivations, identities, exact controls, and trainings."""

from __future__ import annotations

from random import Random
from typing import Any

import mpmath
from hypothesis import strategies as st

from ....symbolic.identification.proofs import gradient as proof
from ....symbolic.identification.proofs import weight_decay
from ...certificates import counterexample, identity
from ...certificates.formula import Condition, Expression, at, equal, length, number, sum_over, var
from ...claim import Context, Profile
from ...claims.identification import criteria
from ...claims.identification.gradient import ID
from ...evidence import Certificate, Finding, Outcome
from ...outcomes import compared, derived, searched
from ...search import search
from ...training.evidence import trained

Matrix = list[list[int]]
Case = tuple[Matrix, Matrix, Matrix, Matrix]

ROWS, KEYS, COLUMNS = length("L"), length("R"), length("X")


def query_step(a: Expression, c: Expression) -> Expression:
    """An entry of A R, the gradient of L."""
    return sum_over("b", KEYS, at("A", a, var("b")) * at("R", var("b"), c))


def key_step(b: Expression, c: Expression) -> Expression:
    """An entry of A^T L, the gradient of R."""
    return sum_over("a", ROWS, at("A", var("a"), b) * at("L", var("a"), c))


def overlap(left: Any, right: Any) -> Expression:
    """The inner product of a step with the tangent vector of X."""
    inside_left = sum_over("e", COLUMNS, at("L", var("i"), var("e")) * at("X", var("e"), var("c")))
    inside_right = sum_over("e", COLUMNS, at("R", var("j"), var("e")) * at("X", var("c"), var("e")))
    queries = sum_over("c", COLUMNS, left(var("i"), var("c")) * inside_left)
    keys = sum_over("c", COLUMNS, right(var("j"), var("c")) * inside_right)
    return sum_over("i", ROWS, queries) - sum_over("j", KEYS, keys)


def orthogonal(_: Context) -> Outcome:
    """The gradient and the tangent, for every size."""
    return derived(proof.orthogonal(), "orthogonal")


def flow(_: Context) -> Outcome:
    """The derivative of the imbalance along the gradient, for every size."""
    return derived(proof.flow(), "flow")


def step(_: Context) -> Outcome:
    """A finite step, for every size."""
    return derived(proof.step(), "step")


def decay(_: Context) -> Outcome:
    """Weight decay, for every size."""
    return derived(weight_decay.decay(), "product", "balanced")


def rotated(_: Context) -> Outcome:
    """Whatever commutes with what stands between, for every d_k."""
    return derived(proof.rotated(), "still")


def orthogonal_integers(context: Context) -> Outcome:
    """The same as polynomial identities at fixed sizes, for the checker."""
    sizes = [(1, 1, 1), (2, 2, 1), (4, 2, 2)]
    if context.profile is not Profile.QUICK:
        sizes += [(3, 3, 3), (6, 2, 2)]
    certificates: dict[str, Certificate] = {}
    for m, d, n in sizes:
        certificates[f"m{m}d{d}n{n}"] = identity.certificate(
            ID,
            variables={"L": (m, n), "R": (d, n), "A": (m, d), "X": (n, n)},
            left=overlap(query_step, key_step),
            right=number(0),
        )
    return Outcome(
        Finding.HOLDS,
        scope=f"polynomial identities, (m, d, d_k) = {', '.join(map(str, sizes))}",
        certificates=certificates,
        numbers={"identities": len(sizes)},
    )


def orthogonal_search(context: Context) -> Outcome:
    """Look for integer factors and gradients with an overlap."""
    entry = st.integers(-9, 9)

    def matrix(rows: int, columns: int) -> st.SearchStrategy[Matrix]:
        row = st.lists(entry, min_size=columns, max_size=columns)
        return st.lists(row, min_size=rows, max_size=rows)

    cases = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 3)).flatmap(
        lambda s: st.tuples(
            matrix(s[0], s[2]), matrix(s[1], s[2]), matrix(s[0], s[1]), matrix(s[2], s[2])
        )
    )
    examples = 100 if context.profile is Profile.QUICK else 2000
    result = search(cases, _no_overlap, examples=examples, seed=context.seed)

    def refutation(case: Case) -> dict[str, Certificate]:
        instance = dict(zip("LRAX", case, strict=True))
        formula = equal(overlap(query_step, key_step), 0)
        return {"case": counterexample.certificate(ID, formula, instance)}

    return searched(
        result, "integer factors, gradients and directions, m <= 4, d, d_k <= 3", refutation
    )


def complex_step(context: Context) -> Outcome:
    """The derivative of a whole head's output along the fibre, to 50 digits.

    Softmax attention of two query heads that share a key head, three tokens, one plane rotated and
    one coordinate not; the derivative by a complex step h = 10^-60 in 200 digits, whose error is
    h^2/6 of the third derivative. Along a direction that does not commute it has to be there.
    """
    random = Random(context.seed)
    cases = 3 if context.profile is Profile.QUICK else 20
    with mpmath.workdps(200):
        h = mpmath.mpf(10) ** -60
        bound = mpmath.mpf(10) ** -50
        worst, least = mpmath.mpf(0), mpmath.inf
        for _ in range(cases):
            head = _Head(random)
            along, across = (abs(head.output(h, commuting=c).imag / h) for c in (True, False))
            worst, least = max(worst, along), min(least, across)
        ratio = float(worst / bound)
    outcome = compared(
        ratio,
        cases,
        "mpmath, 200 digits: the derivative along the fibre",
        "1e-50, that of the complex step for third derivatives up to 1e70",
        **{"least derivative across": mpmath.nstr(least, 3), "seed": context.seed},
    )
    if least <= bound:
        raise ArithmeticError("a direction that does not commute left the output alone")
    return outcome


def sign(_: Context) -> Outcome:
    """Factors 1 and 2: the signs are 1 and 1, the tangent vector (1, -2)."""

    def of(step: Any) -> Any:
        return lambda row, column: step(row, column) / abs(step(row, column))

    instance = {"L": [[1]], "R": [[2]], "A": [[1]], "X": [[1]]}
    return refuted(ID, equal(overlap(of(query_step), of(key_step)), 0), instance, "overlap -1")


def any_decay(_: Context) -> Outcome:
    """Factors 1 and 2."""
    formula = equal(overlap(lambda a, c: at("L", a, c), lambda b, c: at("R", b, c)), 0)
    return refuted(ID, formula, {"L": [[1]], "R": [[2]], "X": [[1]]}, "overlap 1 - 4")


def any_direction(_: Context) -> Outcome:
    """A quarter turn, and a direction that stretches one coordinate."""
    n = length("l")
    moved_query = sum_over("e", n, at("l", var("e")) * at("X", var("e"), var("c")))
    moved_key = sum_over("e", n, at("r", var("e")) * at("X", var("f"), var("e")))
    between = at("T", var("c"), var("f"))

    def score(query: Expression, key: Expression) -> Expression:
        return sum_over("c", n, sum_over("f", n, query * between * key))

    formula = equal(score(moved_query, at("r", var("f"))), score(at("l", var("c")), moved_key))
    instance = {"l": [1, 0], "r": [0, 1], "T": [[0, -1], [1, 0]], "X": [[1, 0], [0, 0]]}
    return refuted(ID, formula, instance, "derivative -1")


def trained_overlap(context: Context) -> Outcome:
    """The optimisers that precondition."""
    return trained(context, "identification", criteria.OVERLAPPING)


def trained_gradient(context: Context) -> Outcome:
    """The gradient and SGD."""
    return trained(context, "identification", criteria.GRADIENT)


def trained_heads(context: Context) -> Outcome:
    """Adam's first step by the number of heads."""
    return trained(context, "identification", criteria.HEADS)


def trained_momentum(context: Context) -> Outcome:
    """SGD with momentum."""
    return trained(context, "identification", criteria.MOMENTUM)


def trained_drift(context: Context) -> Outcome:
    """The conserved quantity under finite steps."""
    return trained(context, "identification", criteria.DRIFT)


def trained_moves(context: Context) -> Outcome:
    """Finite moves along the fibre."""
    return trained(context, "identification", criteria.MOVES)


def trained_decay(context: Context) -> Outcome:
    """Weight decay before and after balancing."""
    return trained(context, "identification", criteria.DECAY)


def refuted(claim: str, formula: Condition, instance: dict[str, Any], detail: str) -> Outcome:
    """A statement that one instance refutes."""
    return Outcome(
        Finding.VIOLATED,
        scope="one instance",
        certificates={"case": counterexample.certificate(claim, formula, instance)},
        detail=detail,
    )


def _no_overlap(case: Case) -> bool:
    left, right, a, x = case
    m, d, n = len(left), len(right), len(x)
    d_left = [[sum(a[i][b] * right[b][c] for b in range(d)) for c in range(n)] for i in range(m)]
    d_right = [[sum(a[i][b] * left[i][c] for i in range(m)) for c in range(n)] for b in range(d)]
    queries = sum(
        d_left[i][c] * left[i][e] * x[e][c] for i in range(m) for c in range(n) for e in range(n)
    )
    keys = sum(
        d_right[b][c] * right[b][e] * x[c][e] for b in range(d) for c in range(n) for e in range(n)
    )
    return queries == keys


class _Head:
    """Two query heads on one key head, with rational weights, moved along a direction."""

    D, N, TOKENS = 3, 3, 3

    def __init__(self, random: Random) -> None:
        def drawn(rows: int, columns: int) -> Any:
            row = range(columns)
            return mpmath.matrix(
                [[mpmath.mpf(random.randint(-20, 20)) / 10 for _ in row] for _ in range(rows)]
            )

        self.queries = [drawn(self.D, self.N) for _ in range(2)]
        self.key = drawn(self.D, self.N)
        self.tokens, self.values = drawn(self.TOKENS, self.D), drawn(2, self.TOKENS)
        a, b, c = (mpmath.mpf(random.randint(1, 20)) / 10 for _ in range(3))
        self.commuting = mpmath.matrix([[a, b, 0], [-b, a, 0], [0, 0, c]])
        self.other = mpmath.matrix([[a, b, c], [b, -a, 0], [c, 0, 0]])

    def output(self, h: Any, *, commuting: bool) -> Any:
        """A linear reading of all weights at a complex point i h along the direction."""
        x = self.commuting if commuting else self.other
        move = mpmath.mpc(0, h)
        key = self.key - move * self.key * x.T
        total = mpmath.mpc(0)
        for query, reading in zip(self.queries, range(2), strict=True):
            moved = query + move * query * x
            for i in range(self.TOKENS):
                q = self.tokens[i, :] * moved
                scores = []
                for j in range(self.TOKENS):
                    turned = self._turn(j - i) * (self.tokens[j, :] * key).T
                    scores.append((q * turned)[0])
                terms = [mpmath.exp(score) for score in scores]
                weights = [term / sum(terms) for term in terms]
                total += (i + 1) * sum(
                    weight * self.values[reading, j] for j, weight in enumerate(weights)
                )
        return total

    def _turn(self, distance: int) -> Any:
        cos, sin = mpmath.cos(distance), mpmath.sin(distance)
        return mpmath.matrix([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
