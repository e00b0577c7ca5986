"""A Markov chain of high order in which every lag has its own importance, exactly (claim G1).

    P(x_t = v | past) = sum_i alpha_i P_i(v | x_{t - l_i})

The state is the window of the last L = max l_i symbols, and the stationary law solves V^L rational
equations. The windows that recur are found first, on the graph of possible steps: if they form
more than one class the law is not unique and the chain is refused; windows outside the class have
probability 0. The system is solved by flint over the class only (Dixon lifting): 125 windows take
milliseconds, some thousands minutes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product

import networkx as nx
from flint import fmpq, fmpq_mat

from ..errors import InputError
from ..rational import Rational

Kernel = tuple[tuple[Fraction, ...], ...]
"""``kernel[x][v]`` is P(v | x)."""

Window = tuple[int, ...]
"""(x_{t-1}, ..., x_{t-L}), newest first."""


@dataclass(frozen=True)
class Chain:
    """A chain by its kernels.

    Args:
        importance: alpha_i > 0, of sum 1.
        lags: l_i >= 1, distinct.
        kernels: P_i, one for each lag: rows of nonnegative numbers of sum 1.

    Raises:
        InputError: the numbers make no chain.

    Example:
        >>> flip = ((0, 1), (1, 0))
        >>> Chain((Fraction(1),), (1,), (flip,)).law
        {(0,): Fraction(1, 2), (1,): Fraction(1, 2)}
    """

    importance: Sequence[Rational]
    lags: Sequence[int]
    kernels: Sequence[Sequence[Sequence[Rational]]]

    def __post_init__(self) -> None:
        """Check the numbers and make them exact tuples."""
        alpha = tuple(Fraction(value) for value in self.importance)
        lags = tuple(self.lags)
        kernels = tuple(
            tuple(tuple(Fraction(p) for p in row) for row in kernel) for kernel in self.kernels
        )
        object.__setattr__(self, "importance", alpha)
        object.__setattr__(self, "lags", lags)
        object.__setattr__(self, "kernels", kernels)
        if not alpha or not len(alpha) == len(lags) == len(kernels):
            found = f"{len(alpha)} importances, {len(lags)} lags, {len(kernels)} kernels"
            raise InputError("one importance and one kernel a lag, and a lag", found)
        if min(alpha) <= 0 or sum(alpha) != 1:
            shown = ", ".join(map(str, alpha))
            raise InputError("positive importances of sum 1", shown, where="importance")
        if min(lags) < 1 or len(set(lags)) < len(lags):
            raise InputError("distinct lags from 1 on", str(lags), where="lags")
        V = len(kernels[0])
        for i, kernel in enumerate(kernels):
            if V < 1 or len(kernel) != V or any(len(row) != V for row in kernel):
                raise InputError(f"{V} rows of {V} numbers", "others", where=f"kernels[{i}]")
            for x, row in enumerate(kernel):
                if min(row) < 0 or sum(row) != 1:
                    shown = ", ".join(map(str, row))
                    where = f"kernels[{i}][{x}]"
                    raise InputError("nonnegative numbers of sum 1", shown, where=where)

    @property
    def symbols(self) -> int:
        """V."""
        return len(self.kernels[0])

    @property
    def window(self) -> int:
        """L, the longest lag."""
        return max(self.lags)

    def windows(self) -> Iterator[Window]:
        """All V^L of them, in lexicographic order."""
        return product(range(self.symbols), repeat=self.window)

    def next_law(self, window: Window) -> tuple[Fraction, ...]:
        """P(. | window)."""
        return tuple(
            sum(
                (
                    Fraction(alpha) * Fraction(kernel[window[lag - 1]][v])
                    for alpha, lag, kernel in zip(
                        self.importance, self.lags, self.kernels, strict=True
                    )
                ),
                Fraction(0),
            )
            for v in range(self.symbols)
        )

    @cached_property
    def recurrent(self) -> tuple[Window, ...]:
        """The windows that recur, in lexicographic order.

        Raises:
            InputError: they form several classes, so that the stationary law is not unique.
        """
        graph: nx.DiGraph = nx.DiGraph()
        for window in self.windows():
            for v, p in enumerate(self.next_law(window)):
                if p:
                    graph.add_edge(window, (v, *window[:-1]))
        closed = [
            part for part in nx.strongly_connected_components(graph) if _is_closed(graph, part)
        ]
        if len(closed) != 1:
            raise InputError(
                "one recurrent class of windows",
                f"{len(closed)}, one with {min(map(min, closed))}, another with "
                f"{max(map(min, closed))}",
                where="kernels",
            )
        return tuple(sorted(closed[0]))

    @cached_property
    def law(self) -> dict[Window, Fraction]:
        """The stationary law of the window, over all windows.

        Raises:
            InputError: it is not unique.
        """
        states = self.recurrent
        place = {window: n for n, window in enumerate(states)}
        n = len(states)
        system = [[fmpq(0)] * n for _ in range(n)]
        for window in states:
            for v, p in enumerate(self.next_law(window)):
                if p:
                    system[place[(v, *window[:-1])]][place[window]] += _fmpq(p)
        for i in range(n):
            system[i][i] -= 1
        system[n - 1] = [fmpq(1)] * n  # one equation follows from the others; the mass is 1
        right = fmpq_mat(n, 1, [fmpq(0)] * (n - 1) + [fmpq(1)])
        solution = fmpq_mat(n, n, [x for row in system for x in row]).solve(right)
        found = dict.fromkeys(self.windows(), Fraction(0))
        for window, i in place.items():
            value = solution[i, 0]
            found[window] = Fraction(int(value.p), int(value.q))
        return found


def permutation_kernel(symbols: int, multiplier: int) -> Kernel:
    """The kernel of x -> m x + 1 modulo V.

    Args:
        symbols: V.
        multiplier: m, prime to V if the map is to be a permutation.

    Example:
        >>> permutation_kernel(2, 1)
        ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    return tuple(
        tuple(Fraction(int((multiplier * x + 1) % symbols == v)) for v in range(symbols))
        for x in range(symbols)
    )


def _is_closed(graph: nx.DiGraph, part: set[Window]) -> bool:
    return all(after in part for window in part for after in graph.successors(window))


def _fmpq(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)
