"""The formula language: operators, JSON, LaTeX."""

from fractions import Fraction
from typing import Any

import pytest

from headproof.proofs_check.certificates.formula import (
    Condition,
    Expression,
    at,
    count_over,
    different,
    equal,
    every,
    exists,
    exp,
    forall,
    iff,
    implies,
    length,
    log,
    max_over,
    maximum,
    min_over,
    minimum,
    number,
    some,
    sum_over,
    var,
)
from headproof.symbolic.errors import InputError

X, Y, J = var("x"), var("y"), var("j")
VX, VY, VJ = ["var", "x"], ["var", "y"], ["var", "j"]

CASES = [
    (number(Fraction(-1, 2)), "-1/2", r"-\frac{1}{2}"),
    (X + Y + 1, ["+", VX, VY, 1], "x + y + 1"),
    (1 + X, ["+", 1, VX], "1 + x"),
    (X + (Y + 1), ["+", VX, ["+", VY, 1]], r"x + \left(y + 1\right)"),
    (1 - X, ["-", 1, VX], "1 - x"),
    (X - (Y - 1), ["-", VX, ["-", VY, 1]], r"x - \left(y - 1\right)"),
    (-X, ["-", VX], "-x"),
    (-(X * Y), ["-", ["*", VX, VY]], r"-x \cdot y"),
    (X * Y * 2, ["*", VX, VY, 2], r"x \cdot y \cdot 2"),
    (2 * (X + 1), ["*", 2, ["+", VX, 1]], r"2 \cdot \left(x + 1\right)"),
    (X * -2, ["*", VX, -2], r"x \cdot \left(-2\right)"),
    (X / 2, ["/", VX, 2], r"\frac{x}{2}"),
    (1 / X, ["/", 1, VX], r"\frac{1}{x}"),
    (X**2, ["^", VX, 2], "x^{2}"),
    ((X / Y) ** 2, ["^", ["/", VX, VY], 2], r"\left(\frac{x}{y}\right)^{2}"),
    ((-X) ** 2, ["^", ["-", VX], 2], r"\left(-x\right)^{2}"),
    (abs(X), ["abs", VX], r"\left|x\right|"),
    (exp(X / var("tau")), ["exp", ["/", VX, ["var", "tau"]]], r"e^{\frac{x}{\tau}}"),
    (log(X), ["log", VX], r"\log\left(x\right)"),
    (maximum(X, 1), ["max", VX, 1], r"\max\left(x, 1\right)"),
    (minimum(X, 1), ["min", VX, 1], r"\min\left(x, 1\right)"),
    (at("k", J, 0), ["at", "k", VJ, 0], "k_{j,0}"),
    (at("bias", J), ["at", "bias", VJ], r"\mathrm{bias}_{j}"),
    (length("k"), ["len", "k"], "|k|"),
    (length("k", J), ["len", "k", VJ], "|k_{j}|"),
    (
        sum_over("j", length("s"), at("s", J) + 1),
        ["sum", "j", ["len", "s"], ["+", ["at", "s", VJ], 1]],
        r"\sum_{0 \le j < |s|} \left(s_{j} + 1\right)",
    ),
    (
        2 * sum_over("j", 3, J),
        ["*", 2, ["sum", "j", 3, VJ]],
        r"2 \cdot \left(\sum_{0 \le j < 3} j\right)",
    ),
    (max_over("j", 3, J), ["maxover", "j", 3, VJ], r"\max_{0 \le j < 3} j"),
    (min_over("j", 3, J), ["minover", "j", 3, VJ], r"\min_{0 \le j < 3} j"),
    (
        count_over("j", 3, J < X),
        ["countover", "j", 3, ["<", VJ, VX]],
        r"\#\{0 \le j < 3 : j < x\}",
    ),
    (X <= Y, ["<=", VX, VY], r"x \le y"),
    (X < 1, ["<", VX, 1], "x < 1"),
    (1 < X, [">", VX, 1], "x > 1"),
    (X >= Y, [">=", VX, VY], r"x \ge y"),
    (X > Y, [">", VX, VY], "x > y"),
    (equal(X, Y), ["=", VX, VY], "x = y"),
    (different(X, 0), ["!=", VX, 0], r"x \ne 0"),
    ((X < 1) & (Y < 1), ["and", ["<", VX, 1], ["<", VY, 1]], r"x < 1 \wedge y < 1"),
    ((X < 1) | (Y < 1), ["or", ["<", VX, 1], ["<", VY, 1]], r"x < 1 \vee y < 1"),
    (~(X < 1), ["not", ["<", VX, 1]], r"\neg \left(x < 1\right)"),
    (
        every(some(X < 1, X > 2), Y < 1),
        ["and", ["or", ["<", VX, 1], [">", VX, 2]], ["<", VY, 1]],
        r"\left(x < 1 \vee x > 2\right) \wedge y < 1",
    ),
    (
        implies(X < 1, Y < 1),
        ["implies", ["<", VX, 1], ["<", VY, 1]],
        r"x < 1 \Rightarrow y < 1",
    ),
    (
        iff(implies(X < 1, Y < 1), Y < 2),
        ["iff", ["implies", ["<", VX, 1], ["<", VY, 1]], ["<", VY, 2]],
        r"\left(x < 1 \Rightarrow y < 1\right) \Leftrightarrow y < 2",
    ),
    (
        forall("j", 3, exists("i", 2, J < var("i"))),
        ["forall", "j", 3, ["exists", "i", 2, ["<", VJ, ["var", "i"]]]],
        r"\forall 0 \le j < 3: \left(\exists 0 \le i < 2: j < i\right)",
    ),
]


@pytest.mark.parametrize(("formula", "json", "latex"), CASES, ids=[c[2] for c in CASES])
def test_json_and_latex(formula: Any, json: Any, latex: Any) -> None:
    assert isinstance(formula, (Expression, Condition))
    assert formula.json() == json
    assert formula.latex() == latex


def test_formulas_are_values() -> None:
    assert X + 1 == X + 1
    assert X + 1 != 1 + X
    assert len({X + 1, X + 1, X - 1}) == 2


def test_a_condition_has_no_truth_value() -> None:
    with pytest.raises(TypeError, match="join conditions"):
        bool(X < 1)
    with pytest.raises(TypeError, match="join conditions"):
        assert 0 <= X <= 1


@pytest.mark.parametrize("value", [0.5, True, "1"])
def test_literals_are_exact(value: Any) -> None:
    with pytest.raises(InputError):
        X + value
