"""What formulas mean: operators, short circuits, ranges, three truth values, refusals."""

from fractions import Fraction
from typing import Any

import pytest

from headproof.proofs_check.checker import Rejected, Unreadable
from headproof.proofs_check.checker.budget import Budget
from headproof.proofs_check.checker.formula import digits, evaluate
from headproof.proofs_check.checker.translator import Translator
from headproof.proofs_check.checker.values import named, number, ranks

X, K = ["var", "x"], ["at", "k", 0, 1]
INSTANCE = {"x": "3/2", "s": [2, -1, 2], "k": [[1, 5], [0], []]}
UNDECIDED = ["=", ["log", ["exp", X]], X]
BAD = ["<", ["/", 1, 0], 1]


def translator(arithmetic: Any = True) -> Any:
    budget = Budget(1_000_000)
    instance = named(INSTANCE, "instance", number)
    return Translator(ranks(instance), budget, digits(20, budget) if arithmetic else None), instance


@pytest.mark.parametrize(
    ("node", "value"),
    [
        (X, Fraction(3, 2)),
        (K, 5),
        (["at", "s", ["-", ["len", "s"], 1]], 2),
        (["len", "k"], 3),
        (["len", "k", 2], 0),
        (["+", 1, 2, "1/2"], Fraction(7, 2)),
        (["+", 7], 7),
        (["-", X], Fraction(-3, 2)),
        (["-", 1, 3], -2),
        (["*", 2, 3, 4], 24),
        (["/", 1, 4], Fraction(1, 4)),
        (["^", "2/3", 2], Fraction(4, 9)),
        (["^", "2/3", -2], Fraction(9, 4)),
        (["^", 0, 0], 1),
        (["^", -1, 131072], 1),
        (["^", 2, ["/", 6, 2]], 8),
        (["max", 1, 3, 2], 3),
        (["min", 1, -3, 2], -3),
        (["abs", "-1/2"], Fraction(1, 2)),
        (["sum", "j", 4, ["var", "j"]], 6),
        (["sum", "j", 0, ["var", "j"]], 0),
        (["sum", "i", 3, ["sum", "j", ["var", "i"], ["var", "j"]]], 1),
        (["+", ["sum", "j", 3, 1], ["sum", "j", 2, ["var", "j"]]], 4),
        (["sum", "i", 3, ["sum", "j", ["len", "k", ["var", "i"]], 1]], 3),
        (["maxover", "j", 3, ["at", "s", ["var", "j"]]], 2),
        (["minover", "j", 3, ["at", "s", ["var", "j"]]], -1),
        (["countover", "j", 3, ["=", ["at", "s", ["var", "j"]], 2]], 2),
    ],
)
def test_numbers(node: Any, value: Any) -> None:
    maker, instance = translator(arithmetic=False)
    term = maker.number(node, "f")
    assert term.exact
    assert evaluate(term.at, instance) == value


TRUE, FALSE = ["=", 1, 1], ["=", 1, 0]


@pytest.mark.parametrize(
    ("node", "truth"),
    [
        (["<=", 1, 1], True),
        (["<", 1, 1], False),
        ([">=", 1, "1/2"], True),
        ([">", 1, 2], False),
        (["!=", X, 1], True),
        (["and", TRUE], True),
        (["and", TRUE, TRUE, FALSE], False),
        (["or", FALSE, FALSE, TRUE], True),
        (["not", TRUE], False),
        (["implies", FALSE, FALSE], True),
        (["implies", TRUE, FALSE], False),
        (["iff", FALSE, FALSE], True),
        (["iff", TRUE, FALSE], False),
        (["forall", "j", 3, ["<", ["var", "j"], 3]], True),
        (["forall", "j", 4, ["<", ["var", "j"], 3]], False),
        (["forall", "j", 0, FALSE], True),
        (["exists", "j", 0, TRUE], False),
        (["exists", "j", 3, ["=", ["var", "j"], 2]], True),
        # Left to right, stopping as soon as the answer is known.
        (["and", FALSE, BAD], False),
        (["or", TRUE, BAD], True),
        (["implies", FALSE, BAD], True),
        (["forall", "j", 5, ["<", ["/", 1, ["-", 2, ["var", "j"]]], 1]], False),
        (["exists", "j", 9, ["=", ["at", "s", ["var", "j"]], -1]], True),
        # Kleene's tables.
        (UNDECIDED, None),
        (["not", UNDECIDED], None),
        (["and", UNDECIDED, FALSE], False),
        (["and", UNDECIDED, TRUE], None),
        (["or", UNDECIDED, TRUE], True),
        (["or", UNDECIDED, FALSE], None),
        (["implies", UNDECIDED, TRUE], True),
        (["implies", UNDECIDED, FALSE], None),
        (["implies", TRUE, UNDECIDED], None),
        (["iff", UNDECIDED, UNDECIDED], None),
        (["forall", "j", 2, ["=", ["log", ["exp", X]], ["+", X, ["var", "j"]]]], False),
        (["exists", "j", 2, ["=", ["log", ["exp", X]], ["+", X, ["var", "j"]]]], None),
        # Enclosures.
        (["<", ["exp", 1], ["exp", ["+", 1, ["^", 10, -25]]]], None),
        (["<", ["exp", 1], ["exp", ["+", 1, ["^", 10, -15]]]], True),
        (["<", ["/", 2718281828, ["^", 10, 9]], ["exp", 1]], True),
        (["=", ["exp", 0], 1], True),
        (["=", ["log", 1], 0], True),
        (["<", ["exp", -1000000000], "1/1000"], True),
        (["<=", 0, ["^", ["log", "1/2"], 2]], True),
    ],
)
def test_conditions(node: Any, truth: Any) -> None:
    maker, instance = translator()
    assert evaluate(maker.condition(node, "f"), instance) is truth


@pytest.mark.parametrize(
    ("node", "reason"),
    [
        (BAD, "division by zero"),
        (["and", BAD, FALSE], "division by zero"),
        (["<", ["^", 0, -1], 1], "division by zero"),
        (["<", ["^", 2, "1/2"], 1], "expected an integer"),
        (["<", ["at", "s", 3], 1], "outside 0..2"),
        (["<", ["at", "s", -1], 1], "outside 0..2"),
        (["<", ["at", "s", X], 1], "expected an integer"),
        (["<", ["at", "k", 2, 0], 1], "outside 0..-1"),
        (["<", ["maxover", "j", 0, 1], 1], "over nothing"),
        (["<", ["sum", "j", -1, 1], 1], "range over -1"),
        (["forall", "j", "1/2", TRUE], "expected an integer"),
        (["<", ["log", 0], 1], "not positive"),
        (["<", ["log", ["-", ["exp", 1], 3]], 1], "not positive"),
        (["<", ["log", ["-", ["log", ["exp", X]], X]], 1], "undecided at 20 digits"),
        (["<", ["/", 1, ["-", ["log", ["exp", X]], X]], 1], "undecided at 20 digits"),
        (["=", ["countover", "j", 2, UNDECIDED], 1], "undecided"),
        (["<", ["exp", ["exp", 20]], 1], "overflow"),
    ],
)
def test_no_value(node: Any, reason: Any) -> None:
    maker, instance = translator()
    with pytest.raises(Rejected, match=reason):
        evaluate(maker.condition(node, "f"), instance)


@pytest.mark.parametrize(
    "node",
    [
        1, "x", [], [1], [["<"], 1, 2], {}, None, True, ["<", 1], ["<", 1, 2, 3], ["<", True, 1],
        ["<", TRUE, 1], ["and"], ["or"], ["not", TRUE, TRUE], ["implies", TRUE], ["iff", TRUE],
        ["and", 1], ["<", ["and", TRUE], 1], ["<", ["+"], 1], ["<", ["/", 1], 1],
        ["<", ["-", 1, 2, 3], 1], ["<", ["exp"], 1], ["<", ["exp", 1, 2], 1], ["<", ["abs"], 1],
        ["<", ["var"], 1], ["<", ["var", "y"], 1], ["<", ["var", "s"], 1], ["<", ["var", 1], 1],
        ["<", ["at", "s"], 1], ["<", ["at", "s", 0, 0], 1], ["<", ["at", "k", 0], 1],
        ["<", ["at", "x", 0], 1], ["<", ["len"], 1], ["<", ["len", "x"], 1],
        ["<", ["len", "s", 0], 1], ["<", ["len", "y"], 1], ["<", ["^", 2], 1],
        ["<", ["^", 2, ["exp", 1]], 1], ["<", ["at", "s", ["log", 1]], 1],
        ["forall", "j", 1], ["forall", "s", 1, TRUE], ["forall", "", 1, TRUE],
        ["forall", "j", 2, ["forall", "j", 2, TRUE]], ["forall", "a b", 1, TRUE],
        ["forall", ["j"], 1, TRUE], ["forall", "j", ["exp", 1], TRUE], ["exists", "j", 1, 1],
        ["and", ["forall", "j", 1, TRUE], ["<", ["var", "j"], 1]],
        ["<", ["sum", "j", ["var", "j"], 1], 1], ["<", ["sum", "j", 1, TRUE], 1],
        ["<", ["countover", "j", 1, 1], 1], ["<", ["__class__", 1], 1], ["<", ["negate", 1], 1],
        ["<", ["add", 1, 2], 1], ["<", ["implies", 1, 2], 1], ["lambda", TRUE],
        ["<", "1.5", 1], ["<", "1/0", 1], ["<", None, 1], ["<", {}, 1],
    ],
    ids=repr,
)  # fmt: skip
def test_malformed(node: Any) -> None:
    maker, _ = translator()
    with pytest.raises(Unreadable):
        maker.condition(node, "f")


def test_exp_needs_digits() -> None:
    maker, _ = translator(arithmetic=False)
    with pytest.raises(Unreadable, match="digits"):
        maker.condition(["<", ["exp", 1], 3], "f")
