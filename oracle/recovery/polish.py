"""The last digits: all parameters at once from random short queries, by Gauss-Newton.

That rational interpolation is ill-conditioned belongs to the experiment with copies, not to the
parameters: on random queries of three tokens the Jacobian with respect to (W, v) is well
conditioned, so a rough start ends at rounding level, where random starts fail from six heads on.
The residual that is left, divided by the least singular value of the Jacobian, bounds the error of
the parameters as far as the residual measures the oracle's own rounding: an estimate, no proof.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..floats import Array

STEPS = 60
SAFETY = 4.0


@dataclass(frozen=True)
class Polished:
    """Parameters and how good they are.

    Args:
        W: (H, d, d).
        v: (H, d).
        residual: the largest difference to an answer, relative to the largest answer.
        error: an estimate of the largest error of a parameter.
    """

    W: Array
    v: Array
    residual: float
    error: float


def evaluate(W: Array, v: Array, X: Array) -> tuple[Array, Array]:
    """Answers and their Jacobian.

    Args:
        W: (H, d, d).
        v: (H, d).
        X: (Q, n, d) queries, the last token attends.

    Returns:
        (Q,) answers and (Q, H d d + H d) derivatives, W first.

    Example:
        >>> answers, jacobian = evaluate(np.zeros((1, 1, 1)), np.ones((1, 1)), np.ones((2, 3, 1)))
        >>> answers.tolist(), jacobian.tolist()
        ([1.0, 1.0], [[0.0, 1.0], [0.0, 1.0]])
    """
    H, d = v.shape
    last = X[:, -1]
    scores = np.einsum("qhj,qnj->qhn", np.einsum("qi,hij->qhj", last, W, optimize=True), X)
    p = np.exp(scores - scores.max(axis=2, keepdims=True))
    p /= p.sum(axis=2, keepdims=True)
    values = np.einsum("hj,qnj->qhn", v, X)
    means = (p * values).sum(axis=2)
    slopes = np.einsum("qhn,qnj->qhj", p * (values - means[:, :, None]), X)
    for_W = np.einsum("qi,qhj->qhij", last, slopes).reshape(len(X), H * d * d)
    for_v = np.einsum("qhn,qnj->qhj", p, X).reshape(len(X), H * d)
    return means.sum(axis=1), np.hstack([for_W, for_v])


def polish(W: Array, v: Array, X: Array, answers: Array) -> Polished:
    """Damped Gauss-Newton from a start.

    Args:
        W: (H, d, d), the start.
        v: (H, d), the start.
        X: (Q, n, d) queries.
        answers: (Q,) of the oracle.
    """
    H, d = v.shape
    size = H * d * d

    def split(y: Array) -> tuple[Array, Array]:
        return y[:size].reshape(H, d, d), y[size:].reshape(H, d)

    y = np.concatenate([W.ravel(), v.ravel()])
    f, J = evaluate(*split(y), X)
    cost, damping = float(np.sum((f - answers) ** 2)), 1e-3
    for _ in range(STEPS):
        gram, gradient = J.T @ J, J.T @ (answers - f)
        improved = False
        while damping < 1e8:
            try:
                step = np.linalg.solve(gram + damping * np.diag(np.diag(gram) + 1e-12), gradient)
            except np.linalg.LinAlgError:
                damping = max(10 * damping, 1e-12)
                continue
            f_new, J_new = evaluate(*split(y + step), X)
            new = float(np.sum((f_new - answers) ** 2))
            if np.isfinite(new) and new < cost:
                y, f, J, improved = y + step, f_new, J_new, new < 0.999 * cost
                cost, damping = new, damping / 10 if damping > 1e-20 else 0.0
                break
            damping = max(10 * damping, 1e-18)
        if not improved:
            break
    largest = max(float(np.abs(answers).max()), 1e-300)
    least = float(np.linalg.svd(J, compute_uv=False)[-1])
    free = max(1, len(X) - len(y))
    noise = np.sqrt(cost * len(X) / free) + np.finfo(float).eps * float(np.linalg.norm(answers))
    error = SAFETY * noise / least if least > 0 else np.inf
    return Polished(*split(y), float(np.abs(f - answers).max()) / largest, float(error))
