"""Proposals are never believed: with nonsense for proposals the answers stay the same."""

import numpy as np
import pytest

from headproof.symbolic.cones import clarkson
from headproof.symbolic.cones.frame import Frame
from headproof.symbolic.cones.hull import convex_hull, upper_hull
from headproof.symbolic.cones.proposal import Floats, Proposals


def nonsense(systems: Floats) -> Proposals:
    B, m, n = systems.shape
    draw = np.random.default_rng(B + m)
    supports = draw.integers(-1, max(m, 1), (B, n + 1)) if m else np.full((B, n + 1), -1)
    return Proposals(supports, draw.standard_normal((B, n)), draw.choice([0.0, 1.0], B))


def silence(systems: Floats) -> Proposals:
    B, _, n = systems.shape
    return Proposals(np.full((B, n + 1), -1), np.zeros((B, n)), np.ones(B))


def broken(systems: Floats) -> Proposals:
    B, _, n = systems.shape
    return Proposals(np.full((B, n + 1), -1), np.full((B, n), np.nan), np.full(B, np.nan))


@pytest.mark.parametrize("proposer", [nonsense, silence, broken])
@pytest.mark.parametrize("start", [True, False])
def test_proposals_do_not_change_the_vertices(
    monkeypatch: pytest.MonkeyPatch, proposer: object, start: bool
) -> None:
    draw = np.random.default_rng(6)
    clouds = [draw.integers(-4, 5, (25, d)).tolist() for d in (1, 2, 3)]
    clouds.append([[10**30 * a, b, a + b] for a, b in draw.integers(-3, 4, (20, 2)).tolist()])
    expected = [(convex_hull(c).vertices, upper_hull(c).vertices) for c in clouds]
    monkeypatch.setattr(clarkson, "propose", proposer)
    if not start:
        monkeypatch.setattr(Frame, "directions", lambda self: iter(()))
    assert [(convex_hull(c).vertices, upper_hull(c).vertices) for c in clouds] == expected


def test_a_tie_is_broken_towards_a_vertex(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clarkson, "propose", silence)
    axis = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    monkeypatch.setattr(Frame, "directions", lambda self: iter([axis]))
    square = [[a, b] for a in range(5) for b in range(5)]
    hull = convex_hull(square)
    assert hull.vertices == (0, 4, 20, 24)
    for j, u in hull.functionals.items():
        scores = [u[0] * a + u[1] * b for a, b in square]
        assert scores.count(max(scores)) == 1
        assert scores.index(max(scores)) == j
