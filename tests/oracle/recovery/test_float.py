"""Recovery of models in doubles: down to rounding, with an estimate that is right."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from headproof.oracle.floats import Array, FloatOracle, attention, load, torch_attention
from headproof.oracle.recovery.polish import evaluate
from headproof.oracle.recovery.ratios import pencil, ratio_nodes
from headproof.oracle.recovery.recover import recover
from headproof.oracle.recovery.recovery import Recovery
from headproof.symbolic.errors import (
    Degenerate,
    HeadproofError,
    InputError,
    LimitReached,
    NotInClass,
)


def planted(d: int, H: int, seed: int) -> tuple[Array, Array]:
    random = np.random.default_rng(seed)
    return random.normal(size=(H, d, d)), random.normal(size=(H, d))


def worst(found: Recovery, W: Array, v: Array) -> float:
    """The largest error of an entry, heads matched by the nearest."""
    assert len(found.heads) == len(W)
    errors = []
    for form, functional in zip(W, v, strict=True):
        each = [
            max(
                np.abs(np.array(head.W, dtype=float) - form).max(),
                np.abs(np.array(head.v, dtype=float) - functional).max(),
            )
            for head in found.heads
        ]
        errors.append(min(each))
    return float(max(errors))


@pytest.mark.parametrize(("d", "H"), [(1, 2), (2, 3), (3, 6), (4, 8), (8, 2)])
@pytest.mark.parametrize("model", [attention, torch_attention])
def test_heads_to_rounding(d: int, H: int, model: Callable[[Any, Any], Any]) -> None:
    W, v = planted(d, H, seed=10 * d + H)
    found = recover(FloatOracle(model(W, v), d), heads=H)
    error = worst(found, W, v)
    assert error < 1e-12
    assert error <= float(found.radius) < 1e-9
    assert found.queries == found.attempts[-1].queries - found.fresh_queries == found.formula


def test_the_number_of_heads_under_a_bound() -> None:
    W, v = planted(3, 3, seed=1)
    found = recover(FloatOracle(attention(W, v), 3), bound=5)
    assert worst(found, W, v) < 1e-12


def test_equal_values() -> None:
    W, v = planted(3, 4, seed=2)
    v[:] = v[0]
    assert worst(recover(FloatOracle(attention(W, v), 3), heads=4), W, v) < 1e-12


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_eight_heads_in_eight_dimensions(seed: int) -> None:
    W, v = planted(8, 8, seed)
    found = recover(FloatOracle(torch_attention(W, v), 8), heads=8, seed=seed)
    assert worst(found, W, v) <= min(1e-12, float(found.radius))


def test_a_noisier_oracle_has_a_larger_estimate() -> None:
    W, v = planted(2, 2, seed=4)
    exact = attention(W, v)
    random = np.random.default_rng(0)

    def noisy(X: Array) -> float:
        return exact(X) + 1e-13 * float(random.normal())

    found = recover(FloatOracle(noisy, 2), heads=2)
    assert worst(found, W, v) <= float(found.radius) < 1e-10
    assert found.radius > recover(FloatOracle(exact, 2), heads=2).radius


WRONG: dict[str, Callable[[Array, float], float]] = {
    "squared": lambda X, f: f * f,
    "length": lambda X, f: f + len(X),
    "constant": lambda X, f: f + 1,
    "long queries": lambda X, f: f + (len(X) == 7),
    "largest entry": lambda X, f: float(X.max()),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_oracle_gives_no_model(name: str) -> None:
    model = attention(*planted(2, 2, seed=5))
    oracle = FloatOracle(lambda X: WRONG[name](X, model(X)), 2)
    with pytest.raises(HeadproofError):
        recover(oracle, heads=2)


def test_a_wrong_number_of_heads() -> None:
    oracle = FloatOracle(attention(*planted(2, 3, seed=5)), 2)
    for heads in (2, 4):
        with pytest.raises(Degenerate):
            recover(oracle, heads=heads)


def test_limits_and_wrong_answers() -> None:
    with pytest.raises(LimitReached):
        recover(FloatOracle(attention(*planted(2, 2, seed=5)), 2), heads=2, limit=100)
    with pytest.raises(InputError):
        recover(FloatOracle(lambda X: float("nan"), 2), heads=2)
    with pytest.raises(InputError):
        load("math:no_such_name", 2)
    with pytest.raises(InputError):
        load("math:pi", 2)


def test_the_jacobian_against_differences() -> None:
    W, v = planted(2, 2, seed=6)
    X = np.random.default_rng(1).normal(size=(3, 3, 2))
    _, J = evaluate(W, v, X)
    y = np.concatenate([W.ravel(), v.ravel()])
    for k in range(len(y)):
        sides = []
        for sign in (1, -1):
            z = y.copy()
            z[k] += sign * 1e-5
            sides.append(evaluate(z[:8].reshape(2, 2, 2), z[8:].reshape(2, 2), X)[0])
        # Central differences: h^2/6 times third derivatives of order 10, plus rounding/h.
        assert np.abs((sides[0] - sides[1]) / 2e-5 - J[:, k]).max() < 1e-8


def test_the_pencil_sees_the_rank() -> None:
    t = np.array([m / n for m, n in ratio_nodes()])
    L, c = np.array([-3.0, -1.0, 2.0]), np.array([1.0, -2.0, 0.5])
    F = 4 + (c * t[:, None] / (t[:, None] + np.exp(-L))).sum(axis=1)
    for most in (3, 6):
        found = pencil(t, F, 4.0, most, known=most == 3)
        assert np.abs(found.scores - L).max() < 1e-9
        assert np.abs(found.residues - c).max() < 1e-9
    assert len(pencil(t, np.full(len(t), 4.0), 4.0, 3, known=False).scores) == 0


NOWHERE_ELSE: dict[str, Callable[[Array, float], float]] = {
    "beyond twelve tokens": lambda X, f: f + (len(X) > 12),
    "beyond twelve tokens, by a factor": lambda X, f: f * (1 + 0.1 * (len(X) > 12)),
    "beyond a hundred tokens, slightly": lambda X, f: f + 1e-4 * (len(X) > 100),
    "beyond three tokens, hardly": lambda X, f: f + 1e-9 * (len(X) > 3),
    "seven tokens, hardly": lambda X, f: f + 1e-9 * (len(X) == 7),
}


@pytest.mark.parametrize("name", NOWHERE_ELSE)
def test_what_was_asked_on_the_way_must_fit_as_well(name: str) -> None:
    model = attention(*planted(2, 2, seed=5))
    oracle = FloatOracle(lambda X: NOWHERE_ELSE[name](X, model(X)), 2)
    with pytest.raises(NotInClass) as caught:
        recover(oracle, heads=2)
    query: Any = caught.value.query
    assert oracle(query) == caught.value.answer


@pytest.mark.parametrize("name", ["squared", "length", "constant", "largest entry"])
def test_single_tokens_rule_oracles_out(name: str) -> None:
    model = attention(*planted(2, 2, seed=5))
    oracle = FloatOracle(lambda X: WRONG[name](X, model(X)), 2)
    with pytest.raises(NotInClass, match="attention gives") as caught:
        recover(oracle, heads=2)
    assert oracle(caught.value.query) == caught.value.answer  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [1e-9, 1e9, 1e300])
def test_the_unit_of_the_answers_is_immaterial(unit: float) -> None:
    W, v = planted(2, 2, seed=5)
    found = recover(FloatOracle(attention(W, unit * v), 2), heads=2)
    for form, functional in zip(W, v, strict=True):
        errors = [
            max(
                np.abs(np.array(head.W, dtype=float) - form).max(),
                np.abs(np.array([float(e) for e in head.v]) / unit - functional).max(),
            )
            for head in found.heads
        ]
        assert min(errors) < 1e-12


def test_the_empty_model() -> None:
    W, v = planted(2, 1, seed=5)
    cancelling = attention(np.concatenate([W, W]), np.concatenate([v, -v]))
    for known in ({"heads": 0}, {"bound": 2}):
        found = recover(FloatOracle(cancelling, 2), **known)  # type: ignore[arg-type]
        assert (found.heads, found.verified, found.most) == ((), True, known.popitem()[1])
        assert found.queries == found.formula
    with pytest.raises(Degenerate):
        recover(FloatOracle(lambda X: float(X[-1, 0]), 2), bound=2)


def test_fewer_heads_than_noise_shows() -> None:
    found = recover(FloatOracle(lambda X: float(X.mean(axis=0)[0]), 2), bound=3)
    assert (len(found.heads), found.most) == (1, 3)
    assert abs(float(found.heads[0].v[0]) - 1) < 1e-12


@pytest.mark.parametrize("answer", [None, "1.5", "x", 1j, True, np.ones(2), float("inf"), [1.0]])
def test_an_answer_that_is_no_number(answer: object) -> None:
    with pytest.raises(InputError, match="one finite real number"):
        FloatOracle(lambda X: answer, 2)(((1, 2),))


def test_answers_that_are_numbers() -> None:
    for answer in (
        1.5,
        np.float32(1.5),
        np.array([1.5]),
        torch.tensor([[1.5]], requires_grad=True),
    ):
        assert FloatOracle(lambda X, a=answer: a, 1)(((1,),)) == 1.5  # type: ignore[misc]
    with pytest.raises(InputError, match=r"asked \(1\): .*ZeroDivisionError"):
        FloatOracle(lambda X: 1 / 0, 1)(((1,),))
