"""T1b, equivariance.strata: what heads that the group fixes cannot tell apart, and what it costs.

In coordinates in which the involution is diagonal, rho(g) = diag(e), a form that g fixes pairs
coordinates of one sign only, and a last token that g fixes has coordinates with e = 1 only. So
every score depends on x_j + rho(g) x_j alone, and so does an output that g fixes. No layer of such
heads comes nearer to a function that gives s and t at two such queries than their middle.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

from sympy import Rational, Sum

from ...derivations.derivation import Derivation
from ...derivations.instance import Choice
from ...derivations.proof import Proof
from ...derivations.rules.equality import NORMAL_FORM
from ...derivations.rules.logic import CONSEQUENCE, GENERALISATION, INSTANCE
from ...derivations.rules.order import COMBINATION, SIGN
from ...derivations.rules.summation import TERMWISE
from ...derivations.setting import Setting, family, index, size
from ...derivations.statement import ForAll, Implication, eq, le

CLAIM = "equivariance.strata"

H, n, d, N = size("H"), size("n"), size("d"), size("N")
h, j, a, b, i = index("h"), index("j"), index("a"), index("b"), index("i")
e, z, W, V = family("e"), family("z"), family("W"), family("V")
x, y, p, q = family("x"), family("y"), family("p"), family("q")
u, s, t = family("u"), family("s"), family("t")
Known = tuple[Any, int]
"""A statement and the number of the step that shows it."""

_HEADS, _TOKENS, _ROWS, _COLUMNS, _PAIRS = (h, 1, H), (j, 1, n), (a, 1, d), (b, 1, d), (i, 1, N)


def derivation() -> Derivation:
    """For all numbers of heads H, tokens n, dimensions d and pairs of queries N.

    Conclusions: ``output``: both queries of a pair have the same output; ``loss``: so the squared
    errors of N pairs are at least sum (s_i - t_i)^2/2.

    Raises:
        DerivationFailed: a step is not decided.
    """
    proof = Proof(CLAIM, "Fixed heads have a floor", _setting(), choose=_choose)
    last = _suppose(proof, ForAll(eq(z(a), e(a) * z(a)), _ROWS), "g fixes the last token.")
    fixed = eq(W(h, a, b), e(a) * e(b) * W(h, a, b))
    forms = _suppose(
        proof, ForAll(ForAll(ForAll(fixed, _COLUMNS), _ROWS), _HEADS), "g fixes every W."
    )
    values = _suppose(
        proof,
        ForAll(ForAll(eq(V(h, b), e(b) * V(h, b)), _COLUMNS), _HEADS),
        "g fixes every V, and the output that is looked at.",
    )
    parts = eq(x(j, b) + e(b) * x(j, b), y(j, b) + e(b) * y(j, b))
    same = _suppose(
        proof, ForAll(ForAll(parts, _COLUMNS), _TOKENS), "The tokens have the same fixed part."
    )
    one, other = _score(x), _score(y)
    equal = ForAll(eq(p(h, j), q(h, j)), _TOKENS)
    softmax = _suppose(
        proof,
        ForAll(Implication(ForAll(eq(one, other), _TOKENS), equal), _HEADS),
        "The weights of a head are a function of its scores.",
    )
    form = _at(proof, forms, (h, a, b))
    token = _at(proof, last, (a,))
    part = _at(proof, same, (j, b))
    apart = x(j, b) - y(j, b)
    pairing = eq(z(a) * W(h, a, b) * x(j, b), z(a) * W(h, a, b) * y(j, b))
    term = proof.step(
        pairing,
        COMBINATION,
        form,
        token,
        part,
        parameters=(
            z(a) * apart / 2,
            -e(b) * W(h, a, b) * apart / 2,
            z(a) * W(h, a, b) / 2,
        ),
        why="z W = e z W, and x - y = -e (x - y).",
    )
    scores = proof.step(
        ForAll(eq(one, other), _TOKENS),
        GENERALISATION,
        _summed(proof, (pairing, term), _COLUMNS, _ROWS)[1],
        why="j was arbitrary.",
    )
    weights = proof.step(
        equal,
        CONSEQUENCE,
        scores,
        _at(proof, softmax, (h,)),
        why="Equal scores.",
    )
    reading = eq(V(h, b) * x(j, b), V(h, b) * y(j, b))
    value = proof.step(
        reading,
        COMBINATION,
        _at(proof, values, (h, b)),
        part,
        parameters=(apart / 2, V(h, b) / 2),
        why="V = V e, and x - y = -e (x - y).",
    )
    read, number = _summed(proof, (reading, value), _COLUMNS)
    mine, its = read.args
    product = eq(p(h, j) * mine, q(h, j) * its)
    weighted = proof.step(
        product,
        COMBINATION,
        _at(proof, (equal, weights), (j,)),
        number,
        parameters=(mine, q(h, j)),
        why="Equal weights, equal values.",
    )
    _, output = _summed(proof, (product, weighted), _TOKENS, _HEADS)
    return proof.finish(output=output, loss=_loss(proof))


def _loss(proof: Proof) -> int:
    """The squared errors of one output u(i) at two targets s(i) and t(i)."""
    middle = (2 * u(i) - s(i) - t(i)) ** 2 / 2
    square = proof.step(le(0, middle), SIGN, why="A square.")
    errors, floor = (u(i) - s(i)) ** 2 + (u(i) - t(i)) ** 2, (s(i) - t(i)) ** 2 / 2
    whole = proof.step(eq(errors - floor, middle), NORMAL_FORM, why="Multiply out.")
    each = proof.step(le(floor, errors), COMBINATION, square, whole, parameters=(1, -1), why="Add.")
    every = proof.step(ForAll(le(floor, errors), _PAIRS), GENERALISATION, each, why="Any pair.")
    half = Rational(1, 2) * Sum((s(i) - t(i)) ** 2, _PAIRS)
    return proof.step(le(half, Sum(errors, _PAIRS)), TERMWISE, every, why="Add up the pairs.")


def _suppose(proof: Proof, statement: Any, why: str) -> Known:
    """A hypothesis with its statement."""
    return statement, proof.suppose(statement, why=why)


def _at(proof: Proof, known: Known, indices: tuple[Any, ...]) -> int:
    """The instance of nested quantifiers at arbitrary indices."""
    statement, number = known
    for each in indices:
        statement = statement.body
        number = proof.step(statement, INSTANCE, number, parameters=(each,), why="Anywhere.")
    return number


def _summed(proof: Proof, known: Known, *limits: tuple[Any, ...]) -> Known:
    """An equality of terms, summed over arbitrary indices, the innermost first."""
    found, number = known
    for span in limits:
        every = proof.step(ForAll(found, span), GENERALISATION, number, why="Any index.")
        left, right = found.args
        found = eq(Sum(left, span), Sum(right, span))
        number = proof.step(found, TERMWISE, every, why="Add up.")
    return found, number


def _score(tokens: Any) -> Any:
    return Sum(z(a) * W(h, a, b) * tokens(j, b), _COLUMNS, _ROWS)


def _setting() -> Setting:
    return Setting(
        (H, n, d, N),
        {h: (1, H), j: (1, n), a: (1, d), b: (1, d), i: (1, N)},
        families=(e, z, W, V, x, y, p, q, u, s, t),
        meaning={
            "H": "the number of heads",
            "n": "the number of tokens",
            "d": "the dimension of the tokens",
            "N": "the number of pairs of queries",
            "e": "rho(g) = diag(e)",
            "z": "the last token, of both queries",
            "W": "W(h, a, b): the form of head h",
            "V": "V(h, b): one output of the value map of head h",
            "x": "x(j, b): the tokens of one query",
            "y": "y(j, b): the tokens of the other",
            "p": "p(h, j): the weights of head h at the first query",
            "q": "q(h, j): its weights at the second",
            "u": "u(i): the output of the layer at both queries of pair i",
            "s": "s(i): what it should be at the first",
            "t": "t(i): what it should be at the second",
        },
    )


def _choose(random: Random) -> Choice:
    """Heads and queries as supposed; the weights are some function of the score."""
    sizes = {letter: random.randint(1, 3) for letter in (H, n, d, N)}
    sign = [random.choice((-1, 1)) for _ in range(sizes[d])]

    def drawn(*where: int) -> Fraction:
        local = Random(f"{salt}{where}")
        return Fraction(local.randint(-3, 3), local.randint(1, 3))

    salt = random.random()

    def last(a: int) -> Fraction:
        return drawn(0, a) if sign[a - 1] == 1 else Fraction(0)

    def form(h: int, a: int, b: int) -> Fraction:
        return drawn(1, h, a, b) if sign[a - 1] == sign[b - 1] else Fraction(0)

    def read(h: int, b: int) -> Fraction:
        return drawn(2, h, b) if sign[b - 1] == 1 else Fraction(0)

    def one(j: int, b: int) -> Fraction:
        return drawn(3, j, b)

    def other(j: int, b: int) -> Fraction:
        return drawn(3, j, b) if sign[b - 1] == 1 else drawn(4, j, b)

    def weight(tokens: Any) -> Any:
        def of(h: int, j: int) -> Fraction:
            axes = range(1, sizes[d] + 1)
            score = sum(
                (last(a) * form(h, a, b) * tokens(j, b) for a in axes for b in axes), Fraction(0)
            )
            return 1 / (1 + score * score)

        return of

    tables = {
        "e": lambda b: Fraction(sign[b - 1]),
        "z": last,
        "W": form,
        "V": read,
        "x": one,
        "y": other,
        "p": weight(one),
        "q": weight(other),
    }
    return Choice(dict(sizes), tables)
