"""Subdivision: complete, refuted or open, and what it leaves is what the checker accepts."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headproof.proofs_check.certificates.boxes import Box, prove
from headproof.proofs_check.certificates.formula import (
    Expression,
    at,
    exp,
    length,
    log,
    max_over,
    maximum,
    sum_over,
    var,
)
from headproof.proofs_check.checker import Rejected, check_certificate
from headproof.symbolic.enclosures.subdivision import subdivide
from headproof.symbolic.errors import CertificateInvalid, InputError, LimitReached

X, Y = var("x"), var("y")
SOFT = log(sum_over("j", length("s"), exp(at("s", var("j")))))
HARD = max_over("j", length("s"), at("s", var("j")))

NEVER = X * X - Fraction(2, 3) * X
"""At least -1/9, attained at 1/3, which no halving reaches."""


def accepted(box: Box, budget: int = 20_000) -> None:
    certificate = box.certificate("", box.search(budget=budget))
    check_certificate(json.loads(json.dumps(certificate)))


@pytest.mark.parametrize(
    "box",
    [
        Box("plain", X * Y, {"x": (0, 1), "y": (0, 1)}, 0, 1),
        Box("monotone", exp(X) - X, {"x": (0, 1)}, 1),
        Box("narrowed twice", X * X - X, {"x": (0, 1)}, Fraction(-26, 100), 0),
        Box("kink", maximum(X, -X) - X * X, {"x": (-1, 1)}, Fraction(-1, 100), Fraction(26, 100)),
        Box("soft maximum", SOFT - HARD, {"s": [(-1, 1), (-1, 1)]}, 0, Fraction(3, 4)),
        Box("attained at a corner", SOFT / log(2) - 1, {"s": [(0, 1), (0, 2)]}, 0 - Fraction(1, 9)),
        Box("point", exp(X), {"x": (1, 1)}, 2, 3),
        Box("given", X * at("k", 1), {"x": (0, 1)}, 0, 7, {"k": [1, 7]}),
    ],
    ids=lambda box: box.name,
)
def test_the_checker_accepts_what_is_found(box: Box) -> None:
    accepted(box)


def test_a_false_bound_is_refuted_at_a_point() -> None:
    found = Box("", SOFT - HARD, {"s": [(-1, 1), (-1, 1)]}, upper=Fraction(69, 100)).search()
    assert found.counterexample == {"s": [0, 0]}
    assert not found.complete
    with pytest.raises(CertificateInvalid, match="a bound fails at"):
        prove("", (Box("", X, {"x": (0, 1)}, lower=Fraction(9, 10)),))


def test_a_budget_that_ends_leaves_a_share() -> None:
    box = Box("", NEVER, {"x": (0, 1)}, lower=Fraction(-1, 9))
    found = box.search(budget=40)
    assert 0 < found.share < 1
    assert found.open
    volume = sum(Fraction(part["x"][1] - part["x"][0]) for part in found.open)
    assert found.share + volume == 1
    with pytest.raises(LimitReached, match=r"% of the box is certified"):
        box.certificate("", found)


def test_an_open_tree_is_no_certificate() -> None:
    """Were the open parts passed off as leaves, the checker would notice."""
    box = Box("", NEVER, {"x": (0, 1)}, lower=Fraction(-1, 9))
    found = box.search(budget=40)
    weaker = Box("", NEVER, {"x": (0, 1)}, lower=-1)
    certificate = weaker.certificate("", weaker.search())
    data = {**certificate["data"], "enclosure": ["-1/9", None], "tree": found.tree}
    with pytest.raises(Rejected):
        check_certificate(json.loads(json.dumps({**certificate, "data": data})))


def test_where_no_value_exists_the_part_stays_open() -> None:
    found = Box("", log(X), {"x": (0, 1)}, upper=0).search(budget=300)
    assert not found.complete
    assert found.share > Fraction(9, 10)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"box": {"x": (0, 1)}}, "bound"),
        ({"box": {}, "lower": 0}, "variable"),
        ({"box": {"x": (1, 0)}, "lower": 0}, "low <= high"),
        ({"box": {"x": 3}, "lower": 0}, "interval"),
        ({"box": {"x": (0, 1)}, "given": {"x": 1}, "lower": 0}, "twice"),
        ({"box": {"y": (0, 1)}, "lower": 0}, "variable"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        subdivide(["var", "x"], **arguments)  # type: ignore[arg-type]


def test_conditions_are_refused() -> None:
    with pytest.raises(InputError, match="without conditions"):
        subdivide(["<=", ["var", "x"], 1], box={"x": (0, 1)}, lower=0)


NUMBERS = st.builds(Fraction, st.integers(-4, 4), st.sampled_from((1, 2, 3)))


@st.composite
def expressions(draw: st.DrawFn, depth: int = 3) -> Expression:
    if depth == 0 or draw(st.booleans()):
        return draw(st.sampled_from((X, Y))) + draw(NUMBERS)
    left, right = draw(expressions(depth=depth - 1)), draw(expressions(depth=depth - 1))
    made: tuple[Expression, ...] = (
        left + right,
        left - right,
        left * right,
        left / (right * right + 1),
        abs(left),
        maximum(left, right),
        exp(left / (1 + left * left)),
        left**3,
    )
    return draw(st.sampled_from(made))


@given(expressions(), NUMBERS)
def test_search_and_checker_agree_on_random_formulas(f: Expression, bound: Fraction) -> None:
    """Two evaluations that share no code: whatever is called complete passes the other."""
    box = Box("", f + X + Y, {"x": (-1, 1), "y": (0, Fraction(1, 2))}, lower=bound - 2)
    found = box.search(budget=30)
    if found.complete:
        check_certificate(json.loads(json.dumps(box.certificate("", found))))
