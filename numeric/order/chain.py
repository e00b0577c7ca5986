"""A Markov chain of high order in which every lag has its own importance (claim G1), in floats.

    P(x_t = . | past) = sum_i alpha_i P_i(. | x_{t - l_i})

The conditional mean of the one-hot e_t is linear in the past one-hots, so the second moments
J_k = E[e_t e_{t-k}^T] solve a Yule-Walker system of L V^2 unknowns; the law of the V^L windows is
not needed for them. `symbolic.order` goes through that law, exactly: the two agree or one is
wrong. The window law here, by iteration, serves to draw windows and to evaluate other losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class Chain:
    """A chain whose kernels are the permutations x -> m_i x + 1 modulo V.

    Their centred matrices are orthogonal to each other for distinct m_i, and the law of one
    symbol is uniform.

    Args:
        symbols: V, a prime.
        importance: alpha_i > 0, of sum 1.
        lags: l_i >= 1, distinct.
        multipliers: m_i, not 0 modulo V.

    Raises:
        ValueError: the numbers make no such chain.

    Example:
        >>> chain = Chain(5, (0.55, 0.3, 0.15), (1, 2, 3), (1, 2, 3))
        >>> chain.window
        3
    """

    symbols: int
    importance: tuple[float, ...]
    lags: tuple[int, ...]
    multipliers: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no chain."""
        n = len(self.importance)
        if n < 1 or len(self.lags) != n or len(self.multipliers) != n:
            raise ValueError("expected as many importances as lags and multipliers, at least one")
        if min(self.importance) <= 0 or abs(sum(self.importance) - 1) > 1e-12:
            raise ValueError(f"expected positive importances of sum 1, found {self.importance}")
        if min(self.lags) < 1 or len(set(self.lags)) != n:
            raise ValueError(f"expected distinct lags from 1 on, found {self.lags}")
        V = self.symbols
        if V < 2 or any(V % m == 0 for m in range(2, V)):
            raise ValueError(f"expected a prime number of symbols, found {V}")
        if any(m % V == 0 for m in self.multipliers):
            raise ValueError(f"expected multipliers that are not 0 modulo {V}")

    @property
    def window(self) -> int:
        """L, the longest lag."""
        return max(self.lags)

    @cached_property
    def kernels(self) -> Array:
        """``(K, V, V)``: column x of matrix i is the law of the next symbol, P_i(. | x)."""
        found = np.zeros((len(self.lags), self.symbols, self.symbols))
        for i, multiplier in enumerate(self.multipliers):
            for x in range(self.symbols):
                found[i, (multiplier * x + 1) % self.symbols, x] = 1.0
        return found

    @cached_property
    def law(self) -> Array:
        """``(V,) * L``: the stationary law of (x_{t-1}, ..., x_{t-L}), newest first.

        Raises:
            ValueError: the iteration does not settle (the chain has a period).
        """
        V, L = self.symbols, self.window
        law = np.full((V,) * L, 1.0 / V**L)
        for _ in range(100_000):
            joint = self.next_law * law  # (next, x_{t-1}, ..., x_{t-L})
            new = joint.sum(axis=-1)
            if np.abs(new - law).max() < 1e-16:
                return np.asarray(new / new.sum())
            law = new / new.sum()
        raise ValueError("the law of the windows does not settle: the chain has a period")

    @cached_property
    def next_law(self) -> Array:
        """``(V,) * (L + 1)``: P(next | window), next first."""
        V, L = self.symbols, self.window
        found = np.zeros((V,) * (L + 1))
        for alpha, lag, kernel in zip(self.importance, self.lags, self.kernels, strict=True):
            shape = [V] + [1] * L
            shape[lag] = V
            found = found + alpha * kernel.reshape(shape)
        return found

    @cached_property
    def moments(self) -> Moments:
        """The centred second moments, by the Yule-Walker system.

        Raises:
            ValueError: the system does not determine them.
        """
        V, L = self.symbols, self.window
        mean = np.full(V, 1.0 / V)
        known = {0: np.diag(mean)}
        # J_k = sum_i alpha_i Q_i J_{k - l_i} for k = 1..L, where J_{-k} = J_k^T.
        size = L * V * V
        system, right = np.eye(size), np.zeros(size)
        # The rows of the identity in blocks: J_j as a function of the unknowns.
        unit = np.eye(size).reshape(L, V, V, size)
        for k in range(1, L + 1):
            block = np.zeros((V, V, size))
            constant = np.zeros((V, V))
            for alpha, lag, kernel in zip(self.importance, self.lags, self.kernels, strict=True):
                j = k - lag
                if j == 0:
                    constant += alpha * kernel @ known[0]
                else:
                    past = unit[j - 1] if j > 0 else unit[-j - 1].transpose(1, 0, 2)
                    block += alpha * np.einsum("ab,bcs->acs", kernel, past)
            rows = slice((k - 1) * V * V, k * V * V)
            system[rows] -= block.reshape(V * V, size)
            right[rows] = constant.reshape(-1)
        solution, _, rank, _ = np.linalg.lstsq(system, right, rcond=1e-10)
        if rank < size:
            raise ValueError(
                "the Yule-Walker system does not determine the second moments: the chain has "
                "several recurrent classes or a period"
            )
        joint = solution.reshape(L, V, V)
        product = np.outer(mean, mean)
        centred = {k: value - product for k, value in enumerate([known[0], *joint])}
        target = np.stack([centred[k] for k in range(1, L + 1)])
        inner = np.empty((L, L, V, V))
        for m in range(L):
            for n in range(L):
                # E[z_m z_n^T] with z_m at time t - m: the lag between them is n - m.
                inner[m, n] = centred[n - m] if n >= m else centred[m - n].T
        return Moments(target, inner, float(np.trace(centred[0])))

    def sample(self, chains: int, steps: int, generator: np.random.Generator) -> Indices:
        """``(chains, L + steps)``: chains that begin in the stationary law, oldest symbol first.

        Args:
            chains: how many.
            steps: symbols after the first L.
            generator: of all draws.

        Raises:
            ValueError: the chain has a period, so that it has no law to begin in.
        """
        V, L = self.symbols, self.window
        drawn = generator.choice(V**L, size=chains, p=self.law.reshape(-1))
        newest_first = np.stack(np.unravel_index(drawn, (V,) * L), axis=1)
        return self.extend(newest_first[:, ::-1], steps, generator)

    def extend(self, past: Indices, steps: int, generator: np.random.Generator) -> Indices:
        """``(chains, L + steps)``: chains that go on from their last L symbols.

        Args:
            past: ``(chains, L)``, oldest symbol first.
            steps: symbols to add.
            generator: of all draws.
        """
        chains, L = past.shape
        found = np.empty((chains, L + steps), dtype=np.int64)
        found[:, :L] = past
        which = generator.choice(len(self.lags), size=(chains, steps), p=np.array(self.importance))
        lag = np.array(self.lags)[which]
        multiplier = np.array(self.multipliers)[which]
        rows = np.arange(chains)
        for t in range(L, L + steps):
            parent = found[rows, t - lag[:, t - L]]
            found[:, t] = (multiplier[:, t - L] * parent + 1) % self.symbols
        return found


@dataclass(frozen=True)
class Moments:
    """Second moments of the centred one-hots: y of the next symbol, z_l of the one l before.

    Args:
        target: ``(L, V, V)``: T_l = E[y z_l^T].
        inner: ``(L, L, V, V)``: Sigma_ml = E[z_m z_l^T].
        variance: E|y|^2.
    """

    target: Array
    inner: Array
    variance: float

    @property
    def symbols(self) -> int:
        """V."""
        return int(self.target.shape[1])

    @property
    def window(self) -> int:
        """L."""
        return int(self.target.shape[0])

    def loss(self, maps: Array) -> float:
        """E|y - sum_l W_l z_l|^2 / 2 for maps ``(L, V, V)``."""
        cross = float(np.einsum("lab,lab->", maps, self.target))
        square = float(np.einsum("mab,mlbc,lac->", maps, self.inner, maps))
        return 0.5 * self.variance - cross + 0.5 * square

    def residual(self, maps: Array) -> Array:
        """``(L, V, V)``: G_l = T_l - sum_m W_m Sigma_ml, minus the gradient of the loss."""
        found: Array = self.target - np.einsum("mab,mlbc->lac", maps, self.inner)
        return found


def least_loss(moments: Moments, lags: tuple[int, ...]) -> float:
    """L_S, the least loss of maps that use the lags in S only, by least squares in floats.

    Args:
        moments: of the chain.
        lags: S, each in 1..L; none is allowed.
    """
    if not lags:
        return 0.5 * moments.variance
    V = moments.symbols
    chosen = [lag - 1 for lag in lags]
    inner = np.block([[moments.inner[m, n] for n in chosen] for m in chosen])
    cross = np.concatenate([moments.target[n] for n in chosen], axis=1)
    maps = np.linalg.lstsq(inner.T, cross.T, rcond=1e-10)[0].T
    whole = np.zeros((moments.window, V, V))
    for place, lag in enumerate(chosen):
        whole[lag] = maps[:, place * V : (place + 1) * V]
    return moments.loss(whole)


def empirical_moments(windows: Indices, symbols: int) -> Moments:
    """The moments of given windows ``(n, L + 1)``, newest symbol (the target) first.

    Centred with the uniform mean of the chain, which a model knows.

    Args:
        windows: n >= 1 of them.
        symbols: V.
    """
    onehot = np.eye(symbols)[windows] - 1.0 / symbols  # (n, L + 1, V)
    y, z = onehot[:, 0], onehot[:, 1:]
    n = len(windows)
    return Moments(
        np.einsum("na,nlb->lab", y, z) / n,
        np.einsum("nma,nlb->mlab", z, z) / n,
        float((y**2).sum() / n),
    )


def windows_of(chains: Indices, window: int) -> Indices:
    """``(n, L + 1)``: every window of the chains, newest symbol first.

    Args:
        chains: ``(chains, T)``, oldest symbol first, T > L.
        window: L.
    """
    views = np.lib.stride_tricks.sliding_window_view(chains, window + 1, axis=1)
    return np.ascontiguousarray(views.reshape(-1, window + 1)[:, ::-1])
