"""Normal forms against evaluation: equal exactly where the values are."""

from itertools import combinations
from random import Random
from typing import Any

import pytest
from sympy import Rational, S, Sum, Symbol, exp, log

from headproof.symbolic.derivations.antiderivative import Undecided
from headproof.symbolic.derivations.instance import Instance, value
from headproof.symbolic.derivations.normal_form import NormalForm
from headproof.symbolic.derivations.setting import Setting, family, index, size

N, d = size("N"), size("d")
i, j, k, c, e = map(index, "ijkce")
s, a, x = family("s"), family("a"), family("x")
tau, t = Symbol("tau", positive=True), Symbol("t", real=True)
SETTING = Setting(
    (N, d),
    {i: (1, N), j: (1, N), k: (1, N), c: (1, d), e: (1, d)},
    (tau, t),
    (s, a, x),
)
FORM = NormalForm(SETTING)


def total(term: Any, low: Any = 1, high: Any = N, letter: Any = j) -> Any:
    return Sum(term, (letter, low, high))


E = exp(s(j) / tau)
POOL = [
    total(s(j)),
    total(s(i), letter=i),
    total(s(j), 1, k) + total(s(j), k + 1, N),
    total(s(j), 1, k - 1) + s(k) + total(s(j), k + 1, N),
    total(s(j), 1, k - 1) + total(s(j), k + 1, N),
    total(s(j) + 1) - N,
    total(2 * s(j)) / 2,
    total(s(j) ** 2),
    total(s(j)) ** 2,
    total(total(s(i) * s(j), letter=i)),
    total(t * s(j)),
    t * total(s(j)),
    total(k * s(j)),
    total(total(a(i, c) * x(c), 1, d, c) * s(i), letter=i),
    total(x(c) * total(a(j, c) * s(j)), 1, d, c),
    total(total(a(j, c) * x(c) * s(j)), 1, d, c),
    total(total(a(j, c) * x(c) * s(k)), 1, d, c),
    total(x(c), 1, d, c) * total(s(j)),
    total(total(x(c) * s(j)), 1, d, c),
    total(x(c) ** 2, 1, d, c),
    total(total((x(c) - x(e)) ** 2, 1, d, c), 1, d, e),
    2 * d * total(x(c) ** 2, 1, d, c) - 2 * total(x(c), 1, d, c) ** 2,
    2 * d * total(x(c) ** 2, 1, d, c) - total(x(c), 1, d, c) ** 2,
    total(total(s(i), 1, j, i)),
    total(total(s(i), 1, j - 1, i)) + total(s(j)),
    tau * log(total(E)) - s(k),
    tau * log(total(exp((s(j) - s(k)) / tau))),
    tau * log(3 * total(exp((s(j) - s(k)) / tau))) - tau * log(3),
    tau * log(total(exp((s(j) + s(k)) / tau))),
    exp(s(k) / tau) / total(E),
    1 / total(exp((s(j) - s(k)) / tau)),
    1 - total(E, 1, k - 1) / total(E) - total(E, k + 1, N) / total(E),
    total(E / total(exp(s(i) / tau), letter=i)),
    S.One,
    total(Rational(1, 1) + 0 * s(j)),
    N + 0,
    exp(2 * log(total(E)) - log(total(E))),
    total(E),
    total(exp(s(j) / tau) * exp(s(k) / tau)) / exp(s(k) / tau),
]


def test_equal_exactly_where_the_values_are() -> None:
    random = Random(5)
    instances = [Instance.draw(SETTING, random) for _ in range(14)]
    reduced = [FORM.reduce(expression) for expression in POOL]
    values = [[value(expression, at) for at in instances] for expression in POOL]
    equal = 0
    for p, q in combinations(range(len(POOL)), 2):
        same = all(
            abs(float(v - w) if type(v) is type(w) else float(v) - float(w)) < 1e-9
            for v, w in zip(values[p], values[q], strict=True)
        )
        assert FORM.zero(reduced[p] - reduced[q]) == same, (POOL[p], POOL[q])
        equal += same
    assert equal > 20


@pytest.mark.parametrize(
    "expression",
    [
        1 / s(j),
        log(s(j)),
        log(total(s(j))),
        log(N - 1),
        1 / (N - 1),
        total(1 / s(j)),
        total(s(j), 1, k - 2),  # of length -1 when k = 1
        total(s(j), 1, tau),
        total(tau**j),
        abs(t),
        tau**t,
    ],
    ids=str,
)
def test_what_may_not_exist_or_has_no_form_is_refused(expression: Any) -> None:
    with pytest.raises(Undecided):
        FORM.reduce(expression)


def test_a_singular_term_is_not_split_off() -> None:
    shifted = total(1 / (k - j + 1), 1, k)
    longer = total(1 / (k - j + 1), 1, k + 1)
    with pytest.raises(Undecided):
        FORM.equal(longer, shifted)
