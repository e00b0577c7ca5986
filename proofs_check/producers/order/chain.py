"""The chain of the claims on order, and what a certificate says of it and of a predictor."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ....symbolic.order.chain import Chain, permutation_kernel
from ....symbolic.order.losses import Fit
from ...certificates.formula import (
    Condition,
    Expression,
    at,
    equal,
    every,
    forall,
    length,
    maximum,
    sum_over,
    var,
)

CHAIN = Chain(
    (Fraction(11, 20), Fraction(3, 10), Fraction(3, 20)),
    (1, 2, 3),
    [permutation_kernel(5, multiplier) for multiplier in (1, 2, 3)],
)

V, STATES, REST = var("V"), length("p"), var("U")
_s, _v, _u, _m = (var(name) for name in ("s", "v", "u", "m"))


def law_formula() -> Condition:
    """The windows have the stationary law p, the next symbol the law q.

    Window number s has the digits w(s, 0), w(s, 1), ... in base V, newest first, so that symbol v
    leads from V t + o to v U + t, with U = V^(L-1).
    """
    digits = sum_over("l", length("w", _s), at("w", _s, var("l")) * at("place", var("l")))
    mixture = sum_over(
        "i",
        length("alpha"),
        at("alpha", var("i")) * at("P", var("i"), at("w", _s, at("lag", var("i"))), _v),
    )
    after = sum_over(
        "o", V, at("q", V * var("t") + var("o"), _v) * at("p", V * var("t") + var("o"))
    )
    return every(
        equal(STATES, V * REST),
        equal(sum_over("s", STATES, at("p", _s)), 1),
        forall(
            "s",
            STATES,
            every(
                at("p", _s) >= 0,
                equal(digits, _s),
                forall("v", V, equal(at("q", _s, _v), mixture)),
            ),
        ),
        forall("v", V, forall("t", REST, equal(at("p", _v * REST + var("t")), after))),
    )


def fit_formula(name: str) -> Condition:
    """The predictor that sums W(m, v, f(m, s)) over m is the best of its class.

    By the normal equations: its residuals r are orthogonal to every indicator of every feature.
    """
    W, f, r = f"W{name}", f"f{name}", f"r{name}"
    guess = sum_over("m", length(W), at(W, _m, _v, at(f, _m, _s)))
    inner = sum_over("s", STATES, at("p", _s) * at(r, _s, _v) * at(f"E{name}", _u, at(f, _m, _s)))
    indicator = f"E{name}"
    size = length(indicator)
    return every(
        forall("u", size, forall("c", size, equal(at(indicator, _u, var("c")), _same()))),
        forall("s", STATES, forall("v", V, equal(at(r, _s, _v), at("q", _s, _v) - guess))),
        forall(
            "m",
            length(W),
            forall("u", length(W, _m, 0), forall("v", V, equal(inner, 0))),
        ),
    )


def _same() -> Expression:
    """1 if u = c, else 0: max(0, 1 - |u - c|)."""
    return maximum(0, 1 - abs(_u - var("c")))


def loss_term(name: str) -> Expression:
    """The loss of a predictor: half of E|e - q|^2 + |q - f|^2, window by window."""
    q, r = at("q", _s, _v), at(f"r{name}", _s, _v)
    return sum_over("s", STATES, at("p", _s) * sum_over("v", V, q - q * q + r * r)) / 2


def law_instance(chain: Chain) -> dict[str, Any]:
    """What `law_formula` speaks of."""
    windows = list(chain.windows())
    size = chain.symbols
    return {
        "V": size,
        "U": size ** (chain.window - 1),
        "alpha": list(chain.importance),
        "lag": [lag - 1 for lag in chain.lags],
        "P": [[list(row) for row in kernel] for kernel in chain.kernels],
        "place": [size ** (chain.window - 1 - n) for n in range(chain.window)],
        "w": [list(window) for window in windows],
        "p": [chain.law[window] for window in windows],
        "q": [list(chain.next_law(window)) for window in windows],
    }


def fit_instance(chain: Chain, fit: Fit, name: str) -> dict[str, Any]:
    """What `fit_formula` speaks of."""
    windows, size = list(chain.windows()), chain.symbols
    if fit.additive:
        features = [[window[lag - 1] for window in windows] for lag in fit.lags]
        features = features or [[0] * len(windows)]
    else:
        features = [[_code(window, fit.lags, size) for window in windows]]
    values = max(len(each[0]) for each in fit.maps)
    residuals = [
        [
            q
            - sum(
                (maps[v][feature[s]] for maps, feature in zip(fit.maps, features, strict=True)),
                Fraction(0),
            )
            for v, q in enumerate(chain.next_law(window))
        ]
        for s, window in enumerate(windows)
    ]
    return {
        f"W{name}": [[list(row) for row in maps] for maps in fit.maps],
        f"f{name}": features,
        f"r{name}": residuals,
        f"E{name}": [[int(u == c) for c in range(values)] for u in range(values)],
    }


def features_formula(fit: Fit, name: str) -> Condition:
    """The features are the symbols at the lags, one each or all of them as one number."""
    f = f"f{name}"
    if not fit.lags:
        return forall("s", STATES, equal(at(f, 0, _s), 0))
    if fit.additive:
        same = [equal(at(f, m, _s), at("w", _s, lag - 1)) for m, lag in enumerate(fit.lags)]
        return forall("s", STATES, every(*same))
    code = at("w", _s, fit.lags[0] - 1)
    for lag in fit.lags[1:]:
        code = code * V + at("w", _s, lag - 1)
    return forall("s", STATES, equal(at(f, 0, _s), code))


def _code(window: tuple[int, ...], lags: tuple[int, ...], size: int) -> int:
    value = 0
    for lag in lags:
        value = value * size + window[lag - 1]
    return value
