"""A record that was altered is noticed when it is proved again."""

from dataclasses import replace

import pytest
from sympy import Rational, Sum, exp

from headproof.symbolic.derivations.proof import Proof
from headproof.symbolic.derivations.replay import replay
from headproof.symbolic.derivations.rules.order import COMBINATION, SIGN
from headproof.symbolic.derivations.setting import Setting, family, index, size
from headproof.symbolic.derivations.statement import lt
from headproof.symbolic.errors import DerivationFailed

N, j, s = size("N"), index("j"), family("s")
TOTAL = Sum(exp(s(j)), (j, 1, N))


def test_replay_decides_again_and_notices_forgery() -> None:
    proof = Proof("example", "a sum of exponentials", Setting((N,), {j: (1, N)}, families=(s,)))
    first = proof.step(lt(0, TOTAL), SIGN, why="Positive terms.")
    last = proof.step(lt(0, 2 * TOTAL), COMBINATION, first, parameters=(2,), why="Twice.")
    derivation = proof.finish(all=last)
    assert replay(derivation, seed=3).steps == derivation.steps
    steps = list(derivation.steps)
    forged = [
        replace(steps[1], conclusion=lt(1, 2 * TOTAL)),
        replace(steps[1], parameters=(Rational(3),)),
        replace(steps[1], rule="of thumb"),
        replace(steps[1], assumptions=frozenset({1})),
        replace(steps[1], argued=True),
    ]
    for bad in forged:
        with pytest.raises(DerivationFailed):
            replay(replace(derivation, steps=(steps[0], bad)))
