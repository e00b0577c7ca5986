"""Finite families of instances: a grid, or a list (CERTIFICATES.md, exhaustive)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import TypeAlias

from .budget import Budget, Rational
from .errors import Rejected, Unreadable, show
from .fields import Json, integer, items, members, name, vector
from .values import DEPTH, Value, named, number, rank, ranks

Choices: TypeAlias = range | dict[Rational, None]
"""The values of an entry, in order; membership takes constant time."""

INSTANCES = 4_000_000


@dataclass(frozen=True)
class Axis:
    """One variable of a grid: its shape and the values that each entry takes."""

    shape: tuple[int, ...]
    values: Choices


@dataclass(frozen=True)
class Grid:
    """All arrays of given shapes whose entries take given values, independently."""

    axes: Mapping[str, Axis]

    @property
    def ranks(self) -> dict[str, int]:
        """How many indices each variable takes."""
        return {key: len(axis.shape) for key, axis in self.axes.items()}

    def __len__(self) -> int:
        """How many instances there are."""
        return prod(len(axis.values) ** prod(axis.shape) for axis in self.axes.values())

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """The instances."""
        sizes = [prod(axis.shape) for axis in self.axes.values()]
        pools = [
            axis.values for axis, n in zip(self.axes.values(), sizes, strict=True) for _ in range(n)
        ]
        for flat in product(*pools):
            instance, start = {}, 0
            for (key, axis), n in zip(self.axes.items(), sizes, strict=True):
                instance[key] = _shaped(flat[start : start + n], axis.shape)
                start += n
            yield instance

    def __contains__(self, instance: dict[str, Value]) -> bool:
        """Whether it is one of them."""
        return set(instance) == set(self.axes) and all(
            _member(instance[key], axis.shape, axis.values) for key, axis in self.axes.items()
        )


@dataclass(frozen=True)
class Listed:
    """Instances that are named one by one."""

    instances: tuple[dict[str, Value], ...]
    keys: frozenset[Key]

    @property
    def ranks(self) -> dict[str, int]:
        """How many indices each variable takes."""
        return ranks(self.instances[0])

    def __len__(self) -> int:
        """How many instances there are."""
        return len(self.instances)

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """The instances."""
        return iter(self.instances)

    def __contains__(self, instance: dict[str, Value]) -> bool:
        """Whether it is one of them."""
        return identity(instance) in self.keys


Key: TypeAlias = tuple[tuple[str, Value], ...]


def identity(instance: dict[str, Value]) -> Key:
    """A hashable value that two instances share exactly if they are equal."""
    return tuple((key, _frozen(instance[key])) for key in sorted(instance))


def _frozen(value: Value) -> Value:
    return tuple(map(_frozen, value)) if type(value) is list else value


def family(value: Json, budget: Budget) -> Grid | Listed:
    """Read a family and make sure that it is small enough.

    Raises:
        Rejected: it is empty, or an instance stands twice.
        Unreadable: it is malformed or too large.
    """
    kind = value.get("kind") if type(value) is dict else None
    if kind == "grid":
        return _grid(members(value, "family", ("kind", "variables"))["variables"], budget)
    if kind == "listed":
        return _listed(members(value, "family", ("kind", "instances"))["instances"], budget)
    raise Unreadable(f"family: expected kind grid or listed, found {show(kind)}")


def _grid(value: Json, budget: Budget) -> Grid:
    if type(value) is not dict or not value:
        raise Unreadable("family.variables: expected an object of at least one variable")
    axes: dict[str, Axis] = {}
    total, entries = 1, 0
    for key, entry in value.items():
        where = f"family.{name(key, 'family')}"
        listed = type(entry) is dict and "values" in entry
        fields = members(entry, where, ("shape", "values") if listed else ("shape", "from", "to"))
        shape = shape_of(fields["shape"], f"{where}.shape")
        if listed:
            choices = vector(fields["values"], f"{where}.values")
            if len(set(choices)) < len(choices):
                raise Rejected(f"{where}.values: a value stands twice")
            values: Choices = dict.fromkeys(choices)
            size = len(choices)
        else:
            low = integer(fields["from"], f"{where}.from", -(10**9), 10**9)
            values = range(low, integer(fields["to"], f"{where}.to", -(10**9), 10**9) + 1)
            size = len(values)
        if size == 0:
            raise Rejected(f"{where}: there is no value")
        for _ in range(prod(shape)) if size > 1 else ():
            total *= size
            if total > INSTANCES:
                raise Unreadable(f"too large: a family of more than {INSTANCES:,} instances")
        axes[key] = Axis(shape, values)
        entries += prod(shape)
        if total * entries > budget.left:
            raise Unreadable("too large: all instances together have too many entries")
    return Grid(axes)


def _listed(value: Json, budget: Budget) -> Listed:
    instances = tuple(
        named(entry, f"instances[{i}]", number)
        for i, entry in enumerate(items(value, "instances", least=1))
    )
    budget.spend(10 * len(instances))
    for i, instance in enumerate(instances):
        if ranks(instance) != ranks(instances[0]):
            raise Unreadable(f"instances[{i}]: other variables than instances[0]")
    keys = frozenset(map(identity, instances))
    if len(keys) < len(instances):
        raise Rejected("instances: one stands twice")
    return Listed(instances, keys)


def shape_of(value: Json, where: str) -> tuple[int, ...]:
    """A shape: at most three lengths, in all at most 10,000 entries.

    Raises:
        Unreadable: it is something else.
    """
    shape = tuple(integer(n, where, 1, 10_000) for n in items(value, where))
    if len(shape) > DEPTH or prod(shape) > 10_000:
        raise Unreadable(f"{where}: expected at most {DEPTH} axes and 10,000 entries")
    return shape


def _shaped(flat: tuple[Rational, ...], shape: tuple[int, ...]) -> Value:
    if not shape:
        return flat[0]
    step = len(flat) // shape[0]
    return [_shaped(flat[k : k + step], shape[1:]) for k in range(0, len(flat), step)]


def _member(value: Value, shape: tuple[int, ...], values: Choices) -> bool:
    if not shape:
        # A range looks for anything but an int one by one.
        return rank(value) == 0 and (type(value) is int or type(values) is dict) and value in values
    return (
        type(value) is list
        and len(value) == shape[0]
        and all(_member(row, shape[1:], values) for row in value)
    )
