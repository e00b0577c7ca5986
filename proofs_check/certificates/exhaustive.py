"""Builder of kind exhaustive: a statement about every instance of a finite family."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from ...symbolic.certificate import envelope
from ...symbolic.errors import InputError
from ...symbolic.rational import Rational, write
from ..evidence import Json
from .arrays import Array, write_array, write_instance
from .formula import Condition


@dataclass(frozen=True)
class Entries:
    """What each entry of one variable may be, independently of the others.

    Args:
        shape: of the variable; () for a number.
        values: of every entry; a range of integers or rationals, all different.
    """

    shape: tuple[int, ...]
    values: range | tuple[Rational, ...]

    def json(self) -> Json:
        """As the family of a certificate describes it."""
        if isinstance(self.values, range) and self.values.step == 1:
            return {
                "shape": list(self.shape),
                "from": self.values.start,
                "to": self.values.stop - 1,
            }
        return {"shape": list(self.shape), "values": [write(value) for value in self.values]}


@dataclass(frozen=True)
class Grid:
    """All arrays with the given entries.

    Example:
        >>> grid = Grid({"k": Entries((2,), range(-1, 2))})
        >>> grid.count, next(iter(grid))
        (9, {'k': [-1, -1]})
    """

    variables: Mapping[str, Entries]

    @property
    def count(self) -> int:
        """How many instances there are."""
        return prod(len(e.values) ** prod(e.shape) for e in self.variables.values())

    def __iter__(self) -> Iterator[dict[str, Array]]:
        """The instances."""
        entries = list(self.variables.values())
        pools = [product(e.values, repeat=prod(e.shape)) for e in entries]
        for choice in product(*pools):
            yield {
                name: _reshape(list(flat), e.shape)
                for name, e, flat in zip(self.variables, entries, choice, strict=True)
            }

    def json(self) -> Json:
        """As a certificate describes it."""
        variables = {name: entries.json() for name, entries in self.variables.items()}
        return {"kind": "grid", "variables": variables}


@dataclass(frozen=True)
class Listed:
    """Instances named one by one, all different."""

    instances: Sequence[Mapping[str, Array]]

    @property
    def count(self) -> int:
        """How many instances there are."""
        return len(self.instances)

    def __iter__(self) -> Iterator[Mapping[str, Array]]:
        """The instances."""
        return iter(self.instances)

    def json(self) -> Json:
        """As a certificate describes it."""
        return {"kind": "listed", "instances": [write_instance(i) for i in self.instances]}


def certificate(
    claim: str, family: Grid | Listed, formula: Condition, *, digits: int | None = None
) -> dict[str, Json]:
    """Write a certificate that a formula is true at every instance.

    Args:
        claim: the claim's id.
        family: the instances.
        formula: over the family's variables.
        digits: of the enclosures, if the formula has exp or log.

    Example:
        >>> from headproof.proofs_check.certificates.formula import var
        >>> family = Grid({"x": Entries((), range(-2, 3))})
        >>> certificate("", family, var("x") ** 2 >= var("x"))["data"]["count"]
        5
    """
    data: dict[str, Json] = {
        "family": family.json(),
        "count": family.count,
        "formula": formula.json(),
    }
    if digits is not None:
        data["digits"] = digits
    return envelope("exhaustive", claim, data)


def by_cases(
    claim: str,
    family: Grid | Listed,
    cases: Iterable[tuple[Mapping[str, Array], Mapping[str, Json]]],
    *,
    bind: Mapping[str, str],
) -> dict[str, Json]:
    """Write a certificate that has a certificate for every instance.

    Args:
        claim: the claim's id.
        family: the instances.
        cases: every instance with its certificate; all of one kind.
        bind: key of the certificates' data -> the variable whose value it must be.

    Raises:
        InputError: no case, cases of different kinds, or data that differ from the instance.

    Example:
        >>> from headproof.proofs_check.certificates import farkas
        >>> family = Listed([{"y": [1, 1]}, {"y": [2, 2]}])
        >>> rows = [([1], "<", 0), ([-1], "<=", 0)]
        >>> cases = [(i, farkas.certificate("", rows, i["y"])) for i in family]
        >>> by_cases("", family, cases, bind={"multipliers": "y"})["data"]["each"]["kind"]
        'farkas'
    """
    kinds: set[str] = set()
    written = []
    for instance, inner in cases:
        kinds.add(inner["kind"])
        data = dict(inner["data"])
        for key, variable in bind.items():
            if data.pop(key) != write_array(instance[variable]):
                raise InputError(f"{key} equal to {variable} of the instance", "another value")
        written.append({"instance": write_instance(instance), "data": data})
    if len(kinds) != 1:
        raise InputError("certificates of one kind", ", ".join(sorted(kinds)) or "no case")
    return envelope(
        "exhaustive",
        claim,
        {
            "family": family.json(),
            "count": family.count,
            "each": {"kind": kinds.pop(), "bind": dict(bind)},
            "cases": written,
        },
    )


def _reshape(flat: list[Rational], shape: tuple[int, ...]) -> Array:
    if not shape:
        return flat[0]
    step = len(flat) // shape[0]
    return [_reshape(flat[k : k + step], shape[1:]) for k in range(0, len(flat), step)]
