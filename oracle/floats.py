"""Models in floating point as black boxes: any callable, a torch module, or one of our own.

A learner of real models cannot choose the arithmetic: the callable gets the sequence as an (n, d)
array of doubles and returns one number. `load` finds a callable by ``module:callable``, which is
how the command line names the user's own model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..symbolic.errors import InputError
from .protocol import Query, shown

Array: TypeAlias = NDArray[np.float64]


class FloatOracle:
    """A callable from an (n, d) array of doubles to one number.

    Args:
        function: the model.
        dimension: d.

    Example:
        >>> mean = FloatOracle(lambda X: float(X.mean()), 1)
        >>> mean(((1,), (2,)))
        1.5
    """

    arithmetic = "float"
    base = "e"

    def __init__(self, function: Callable[[Array], Any], dimension: int) -> None:
        if type(dimension) is not int or dimension < 1:
            raise InputError("a dimension d >= 1", repr(dimension), where="dimension")
        self.function = function
        self.dimension = dimension

    def __call__(self, query: Query) -> float:
        """Answer one query.

        Raises:
            InputError: the callable raised, or returned anything but one finite real number.
        """
        try:
            answer = self.function(np.array(query, dtype=np.float64))
        except Exception as error:
            raise InputError(
                "an answer",
                f"{type(error).__name__}: {error}",
                where=f"the oracle, asked {shown(query)}",
            ) from error
        try:
            plain = answer.item() if hasattr(answer, "item") else answer
        except (TypeError, ValueError, RuntimeError):
            plain = None
        if isinstance(plain, bool) or not isinstance(plain, Real) or not np.isfinite(float(plain)):
            raise InputError(
                "one finite real number",
                f"{answer!r} of type {type(answer).__name__}"[:120],
                where="the oracle's answer",
            )
        return float(plain)


def attention(W: Sequence[Any] | Array, v: Sequence[Any] | Array) -> Callable[[Array], float]:
    """Multi-head attention in double precision, in numpy.

    Args:
        W: (H, d, d).
        v: (H, d).

    Example:
        >>> attention([[[0.0]]], [[3.0]])(np.array([[1.0], [2.0]]))
        4.5
    """
    forms, functionals = np.asarray(W, dtype=np.float64), np.asarray(v, dtype=np.float64)

    def function(X: Array) -> float:
        scores = (forms.transpose(0, 2, 1) @ X[-1]) @ X.T  # (H, n)
        weights = np.exp(scores - scores.max(axis=1, keepdims=True))
        values = functionals @ X.T  # (H, n)
        return float(((weights * values).sum(axis=1) / weights.sum(axis=1)).sum())

    return function


def torch_attention(W: Any, v: Any) -> Callable[[Array], float]:
    """The same as a `torch.nn.Module` in double precision, as a model of the user's would be.

    Args:
        W: (H, d, d).
        v: (H, d).

    Example:
        >>> torch_attention([[[0.0]]], [[3.0]])(np.array([[1.0], [2.0]]))
        4.5
    """
    import torch

    class MultiHeadAttention(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.W = torch.nn.Parameter(torch.as_tensor(np.array(W), dtype=torch.float64))
            self.v = torch.nn.Parameter(torch.as_tensor(np.array(v), dtype=torch.float64))

        def forward(self, X: torch.Tensor) -> torch.Tensor:
            scores = torch.einsum("i,hij,nj->hn", X[-1], self.W, X)  # (H, n)
            values = torch.einsum("hj,nj->hn", self.v, X)  # (H, n)
            return (torch.softmax(scores, dim=-1) * values).sum()

    module = MultiHeadAttention()

    def function(X: Array) -> float:
        with torch.no_grad():
            return float(module(torch.from_numpy(X)))

    return function


def load(name: str, dimension: int | None = None) -> FloatOracle:
    """The black box named ``module:callable``.

    Args:
        name: an importable module and a callable in it.
        dimension: d; that of the callable's attribute `dimension` if None.

    Raises:
        InputError: no such module or callable, or no dimension.

    Example:
        >>> load("math:fsum", 1).dimension
        1
        >>> load("math", 1)
        Traceback (most recent call last):
            ...
        headproof.symbolic.errors.InputError: oracle: expected module:callable, found 'math'
    """
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute):
        raise InputError("module:callable", repr(name), where="oracle")
    try:
        function = getattr(import_module(module), attribute)
    except Exception as error:  # the module is the user's, and may fail in any way
        found = f"{type(error).__name__}: {error}"
        raise InputError("an importable module:callable", found, where="oracle") from error
    if not callable(function):
        raise InputError("a callable", f"{name} of type {type(function).__name__}", where="oracle")
    if dimension is None:
        dimension = getattr(function, "dimension", None)
        if dimension is None:
            raise InputError(
                "the dimension of the tokens",
                "none",
                where=name,
                remedy="give dimension= or --dimension",
            )
    return FloatOracle(function, dimension)
