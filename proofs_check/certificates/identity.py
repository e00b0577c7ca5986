"""Builder of kind identity: two expressions are equal as rational functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...symbolic.certificate import envelope
from ..evidence import Json
from .arrays import Array, write_instance
from .formula import Expression


def certificate(
    claim: str,
    *,
    variables: Mapping[str, Sequence[int]],
    left: Expression,
    right: Expression,
    grid: Mapping[str, Array] | None = None,
) -> dict[str, Json]:
    """Write an identity certificate.

    Args:
        claim: the claim's id.
        variables: the shape of every variable; () for a number.
        left: one side.
        right: the other.
        grid: for every entry the list of its nodes, to be checked by evaluation; without it the
            checker expands both sides.

    Example:
        >>> from headproof.proofs_check.certificates.formula import var
        >>> x = var("x")
        >>> c = certificate("", variables={"x": ()}, left=(x + 1) ** 2, right=x**2 + 2 * x + 1)
        >>> c["data"]["variables"]
        {'x': []}
    """
    data: dict[str, Json] = {
        "variables": {name: list(shape) for name, shape in variables.items()},
        "left": left.json(),
        "right": right.json(),
    }
    if grid is not None:
        data["grid"] = write_instance(grid)
    return envelope("identity", claim, data)


def integer_grid(variables: Mapping[str, Sequence[int]], degree: int) -> dict[str, Array]:
    """Nodes 0, ..., degree for every entry of every variable.

    Example:
        >>> integer_grid({"x": (), "k": (2,)}, 1)
        {'x': [0, 1], 'k': [[0, 1], [0, 1]]}
    """

    def nodes(shape: Sequence[int]) -> Array:
        if not shape:
            return list(range(degree + 1))
        return [nodes(shape[1:]) for _ in range(shape[0])]

    return {name: nodes(shape) for name, shape in variables.items()}
