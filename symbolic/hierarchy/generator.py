"""Two heads of hard attention that generate Dyck-(k, m), in integers and rationals (claim F2).

Position 0 holds a beginning symbol, position i the i-th of n symbols. Layer 1: all scores are 0, so
hard attention averages (claim A3) and the value +1 of an opening, -1 of a closing symbol gives
D_i = d_i/(i + 1). With the position feature 1/(i + 1) a ReLU layer of 2 m neurons counts

    [d_i >= r] = relu(N z + 1) - relu(N z),   z = D_i - r/(i + 1),   N = n + 1

exactly, because z >= 0 or z <= -1/(i + 1) <= -1/N. Sums of these steps give d_i and d_i^2.
Layer 2: the score of key j for query i is, up to a constant of i,

    N (2 d_i d_j - d_j^2) + N o_j + j,   o_j = [symbol j opens]

that is N (d_i^2 - (d_i - d_j)^2 + o_j) + j, with one maximum: the last opening symbol after which
d_i brackets were open. If d_i >= 1 it is the top of the stack. Its type is the value.
The output is linear: a closing symbol of type t may follow iff [type = t] + [d_i >= 1] > 3/2, an
opening one iff d_i < m - 1/2, the end iff d_i < 1/2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import InputError
from .dyck import Dyck

_ZERO = Fraction(0)


@dataclass(frozen=True)
class Logits:
    """What may come next; a symbol may iff its logit is positive.

    Args:
        symbols: one for each symbol.
        end: of the end.
        looks_at: the position, from 1 on, to which the head of layer 2 attends; 0 the beginning.
    """

    symbols: tuple[Fraction, ...]
    end: Fraction
    looks_at: int

    @property
    def allowed(self) -> tuple[int, ...]:
        """The symbols that may come next."""
        return tuple(s for s, logit in enumerate(self.symbols) if logit > 0)


@dataclass(frozen=True)
class Generator:
    """The construction for words of at most n symbols.

    Args:
        language: Dyck-(k, m).
        length: n; the weights depend on it.
        recency: whether layer 2 has the term j; False leaves its average over several maxima.

    Raises:
        InputError: n < 0.

    Example:
        >>> after = Generator(Dyck(2, 3), 8).after([0, 1, 3])  # ( [ ]
        >>> after.allowed, after.end > 0, after.looks_at  # ( or [ or ) may follow
        ((0, 1, 2), False, 1)
    """

    language: Dyck
    length: int
    recency: bool = True

    def __post_init__(self) -> None:
        """Refuse a negative length."""
        if type(self.length) is not int or self.length < 0:
            raise InputError("an integer >= 0", repr(self.length), where="length")

    def after(self, word: Sequence[int]) -> Logits:
        """The logits after a word over the alphabet, be it a beginning of the language or not.

        Raises:
            InputError: the word is longer than n, or has another symbol.
        """
        k, m, N = self.language.types, self.language.depth, self.length + 1
        if len(word) > self.length:
            raise InputError(f"at most {self.length} symbols", str(len(word)), where="word")
        for i, symbol in enumerate(word):
            if type(symbol) is not int or symbol not in self.language.symbols:
                raise InputError(f"a symbol below {2 * k}", repr(symbol), where=f"word[{i}]")
        opens = [0, *(int(s < k) for s in word)]
        total = 0
        steps: list[list[Fraction]] = []
        for i, opens_here in enumerate(opens):
            total += 0 if i == 0 else (1 if opens_here else -1)
            average = Fraction(total, i + 1)
            z = [average - Fraction(r, i + 1) for r in range(1, m + 1)]
            steps.append([max(N * x + 1, _ZERO) - max(N * x, _ZERO) for x in z])
        depth = [sum(row, _ZERO) for row in steps]
        square = [sum(((2 * r + 1) * s for r, s in enumerate(row)), _ZERO) for row in steps]
        last = len(word)
        scores = [
            N * (2 * depth[last] * depth[j] - square[j] + opens[j]) + (j if self.recency else 0)
            for j in range(last + 1)
        ]
        best = max(scores)
        winners = [j for j, score in enumerate(scores) if score == best]
        share = [
            Fraction(sum(1 for j in winners if j and word[j - 1] == t), len(winners))
            for t in range(k)
        ]
        opening = Fraction(2 * m - 1, 2) - depth[last]
        closing = [share[t] + steps[last][0] - Fraction(3, 2) for t in range(k)]
        return Logits(
            (*(opening for _ in range(k)), *closing),
            Fraction(1, 2) - depth[last],
            winners[-1],
        )
