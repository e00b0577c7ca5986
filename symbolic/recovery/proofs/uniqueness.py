"""E2, recovery.uniqueness: a constant plus n simple poles that vanishes at n + 1 nodes is zero.

The difference of two functions of a query of copies is K + sum_h a_h/(t + r_h), the sum over the
poles of both. Subtracting the value at the last node removes K, and

    (t_n + r_n) S(t_i) - (t_last + r_n) S(t_last) = (t_last - t_i) sum_{h < n} C'_h/(t_i + r_h)

removes the last pole with the last node: C'_h = C_h (r_n - r_h)/(t_last + r_h). So the residues of
n poles determine those of n - 1 poles, and the statement goes up by induction on n. The family
C(n, h) is this elimination, run from the top; that it vanishes on row n is said by a sum of
squares, one equation instead of n; so is that it vanishes at n nodes.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Sum, Symbol

from ...derivation import Derivation
from ...instance import Choice
from ...proof import Proof
from ...rules.equality import NORMAL_FORM
from ...rules.induction import INDUCTION
from ...rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE, ZERO_PRODUCT
from ...rules.order import COMBINATION, RESCALING, SIGN
from ...rules.summation import TERMWISE, VANISHING_SUM
from ...setting import Setting, family, index, size
from ...statement import (
    Conjunction,
    Disjunction,
    Equivalence,
    ForAll,
    Implication,
    eq,
    le,
    lt,
    substitute,
)

CLAIM = "recovery.uniqueness"

M, n = size("M"), size("n")
p, i, h, k = index("p"), index("i"), index("h"), index("k")
C, a = family("C"), family("a")
r, t = family("r", positive=True), family("t", nonnegative=True)
K = Symbol("K", real=True)
TOP, LAST = M + 1, M + 2
"""The number of poles and the number of nodes."""


def next_row(n: Any, h: Any) -> Any:
    """C(n, h) from row n + 1."""
    return C(n + 1, h) * (r(n + 1) - r(h)) / (t(n + 1) + r(h))


def row(n: Any, i: Any) -> Any:
    """The sum of the poles of row n at node i."""
    return Sum(C(n, h) / (t(i) + r(h)), (h, 1, n))


def function(i: Any) -> Any:
    """K + sum_h a_h/(t_i + r_h)."""
    return K + Sum(a(h) / (t(i) + r(h)), (h, 1, TOP))


def squares(n: Any) -> Any:
    """The statement that row n is zero."""
    return eq(Sum(C(n, h) ** 2, (h, 1, n)), 0)


def vanishing(n: Any) -> Any:
    """The statement that row n vanishes at its first n nodes."""
    return eq(Sum(row(n, i) ** 2, (i, 1, n)), 0)


def elimination() -> Derivation:
    """From n poles to n + 1: the step of the induction, for every n >= 1.

    Conclusion: ``step``.

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (n,),
        {i: (1, n), h: (1, n), k: (1, n + 1)},
        families=(C, r, t),
        meaning={
            "n": "a number of poles",
            "t": "the nodes, numbers of copies",
            "r": "the poles are at -r(h): r = exp(-x^T W_h w)",
            "C": "the residues C(n + 1, h) of n + 1 poles, and C(n, h) of n poles",
        },
    )
    proof = Proof(CLAIM, "One pole is eliminated with one node", setting, choose=_row)
    poles = proof.suppose(ForAll(lt(r(h), r(n + 1)), (h, 1, n)), why="The last pole is apart.")
    nodes = proof.suppose(ForAll(lt(t(i), t(n + 1)), (i, 1, n)), why="The last node is apart.")
    rows = proof.suppose(
        ForAll(eq(C(n, h), next_row(n, h)), (h, 1, n)), why="This defines row n by row n + 1."
    )
    return proof.finish(step=_one_more(proof, poles, nodes, rows))


def derivation() -> Derivation:
    """For all n = M + 1 >= 2 poles: zero at n + 1 nodes implies K = 0 and all a_h = 0.

    The last hypothesis is what `elimination` derives, taken from it: its conclusion under its
    hypotheses, at every p.

    Conclusions: ``cauchy`` (n poles without a constant, zero at n nodes, for every n <= M + 1);
    ``unique`` (with the constant, at n + 1 nodes).

    Raises:
        DerivationFailed: a step is not decided.
    """
    setting = Setting(
        (M,),
        {p: (1, M), i: (1, TOP), h: (1, TOP), k: (1, LAST)},
        (K,),
        (C, a, r, t),
        {
            "M": "M + 1 is the number of poles, those of both functions",
            "t": "the nodes, in ascending order: numbers of copies",
            "r": "the poles are at -r(h), in ascending order of r: r = exp(-x^T W_h w)",
            "K": "the difference of the constants",
            "a": "the differences of the residues",
            "C": "row M + 1 is a(h)/(t(M + 2) + r(h)); row p follows from row p + 1",
        },
    )
    proof = Proof(
        CLAIM, "A constant and simple poles are determined by their values", setting, choose=_zero
    )
    lemma = elimination()
    given = [substitute(hypothesis, {n: p}) for hypothesis in lemma.hypotheses]
    everywhere = [
        proof.suppose(ForAll(statement, (p, 1, M)), why="What the elimination asks for.")
        for statement in given
    ]
    last_node = proof.suppose(ForAll(lt(t(i), t(LAST)), (i, 1, TOP)), why="So is the last node.")
    first = proof.suppose(
        ForAll(eq(C(TOP, h), a(h) / (t(LAST) + r(h))), (h, 1, TOP)),
        why="This defines the last row.",
    )
    step = substitute(lemma.conclusion("step"), {n: p})
    derived = Implication(Conjunction(*given), step)
    eliminated = proof.suppose(
        ForAll(derived, (p, 1, M)), why="One pole is eliminated with one node: derived by itself."
    )
    premises = [
        proof.step(statement, INSTANCE, number, parameters=(p,), why="At p.")
        for number, statement in zip(everywhere, given, strict=True)
    ]
    use = proof.step(derived, INSTANCE, eliminated, parameters=(p,), why="At p.")
    cauchy = proof.step(
        ForAll(Implication(vanishing(p), squares(p)), (p, 1, TOP)),
        INDUCTION,
        _one_pole(proof),
        proof.step(step, CONSEQUENCE, use, *premises, why="What it asks for is given."),
        why="Induction on the number of poles.",
    )
    return proof.finish(cauchy=cauchy, unique=_with_constant(proof, last_node, first, cauchy))


def _one_pole(proof: Proof) -> int:
    """Row 1 vanishes at node 1 only if it is zero."""
    only = C(1, 1) / (t(1) + r(1))
    assumed = proof.assume(eq(only**2, 0), why="Suppose that one pole vanishes at one node.")
    zero = proof.step(
        eq(C(1, 1) ** 2, 0),
        COMBINATION,
        assumed,
        parameters=((t(1) + r(1)) ** 2,),
        why="Multiply by (t + r)^2 > 0.",
    )
    return proof.discharge(assumed, zero, why="One pole.")


def _one_more(proof: Proof, poles: int, nodes: int, rows: int) -> int:
    """From n poles to n + 1."""
    known = Implication(vanishing(n), squares(n))
    before = proof.assume(known, why="Suppose it for n poles.")
    assumed = proof.assume(vanishing(n + 1), why="Suppose that n + 1 poles vanish at n + 1 nodes.")

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    apart = at(nodes, lt(t(i), t(n + 1)), i, "Node n + 1 and node i.")
    distinct = at(poles, lt(r(h), r(n + 1)), h, "Pole n + 1 and pole h.")
    entry = at(rows, eq(C(n, h), next_row(n, h)), h, "At h.")

    # Row n vanishes at the nodes 1..n.
    weight = (t(i) + r(n + 1)) / (t(i) + r(h)) - (t(n + 1) + r(n + 1)) / (t(n + 1) + r(h))
    less = eq((t(n + 1) - t(i)) * C(n, h) / (t(i) + r(h)), C(n + 1, h) * weight)
    term = proof.step(
        less,
        COMBINATION,
        entry,
        parameters=((t(n + 1) - t(i)) / (t(i) + r(h)),),
        why="The last pole is eliminated.",
    )
    every = proof.step(ForAll(less, (h, 1, n)), GENERALISATION, term, why="h was arbitrary.")
    sums = proof.step(
        eq((t(n + 1) - t(i)) * row(n, i), Sum(C(n + 1, h) * weight, (h, 1, n))),
        TERMWISE,
        every,
        why="Sum over the first n poles.",
    )
    split = proof.step(
        eq(
            Sum(C(n + 1, h) * weight, (h, 1, n)),
            (t(i) + r(n + 1)) * row(n + 1, i) - (t(n + 1) + r(n + 1)) * row(n + 1, n + 1),
        ),
        NORMAL_FORM,
        why="The terms of pole n + 1 cancel.",
    )
    nodewise = _terms(proof, assumed, row(n + 1, k), (k, 1, n + 1))
    here = at(nodewise, eq(row(n + 1, i), 0), i, "At node i.")
    there = at(nodewise, eq(row(n + 1, n + 1), 0), n + 1, "At node n + 1.")
    scaled = proof.step(
        eq((t(n + 1) - t(i)) * row(n, i), 0),
        COMBINATION,
        sums,
        split,
        here,
        there,
        parameters=(1, 1, t(i) + r(n + 1), -(t(n + 1) + r(n + 1))),
        why="Both sums vanish.",
    )
    gone = _divided(proof, scaled, row(n, i), t(n + 1) - t(i), apart)
    fewer = _squared(proof, gone, row(n, i), (i, 1, n))
    small = proof.step(squares(n), CONSEQUENCE, before, fewer, why="So row n is zero.")

    # Row n + 1 is zero.
    zero = _terms(proof, small, C(n, h), (h, 1, n))
    times = proof.step(
        eq((r(n + 1) - r(h)) * C(n + 1, h), 0),
        COMBINATION,
        at(zero, eq(C(n, h), 0), h, "At h."),
        entry,
        parameters=(t(n + 1) + r(h), -(t(n + 1) + r(h))),
        why="Multiply by t + r > 0.",
    )
    own = _divided(proof, times, C(n + 1, h), r(n + 1) - r(h), distinct)
    shares = proof.step(
        ForAll(eq(C(n + 1, h) / (t(n + 1) + r(h)), 0), (h, 1, n)),
        GENERALISATION,
        proof.step(
            eq(C(n + 1, h) / (t(n + 1) + r(h)), 0),
            COMBINATION,
            own,
            parameters=(1 / (t(n + 1) + r(h)),),
            why="Divide.",
        ),
        why="h was arbitrary.",
    )
    rest = proof.step(
        eq(Sum(C(n + 1, h) / (t(n + 1) + r(h)), (h, 1, n)), 0),
        TERMWISE,
        shares,
        why="The first n poles give nothing.",
    )
    last = proof.step(
        eq(C(n + 1, n + 1), 0),
        COMBINATION,
        there,
        rest,
        parameters=(t(n + 1) + r(n + 1), -(t(n + 1) + r(n + 1))),
        why="So nor does the last one.",
    )
    total = _squared(proof, own, C(n + 1, h), (h, 1, n))
    after = proof.step(
        squares(n + 1),
        COMBINATION,
        total,
        last,
        parameters=(1, C(n + 1, n + 1)),
        why="And the last one.",
    )
    larger = proof.discharge(assumed, after, why="For n + 1 poles.")
    return proof.discharge(before, larger, why="From n to n + 1.")


def _divided(proof: Proof, scaled: int, value: Any, factor: Any, apart: int) -> int:
    """From factor * value = 0 that value = 0, the factor being positive by the step `apart`."""
    both = proof.step(
        Equivalence(eq(factor * value, 0), eq(value, 0)),
        RESCALING,
        apart,
        parameters=(1 / factor,),
        why="The factor is positive.",
    )
    return proof.step(eq(value, 0), CONSEQUENCE, scaled, both, why="Divide.")


def _terms(proof: Proof, total: int, term: Any, limits: tuple[Any, Any, Any]) -> int:
    """From "the squares sum to 0" that every term is 0."""
    signs = proof.step(
        ForAll(le(0, term**2), limits),
        GENERALISATION,
        proof.step(le(0, term**2), SIGN, why="A square."),
        why="The index was arbitrary.",
    )
    each = ForAll(eq(term**2, 0), limits)
    split = proof.step(
        Equivalence(eq(Sum(term**2, limits), 0), each),
        VANISHING_SUM,
        signs,
        why="Nonnegative terms.",
    )
    squared = proof.step(each, CONSEQUENCE, split, total, why="So every square is zero.")
    one = proof.step(
        eq(term**2, 0), INSTANCE, squared, parameters=(limits[0],), why="At this index."
    )
    either = proof.step(
        Disjunction(eq(term, 0), eq(term, 0)), ZERO_PRODUCT, one, why="A product of two."
    )
    zero = proof.step(eq(term, 0), CONSEQUENCE, either, why="Either way.")
    return proof.step(
        ForAll(eq(term, 0), limits), GENERALISATION, zero, why="The index was arbitrary."
    )


def _squared(proof: Proof, zero: int, term: Any, limits: tuple[Any, Any, Any]) -> int:
    """From a term that is 0 at an arbitrary index that the squares sum to 0."""
    square = proof.step(eq(term**2, 0), COMBINATION, zero, parameters=(term,), why="Square.")
    every = proof.step(
        ForAll(eq(term**2, 0), limits), GENERALISATION, square, why="The index was arbitrary."
    )
    return proof.step(eq(Sum(term**2, limits), 0), TERMWISE, every, why="Sum the squares.")


def _with_constant(proof: Proof, nodes: int, first: int, cauchy: int) -> int:
    """The constant costs one node."""

    def at(every: int, statement: Any, term: Any, why: str) -> int:
        return proof.step(statement, INSTANCE, every, parameters=(term,), why=why)

    given = ForAll(eq(function(k), 0), (k, 1, LAST))
    assumed = proof.assume(given, why="Suppose that the function vanishes at all nodes.")
    here = at(assumed, eq(function(i), 0), i, "At node i.")
    there = at(assumed, eq(function(LAST), 0), LAST, "At the last node.")
    apart = at(nodes, lt(t(i), t(LAST)), i, "The last node and node i.")
    entry = at(first, eq(C(TOP, h), a(h) / (t(LAST) + r(h))), h, "At h.")
    change = a(h) / (t(i) + r(h)) - a(h) / (t(LAST) + r(h))
    same = eq((t(LAST) - t(i)) * C(TOP, h) / (t(i) + r(h)), change)
    sums = proof.step(
        eq((t(LAST) - t(i)) * row(TOP, i), Sum(change, (h, 1, TOP))),
        TERMWISE,
        proof.step(
            ForAll(same, (h, 1, TOP)),
            GENERALISATION,
            proof.step(
                same,
                COMBINATION,
                entry,
                parameters=((t(LAST) - t(i)) / (t(i) + r(h)),),
                why="Two fractions are subtracted.",
            ),
            why="h was arbitrary.",
        ),
        why="Sum over the poles.",
    )
    scaled = proof.step(
        eq((t(LAST) - t(i)) * row(TOP, i), 0),
        COMBINATION,
        sums,
        here,
        there,
        parameters=(1, 1, -1),
        why="The constant cancels.",
    )
    gone = _divided(proof, scaled, row(TOP, i), t(LAST) - t(i), apart)
    poles = _squared(proof, gone, row(TOP, i), (i, 1, TOP))
    use = at(cauchy, Implication(vanishing(TOP), squares(TOP)), TOP, "For all poles.")
    small = proof.step(squares(TOP), CONSEQUENCE, use, poles, why="So the last row is zero.")
    zero = _terms(proof, small, C(TOP, h), (h, 1, TOP))
    own = proof.step(
        eq(a(h), 0),
        COMBINATION,
        at(zero, eq(C(TOP, h), 0), h, "At h."),
        entry,
        parameters=(t(LAST) + r(h), -(t(LAST) + r(h))),
        why="Multiply by t + r > 0.",
    )
    every = proof.step(ForAll(eq(a(h), 0), (h, 1, TOP)), GENERALISATION, own, why="h arbitrary.")
    share = eq(a(h) / (t(LAST) + r(h)), 0)
    rest = proof.step(
        eq(Sum(a(h) / (t(LAST) + r(h)), (h, 1, TOP)), 0),
        TERMWISE,
        proof.step(
            ForAll(share, (h, 1, TOP)),
            GENERALISATION,
            proof.step(share, COMBINATION, own, parameters=(1 / (t(LAST) + r(h)),), why="Divide."),
            why="h was arbitrary.",
        ),
        why="The poles give nothing.",
    )
    constant = proof.step(
        eq(K, 0), COMBINATION, there, rest, parameters=(1, -1), why="So the constant is zero."
    )
    both = proof.step(
        Conjunction(eq(K, 0), ForAll(eq(a(h), 0), (h, 1, TOP))),
        CONSEQUENCE,
        constant,
        every,
        why="Both.",
    )
    return proof.discharge(assumed, both, why="Only the zero function vanishes at all nodes.")


def _zero(random: Random) -> Choice:
    """Ascending poles and nodes; residues that are all zero, or arbitrary."""
    last = random.randint(1, 2)
    letters: dict[Any, Any] = {M: last}
    families = _model(random, last + 1)
    if not any(families["a"](place) for place in range(1, last + 2)):
        letters[K] = 0
    return Choice(letters, families)


def _row(random: Random) -> Choice:
    """The same, one row of it."""
    number = random.randint(1, 3)
    return Choice({n: number}, _model(random, number + 1))


def _model(random: Random, count: int) -> dict[str, Any]:
    poles = _ascending(random, count, Fraction(1, 3))
    nodes = _ascending(random, count + 1, Fraction(0))
    zero = random.randint(0, 1)
    residues = [Fraction(0) if zero else Fraction(random.randint(-3, 3)) for _ in poles]

    def entry(n: int, h: int) -> Fraction:
        value = residues[h - 1] / (nodes[count] + poles[h - 1])
        for upper in range(count, n, -1):
            value *= (poles[upper - 1] - poles[h - 1]) / (nodes[upper - 1] + poles[h - 1])
        return value

    def listed(values: list[Fraction]) -> Any:
        return lambda place: values[place - 1]

    return {"C": entry, "a": listed(residues), "r": listed(poles), "t": listed(nodes)}


def _ascending(random: Random, count: int, first: Fraction) -> list[Fraction]:
    values = [first + Fraction(random.randint(0, 2), 2)]
    while len(values) < count:
        values.append(values[-1] + Fraction(random.randint(1, 4), 3))
    return values
