"""The true softmax with noise of a known size: how far errors of the answers reach the heads.

An answer is a ball around a perturbed value, with a radius that covers the noise; the noise is a
function of the seed and the query, so that the same query asked at a higher precision gets the
same. A ball learner then returns bounds that hold for every noise of that size.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from flint import arb, fmpq

from ..symbolic.enclosures.ball import precision
from ..symbolic.errors import InputError
from .ball import BallOracle
from .protocol import Query


class NoisyOracle:
    """A ball oracle whose answers are off by at most eps, uniformly at random.

    Args:
        oracle: the black box without noise.
        eps: the size of the noise, positive.
        seed: of the noise.

    Raises:
        InputError: eps is not positive.

    Example:
        >>> from headproof.oracle.model import Head
        >>> exact = BallOracle([Head(((0,),), (3,))], bits=100)
        >>> answer = NoisyOracle(exact, Fraction(1, 1000))(((1,), (2,)))
        >>> answer.contains(arb(9) / 2), 0.0009 < float(answer.rad()) < 0.0011
        (True, True)
    """

    arithmetic = "ball"
    base = "e"
    replicable = True

    def __init__(self, oracle: BallOracle, eps: Fraction, *, seed: int = 0) -> None:
        if not eps > 0:
            raise InputError("a positive size", str(eps), where="eps")
        self._oracle = oracle
        self.eps = eps
        self.seed = seed
        self.dimension = oracle.dimension

    def at(self, bits: int) -> NoisyOracle:
        """The same black box, noise included, at another precision."""
        return NoisyOracle(self._oracle.at(bits), self.eps, seed=self.seed)

    def __call__(self, query: Query) -> arb:
        """Answer a query with noise."""
        share = Fraction(Random(f"{self.seed} {query}").randint(-(1 << 53), 1 << 53), 1 << 53)
        shift = share * self.eps
        with precision(self._oracle.bits):
            spread = arb(fmpq(self.eps.numerator, self.eps.denominator)).upper()
            moved = self._oracle(query) + arb(fmpq(shift.numerator, shift.denominator))
            return moved + arb(0, spread)
